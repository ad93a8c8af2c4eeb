#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Rings that overflow: losses are counted exactly, stand where they happened, and the exit status is 3.

load trace.bash

setup()
{
	devices=()
	share_make
}

lossy()
{
	local reported

	device_add nvme
	run guest "$1" "${devices[@]}" -- "$scripts/lossy" "$share"
	echo "$output"
	[ "$status" -eq 3 ]
	verdict_read "$share/trace.err"
	[ "$verdict" = incomplete ]
	[ "$lost" -gt 0 ]
	[ "$((accesses + lost))" -eq "$faults" ]
	reported=$(awk '$1 == "MARK" && $3 == "Lost" { n += $4 } END { print n + 0 }' "$share/log")
	[ "$reported" -eq "$lost" ]
	run "$oracle" --only-declared --lost "$lost" "$share/log" "$share/device.log"
	echo "$output"
	[ "$status" -eq 0 ]
	echo "# $1: $accesses recorded, $lost lost: $output" >&3
}

@test "6.1: nvme with rings of 64 KiB and a slow reader" { lossy 6.1; }
@test "6.12: nvme with rings of 64 KiB and a slow reader" { lossy 6.12; }
