# SPDX-License-Identifier: GPL-2.0-or-later
# mmiobpf mark, where it cannot work.

bats_require_minimum_version 1.5.0

setup()
{
	. "$BATS_TEST_DIRNAME/cli.bash"
}

hint="'mmiobpf mark --help' shows how it is used"
no_module="mmiobpf: cannot put a marker into the trace: the module mmiobpf is not loaded; load it, and start a session with 'mmiobpf trace' first"
too_long="mmiobpf: cannot put a marker into the trace: the text is too long; use at most 976 bytes"

@test "no text" {
	says 2 "mmiobpf: mark: no text was given; $hint" "$mmiobpf" mark
}

@test "an empty text" {
	says 2 "mmiobpf: mark: the text is empty; $hint" "$mmiobpf" mark ""
	says 2 "mmiobpf: mark: the text is empty; $hint" bash -c 'echo | "$1" mark -' - "$mmiobpf"
	says 2 "mmiobpf: mark: the text is empty; $hint" "$mmiobpf" mark - < /dev/null
}

@test "an unknown option, and a text that looks like one" {
	says 2 "mmiobpf: mark: unknown option --now; $hint" "$mmiobpf" mark --now
	without_module
	says 1 "$no_module" "$mmiobpf" mark -- --now
}

@test "the module is not loaded" {
	without_module
	says 1 "$no_module" "$mmiobpf" mark link up
	says 1 "$no_module" bash -c 'echo link up | "$1" mark -' - "$mmiobpf"
}

@test "text of the greatest length, and one byte more" {
	says 1 "$too_long" "$mmiobpf" mark "$(printf '%977s' x)"
	says 1 "$too_long" "$mmiobpf" mark "$(printf '%970s' x)" 123456
	says 1 "$too_long" bash -c 'printf "%977s\n" x | "$1" mark -' - "$mmiobpf"
	says 1 "$too_long" bash -c 'head -c 100000 /dev/zero | "$1" mark -' - "$mmiobpf"
	without_module
	says 1 "$no_module" "$mmiobpf" mark "$(printf '%976s' x)"
	says 1 "$no_module" "$mmiobpf" mark "$(printf '%970s' x)" 12345
	says 1 "$no_module" bash -c 'printf "%976s\n" x | "$1" mark -' - "$mmiobpf"
}

@test "stdin that cannot be read" {
	run --separate-stderr bash -c '"$1" mark - < /' - "$mmiobpf"
	[ "$status" -eq 1 ]
	[[ $stderr == "mmiobpf: cannot put a marker into the trace: Is a directory" ]]
}
