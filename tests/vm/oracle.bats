#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The comparer itself: whatever is changed in a pair of logs that are equal, it says so. No guest is needed.

load judge.bash

setup()
{
	top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	oracle=$top/build/vm/oracle
	device=$BATS_TEST_TMPDIR/device.log
	ours=$BATS_TEST_TMPDIR/ours.log
	cp "$top/tests/data/oracle/device.log" "$device"
	cp "$top/tests/data/oracle/ours.log" "$ours"
}

# change FILE SED-SCRIPT: fails when it changes nothing, so that no test passes by chance.
change()
{
	sed -i.before "$2" "$1"
	! cmp -s "$1" "$1.before"
}

# swap_lines FILE A B
swap_lines()
{
	awk -v a="$2" -v b="$3" '{ line[NR] = $0 }
		END { t = line[a]; line[a] = line[b]; line[b] = t; for (i = 1; i <= NR; i++) print line[i] }' \
		"$1" >"$1.new" && mv "$1.new" "$1"
}

@test "equal logs are equal" {
	run "$oracle" "$ours" "$device"
	expect 0 "oracle: 11 recorded, 12 in the device log, 0 missing, 0 extra, 0 different"
	[ "${#lines[@]}" -eq 1 ]
}

@test "a line that is dropped from the log is missing" {
	change "$ours" '/0xfe00100e 0x4/d'
	run "$oracle" "$ours" "$device"
	expect 1 "missing: W 1 0xfe00100e 0x4" "> line 15: memory_region_ops_write cpu 0" \
		"line 13: memory_region_ops_read cpu 0" "1 missing, 0 extra, 0 different"
}

@test "the first line, the last line and one of several equal lines can be missing" {
	for script in '0,/^R/{/^R/d}' '/0xfe003000 0xaa/d' '10d'; do
		cp "$top/tests/data/oracle/ours.log" "$ours"
		change "$ours" "$script"
		run "$oracle" "$ours" "$device"
		expect 1 "missing: " "10 recorded, 12 in the device log, 1 missing, 0 extra, 0 different"
	done
}

@test "a line that is dropped from the device log is extra in the log" {
	change "$device" '/addr 0xfe001004/d'
	run "$oracle" "$ours" "$device"
	expect 1 "extra: W 4 0xfe001004 0x1" "> line 6: W 4 1.000110" "0 missing, 1 extra, 0 different"
}

@test "a value that is changed is different" {
	change "$ours" 's/0xfe00100c 0x3 /0xfe00100c 0x13 /'
	run "$oracle" "$ours" "$device"
	expect 1 "different value: W 2 0xfe00100c 0x13" "> line 12: W 2" \
		"> line 14: memory_region_ops_write cpu 1" "value 0x3 size 2" \
		"0 missing, 0 extra, 1 different"
}

@test "a width or a direction that is changed is one missing and one extra" {
	change "$ours" 's/^W 2 \(.*0xfe00100c\)/W 4 \1/'
	run "$oracle" "$ours" "$device"
	expect 1 "missing: W 2 0xfe00100c" "extra: W 4 0xfe00100c" "1 missing, 1 extra, 0 different"
	cp "$top/tests/data/oracle/ours.log" "$ours"
	change "$ours" 's/^W 2 \(.*0xfe00100c\)/R 2 \1/'
	run "$oracle" "$ours" "$device"
	expect 1 "missing: W 2 0xfe00100c" "extra: R 2 0xfe00100c" "1 missing, 1 extra, 0 different"
}

@test "an address that is changed is one missing and one extra" {
	change "$ours" 's/0xfe00100c 0x3/0xfe00100a 0x3/'
	run "$oracle" "$ours" "$device"
	expect 1 "1 missing, 1 extra, 0 different"
}

@test "two accesses of one CPU that are swapped are out of order" {
	swap_lines "$ours" 5 6
	run "$oracle" "$ours" "$device"
	expect 1 "order: no CPU made this access next" "> line 5: W 4 1.000110" \
		"0 missing, 0 extra, 0 different, out of order"
}

@test "two accesses of one CPU that are swapped further apart are out of order" {
	swap_lines "$ours" 12 14
	run "$oracle" "$ours" "$device"
	expect 1 "order: no CPU made this access next" "> line 12: W 4 1.000180" "out of order"
}

@test "two accesses of different CPUs may be swapped" {
	swap_lines "$ours" 6 7
	swap_lines "$ours" 12 13
	run "$oracle" "$ours" "$device"
	expect 0 "0 missing, 0 extra, 0 different"
}

@test "equal accesses of two CPUs are told apart by what follows" {
	# CPU 1 does its first three accesses before CPU 0 begins. The first read could as well be CPU 0's, but
	# then the write of 0xfe00100c would come too early.
	awk '{ line[NR] = $0 } END { n = split("1 2 3 4 7 8 12 5 6 10 11 13 14 15 16", at, " ")
		for (i = 1; i <= n; i++) print line[at[i]] }' "$ours" >"$ours.new"
	mv "$ours.new" "$ours"
	run "$oracle" "$ours" "$device"
	expect 0 "0 missing, 0 extra, 0 different"
}

