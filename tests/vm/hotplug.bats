#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A CPU that goes offline accesses devices until the end: the log has these accesses as well.

load trace.bash

setup()
{
	devices=()
	share_make
}

# Not tests/vm/scripts/traced, which wants no CPU to go offline.
offlined()
{
	device_add e1000e
	run guest "$1" "${devices[@]}" --module "$top/build/kmod/$("$BATS_TEST_DIRNAME/kernels" release "$1")/mmiobpf.ko" \
		-- "$top/build/mmiobpf" trace -o "$share/log" --driver e1000e -- "$scripts/offlined"
	echo "$output"
	[ "$status" -eq 0 ]
	[[ $output == *": complete"* ]]
	run "$oracle" --only-declared "$share/log" "$share/device.log"
	echo "$output"
	[ "$status" -eq 0 ]
	echo "# $1: $output" >&3
}

@test "6.1: the CPU that serves the interrupts of e1000e goes off- and online" { offlined 6.1; }
@test "6.12: the CPU that serves the interrupts of e1000e goes off- and online" { offlined 6.12; }
