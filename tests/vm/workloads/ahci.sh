#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# usage: ahci.sh [load] [use] [unload]
#
# In a guest with --drive file=IMAGE,if=none,id=d0,format=raw --device ich9-ahci,id=ahci --device
# ide-hd,drive=d0,bus=ahci.0: use writes and reads back blocks of the disk past the page cache, two jobs at once.
# What is read back must be what was written. The disk needs 128 MiB.

# shellcheck source=tests/vm/workloads/driver.sh
. "$(dirname "$0")/driver.sh"

jobs_wanted=2
requests=${REQUESTS:-300}
block_size=4096
area_blocks=16384
scratch=/run/ahci

# shellcheck source=tests/vm/workloads/block.sh
. "$(dirname "$0")/block.sh"

find_disk()
{
	local path

	for path in /sys/block/sd*; do
		case $(readlink -f "$path") in
		*/ata*) disk=/dev/${path##*/}; test -b "$disk" && return 0 ;;
		esac
	done
	return 1
}

# The guest's kernel has the disk driver as a module too.
load()
{
	modprobe sd_mod || fail "sd_mod could not be loaded"
	modprobe ahci || fail "ahci could not be loaded"
	retry 30 find_disk || fail "there is no disk on ahci after 30 s: give the guest --device ich9-ahci"
	report "$disk is there"
}

use()
{
	find_disk || fail "there is no disk on ahci"
	run_jobs
	report "$jobs_wanted jobs wrote and read $requests blocks each, all equal"
}

unload()
{
	modprobe -r ahci || fail "ahci could not be unloaded"
	report "unloaded"
}

workload_run "$@"
