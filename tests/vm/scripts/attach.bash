# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154 # top, dir and run
#
# Traces of e1000e and nvme that leave marks in the device log for tests/vm/windows.c, see there. A script sets top
# (of the tree), dir (for the logs) and run (a directory in memory), and name before.

mmiobpf=$top/build/mmiobpf

die()
{
	echo "$name: $*" >&2
	cat "$run/trace.err" >&2 2>/dev/null
	exit 1
}

mark()
{
	# shellcheck disable=SC2059 # the byte is an escape on purpose
	printf "$1" | busybox dd of=/dev/port bs=1 seek=128 conv=notrunc 2>/dev/null
}

# wait_for TENTHS CONDITION...
wait_for()
{
	local tries=$1

	shift
	until "$@"; do
		[ "$((tries -= 1))" -gt 0 ] || return 1
		sleep 0.1
	done
}

is_recording()
{
	kill -0 "$trace" 2>/dev/null || return 0
	grep -q '^[RW] ' "$log" 2>/dev/null
}

trace_by_command()
{
	$mmiobpf trace --driver e1000e --driver nvme -o "$log" -- "$top/tests/vm/scripts/attached-command" \
		2> "$run/trace.err" || die "trace $1 ended with status $?"
}

# Records tell that the programs run, and all that was there is armed before they are read for the first time.
trace_by_signal()
{
	$mmiobpf trace --driver e1000e --driver nvme -o "$log" 2> "$run/trace.err" &
	trace=$!
	wait_for 300 is_recording || die "trace $1 recorded nothing for 30 s"
	mark '\x11'
	sleep "0.$((RANDOM % 3))"
	mark '\x12'
	kill -INT $trace
	wait $trace || die "trace $1 ended with status $?"
}

# trace_once NUMBER: odd ones end with their command, even ones by SIGINT.
trace_once()
{
	log=$dir/log.$1
	mark '\x10'
	if [ $(($1 % 2)) = 1 ]; then
		trace_by_command "$1"
	else
		trace_by_signal "$1"
	fi
	mark '\x13'
	grep -q ': complete$' "$run/trace.err" || die "trace $1 is not complete"
}
