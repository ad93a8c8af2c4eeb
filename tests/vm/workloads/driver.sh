# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What the driver workloads share. A workload sets the functions load, use and unload and ends with
# "workload_run $@": its arguments are the actions to take, all three when there are none, so that a tracer can be
# started in between. Any failure ends it with status 1 and a sentence on standard error.

set -u -o pipefail
workload=$(basename "$0" .sh)

fail()
{
	echo "$workload: $*" >&2
	exit 1
}

report()
{
	echo "$workload: $*"
}

# retry SECONDS CONDITION...: waits until the condition holds.
retry()
{
	local limit=$((SECONDS + $1))

	shift
	until "$@"; do
		[ "$SECONDS" -lt "$limit" ] || return 1
		sleep 0.1
	done
}

# Lines of the kernel log by which the block layer or a driver says that something went wrong.
trouble_in_dmesg()
{
	# Not what megaraid_sas says of itself: "FW provided TM TaskAbort/Reset timeout : 0 secs".
	dmesg | grep -v 'Reset timeout[[:space:]]*:' | grep -E 'I/O error|timeout|[Tt]imed out|resett?ing|exception Emask|failed command|Tx Unit Hang|hung'
}

workload_run()
{
	local action

	[ $# -gt 0 ] || set -- load use unload
	for action; do
		case $action in
		load | use | unload) "$action" ;;
		*)
			echo "usage: $workload.sh [load] [use] [unload]" >&2
			exit 2
			;;
		esac
	done
	! trouble_in_dmesg >&2 || fail "the kernel log tells of trouble, see above"
}
