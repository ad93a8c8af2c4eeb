# SPDX-License-Identifier: GPL-2.0-or-later
# The output formats of mmiobpf convert, as the tools that read them see them.

bats_require_minimum_version 1.5.0

setup()
{
	. "$BATS_TEST_DIRNAME/cli.bash"
	log=$top/tests/data/mmiotrace/e1000e-6.1.log
	tmp=$BATS_TEST_TMPDIR
	export LC_ALL=C
}

# The lines R and W of the log: "op width map phys value"
accesses()
{
	awk '$1 == "R" || $1 == "W" { print ($1 == "R" ? "read" : "write"), $2, $4, $5, $6 }' "$log"
}

@test "json: every line is an object, and the accesses are those of the log" {
	"$mmiobpf" convert --format json "$log" > "$tmp/json"
	jq -c . "$tmp/json" > "$tmp/objects"
	[ "$(wc -l < "$tmp/objects")" -eq "$(wc -l < "$tmp/json")" ]
	jq -r 'select(.type == "access") | "\(.op) \(.width) \(.map_id) \(.phys) \(.value)"' "$tmp/json" |
		cmp - <(accesses)
	[ "$(head -n 1 "$tmp/json" | jq -r .type)" = header ]
	[ "$(tail -n 1 "$tmp/json" | jq -r .type)" = end ]
	[ "$(tail -n 1 "$tmp/json" | jq .accesses)" -eq "$(accesses | wc -l)" ]
	[ "$(tail -n 1 "$tmp/json" | jq .lost)" -eq 0 ]
	# where they go is found by the BARs of the PCIDEV lines
	[ "$(jq -r 'select(.type == "access") | .device' "$tmp/json" | sort -u)" = 0000:00:04.0 ]
}

@test "json: a loss is counted, and the status says so" {
	{
		echo "VERSION 20070824"
		echo "R 4 1.000000 1 0xfeb00000 0x1 0x0 0"
		echo "MARK 2.000000 Lost 17 events."
		echo "R 4 2.000000 1 0xfeb00000 0x2 0x0 0"
	} > "$tmp/log"
	run -3 --separate-stderr "$mmiobpf" convert --format json "$tmp/log"
	[ "$(jq -c 'select(.type == "lost") | [.seq, .count]' <<< "$output")" = "[1,17]" ]
	[ "$(jq -c 'select(.type == "end") | [.accesses, .lost]' <<< "$output")" = "[2,17]" ]
}

@test "csv: as many columns on every line, and the accesses are those of the log" {
	"$mmiobpf" convert --format csv "$log" > "$tmp/csv"
	[ "$(awk -F, '{ print NF }' "$tmp/csv" | sort -u)" -eq 26 ]
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		$at["type"] == "access" { print $at["op"], $at["width"], $at["map_id"], $at["phys"], $at["value"] }' \
		"$tmp/csv" | cmp - <(accesses)
}

@test "vcd: vcd2fst takes it, and what comes back is what went in" {
	"$mmiobpf" convert --format vcd "$log" > "$tmp/vcd"
	vcd2fst "$tmp/vcd" "$tmp/fst"
	fst2vcd "$tmp/fst" > "$tmp/back"
	for dump in vcd back; do
		awk -f "$BATS_TEST_DIRNAME/vcd-changes.awk" "$tmp/$dump" | sort > "$tmp/$dump.changes"
	done
	cmp "$tmp/vcd.changes" "$tmp/back.changes"
	# one event for each access, and a value for each
	[ "$(grep -cE '\.(read|write) 1$' "$tmp/vcd.changes")" -eq "$(accesses | wc -l)" ]
	[ "$(grep -vcE '\.(read|write) 1$|^0 ' "$tmp/vcd.changes")" -eq "$(accesses | wc -l)" ]
}

@test "vcd: two changes at one time are kept apart" {
	{
		echo "VERSION 20070824"
		for value in 1 2 3 2; do
			echo "R 4 1.000000 1 0xfeb00000 0x$value 0x0 0"
		done
	} | "$mmiobpf" convert --format vcd > "$tmp/vcd"
	vcd2fst "$tmp/vcd" "$tmp/fst"
	fst2vcd "$tmp/fst" | awk -f "$BATS_TEST_DIRNAME/vcd-changes.awk" > "$tmp/changes"
	[ "$(awk '/rfeb00000/ && $1 > 0 { printf "%s:%s ", $1, $3 }' "$tmp/changes")" = "1:1 2:10 3:11 4:10 " ]
}

@test "chrome: one array, its times go up, and the accesses are those of the log" {
	"$mmiobpf" convert --format chrome "$log" > "$tmp/chrome"
	jq -r '.[] | select(.cat == "read" or .cat == "write") |
		"\(.cat) \(.args.width) \(.args.phys) \(.args.value)"' "$tmp/chrome" |
		cmp - <(accesses | cut -d ' ' -f 1,2,4,5)
	jq -e '[.[] | select(.ts).ts] | . == sort and .[0] == 0' "$tmp/chrome"
	# every event has what the format asks for
	jq -e 'all(.[]; .ph and .name and .pid == 1) and all(.[] | select(.ph != "M"); .tid and .ts != null)' \
		"$tmp/chrome"
}

@test "chrome: nanoseconds survive, also after years without a reboot" {
	{
		echo "VERSION 20070824"
		echo "R 4 99999999.123456789 1 0xfeb00000 0x1 0x0 0"
		echo "R 4 99999999.123456790 1 0xfeb00000 0x2 0x0 0"
		echo "R 4 99999999.123458790 1 0xfeb00000 0x3 0x0 0"
	} | "$mmiobpf" convert --format chrome > "$tmp/chrome"
	[ "$(jq -c '[.[] | select(.cat == "read").ts]' "$tmp/chrome")" = "[0,0.001,2.001]" ]
}

@test "a log without a single record" {
	for format in json csv vcd chrome; do
		echo "VERSION 20070824" | "$mmiobpf" convert --format $format > "$tmp/$format"
	done
	[ "$(jq -c .type "$tmp/json" | tr '\n' ' ')" = '"header" "end" ' ]
	[ "$(wc -l < "$tmp/csv")" -eq 1 ]
	jq -e 'length == 1' "$tmp/chrome"
	vcd2fst "$tmp/vcd" "$tmp/fst"
}

@test "a full disk is an error in every format" {
	[ -c /dev/full ] || skip "no /dev/full here"
	for format in json csv vcd chrome; do
		run --separate-stderr "$mmiobpf" convert --format $format -o /dev/full "$log"
		echo "$format: $status: $stderr"
		[ "$status" -eq 1 ]
		[[ $stderr == "mmiobpf: cannot write to /dev/full: the disk is full; "* ]]
	done
}

@test "a reader that goes away is no error" {
	for format in json csv vcd chrome; do
		run --separate-stderr bash -c "'$mmiobpf' convert --format $format '$log' | head -n 1"
		[ "$status" -eq 0 ]
		[ -n "$output" ]
		[ "$stderr" = "" ]
	done
}
