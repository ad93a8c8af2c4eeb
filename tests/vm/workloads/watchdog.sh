#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# usage: MODULE=NAME watchdog.sh [load] [use] [unload]
#
# In a guest with a watchdog that the module drives: use keeps it alive for a while, reads what it says of itself
# back, and closes it in the way that stops it. A watchdog that is not stopped resets the guest.

# shellcheck source=tests/vm/workloads/driver.sh
. "$(dirname "$0")/driver.sh"

module=${MODULE:?}

find_watchdog()
{
	local path

	for path in /sys/class/watchdog/*; do
		grep -qsi "$module" "$path/identity" || continue
		watchdog=${path##*/}
		test -c "/dev/$watchdog" && return 0
	done
	return 1
}

load()
{
	modprobe "$module" || fail "$module could not be loaded"
	retry 10 find_watchdog || fail "$module has no watchdog"
	report "$module: $watchdog is there"
}

use()
{
	local i timeout

	find_watchdog || fail "$module has no watchdog"
	exec 8>"/dev/$watchdog" || fail "$watchdog could not be opened"
	for ((i = 0; i < 20; i++)); do
		echo >&8 || fail "$watchdog takes no keep-alive"
		sleep 0.05
	done
	timeout=$(<"/sys/class/watchdog/$watchdog/timeout")
	[ "$(<"/sys/class/watchdog/$watchdog/state")" = active ] || fail "$watchdog is not active"
	printf V >&8
	exec 8>&-
	[ "$(<"/sys/class/watchdog/$watchdog/state")" = inactive ] || fail "$watchdog was not stopped"
	report "$module: kept alive 20 times, timeout $timeout s, stopped"
}

unload()
{
	modprobe -r "$module" || fail "$module could not be unloaded"
	report "$module: unloaded"
}

workload_run "$@"
