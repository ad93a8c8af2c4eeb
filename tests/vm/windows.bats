#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The judge of traces that attach and detach, with logs made here.

load judge.bash

windows=$BATS_TEST_DIRNAME/../../build/vm/windows

device()
{
	echo "memory_region_ops_$1 cpu $2 mr 0x5 addr $3 value $4 size 4 name '${5:-nvme}'"
}

mark()
{
	device write 0 0x80 "$1" ioport80
}

# Two CPUs with a doorbell each, and a register that both use; CPU 1 starts later and ends earlier to be traced.
setup()
{
	dir=$BATS_TEST_TMPDIR
	{
		mark 0x12
		mark 0x4d
		mark 0x10
		device write 0 0x1000 0x1
		device write 1 0x1008 0x51
		device write 0 0x1000 0x2
		device write 1 0x1008 0x52
		mark 0x11
		device write 0 0x1000 0x3
		device read 0 0x1010 0xa
		device read 1 0x1010 0xb
		device read 0 0x1010 0xa
		device write 1 0x1008 0x53
		mark 0x12
		device write 0 0x1000 0x4
		device write 1 0x1008 0x54
		device write 0 0x1000 0x5
		mark 0x13
		device write 0 0x1000 0x6
		mark 0x6d
	} > "$dir/device.log"
	{
		echo "VERSION 20070824"
		echo "MAP 1.000000 1 0x1000 0xffffc90000095000 0x1000 0x0 1"
		echo "W 4 1.000000 1 0x1000 0x2 0x1 1"
		echo "W 4 1.000000 1 0x1000 0x3 0x1 1"
		echo "R 4 1.000000 1 0x1010 0xb 0x1 1"
		echo "R 4 1.000000 1 0x1010 0xa 0x1 1"
		echo "R 4 1.000000 1 0x1010 0xa 0x1 1"
		echo "W 4 1.000000 1 0x1008 0x53 0x1 1"
		echo "W 4 1.000000 1 0x1000 0x4 0x1 1"
	} > "$dir/log.1"
}

judged()
{
	run "$windows" "$dir" "$dir/device.log"
}

@test "a window, whose edges differ from CPU to CPU" {
	judged
	expect 0 "windows: 1 traces, 0 wrong; 7 accesses recorded, 5 while all was armed"
}

@test "an access at either edge may be missing" {
	sed -i '/0x1000 0x2 /d; /0x1000 0x4 /d' "$dir/log.1"
	judged
	expect 0 "0 wrong"
}

@test "an access is missing while all is armed" {
	sed -i '/0x1008 0x53 /d' "$dir/log.1"
	judged
	expect 1 "trace 1: no run of the device's accesses is that of the log, at 0x1008" "1 wrong"
}

@test "one of several CPUs' accesses is missing while all is armed" {
	sed -i '/0x1010 0xb /d' "$dir/log.1"
	judged
	expect 1 "at 0x1010" "1 wrong"
}

@test "an access has another value" {
	sed -i 's/0x1000 0x3 /0x1000 0x7 /' "$dir/log.1"
	judged
	expect 1 "at 0x1000" "1 wrong"
}

@test "an access was not made" {
	echo "W 4 1.000000 1 0x1000 0x9 0x1 1" >> "$dir/log.1"
	judged
	expect 1 "at 0x1000" "1 wrong"
}

@test "an access was made outside of the marks" {
	printf 'W 4 1.000000 1 0x1000 0x%x 0x1 1\n' 5 6 >> "$dir/log.1"
	judged
	expect 1 "at 0x1000" "1 wrong"
}

@test "a CPU misses the page's trap between two others" {
	sed -i '/0x1010 0x/d; /0x1000 0x4 /d' "$dir/log.1"
	sed -i '/addr 0x1010/d; s/addr 0x1000 value 0x3 /addr 0x1004 value 0x3 /' "$dir/device.log"
	sed -i 's/0x1000 0x3 /0x1004 0x3 /; s/0x1000 0x2 /0x1000 0x1 /' "$dir/log.1"
	judged
	expect 1 "a CPU missed the page's trap in between, at 0x1004" "1 wrong"
}

@test "a loss, and an undecoded access" {
	echo "MARK 1.000000 Lost 1 events." >> "$dir/log.1"
	judged
	expect 1 "lost or undecoded"
	sed -i 's/^MARK.*/UNKNOWN 1.000000 1 0x1000 0x0f,0xae 0x1 1/' "$dir/log.1"
	judged
	expect 1 "lost or undecoded"
}

@test "nothing was traced" {
	sed -i '/^[RW]/d' "$dir/log.1"
	judged
	expect 1 "nothing was traced"
	run "$windows" --idle "$dir" "$dir/device.log"
	expect 1 "no run of the device's accesses is that of the log"
	sed -i "/nvme/d" "$dir/device.log"
	run "$windows" --idle "$dir" "$dir/device.log"
	expect 1 "1 traces, 0 wrong; 0 accesses recorded, 0 while"
}

@test "no trace, and a trace without an end" {
	sed -i '/ioport80/d' "$dir/device.log"
	mark 0x6d >> "$dir/device.log"
	judged
	expect 1 "0 traces"
	setup
	sed -i '/value 0x13 /d' "$dir/device.log"
	judged
	expect 2 "a trace has no end"
}
