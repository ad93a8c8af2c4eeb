#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# usage: e1000e.sh [load] [use] [unload]
#
# In a guest with --netdev user,id=n0 --device e1000e,netdev=n0: load brings the link up, use sends 500 pings to
# QEMU's user network, unload unloads. A lost ping is a failure. With SILENT=1 in the environment the guest sends
# nothing of its own over IPv6, so that one load is as the next.

# shellcheck source=tests/vm/workloads/driver.sh
. "$(dirname "$0")/driver.sh"

pings=${PINGS:-500}
gateway=10.0.2.2

interface()
{
	local path

	for path in /sys/bus/pci/drivers/e1000e/*/net/*; do
		[ -e "$path" ] && basename "$path" && return 0
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
	modprobe e1000e || fail "e1000e could not be loaded"
	nic=$(interface) || fail "e1000e has no network interface: give the guest --device e1000e"
	[ -z "${SILENT:-}" ] || echo 1 >"/proc/sys/net/ipv6/conf/$nic/disable_ipv6"
	ip link set "$nic" up || fail "$nic could not be set up"
	ip address add 10.0.2.15/24 dev "$nic" || fail "$nic takes no address"
	retry 30 has_carrier || fail "$nic has no link after 30 s"
	report "$nic has a link"
}

use()
{
	local summary

	retry 20 gateway_answers || fail "$gateway does not answer"
	# A busy host may hold a reply for longer than ping waits for the last one by default.
	summary=$(ping -i 0.01 -c "$pings" -W 20 -q "$gateway") || fail "ping failed: $summary"
	case $summary in
	*"$pings packets transmitted, $pings received, 0% packet loss"*) ;;
	*) fail "a ping was lost: $summary" ;;
	esac
	report "$pings pings sent, $pings answered"
}

unload()
{
	modprobe -r e1000e || fail "e1000e could not be unloaded"
	report "unloaded"
}

workload_run "$@"
