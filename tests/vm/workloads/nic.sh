#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# usage: MODULE=NAME nic.sh [load] [use] [unload]
#
# In a guest with a network card that the module drives, on a user network of QEMU: load brings the link up, use
# sends pings to the gateway. A lost ping is a failure.

# shellcheck source=tests/vm/workloads/driver.sh
. "$(dirname "$0")/driver.sh"

module=${MODULE:?}
pings=${PINGS:-100}
gateway=10.0.2.2

find_interface()
{
	local path

	for path in /sys/bus/pci/drivers/*/*:*/net/*; do
		case $(readlink -f "${path%/net/*}/driver/module") in
		*/"$module") nic=${path##*/}; return 0 ;;
		esac
	done
	return 1
}

has_carrier()
{
	[ "$(cat "/sys/class/net/$nic/carrier" 2>/dev/null)" = 1 ]
}

# The address of the gateway is asked for once, so that the first ping is no special case.
gateway_answers()
{
	ping -c 1 -W 1 -q "$gateway" >/dev/null 2>&1
}

load()
{
	modprobe "$module" || fail "$module could not be loaded"
	retry 10 find_interface || fail "$module has no network interface"
	ip link set "$nic" up || fail "$nic could not be set up"
	ip address add 10.0.2.15/24 dev "$nic" || fail "$nic takes no address"
	retry 30 has_carrier || fail "$nic has no link after 30 s"
	report "$module: $nic has a link"
}

use()
{
	local summary

	find_interface || fail "$module has no network interface"
	retry 20 gateway_answers || fail "$gateway does not answer"
	summary=$(ping -i 0.01 -c "$pings" -W 20 -q "$gateway") || fail "ping failed: $summary"
	case $summary in
	*"$pings packets transmitted, $pings received, 0% packet loss"*) ;;
	*) fail "a ping was lost: $summary" ;;
	esac
	report "$module: $pings pings sent, $pings answered"
}

unload()
{
	modprobe -r "$module" || fail "$module could not be unloaded"
	report "$module: unloaded"
}

workload_run "$@"
