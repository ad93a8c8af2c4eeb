#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Interrupts and configuration space in the stream of accesses, of e1000e: interrupts against /proc/interrupts and the
# cause register, configuration space against QEMU's own log of it.

load trace.bash

setup()
{
	devices=()
	share_make
}

# Both logs as "read 0x10 0xfeb80000", between the two writes that the script makes around everything.
config_between()
{
	sed -n '/^write 0x0 0x1111$/,/^write 0x0 0x2222$/p'
}

config_ours()
{
	sed -nE 's/^MARK [0-9.]+ config (read|write) 0000:[0-9a-f:.]+ (0x[0-9a-f]+) [124] (0x[0-9a-f]+) 0x[0-9a-f]+$/\1 \2 \3/p' \
		"$share/log" | config_between
}

config_qemu()
{
	sed -nE 's/.*pci_cfg_(read|write) e1000e [^@]*@(0x[0-9a-f]+) (->|<-) (0x[0-9a-f]+)$/\1 \2 \4/p' \
		"$share/qemu.log" | config_between
}

# The caller is a function of the driver, of the kernel's PCI code, or what is behind /sys and /proc: never none.
callers()
{
	sed -nE 's/^MARK [0-9.]+ config .* (0x[0-9a-f]+)$/\1/p' "$share/log" | sort -u
}

events()
{
	device_add e1000e
	"$BATS_TEST_DIRNAME/guest" --kernel "$1" --cpus 2 --tcg single --timeout 120 --share "$share" --dmesg-clean \
		--console "$share/console" --qemu-arg -trace --qemu-arg 'pci_cfg_*' --qemu-arg -D \
		--qemu-arg "$share/qemu.log" "${devices[@]}" -- "$scripts/events" "$share"
	verdict_read "$share/trace.err"
	[ "$verdict" = complete ]

	run awk -f "$BATS_TEST_DIRNAME/events.awk" "$share/log"
	echo "$output"
	[ "$status" -eq 0 ]
	echo "# $1: ${lines[-1]}" >&3

	config_ours > "$share/config.ours"
	config_qemu > "$share/config.qemu"
	diff "$share/config.qemu" "$share/config.ours" | head -n 20
	cmp "$share/config.qemu" "$share/config.ours"
	grep -qx 'write 0x3c 0x5a' "$share/config.ours"
	[ "$(tail -n 1 "$share/config.ours")" = "write 0x0 0x2222" ]
	! callers | grep -qx 0x0
	[ "$(callers | wc -l)" -gt 10 ]
	echo "# $1: $(wc -l < "$share/config.ours") accesses to configuration space, from $(callers | wc -l) places, all as in QEMU's log" >&3
}

@test "6.1: interrupts and configuration space of e1000e" { events 6.1; }
@test "6.12: interrupts and configuration space of e1000e" { events 6.12; }