@test "a list of CPUs leaves no choice" {
	printf '%s\n' 0 0 1 1 0 0 1 0 1 1 0 >"$BATS_TEST_TMPDIR/cpus"
	run "$oracle" --cpus "$BATS_TEST_TMPDIR/cpus" "$ours" "$device"
	expect 0 "0 missing, 0 extra, 0 different"
	printf '%s\n' 0 0 0 1 0 0 1 0 1 1 0 >"$BATS_TEST_TMPDIR/cpus"
	run "$oracle" --cpus "$BATS_TEST_TMPDIR/cpus" "$ours" "$device"
	expect 1 "order: no CPU made this access next" "> line 7: W 4"
	printf '%s\n' 0 0 >"$BATS_TEST_TMPDIR/cpus"
	run "$oracle" --cpus "$BATS_TEST_TMPDIR/cpus" "$ours" "$device"
	expect 2 "cannot understand line 3"
}

@test "an 8-byte access matches two of 4 bytes only with the right halves" {
	change "$ours" 's/0x1122334455667788/0x1122334555667788/'
	run "$oracle" "$ours" "$device"
	expect 1 "different value: R 4 0xfe001024 0x11223345" "0 missing, 0 extra, 1 different"
	cp "$top/tests/data/oracle/ours.log" "$ours"
	change "$device" '/addr 0xfe001024/d'
	run "$oracle" "$ours" "$device"
	expect 1 "extra: R 4 0xfe001024 0x11223344"
}

@test "the halves of an 8-byte access come low address first" {
	swap_lines "$device" 12 13
	run "$oracle" "$ours" "$device"
	expect 1 "out of order"
}

@test "an 8-byte access stays whole where the device takes 8 bytes" {
	change "$device" "13d; s/addr 0xfe001020 value 0x55667788 size 4/addr 0xfe001020 value 0x1122334455667788 size 8/"
	run "$oracle" "$ours" "$device"
	expect 0 "11 recorded, 11 in the device log"
}

@test "the marks bound what is compared" {
	change "$device" '/value 0x4d/d'
	run "$oracle" "$ours" "$device"
	expect 2 "has no start mark"
	cp "$top/tests/data/oracle/device.log" "$device"
	change "$device" '/value 0x6d/d'
	run "$oracle" "$ours" "$device"
	expect 1 "missing: R 4 0xfe001000 0x12"
}

@test "a loss that is reported where it is passes" {
	change "$ours" 's/^W 4 1.000110.*/MARK 1.000120 Lost 2 events./; 7d'
	change "$ours" 's/^W 1 1.000170.*/MARK 1.000180 Lost 1 events./'
	run "$oracle" --lost 3 "$ours" "$device"
	expect 0 "8 recorded, 12 in the device log, 3 missing, 0 extra, 0 different"
	run "$oracle" "$ours" "$device"
	expect 1 "3 missing"
}

@test "a loss at either end passes" {
	change "$ours" 's/^R 4 1.000100.*/MARK 1.000110 Lost 1 events./; s/^R 4 1.000200.*/MARK 1.000300 Lost 1 events./'
	run "$oracle" --lost 2 "$ours" "$device"
	expect 0 "2 missing, 0 extra, 0 different"
}

@test "a loss that is reported in the wrong place fails" {
	change "$ours" '/^W 4 1.000110/d; s/^W 1 1.000170.*/&\nMARK 1.000180 Lost 1 events./'
	run "$oracle" --lost 1 "$ours" "$device"
	expect 1 "order: no CPU made this access next" "1 missing, 0 extra, 0 different, out of order"
}

@test "losses whose numbers are exchanged fail" {
	change "$ours" 's/^W 4 1.000110.*/MARK 1.000120 Lost 1 events./; 7d'
	change "$ours" 's/^W 1 1.000170.*/MARK 1.000180 Lost 2 events./'
	run "$oracle" --lost 3 "$ours" "$device"
	expect 1 "order: after the loss in line" "out of order"
}

@test "a loss that is not reported, or in another number, fails" {
	change "$ours" '/^W 4 1.000110/d'
	run "$oracle" --lost 1 "$ours" "$device"
	expect 1 "lost: the log reports 0, not 1"
	change "$ours" 's/^W 4 1.000120.*/MARK 1.000120 Lost 2 events.\n&/'
	run "$oracle" --lost 2 "$ours" "$device"
	expect 1 "lost: 1 are missing, not 2"
}

@test "an access that was not decoded is a difference" {
	change "$ours" 's/^W 1 1.000170.*/UNKNOWN 1.000170 1 0xfe00100e 0xf0,0x0 0xffffffffc000020c 412/'
	run "$oracle" "$ours" "$device"
	expect 1 "undecoded: 1 accesses, the first one in line 13" "1 missing"
}

