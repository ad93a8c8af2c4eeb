# SPDX-License-Identifier: GPL-2.0-or-later
# mmiobpf convert: what it reads, what it says about damage and losses.

bats_require_minimum_version 1.5.0

setup()
{
	. "$BATS_TEST_DIRNAME/cli.bash"
	log=$top/tests/data/mmiotrace/e1000e-6.1.log
	tmp=$BATS_TEST_TMPDIR
}

hint="'mmiobpf convert --help' shows how it is used"

@test "a text log comes out as it was, from a file and from stdin" {
	"$mmiobpf" convert "$log" > "$tmp/out"
	cmp "$log" "$tmp/out"
	"$mmiobpf" convert < "$log" > "$tmp/out"
	cmp "$log" "$tmp/out"
	cat "$log" | "$mmiobpf" convert --format text -o "$tmp/file" -
	cmp "$log" "$tmp/file"
}

@test "gzip, xz and zstd, alone and in a row" {
	for pack in gzip "xz -T1" zstd; do
		$pack -c "$log" > "$tmp/packed"
		"$mmiobpf" convert "$tmp/packed" > "$tmp/out"
		cmp "$log" "$tmp/out"
		head -100 "$log" | $pack -c > "$tmp/a"
		tail -n +101 "$log" | $pack -c > "$tmp/b"
		cat "$tmp/a" "$tmp/b" | "$mmiobpf" convert > "$tmp/out"
		cmp "$log" "$tmp/out"
	done
}

@test "a packed log that is cut off gives what is there" {
	# More than one block of each method.
	long=$tmp/long
	{
		echo "VERSION 20070824"
		awk 'BEGIN { for (i = 0; i < 8000; i++)
			printf "W 4 %d.000000 1 0xfeb00000 0x%x 0x0 0\n", i + 1, i * i * 7919 % 1000003 }'
	} > "$long"
	for pack in gzip "xz -T1 --block-size=64KiB" zstd; do
		$pack -c "$long" > "$tmp/packed"
		size=$(wc -c < "$tmp/packed")
		head -c $((size * 3 / 4)) "$tmp/packed" > "$tmp/half"
		run --separate-stderr "$mmiobpf" convert -o "$tmp/out" "$tmp/half"
		echo "$stderr"
		[ "$status" -eq 1 ]
		[[ $stderr == "mmiobpf: cannot read $tmp/half from byte "*" on: the compressed file ends too early; the "*" records before it are used" ]]
		size=$(wc -c < "$tmp/out")
		[ "$size" -gt 100 ]
		cmp -n "$size" "$long" "$tmp/out"
	done
}

@test "all records before damage are written, and its byte is named" {
	head -50 "$log" > "$tmp/good"
	{ cat "$tmp/good"; echo "R 4 nonsense"; tail -n +51 "$log"; } > "$tmp/bad"
	run --separate-stderr "$mmiobpf" convert -o "$tmp/out" "$tmp/bad"
	echo "$stderr"
	[ "$status" -eq 1 ]
	[ "$stderr" = "mmiobpf: cannot read $tmp/bad from byte $(wc -c < "$tmp/good") (line 51) on: a number was expected; the $(grep -c '^[RWMU]' "$tmp/good") records before it are used" ]
	cmp "$tmp/good" "$tmp/out"
}

@test "every truncation of a small log" {
	head -12 "$log" > "$tmp/small"
	size=$(wc -c < "$tmp/small")
	for n in $(seq 1 "$size"); do
		head -c "$n" "$tmp/small" > "$tmp/cut"
		result=0
		"$mmiobpf" convert "$tmp/cut" > "$tmp/out" 2> "$tmp/err" || result=$?
		whole=$(wc -l < "$tmp/cut")
		if [ "$(tail -c 1 "$tmp/cut" | wc -l)" -eq 1 ]; then
			[ "$result" -eq 0 ]
		else
			[ "$result" -eq 1 ]
		fi
		if [ "$whole" -ge 1 ]; then
			cmp <(head -n "$whole" "$tmp/cut") "$tmp/out"
		fi
	done
}

@test "losses and undecoded accesses end with status 3" {
	{ head -20 "$log"; echo "MARK 9.000000 Lost 17 events."; } > "$tmp/lost"
	run --separate-stderr "$mmiobpf" convert "$tmp/lost"
	[ "$status" -eq 3 ]
	[ "$stderr" = "mmiobpf: warning: the record in $tmp/lost is incomplete: 17 events were lost, 0 accesses were not decoded" ]
	[ "$output" = "$(cat "$tmp/lost")" ]
	printf 'CPU:1 [LOST 5 EVENTS]\nUNKNOWN 1.000000 1 0xfeb00000 8b,45,fc 0x0 0\n' > "$tmp/kernel"
	run --separate-stderr "$mmiobpf" convert "$tmp/kernel"
	[ "$status" -eq 3 ]
	[ "$stderr" = "mmiobpf: warning: the record in $tmp/kernel is incomplete: 5 events were lost, 1 accesses were not decoded" ]
	[ "${lines[1]}" = "MARK 0.000000 Lost 5 events." ]
}

