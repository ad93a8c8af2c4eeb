#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The judge of the soak test, with a log made here: worker 0's first 32 accesses, worker 1's from number 16 on, and
# two mappings of the mapper.

load judge.bash

streams=$BATS_TEST_DIRNAME/../../build/vm/streams
ram=0x10000000
edu=0x20000000

# accesses WORKER FROM TO: the log's lines, see tests/vm/soak/soak.h
accesses()
{
	awk -v w="$1" -v from="$2" -v to="$3" '
	function line(dir, width, page, offset, number) {
		printf "%s %d 1.000000 1 0x%x 0x%x 0x1 1\n", dir, width, 268435456 + page * 4096 + offset,
			w * 268435456 + number
	}
	BEGIN {
		for (k = from; k < to; k++) {
			op = int(k / 4) % 4
			if (k % 4 == 0)
				line("W", 4, 0, w * 8, k)
			else if (k % 4 == 1)
				line("R", 4, 0, w * 8, k - 1)
			else if (k % 4 == 3)
				line("W", 4, 65536, 4, k)
			else {
				if (op)
					line("R", 8, 1 + w, 0, op == 2 ? k - 8 : k - 4)
				if (op == 0 || op == 2)
					line("W", 8, 1 + w, 0, k)
			}
		}
	}'
}

setup()
{
	log=$BATS_TEST_TMPDIR/log
	counts=$BATS_TEST_TMPDIR/counts
	{
		accesses 0 0 32
		accesses 1 16 48
		echo "W 4 1.000000 2 0x10010000 0xf0000000 0x1 1"
		echo "W 4 1.000000 2 0x10010004 0xf0000001 0x1 1"
		echo "W 4 1.000000 3 0x10011000 0xf0000002 0x1 1"
		echo "W 4 1.000000 3 0x10011004 0xf0000003 0x1 1"
	} > "$log"
	{
		echo end
		echo 0 32 0
		for w in 1 2 3 4 5 6 7; do echo $w 0 0; done
		echo 15 4 0
	} > "$counts"
}

judged()
{
	run "$streams" $ram $edu "$log" "$@"
}

@test "all that was done, and parts of it" {
	judged
	expect 0 "streams: 72 accesses, 0 lost, 0 of them between others, right"
}

@test "an access is missing" {
	sed -i '5d' "$log"
	judged
	expect 1 "not the access that comes next, and no loss was reported" "wrong"
}

@test "a mapping is missing" {
	sed -i '/0xf000000[12] /d' "$log"
	judged
	expect 1 "worker 15, mapped page: not the access that comes next"
}

@test "an access twice, and one with another value" {
	sed -i '6{p}' "$log"
	judged
	expect 1 "not the access that comes next"
	setup
	sed -i 's/ 0x10000000 0x4 / 0x10000000 0x5 /' "$log"
	judged
	expect 1 "worker 0, shared page"
}

@test "a value that nobody wrote" {
	echo "R 4 1.000000 1 0x10000000 0x90000000 0x1 1" >> "$log"
	judged
	expect 1 "a value that nobody wrote"
}

@test "an access that was lost, and one more than that" {
	sed -i '5s/.*/MARK 1.000000 Lost 1 events./' "$log"
	judged
	expect 0 "1 lost, 1 of them between others, right"
	sed -i '6d' "$log"
	judged
	expect 1 "more is missing than was reported lost"
}

@test "behind a loss no access comes a second time" {
	sed -i '9s/.*/MARK 1.000000 Lost 1 events./' "$log"
	sed -n '1p' "$log" > "$log.1" && sed -i "9r $log.1" "$log"
	judged
	expect 1 "a second time, or out of order"
}

@test "an undecoded access" {
	echo "UNKNOWN 1.000000 1 0x10000000 0x0f,0xae 0x1 1" >> "$log"
	judged
	expect 1 "undecoded"
}

@test "with the module's counts: all is there, the end is missing, the start is missing" {
	sed -i '/ 0x1[0-9a-f]\{7\} 0x1 1$/d' "$log"
	judged "$counts"
	expect 0 "right"
	sed -i '/0xf0000003/d' "$log"
	judged "$counts"
	expect 1 "worker 15, mapped page: the log has not all that the module has done"
	setup
	sed -i '/ 0x1[0-9a-f]\{7\} 0x1 1$/d; 1d' "$log"
	judged "$counts"
	expect 1 "worker 0, shared page"
	setup
	judged "$counts"
	expect 1 "worker 1, "
}
