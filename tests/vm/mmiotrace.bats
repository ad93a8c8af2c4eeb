#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Both comparers on real logs: mmiotrace is complete when it runs alone on one CPU, so what it prints must equal the
# device log, and two loads of one driver must be the same to the comparer that then judges ours.

setup_file()
{
	export top
	top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	"$top/tests/vm/kernels" fetch 6.1 6.12
}

# in_guest KERNEL SCRIPT: with e1000e on a network that stays silent.
in_guest()
{
	run "$top/tests/vm/guest" --kernel "$1" --cpus 1 --netdev user,id=n0,ipv6=off --device e1000e,netdev=n0 \
		--env SILENT=1 --share "$BATS_TEST_TMPDIR" --oracle "$BATS_TEST_TMPDIR/device.log" -- \
		bash -euc "cd $top/tests/vm; $2"
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "mmiotrace's log of e1000e on 6.1 equals the device log" {
	in_guest 6.1 "./mmiotrace.sh $BATS_TEST_TMPDIR/log workloads/e1000e.sh load unload"
	run "$top/build/vm/oracle" "$BATS_TEST_TMPDIR/log" "$BATS_TEST_TMPDIR/device.log"
	echo "$output"
	[ "$status" -eq 0 ]
	[[ $output == *" 0 missing, 0 extra, 0 different" ]]
	# There is something to compare.
	[ "$(grep -c '^[RW] ' "$BATS_TEST_TMPDIR/log")" -gt 2000 ]
}

@test "two loads of e1000e under mmiotrace on 6.12 are the same by the rules" {
	# The first load leaves the device in the state in which the second one leaves it as well.
	in_guest 6.12 "workloads/e1000e.sh load unload
		for i in 1 2; do ./mmiotrace.sh $BATS_TEST_TMPDIR/log.\$i workloads/e1000e.sh load unload; done"
	run "$top/build/vm/compat" --rules "$top/tests/vm/compat.rules" "$BATS_TEST_TMPDIR/log.1" \
		"$BATS_TEST_TMPDIR/log.2"
	echo "$output"
	[ "$status" -eq 0 ]
	[[ $output == *"0 malformed, 0 differences" ]]
	[[ $output == *"mmiotrace: 0 instructions that it does not know"* ]]
}

# same_shape KERNEL: one boot, one CPU, the same load under mmiotrace and under us.
same_shape()
{
	local release

	release=$("$top/tests/vm/kernels" release "$1")
	in_guest "$1" "workloads/e1000e.sh load unload
		./mmiotrace.sh $BATS_TEST_TMPDIR/theirs workloads/e1000e.sh load unload
		insmod $top/build/kmod/$release/mmiobpf.ko
		$top/build/mmiobpf trace --compat --driver e1000e -o $BATS_TEST_TMPDIR/ours -- \
			workloads/e1000e.sh load unload"
	run "$top/build/vm/compat" --rules "$top/tests/vm/compat.rules" "$BATS_TEST_TMPDIR/ours" \
		"$BATS_TEST_TMPDIR/theirs"
	echo "$output"
	[ "$status" -eq 0 ]
	[[ $output == *"0 malformed, 0 differences" ]]
	[ "$(grep -c '^[RW] ' "$BATS_TEST_TMPDIR/ours")" -gt 2000 ]
}

@test "6.1: a log with --compat has the shape of mmiotrace's" { same_shape 6.1; }
@test "6.12: a log with --compat has the shape of mmiotrace's" { same_shape 6.12; }
