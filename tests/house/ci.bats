# SPDX-License-Identifier: GPL-2.0-or-later
# .ci/run ends with the count and with the status of make check, whatever happens. In a tree whose make check
# does what the test wants.

setup()
{
	top=$BATS_TEST_DIRNAME/../..
	unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES
	mkdir "$BATS_TEST_TMPDIR/.ci"
	cp "$top/.ci/run" "$BATS_TEST_TMPDIR/.ci/"
	cd "$BATS_TEST_TMPDIR"
}

# check RECIPE: what make check does
check()
{
	printf 'deps:\n\t@echo deps ran\ncheck:\n\t@%s\n' "$1" > Makefile
	run .ci/run
	echo "$output"
}

@test "a passed run ends with the count and 0" {
	check 'echo output; echo "3 passed, 0 failed"'
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = "deps ran" ]
	[ "${lines[-1]}" = "3 passed, 0 failed" ]
	# Not twice.
	[ "${lines[-2]}" = "output" ]
}

@test "a failed run ends with the count as well, behind make's own message" {
	check 'echo "2 passed, 1 failed, 4 skipped"; exit 1'
	[ "$status" -ne 0 ]
	[ "${lines[-1]}" = "2 passed, 1 failed, 4 skipped" ]
}

@test "a run that never counted fails and says so" {
	check 'echo "kernels: cannot fetch"; exit 1'
	[ "$status" -ne 0 ]
	[[ $output == *"ended before the tests were counted"* ]]
	check 'true'
	[ "$status" -ne 0 ]
	[[ $output == *"ended before the tests were counted"* ]]
}

@test "missing packages that cannot be installed end the run" {
	printf 'deps:\n\t@exit 1\ncheck:\n\t@echo "1 passed, 0 failed"\n' > Makefile
	run .ci/run
	[ "$status" -ne 0 ]
	[[ $output != *passed* ]]
}

@test "nothing waits for standard input" {
	check 'read -r line || echo "1 passed, 0 failed"'
	[ "$status" -eq 0 ]
	[ "${lines[-1]}" = "1 passed, 0 failed" ]
}

@test "the README names the command that .ci/run uses" {
	grep -q '^make check ' "$top/.ci/run"
	grep -q '^    make check$' "$top/README.md"
}