@test "the flavours of the kernel: comments, no VERSION, no MAP, ids never declared, 64-bit values" {
	cat > "$tmp/trace" <<-'END'
	# tracer: mmiotrace
	#
	R 8 1.000000 7 0xfffffff0feb00000 0xfedcba9876543210 0x0 0
	W 8 1.000001 -1 0xfeb00008 0xffffffffffffffff 0x0 0
	UNMAP 2.000000 -1 0x0 0
	END
	run --separate-stderr "$mmiobpf" convert "$tmp/trace"
	[ "$status" -eq 0 ]
	[ "$stderr" = "" ]
	[ "$output" = "VERSION 20070824
$(tail -n +3 "$tmp/trace")" ]
}

@test "--compat writes what the kernel would" {
	echo "UNKNOWN 1.500000 1 0xfeb00000 8b,45,fc,90 0xffffffffc0000000 175" > "$tmp/log"
	run --separate-stderr "$mmiobpf" convert --compat "$tmp/log"
	[ "$status" -eq 3 ]
	[ "${lines[1]}" = "UNKNOWN 1.500000 1 0xfeb00000 8b,45,fc 0x0 0" ]
}

@test "a pipe that is closed early ends it quietly" {
	for i in $(seq 200); do cat "$log"; done > "$tmp/long"
	set -o pipefail
	"$mmiobpf" convert "$tmp/long" 2> "$tmp/err" | head -1 > "$tmp/out"
	[ ! -s "$tmp/err" ]
	[ "$(cat "$tmp/out")" = "VERSION 20070824" ]
}

@test "what came through a pipe is shown before more is waited for" {
	mkfifo "$tmp/pipe"
	"$mmiobpf" convert "$tmp/pipe" > "$tmp/out" &
	exec 7> "$tmp/pipe"
	cat "$log" >&7
	for i in $(seq 100); do
		cmp -s "$log" "$tmp/out" && break
		sleep 0.1
	done
	cmp "$log" "$tmp/out"
	exec 7>&-
	wait
	cmp "$log" "$tmp/out"
}

@test "an empty log is one without a record" {
	says_warning="mmiobpf: warning: there is no record in standard input"
	run --separate-stderr "$mmiobpf" convert < /dev/null
	[ "$status" -eq 0 ]
	[ "$stderr" = "$says_warning" ]
	[ "$output" = "VERSION 20070824" ]
}

@test "what cannot be read or written" {
	says 1 "mmiobpf: cannot read $tmp/nothing: there is no such file; check its name" \
		"$mmiobpf" convert "$tmp/nothing"
	says 1 "mmiobpf: cannot read $tmp: it is a directory, and no capture is in it; name a file" \
		"$mmiobpf" convert "$tmp"
	says 1 "mmiobpf: cannot read $mmiobpf: it is in no format that this program knows; it takes text logs of mmiobpf and of the kernel's mmiotrace, and QEMU's vfio_region events" \
		"$mmiobpf" convert "$mmiobpf"
	says 1 "mmiobpf: cannot write to $tmp/no/dir: No such file or directory; create the directory first" \
		"$mmiobpf" convert -o "$tmp/no/dir" "$log"
	says 1 "mmiobpf: cannot write to standard output: the disk is full; what was written until then is kept and valid" \
		sh -c "'$mmiobpf' convert '$log' > /dev/full"
	cp "$log" "$tmp/log"
	says 1 "mmiobpf: cannot write to $tmp/log: it is the input; choose another file" \
		"$mmiobpf" convert -o "$tmp/log" "$tmp/log"
	cmp "$log" "$tmp/log"
}

@test "wrong usage" {
	says 2 "mmiobpf: convert: there can be one input only, and \"b\" follows it; $hint" \
		"$mmiobpf" convert a b
	says 2 "mmiobpf: convert: \"-o\" stands behind the input; options come before it; $hint" \
		"$mmiobpf" convert a -o b
	run --separate-stderr "$mmiobpf" convert --format nonsense
	[ "$status" -eq 2 ]
	[[ $stderr == "mmiobpf: convert: there is no format \"nonsense\"; there is text"*"; $hint" ]]
}

# accesses OPTION...: the R and W lines that pass
accesses()
{
	"$mmiobpf" convert "$@" "$log" | grep '^[RW]'
}

@test "filters give what awk gives" {
	diff <(accesses --op write --width 4 --range 0xfeba0000-0xfeba07ff) \
		<(awk '/^W 4 / && $5 >= "0xfeba0000" && $5 < "0xfeba0800"' "$log")
	diff <(accesses --op read) <(grep '^R' "$log")
	diff <(accesses --op '!read') <(grep '^W' "$log")
	diff <(accesses --value 0x283) <(awk '/^[RW]/ && $6 == "0x283"' "$log")
	diff <(accesses --value '!0x283') <(awk '/^[RW]/ && $6 != "0x283"' "$log")
	diff <(accesses --range 0xfeba0008 --range 0xfeba0400) \
		<(awk '/^[RW]/ && ($5 == "0xfeba0008" || $5 == "0xfeba0400")' "$log")
	diff <(accesses --pid 0) <(grep '^[RW]' "$log")
	[ -z "$(accesses --pid 1 || true)" ]
	[ -z "$(accesses --width '!4' --value 0/0 | grep '^[RW] 4' || true)" ]
}

@test "filters by BAR, of a log that has addresses" {
	diff <(accesses --range 00:04.0/bar0) <(awk '/^[RW]/ && $5 >= "0xfeba0000" && $5 < "0xfebc0000"' "$log")
	diff <(accesses --range bar0:0x400-0x4ff) \
		<(awk '/^[RW]/ && $5 >= "0xfeba0400" && $5 < "0xfeba0500"' "$log")
	diff <(accesses --range '!bar0') \
		<(awk '/^[RW]/ && ($5 < "0xfeba0000" || $5 >= "0xfebc0000")' "$log")
	says 1 "mmiobpf: cannot filter $log by BAR 4 of device 0000:00:04.0: the log has no such device, or it has no such memory there; see the PCIDEV lines" \
		"$mmiobpf" convert -o "$tmp/out" --range 00:04.0/bar4 "$log"
}

@test "--changed and --unchanged part the accesses" {
	changed=$(accesses --changed | wc -l)
	unchanged=$(accesses --unchanged | wc -l)
	[ "$((changed + unchanged))" -eq "$(grep -c '^[RW]' "$log")" ]
	awk '/^[RW]/ { key = $1 " " $2 " " $4 " " $5; if (!(key in last) || last[key] != $6) print; last[key] = $6 }' \
		"$log" > "$tmp/want"
	diff <(accesses --changed) "$tmp/want"
	says 2 "mmiobpf: convert: --changed and --unchanged exclude each other; $hint" \
		"$mmiobpf" convert --changed --unchanged "$log"
}

@test "a filter hides no loss, mapping or marker" {
	{ head -20 "$log"; echo "MARK 9.000000 Lost 17 events."; echo "MARK 9.000000 here"; } > "$tmp/lost"
	run --separate-stderr "$mmiobpf" convert --value 0xdeadbeef "$tmp/lost"
	[ "$status" -eq 3 ]
	[ "$(grep -c '^MARK' <<< "$output")" -eq 2 ]
	grep -q '^MAP' <<< "$output"
	! grep -q '^[RW] ' <<< "$output"
}

@test "filters that are wrong, or that the log cannot answer" {
	says 2 "mmiobpf: convert: \"3\" is not a right value for --width: it takes some of 1, 2, 4, 8, 16, 32, 64, with ! in front for not; $hint" \
		"$mmiobpf" convert --width 3 "$log"
	says 1 "mmiobpf: cannot filter $log by --cpu: logs in its format do not say it; a capture does" \
		"$mmiobpf" convert --cpu 1 "$log"
	says 1 "mmiobpf: cannot filter $log by --comm: logs in its format do not say it; a capture does" \
		"$mmiobpf" convert --comm '!modprobe' "$log"
}

@test "QEMU's vfio_region events" {
	cat > "$tmp/qemu" <<-'END'
	char device redirected to /dev/pts/1 (label charserial0)
	4711@1650000000.200001:vfio_region_read  (0000:01:00.0:region0+0x8, 4) = 0x80080783
	4711@1650000000.200014:vfio_region_write  (0000:01:00.0:region2+0x100, 0xfedcba9876543210, 8)
	END
	run --separate-stderr "$mmiobpf" convert "$tmp/qemu"
	[ "$status" -eq 0 ]
	[ "$stderr" = "" ]
	[ "$output" = "VERSION 20070824
MAP 1650000000.200001 1 0x0 0x0 0x100000000 0x0 4711
R 4 1650000000.200001 1 0x8 0x80080783 0x0 4711
MAP 1650000000.200014 2 0x0 0x0 0x100000000 0x0 4711
W 8 1650000000.200014 2 0x100 0xfedcba9876543210 0x0 4711" ]
	run --separate-stderr "$mmiobpf" convert --range bar2 --op access "$tmp/qemu"
	[ "$(grep -c '^W 8' <<< "$output")" -eq 1 ]
	[ "$(grep -c '^R' <<< "$output")" -eq 0 ]
	gzip -c "$tmp/qemu" | "$mmiobpf" convert > "$tmp/out"
	[ "$(grep -c '^[RW]' "$tmp/out")" -eq 2 ]
}
