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

killed()
{
	device_add nvme
	run "$BATS_TEST_DIRNAME/guest" --kernel "$1" --cpus 4 --timeout 1500 --dmesg-clean --share "$share" \
		--console "$share/console" "${devices[@]}" -- "$scripts/killed" 50
	echo "$output"
	[ "$status" -eq 0 ]
	[[ $output == *"killed 50 traces after "*" recorded accesses, "*" without an error"* ]]
	echo "# $1: ${lines[-1]}" >&3
}

@test "6.1: 50 traces of nvme under load killed" { killed 6.1; }
@test "6.12: 50 traces of nvme under load killed" { killed 6.12; }
