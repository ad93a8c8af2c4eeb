# SPDX-License-Identifier: GPL-2.0-or-later
# The manual pages agree with the program.

bats_require_minimum_version 1.5.0

setup()
{
	. "$BATS_TEST_DIRNAME/cli.bash"
}

commands()
{
	"$mmiobpf" --help | awk '/^Commands:/ { on = 1; next } /^$/ { on = 0 } on { print $1 }'
}

# "-o, --output FILE" as in --help, from the program's table
options_of_table()
{
	"$mmiobpf" --dump-options | awk -v command="$1" '$1 == command {
		line = $4 == "-" ? "" : "-" $4 ", "
		line = line $2
		print $3 == "-" ? line : line " " $3
	} END { print "-h, --help" }' | sort
}

# the same, from the tagged paragraphs of a page
options_of_page()
{
	sed 's/\\f[BIR]//g; s/\\-/-/g' "$1" |
		awk 'tag && /^-/ { print } { tag = $0 == ".TP" }' | sort
}

@test "every command has a page that has its options, no more and no fewer" {
	n=0
	for command in $(commands); do
		page=$top/man/mmiobpf-$command.1
		[ -f "$page" ]
		run diff <(options_of_table "$command") <(options_of_page "$page")
		echo "$command: $output"
		[ "$status" -eq 0 ]
		n=$((n + 1))
	done
	[ "$n" -ge 3 ]
}

@test "the comparison finds an option that is missing, and one that is too many" {
	page=$BATS_TEST_TMPDIR/page
	grep -v '\\-\\-output' "$top/man/mmiobpf-trace.1" > "$page"
	run diff <(options_of_table trace) <(options_of_page "$page")
	[ "$status" -eq 1 ]
	[[ $output == *"< -o, --output FILE"* ]]
	{ cat "$top/man/mmiobpf-trace.1"; printf '.TP\n\\fB\\-\\-colour\\fR\nin red\n'; } > "$page"
	run diff <(options_of_table trace) <(options_of_page "$page")
	[ "$status" -eq 1 ]
	[[ $output == *"> --colour"* ]]
}

@test "the main page names every command, and no other" {
	for command in $(commands); do
		grep -q "mmiobpf\\\\-$command (1)" "$top/man/mmiobpf.1"
	done
	[ "$(grep -c '^see$\|, see$' "$top/man/mmiobpf.1")" -eq "$(commands | wc -l)" ]
}

@test "info's page names every component" {
	n=0
	for name in $("$mmiobpf" info | awk 'NR > 1 { print $1 }'); do
		sed 's/\\-/-/g' "$top/man/mmiobpf-info.1" | grep -q "^\\\\fB.*$name\\\\fR"
		n=$((n + 1))
	done
	[ "$n" -gt 15 ]
}

@test "pages have no mistake that groff sees" {
	command -v groff >/dev/null || skip "groff is not installed"
	for page in "$top"/man/*.[1-8]; do
		run groff -man -Tutf8 -ww -z "$page"
		echo "$output"
		[ "$status" -eq 0 ]
		[ "$output" = "" ]
	done
}
