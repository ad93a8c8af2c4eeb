# SPDX-License-Identifier: GPL-2.0-or-later
# mmiobpf convert --format calls: a log of the kernel's, and the options of the readable view.

bats_require_minimum_version 1.5.0

setup()
{
	. "$BATS_TEST_DIRNAME/cli.bash"
	log=$top/tests/data/mmiotrace/e1000e-6.1.log
	tmp=$BATS_TEST_TMPDIR
}

# calls OPTION...: the readable view of the log
calls()
{
	"$mmiobpf" convert --format calls "$@" "$log"
}

@test "each access has its line, and the value is that of the log" {
	calls --no-fold --names raw --gap 0 > "$tmp/out"
	awk '$1 == "R" || $1 == "W" { print ($1 == "R" ? "read" : "write") 8 * $2, $6 }' "$log" > "$tmp/expected"
	awk '/^(read|write)/ { sub(/\(.*\)/, "", $1); print $1, $NF }' "$tmp/out" > "$tmp/got"
	cmp "$tmp/expected" "$tmp/got"
	[ "$(grep -c ' without a record ---$' "$tmp/out")" -eq 0 ]
	[ "$(tail -n 1 "$tmp/out")" = "+++ accesses: $(wc -l < "$tmp/expected"), lost: 0, not decoded: 0 +++" ]
}

@test "folded polls count every read" {
	calls > "$tmp/out"
	n=$(awk '/^(\*|read|write)/ { x = 1
		for (i = 2; i <= NF; i++)
			if ($i ~ /^x[0-9]+$/)
				x = substr($i, 2)
		n += x } END { print n }' "$tmp/out")
	[ "$n" -eq "$(grep -c '^[RW] ' "$log")" ]
	grep -q ' x2 in 718 us$' "$tmp/out"
}

@test "registers and fields of a family that is known, values in one column" {
	calls > "$tmp/out"
	grep -q '^write32(IMC)  *<- 0xffffffff (TXDW|' "$tmp/out"
	grep -q '^read32(STATUS)  *= 0x283 (FD|LU|SPEED=1000|ASDV=1000)' "$tmp/out"
	grep -q '^write32(MSIX_CTRL\[0\])  *<- 0x1 (MASKED)' "$tmp/out"
	[ "$(sed -n '/^read\|^write/s/[=-] 0x.*//p' "$tmp/out" | awk '{ print length }' | sort -u | wc -l)" -eq 1 ]
	calls -X raw > "$tmp/raw"
	grep -q '^write32(BAR0+0xd8)  *<- 0xffffffff$' "$tmp/raw"
	calls --names verbose > "$tmp/verbose"
	grep -q '^\[/0 task\] write32(BAR0+0xd8 /\* IMC \*/)' "$tmp/verbose"
}

@test "times of a log without a clock, gaps, the prefix" {
	calls -tt > "$tmp/out"
	grep -q '^8.547549 read32(MSIX_CTRL' "$tmp/out"
	calls -t > "$tmp/out"
	grep -q '^8 read32(MSIX_CTRL' "$tmp/out"
	calls -r > "$tmp/out"
	[[ $(head -n 1 "$tmp/out") == "0.000000000 ioremap("* ]]
	calls --gap 5ms > "$tmp/out"
	[ "$(head -n 2 "$tmp/out" | tail -n 1)" = "--- 5.3 ms without a record ---" ]
	calls --prefix > "$tmp/out"
	[[ $(head -n 1 "$tmp/out") == "[cpu 0 00:04.0] ioremap("* ]]
}

@test "a loss is loud and in place, and so is the end of a damaged log" {
	{ head -n 20 "$log"; echo "MARK 9.000000 Lost 17 events."; echo "R 4 nonsense"; } > "$tmp/lost"
	run --separate-stderr "$mmiobpf" convert -f calls "$tmp/lost"
	[ "$status" -eq 1 ]
	[ "${lines[-2]}" = "!!! LOST 17 records here !!!" ]
	[ "${lines[-1]}" = "!!! the log ends here, its session did not !!!" ]
}

@test "wrong usage" {
	hint="'mmiobpf convert --help' shows how it is used"
	says 2 "mmiobpf: convert: --latency is for --format calls, not for text; $hint" \
		"$mmiobpf" convert -T "$log"
	says 2 "mmiobpf: convert: a line has one time: give --times or --relative; $hint" \
		"$mmiobpf" convert -f calls -tr "$log"
	says 2 "mmiobpf: convert: \"nice\" is not a right value for --names: it takes short, raw or verbose; $hint" \
		"$mmiobpf" convert -f calls -X nice "$log"
}
