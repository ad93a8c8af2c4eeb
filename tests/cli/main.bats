# SPDX-License-Identifier: GPL-2.0-or-later
# The program itself: help, version, wrong commands.

bats_require_minimum_version 1.5.0

setup()
{
	. "$BATS_TEST_DIRNAME/cli.bash"
}

@test "--help lists every command" {
	run --separate-stderr "$mmiobpf" --help
	[ "$status" -eq 0 ]
	[ "$stderr" = "" ]
	for command in trace mark info; do
		[[ $output == *"  $command "* ]]
	done
	run "$mmiobpf" -h
	[ "$status" -eq 0 ]
}

@test "--version is that of the tree" {
	run "$mmiobpf" --version
	[ "$status" -eq 0 ]
	[ "$output" = "mmiobpf $(cat "$top/VERSION")" ]
}

@test "no command" {
	says 2 "mmiobpf: no command was given; 'mmiobpf --help' lists them" "$mmiobpf"
}

@test "an unknown command" {
	says 2 "mmiobpf: there is no command \"tarce\"; 'mmiobpf --help' lists what there is" \
		"$mmiobpf" tarce
}

@test "an unknown option" {
	says 2 "mmiobpf: there is no option \"--verbose\"; 'mmiobpf --help' lists what there is" \
		"$mmiobpf" --verbose
}

@test "every command has --help, with its options" {
	"$mmiobpf" --dump-options | while read -r command option arg letter; do
		run "$mmiobpf" "$command" --help
		[ "$status" -eq 0 ]
		[[ ${lines[0]} == "Usage: mmiobpf $command"* ]]
		line=$(grep -- " $option\b" <<< "$output")
		[ "$arg" = - ] || [[ $line == *"$option $arg "* ]]
		[ "$letter" = - ] || [[ $line == *" -$letter, "* ]]
	done
}

@test "--help wins over what is wrong behind it" {
	run "$mmiobpf" info --help --nonsense
	[ "$status" -eq 0 ]
}

@test "help into a full disk" {
	run bash -c '"$1" --help 2>&1 >/dev/full' - "$mmiobpf"
	[ "$status" -eq 1 ]
	[ "$output" = "mmiobpf: cannot write to stdout: the disk is full; what was written until then is kept and valid" ]
}
