# SPDX-License-Identifier: GPL-2.0-or-later
# tests/summary counts right, and does not take silence for success.

setup()
{
	top=$BATS_TEST_DIRNAME/../..
	cd "$BATS_TEST_TMPDIR"
}

# sums STATUS LAST-LINE [ARGUMENTS...]
sums()
{
	local want=$1 last=$2

	shift 2
	run "$top/tests/summary" "$@"
	echo "$output"
	[ "$status" -eq "$want" ]
	[ "${lines[-1]}" = "$last" ]
}

@test "passes of several files are added up" {
	printf '1..2\nok 1 a\nok 2 b\n' > unit-a.tap
	printf '1..1\nok 1 c\n' > unit-b.tap
	printf '1..1\nok 1 d\n' > cli.tap
	sums 0 "4 passed, 0 failed" . unit cli
}

@test "a failed test is named and fails the whole" {
	printf '1..2\nok 1 a\nnot ok 2 reads the log\n# detail\n' > cli.tap
	sums 1 "1 passed, 1 failed" . cli
	[[ $output == *"FAILED cli.tap: not ok 2 reads the log"* ]]
}

@test "a skipped test is named and not counted as passed" {
	printf '1..2\nok 1 a\nok 2 b # skip no such kernel\n' > vm.tap
	sums 0 "1 passed, 0 failed, 1 skipped" . vm
	[[ $output == *"no such kernel"* ]]
}

@test "only skipped tests are no success" {
	printf '1..1\nok 1 a # skip\n' > vm.tap
	sums 1 "0 passed, 1 failed, 1 skipped" . vm
}

@test "a group without a file is a failure" {
	printf '1..1\nok 1 a\n' > cli.tap
	sums 1 "1 passed, 1 failed" . cli vm
}

@test "a file without a plan is a failure" {
	printf 'ok 1 a\n' > cli.tap
	sums 1 "1 passed, 1 failed" . cli
}

@test "an empty file is a failure" {
	printf '1..1\nok 1 a\n' > cli.tap
	: > cli-b.tap
	sums 1 "1 passed, 1 failed" . cli
}

@test "a test that gave no result is a failure" {
	printf '1..3\nok 1 a\n' > cli.tap
	sums 1 "1 passed, 2 failed" . cli
}

@test "more results than planned are a failure" {
	printf '1..1\nok 1 a\nok 2 b\n' > cli.tap
	sums 1 "2 passed, 1 failed" . cli
}

@test "each group of tests in a file has its plan" {
	printf '1..1\nok 1 a\n1..2\nok 1 b\nok 2 c\n' > unit.tap
	sums 0 "3 passed, 0 failed" . unit
}

@test "a test command that failed without a failed test is a failure" {
	printf '1..1\nok 1 a\n' > cli.tap
	sums 1 "1 passed, 1 failed" --status 2 . cli
}

@test "lines inside of a test are not counted" {
	printf '1..1\n    ok 1 inner\n# ok 2 comment\nok 1 a\n' > cli.tap
	sums 0 "1 passed, 0 failed" . cli
}
