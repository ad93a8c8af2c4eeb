# SPDX-License-Identifier: GPL-2.0-or-later
# mmiobpf info: the table of components.

bats_require_minimum_version 1.5.0

setup()
{
	. "$BATS_TEST_DIRNAME/cli.bash"
}

components="kernel btf ftrace lockdown module-signatures tracer cpus module session bpf pmu-cycles
branch-lbr branch-bts branch-step breakpoints page-sizes capabilities invasive non-invasive"

@test "every component has a state and a reason" {
	run --separate-stderr "$mmiobpf" info
	echo "$output"
	[ "$status" -eq 0 ]
	[ "$stderr" = "" ]
	for name in $components; do
		grep -qE "^$name +(yes|no|unknown) +.+" <<< "$output"
	done
	[ "${#lines[@]}" -eq $(($(wc -w <<< "$components") + 1)) ]
}

@test "it is true about this machine" {
	run "$mmiobpf" info
	grep -qE "^kernel +(yes|no) +Linux $(uname -r) $(uname -m)" <<< "$output"
	grep -qE "^cpus +yes +$(getconf _NPROCESSORS_ONLN) online of" <<< "$output"
	if [ -e /sys/kernel/btf/vmlinux ]; then
		grep -qE '^btf +yes' <<< "$output"
	else
		grep -qE '^btf +no' <<< "$output"
	fi
	gb=$(grep -cw -m1 pdpe1gb /proc/cpuinfo || true)
	[ "$(grep -c '^page-sizes .*1 GiB' <<< "$output")" -eq "$gb" ]
}

@test "--json says the same" {
	table=$("$mmiobpf" info)
	run --separate-stderr "$mmiobpf" info --json
	[ "$status" -eq 0 ]
	[ "$stderr" = "" ]
	for name in $components; do
		state=$(awk -v name="$name" '$1 == name { print $2 }' <<< "$table")
		grep -A1 "\"name\": \"$name\"" <<< "$output" | grep -q "\"state\": \"$state\""
	done
	[ "${lines[0]}" = "{" ]
	[ "${lines[-1]}" = "}" ]
	[ "$(tr -cd '{[' <<< "$output" | wc -c)" -eq "$(tr -cd '}]' <<< "$output" | wc -c)" ]
}

@test "nobody is told which capabilities are missing" {
	run as_nobody "$mmiobpf" info
	echo "$output"
	[ "$status" -eq 0 ]
	grep -qE '^capabilities +no +missing: .*CAP_SYS_ADMIN.*CAP_BPF' <<< "$output"
	grep -qE '^invasive +no +this process lacks .*CAP_SYS_ADMIN' <<< "$output"
	grep -qE '^non-invasive +no +this process lacks .*CAP_BPF' <<< "$output"
}

@test "a machine without the module" {
	without_module
	run "$mmiobpf" info
	grep -qE '^module +no ' <<< "$output"
	grep -qE '^session +no +the module is not loaded' <<< "$output"
	grep -qE '^invasive +no ' <<< "$output"
}

@test "words that are not expected" {
	says 2 "mmiobpf: info: \"all\" is not expected; 'mmiobpf info --help' shows how it is used" \
		"$mmiobpf" info all
}

@test "an unknown option" {
	says 2 "mmiobpf: info: unknown option --xml; 'mmiobpf info --help' shows how it is used" \
		"$mmiobpf" info --xml
}

@test "a full disk" {
	run bash -c '"$1" info 2>&1 >/dev/full' - "$mmiobpf"
	[ "$status" -eq 1 ]
	[[ $output == "mmiobpf: cannot write to stdout: the disk is full;"* ]]
}

@test "a closed pipe" {
	run bash -c '{ sleep 0.5; "$1" info 2>"$2"; echo $? > "$3"; } | :; sleep 1; cat "$3" "$2"' \
		- "$mmiobpf" "$BATS_TEST_TMPDIR/message" "$BATS_TEST_TMPDIR/status"
	echo "$output"
	[ "${lines[0]}" = 1 ]
	[ "${lines[1]}" = "mmiobpf: cannot write to stdout: the reader has closed the pipe; what it has read until then is valid" ]
}
