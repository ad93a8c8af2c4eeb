#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# usage: PCI_DRIVER=NAME bridge.sh [load] [use] [unload]
#
# In a guest with a bridge that has hot-plug slots, one of them with a device: load binds the driver to the bridge, anew
# as it is built into the kernel; use takes the power from the slot, by which the device goes, and gives it back, by which
# it comes; unload unbinds the driver.

# shellcheck source=tests/vm/workloads/driver.sh
. "$(dirname "$0")/driver.sh"

pci_driver=${PCI_DRIVER:?}
driver=/sys/bus/pci/drivers/$pci_driver
kept=/run/bridge-$pci_driver

find_slot()
{
	local path

	for path in /sys/bus/pci/slots/*; do
		[ -e "$path/power" ] && [ "$(<"$path/adapter")" = 1 ] && slot=$path && return 0
	done
	return 1
}

load()
{
	local path

	for path in "$driver"/*:*; do
		[ -e "$path" ] || fail "$pci_driver has no bridge"
		echo "${path##*/}" >"$kept"
		echo "${path##*/}" >"$driver/unbind" || fail "$pci_driver cannot be unbound"
	done
	cat "$kept" >"$driver/bind" || fail "$pci_driver cannot be bound"
	retry 10 find_slot || fail "$pci_driver has no slot with a device"
	report "$pci_driver: slot ${slot##*/} has a device"
}

use()
{
	local device

	find_slot || fail "$pci_driver has no slot with a device"
	device=/sys/bus/pci/devices/$(<"$slot/address").0
	[ -e "$device" ] || fail "$device is not there"
	echo 0 >"$slot/power" || fail "slot ${slot##*/} keeps its power"
	[ ! -e "$device" ] || fail "$device has stayed"
	[ "$(<"$slot/power")" = 0 ] || fail "slot ${slot##*/} still has power"
	[ "$(<"$slot/adapter")" = 0 ] || fail "slot ${slot##*/} still has a device"
	report "$pci_driver: power taken from slot ${slot##*/}, its device is gone"
}

unload()
{
	cat "$kept" >"$driver/unbind" || fail "$pci_driver cannot be unbound"
	report "$pci_driver: unbound"
}

workload_run "$@"
