#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# SIGKILL in the middle of a load, again and again: every page is given back each time.

load trace.bash

setup()
{
	devices=()
	share_make
}

# One thread of QEMU for all CPUs: with one each, QEMU 7.2 now and then runs a breakpoint that the kernel had put
# into its page-fault code for a moment, to switch the tracepoint there, and has taken out again ("Oops: int3").
# The CPUs still interrupt each other anywhere.
killed()
{
	device_add nvme
	run "$BATS_TEST_DIRNAME/guest" --kernel "$1" --cpus 4 --tcg single --timeout 1200 --dmesg-clean \
		--share "$share" --console "$share/console" "${devices[@]}" -- "$scripts/killed" "$2"
	echo "$output"
	[ "$status" -eq 0 ]
	[[ $output == *"killed $2 traces after "*" recorded accesses, "*" without an error"* ]]
	echo "# $1: ${lines[-1]}" >&3
}

@test "6.1: 10 traces of nvme under load killed" { killed 6.1 10; }
@test "6.12: 50 traces of nvme under load killed" { killed 6.12 50; }
