#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Traces that attach to drivers at work and let go of them again: complete while they are attached, and the drivers
# do not notice. `make soak-attach` does it 1,000 times; here it is a few times.

load trace.bash

setup()
{
	devices=()
	share_make
}

# The device log of a run with both devices under load is some 10 MB for each trace: it is judged while it is made.
attached()
{
	local traces=$2 judge

	device_add e1000e
	device_add nvme
	mkfifo "$share/device.log"
	"$top/build/vm/windows" "$share" "$share/device.log" > "$share/verdict" 2>&1 3>&- &
	judge=$!
	run "$BATS_TEST_DIRNAME/guest" --kernel "$1" --cpus 4 --timeout $((120 + 20 * traces)) --share "$share" \
		--dmesg-clean --oracle "$share/device.log" --console "$share/console" "${devices[@]}" \
		--env "PING_OPTIONS=${PING_OPTIONS:--f}" -- "$scripts/attached" "$traces" "$share"
	echo "$output"
	[ "$status" -eq 0 ] || kill $judge
	wait $judge || status=1
	cat "$share/verdict"
	[ "$status" -eq 0 ]
	[[ $output == *"attached $traces times, "*" none lost, "* ]]
	[[ $(tail -n 1 "$share/verdict") == "windows: $traces traces, 0 wrong; "* ]]
	echo "# $1: ${lines[-1]}" >&3
	echo "# $1: $(tail -n 1 "$share/verdict")" >&3
}

@test "6.1: e1000e and nvme under load, attached and detached" { attached 6.1 "${ATTACH_TRACES:-10}"; }
@test "6.12: e1000e and nvme under load, attached and detached" { attached 6.12 "${ATTACH_TRACES:-10}"; }
