#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# usage: nvme.sh [load] [use] [unload]
#
# In a guest with --drive file=IMAGE,if=none,id=d0,format=raw --device nvme,drive=d0,serial=1 and four CPUs: use
# runs four jobs at once, each pinned to its CPU, each writing and reading back its own area of the disk past the
# page cache. What is read back must be what was written. The disk needs 256 MiB.
#
# A request is two doorbell writes at least, one to submit and one to complete: 4 jobs of 1,500 writes and 1,500
# reads are 24,000 register accesses.

# shellcheck source=tests/vm/workloads/driver.sh
. "$(dirname "$0")/driver.sh"

jobs_wanted=4
requests=${REQUESTS:-1500}
block_size=4096
area_blocks=16384
disk=/dev/nvme0n1
scratch=/run/nvme

# shellcheck source=tests/vm/workloads/block.sh
. "$(dirname "$0")/block.sh"

load()
{
	modprobe nvme || fail "nvme could not be loaded"
	retry 30 test -b "$disk" || fail "there is no $disk after 30 s: give the guest --device nvme"
	report "$disk is there"
}

use()
{
	run_jobs
	report "$jobs_wanted jobs wrote and read $requests blocks each, all equal"
}

unload()
{
	modprobe -r nvme || fail "nvme could not be unloaded"
	report "unloaded"
}

workload_run "$@"
