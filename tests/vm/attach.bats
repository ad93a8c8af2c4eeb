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
# traced SCRIPT KERNEL TRACES TEXT...: each text is in what the script says
# In make check on one thread of QEMU, which is safe from its "Oops: int3"; the long forms have one for each CPU.
traced()
{
	local script=$1 kernel=$2 traces=$3 idle="" judge text

	device_add e1000e
	device_add nvme
	# A driver that is about to be loaded accesses nothing.
	[ "$script" != reloaded ] || idle=--idle
	mkfifo "$share/device.log"
	# shellcheck disable=SC2086 # none or one
	"$top/build/vm/windows" $idle "$share" "$share/device.log" > "$share/verdict" 2>&1 3>&- &
	judge=$!
	run "$BATS_TEST_DIRNAME/guest" --kernel "$kernel" --cpus 4 --tcg "${SOAK_TCG:-single}" \
		--timeout $((120 + 20 * traces)) --share "$share" \
		--dmesg-clean --oracle "$share/device.log" --console "$share/console" "${devices[@]}" \
		--env "PING_OPTIONS=${PING_OPTIONS:--f}" -- "$scripts/$script" "$traces" "$share"
	echo "$output"
	[ "$status" -eq 0 ] || kill $judge
	wait $judge || status=1
	cat "$share/verdict"
	[ "$status" -eq 0 ]
	for text in "${@:4}"; do
		[[ $output == *"$text"* ]]
	done
	[[ $(tail -n 1 "$share/verdict") == "windows: $traces traces, 0 wrong; "* ]]
	echo "# $kernel: ${lines[-1]}" >&3
	echo "# $kernel: $(tail -n 1 "$share/verdict")" >&3
}

attached()
{
	traced attached "$1" "$2" "attached $2 times, " ", none lost, "
}

# Counts depend on the host's speed; a load takes a second or two.
reloaded()
{
	traced reloaded "$1" "$2" "traced $2 times, "
	[[ ! $output =~ " loaded 0 times"|"nvme 0 times" ]]
}

@test "6.1: e1000e and nvme under load, attached and detached" { attached 6.1 "${ATTACH_TRACES:-4}"; }
@test "6.12: e1000e and nvme under load, attached and detached" { attached 6.12 "${ATTACH_TRACES:-4}"; }
@test "6.1: traces begin and end while the drivers load and unload" { reloaded 6.1 "${RELOAD_TRACES:-3}"; }
@test "6.12: traces begin and end while the drivers load and unload" { reloaded 6.12 "${RELOAD_TRACES:-3}"; }
