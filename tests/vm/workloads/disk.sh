#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# usage: MODULE=NAME PCI_DRIVER=NAME [WITH="NAME..."] disk.sh [load] [use] [unload]
#
# In a guest with a disk of 64 MiB behind a controller that the module drives: use writes and reads back blocks of
# the disk past the page cache, two jobs at once. PCI_DRIVER is the name of the driver below /sys/bus/pci/drivers,
# WITH are modules that the disk needs as well.

# shellcheck source=tests/vm/workloads/driver.sh
. "$(dirname "$0")/driver.sh"

module=${MODULE:?} pci_driver=${PCI_DRIVER:?}
jobs_wanted=2
requests=${REQUESTS:-100}
block_size=4096
area_blocks=4096
scratch=/run/disk-$module

# shellcheck source=tests/vm/workloads/block.sh
. "$(dirname "$0")/block.sh"

# The disk whose path goes through the controller.
find_disk()
{
	local device path

	for device in /sys/bus/pci/drivers/"$pci_driver"/*:*; do
		for path in /sys/block/*; do
			case $(readlink -f "$path") in
			*/"${device##*/}"/*) disk=/dev/${path##*/}; test -b "$disk" && return 0 ;;
			esac
		done
	done
	return 1
}

load()
{
	local other depends

	depends=$(modinfo -F depends "$module") || fail "there is no module $module"
	for other in sd_mod ${depends//,/ } ${WITH:-}; do
		modprobe "$other" || fail "$other could not be loaded"
	done
	# Not modprobe, which would load ehci_pci before ohci_pci, and that is for another run.
	insmod "$(modinfo -n "$module")" || fail "$module could not be loaded"
	retry 60 find_disk || fail "there is no disk on $module after 60 s"
	report "$module: $disk is there"
}

use()
{
	find_disk || fail "there is no disk on $module"
	run_jobs
	report "$module: $jobs_wanted jobs wrote and read $requests blocks each, all equal"
}

unload()
{
	retry 20 modprobe -q -r "$module" || fail "$module could not be unloaded"
	report "$module: unloaded"
}

workload_run "$@"
