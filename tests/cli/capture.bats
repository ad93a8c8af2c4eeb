# SPDX-License-Identifier: GPL-2.0-or-later
# Captures on the command line: made of a log, read by us and by babeltrace2, cut off and damaged.

bats_require_minimum_version 1.5.0

setup()
{
	. "$BATS_TEST_DIRNAME/cli.bash"
	log=$top/tests/data/mmiotrace/e1000e-6.1.log
	tmp=$BATS_TEST_TMPDIR
}

@test "text to capture to text is the same" {
	"$mmiobpf" convert --capture "$tmp/capture" "$log"
	"$mmiobpf" convert "$tmp/capture" > "$tmp/out"
	cmp "$log" "$tmp/out"
	"$mmiobpf" convert --capture "$tmp/again" "$tmp/capture"
	"$mmiobpf" convert "$tmp/again" > "$tmp/out"
	cmp "$log" "$tmp/out"
}

@test "babeltrace2 reads it, counts the same, and says nothing" {
	"$mmiobpf" convert --capture "$tmp/capture" "$log"
	babeltrace2 "$tmp/capture" > "$tmp/events" 2> "$tmp/err"
	[ ! -s "$tmp/err" ]
	for kind in "access R W" "map MAP" "unmap UNMAP" "mark MARK" "device PCIDEV"; do
		set -- $kind
		name=$1
		shift
		count=$(awk -v words="$*" 'index(" " words " ", " " $1 " ") { n++ } END { print n + 0 }' "$log")
		[ "$(grep -c ") $name: " "$tmp/events")" -eq "$count" ]
	done
	# The first write of the log, with its time and value.
	read -r _ width time _ phys value _ < <(grep '^W ' "$log")
	first=$(grep -m 1 'access: .*"write"' "$tmp/events")
	echo "$first"
	[[ $first == "[00:00:"*"${time#*.}000] "* ]]
	[[ $first == *"width = $width,"* ]]
	printf -v want 'phys = 0x%X' "$phys"
	[[ $first == *"$want,"* ]]
	printf -v want 'after = 0x%X' "$value"
	[[ $first == *"$want "* ]]
}

@test "losses: babeltrace2 says how many, and they come back in place" {
	{
		echo "VERSION 20070824"
		echo "R 4 1.000000 1 0xfeb00000 0x1 0x0 0"
		echo "MARK 1.500000 Lost 12 events."
		echo "R 4 2.000000 1 0xfeb00000 0x2 0x0 0"
	} > "$tmp/lossy"
	run --separate-stderr "$mmiobpf" convert --capture "$tmp/capture" "$tmp/lossy"
	[ "$status" -eq 3 ]
	run --separate-stderr "$mmiobpf" convert "$tmp/capture"
	[ "$status" -eq 3 ]
	[ "$output" = "$(cat "$tmp/lossy")" ]
	babeltrace2 "$tmp/capture" 2>&1 >/dev/null | grep -q "discarded 12 events"
}

@test "cut off: what there is, and where it ends" {
	"$mmiobpf" convert --capture "$tmp/capture" "$log"
	size=$(wc -c < "$tmp/capture/cpu0")
	truncate -s $((size - 1)) "$tmp/capture/cpu0"
	run --separate-stderr "$mmiobpf" convert -o "$tmp/out" "$tmp/capture"
	echo "$stderr"
	[ "$status" -eq 1 ]
	[[ $stderr == "mmiobpf: cannot read $tmp/capture from byte "*" on: in cpu0, the packet is cut off; the 296 records before it are used" ]]
	cmp "$log" "$tmp/out"
}

@test "what is no capture" {
	mkdir "$tmp/empty" "$tmp/other" "$tmp/newer"
	says 1 "mmiobpf: cannot read $tmp/empty: it is a directory, and no capture is in it; name a file" \
		"$mmiobpf" convert "$tmp/empty"
	printf '/* CTF 1.8 */\n\ntrace { major = 1; minor = 8; };\n' > "$tmp/other/metadata"
	says 1 "mmiobpf: cannot read $tmp/other: it is a directory, and no capture is in it; name a file" \
		"$mmiobpf" convert "$tmp/other"
	printf '/* CTF 1.8 */\n/* mmiobpf capture, format 99, ' > "$tmp/newer/metadata"
	says 1 "mmiobpf: cannot read $tmp/newer: the capture was written by another version of this program; convert it with that version" \
		"$mmiobpf" convert "$tmp/newer"
}

@test "a capture is not written over anything" {
	"$mmiobpf" convert --capture "$tmp/capture" "$log"
	says 1 "mmiobpf: cannot write to $tmp/capture: the directory is not empty; name a new one" \
		"$mmiobpf" convert --capture "$tmp/capture" "$log"
	says 2 "mmiobpf: convert: --capture names the output, and so does --output; 'mmiobpf convert --help' shows how it is used" \
		"$mmiobpf" convert --capture "$tmp/new" -o "$tmp/file" "$log"
	[ ! -e "$tmp/new" ]
}
