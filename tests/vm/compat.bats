#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The comparer of our log with mmiotrace's: whatever is changed in a pair that is the same, it says so. The log in
# tests/data/mmiotrace is a part of what mmiotrace printed in a guest of ours with 6.1, for a load of e1000e.

load judge.bash

setup_file()
{
	export top
	top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
}

# Ours: other times, map ids and virtual addresses, and lines of lspci.
setup()
{
	compat=$top/build/vm/compat
	rules=$top/tests/vm/compat.rules
	theirs=$top/tests/data/mmiotrace/e1000e-6.1.log
	ours=$BATS_TEST_TMPDIR/ours.log
	awk '/^MAP/ && !seen++ { print "LSPCI 00:04.0 Ethernet controller: Intel Corporation 82574L" }
		/^MAP/ { $2 = "7.000001"; $3 += 10; $5 = "0xffffc90001230000" }
		/^UNMAP/ { $2 = "9.000001"; $3 += 10 }
		/^[RW] / { $3 = "8.123456"; $4 += 10 }
		{ print }' "$theirs" >"$ours"
}

# change SED-SCRIPT: fails when it changes nothing, so that no test passes by chance.
change()
{
	sed -i.before "$1" "$ours"
	! cmp -s "$ours" "$ours.before"
}

compare()
{
	run "$compat" --rules "$rules" "$ours" "$theirs"
}

@test "the same apart from times, map ids and virtual addresses" {
	compare
	expect 0 "0 malformed, 0 differences" "explained 1 times: the format asks the user for these lines"
}

@test "LSPCI lines need their rule" {
	run "$compat" "$ours" "$theirs"
	expect 1 "only ours:" "LSPCI 00:04.0" "1 differences"
}

@test "another order of the fields is another shape" {
	change '20s/^\(.\) 4 \([^ ]*\) /\1 \2 4 /'
	compare
	expect 1 "shape: line 20" "1 malformed"
}

@test "upper case, leading zeros, a second space and a missing field are another shape" {
	local script

	for script in '0,/0xfeba/s/0xfeba/0xFEBA/' '20s/ 0xfeb/ 0x0feb/' '20s/ / /2; 20s/ 0xfeb/  0xfeb/' \
		'20s/ 0$//' '20s/$/ 0/' '20s/8.123456/8.1234/' '1s/20070824/20070825/' '2s/ $//'; do
		cp "$ours" "$ours.good"
		change "$script"
		compare
		expect 1 "shape: line" "is not as mmiotrace would print it" "1 malformed"
		mv "$ours.good" "$ours"
	done
}

@test "a PC or a process id that is not zero is a difference" {
	change '20s/0x0 0$/0xffffffff81000000 0/'
	compare
	expect 1 "only ours:" "0xffffffff81000000 0" "2 differences"
	setup
	change '20s/0 0$/0 412/'
	compare
	expect 1 "only ours:" "0x0 412" "2 differences"
}

@test "a PCIDEV line that is missing, or has another field, is a difference" {
	change '3d'
	compare
	expect 1 "only theirs:" "PCIDEV" "1 differences"
	setup
	change 's/^PCIDEV 0020 808610d3 \([^ ]*\)/PCIDEV 0020 808610d3 7/'
	compare
	expect 1 "only ours:" "only theirs:" "2 differences"
}

@test "an access that is missing, or one too many, is a difference" {
	change '20d'
	compare
	expect 1 "only theirs:" "line 19: W 4" "1 differences"
	setup
	change '/^W 4 .* 0xfeba0100 0x0 /{p;}'
	compare
	expect 1 "only ours:" "0xfeba0100 0x0"
}

@test "another value of a write is a difference" {
	change '0,/^W 4 .* 0xfeba0100 0x0 /s/0xfeba0100 0x0 /0xfeba0100 0x1 /'
	compare
	expect 1 "another value:" "0xfeba0100 0x1" "1 differences"
}

@test "another value of a register that changes with time is explained" {
	change '/^R 4/s/\(0xfeba0008 0x\)[0-9a-f]*/\1280/'
	compare
	expect 0 "STATUS: whether the link is up" "0 differences"
}

@test "two accesses that are exchanged are a difference" {
	awk '{ line[NR] = $0 } END { t = line[18]; line[18] = line[14]; line[14] = t
		for (i = 1; i <= NR; i++) print line[i] }' "$ours" >"$ours.new"
	! cmp -s "$ours" "$ours.new"
	mv "$ours.new" "$ours"
	compare
	expect 1 "only ours:" "only theirs:"
}

@test "a run of one repeated read may be longer" {
	change '/^R 4 .* 0xfebe0008 0xef /{p;p;}'
	compare
	expect 0 "0 differences"
}

@test "a repeated write is not folded" {
	change '0,/^W 4 .* 0xfebe0008 0xef /{/^W 4 .* 0xfebe0008 0xef /p}'
	compare
	expect 1 "only ours:" "0xfebe0008 0xef" "1 differences"
}

@test "an access of a timer or interrupt may move, but not vanish" {
	change '/^[RW] 4 .* 0xfeba0f00 /d'
	compare
	expect 1 "only theirs:" "0xfeba0f00"
	setup
	change '0,/^W 4 .* 0xfeba0f00 0x28 /{/^W 4 .* 0xfeba0f00 0x28 /{h;d}}; 200{G}'
	compare
	expect 0 "times: EXTCNF_CTRL" "0 differences"
}

@test "a map of another length or an access without a map is a difference" {
	change 's/ 0x20000 0x0 0$/ 0x10000 0x0 0/'
	compare
	expect 1 "only ours:" "MAP 7.000001" "only theirs:"
	setup
	change '20s/ 1[12] / 99 /'
	compare
	expect 1 "shape: line 20"
}

@test "what mmiotrace does not decode is listed, not counted" {
	local unknown=$BATS_TEST_TMPDIR/theirs.log

	# Line 20 of theirs as an instruction that reads, tests and writes: testb $3, 0x40(%rax).
	awk 'NR == 20 { print "UNKNOWN", $3, $4, $5, "f6,40,03 0x0 0"; next } { print }' "$theirs" >"$unknown"
	run "$compat" --rules "$rules" "$ours" "$unknown"
	expect 0 "does not know this instruction, f6 40 03" "mmiotrace: 1 instructions that it does not know"
}

@test "an empty log, or none, is not the same" {
	: >"$BATS_TEST_TMPDIR/empty"
	run "$compat" --rules "$rules" "$BATS_TEST_TMPDIR/empty" "$BATS_TEST_TMPDIR/empty"
	[ "$status" -eq 1 ]
	run "$compat" --rules "$rules" "$BATS_TEST_TMPDIR/none" "$theirs"
	expect 2 "cannot read" "No such file"
	echo "volatile 20000+8" >"$BATS_TEST_TMPDIR/rules"
	run "$compat" --rules "$BATS_TEST_TMPDIR/rules" "$ours" "$theirs"
	expect 2 "cannot understand line 1"
}