@test "addresses and regions can be chosen" {
	change "$ours" '/0xfe003000 0xaa/d'
	run "$oracle" --phys 0xfe001000-0xfe001fff "$ours" "$device"
	expect 0 "10 recorded, 11 in the device log"
	run "$oracle" --region toy-mmio "$ours" "$device"
	expect 0 "10 recorded, 11 in the device log"
	run "$oracle" --region msix-table "$ours" "$device"
	expect 1 "1 missing"
}

@test "with --only-declared an access elsewhere is extra" {
	change "$ours" 's/^UNMAP 1.000300.*/W 4 1.000250 3 0xfd000000 0x1 0xffffffffc0000600 412\n&/'
	run "$oracle" "$ours" "$device"
	expect 0 "11 recorded"
	run "$oracle" --only-declared "$ours" "$device"
	expect 1 "extra: W 4 0xfd000000 0x1" "1 extra"
}

@test "--count counts between the marks" {
	run "$oracle" --count --phys 0xfe001000-0xfe001fff "$device"
	expect 0
	[ "$output" = 11 ]
	run "$oracle" --count --region other-mmio "$device"
	[ "$output" = 1 ]
	run "$oracle" --count --phys 0x1000-0x1fff "$device"
	[ "$output" = 0 ]
}

@test "rules: byte-wise, wider and dirty regions hide nothing" {
	cat >"$device" <<-LOG
	memory_region_ops_write cpu 0 mr 0x1 addr 0x80 value 0x4d size 1 name 'ioport80'
	memory_region_ops_read cpu 0 mr 0x1 addr 0x1000 value 0x44 size 1 name 'capabilities'
	memory_region_ops_read cpu 0 mr 0x1 addr 0x1001 value 0x33 size 1 name 'capabilities'
	memory_region_ops_read cpu 0 mr 0x2 addr 0x2000 value 0x1234500000007 size 8 name 'megasas-mmio'
	memory_region_ops_read cpu 0 mr 0x3 addr 0x3000 value 0xab0005 size 2 name 'bochs dispi interface'
	memory_region_ops_write cpu 0 mr 0x1 addr 0x80 value 0x6d size 1 name 'ioport80'
	LOG
	cat >"$ours" <<-LOG
	R 2 1.000000 1 0x1000 0x3344 0x0 0
	R 4 1.000001 1 0x2000 0x7 0x0 0
	R 2 1.000002 1 0x3000 0x5 0x0 0
	LOG
	run "$oracle" --phys 0x1000-0x3fff "$ours" "$device"
	expect 0 "3 recorded, 4 in the device log, 0 missing, 0 extra, 0 different"
	for line in 1 2 3; do
		sed "${line}d" "$ours" >"$ours.short"
		run "$oracle" --phys 0x1000-0x3fff "$ours.short" "$device"
		expect 1 "missing: "
	done
	run "$oracle" --rules
	expect 0 "any region" "megasas"
}

@test "a log that cannot be read or understood is wrong usage" {
	run "$oracle" "$BATS_TEST_TMPDIR/none" "$device"
	expect 2 "cannot read" "No such file"
	change "$ours" 's/^W 2 /W two /'
	run "$oracle" "$ours" "$device"
	expect 2 "cannot understand line 12 of"
	run "$oracle" "$ours"
	expect 2 "usage:"
	run "$oracle" --phys 5 "$ours" "$device"
	expect 2 "usage:"
	cp "$top/tests/data/oracle/ours.log" "$ours"
	change "$ours" '/^MAP/d'
	run "$oracle" "$ours" "$device"
	expect 2 "has no MAP line"
}

@test "many equal accesses on several CPUs are read in time" {
	awk 'BEGIN { print "memory_region_ops_write cpu 0 mr 0x1 addr 0x80 value 0x4d size 1 name '\''ioport80'\''"
		for (i = 0; i < 40000; i++)
			printf "memory_region_ops_read cpu %d mr 0x1 addr 0x1000 value 0x%x size 4 name '\''x'\''\n",
				i % 3, int(i / 500) % 2 }' >"$device"
	awk 'BEGIN { for (i = 0; i < 40000; i++)
		printf "R 4 1.%06d 1 0x1000 0x%x 0x0 0\n", i, int(i / 500) % 2 }' >"$ours"
	run timeout 60 "$oracle" --phys 0x1000-0x1fff "$ours" "$device"
	expect 0 "40000 recorded, 40000 in the device log, 0 missing"
}

@test "a region that is logged at another address is moved, and still misses what is missing" {
	change "$device" '/toy-mmio/s/addr 0xfe001/addr 0xc001/'
	run "$oracle" "$ours" "$device"
	expect 1 " extra, 0 different"
	run "$oracle" --moved toy-mmio:0xc001000:0xfe001000 "$ours" "$device"
	expect 0 "oracle: 11 recorded, 12 in the device log, 0 missing, 0 extra, 0 different"
	change "$ours" '/0xfe00100e 0x4/d'
	run "$oracle" --moved toy-mmio:0xc001000:0xfe001000 "$ours" "$device"
	expect 1 "missing: W 1 0xfe00100e 0x4" "1 missing, 0 extra, 0 different"
	run "$oracle" --moved toy-mmio "$ours" "$device"
	[ "$status" -eq 2 ]
}
