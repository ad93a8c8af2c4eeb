# SPDX-License-Identifier: GPL-2.0-or-later
#
# usage: awk -v ranges="FIRST-LAST" -f replay.awk LOG
#
# Does a text log say of memory what memory does? Each byte that is read must be the one that was written last, or, when
# there was none, be read so again. Prints what is not so and, at the end, how many accesses there were; fails when
# there were none or one was wrong. Addresses are below 2^52.

function digit(c)
{
	return index("0123456789abcdef", c) - 1
}

function number(hex, n, i)
{
	n = 0
	for (i = 3; i <= length(hex); i++)
		n = n * 16 + digit(substr(hex, i, 1))
	return n
}

BEGIN {
	split(ranges, range, "-")
	first = number(range[1])
	last = number(range[2])
}

$1 == "R" || $1 == "W" {
	at = number($5)
	if (at < first || at > last)
		next
	count++
	# Small enough to be a key as it is: mawk rounds larger ones.
	at -= first
	digits = substr($6, 3)
	while (length(digits) < 2 * $2)
		digits = "0" digits
	for (i = 0; i < $2; i++) {
		byte = substr(digits, 2 * ($2 - i) - 1, 2)
		if ($1 == "R" && (at + i) in memory && memory[at + i] != byte) {
			print "line " NR ": byte " i " is " byte ", it was " memory[at + i] ": " $0
			wrong++
			break
		}
		memory[at + i] = byte
	}
}

END {
	print count + 0 " accesses, " wrong + 0 " wrong"
	exit !count || wrong
}
