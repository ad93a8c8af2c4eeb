# SPDX-License-Identifier: GPL-2.0-or-later
#
# Judges the interrupts in a log of tests/vm/scripts/events: each that was entered was left, on the same CPU; between
# the two lie accesses of this CPU, by the ordinals, and a read of the cause register; and up to each of two markers are
# as many interrupts as /proc/interrupts counts there, in a guest where there were none before. The last line is the
# verdict.

function wrong(what)
{
	print "line " NR ": " what ": " $0
	errors++
}

# MARK time irq N counted C, as often as it takes until none comes meanwhile, and then irq N has counted C.
$1 == "MARK" && $3 == "irq" && $5 == "counted" { pending = entries[$4] }

$1 == "MARK" && $3 == "irq" && $5 == "has" {
	irq = $4
	counted[++counts] = $7
	seen[counts] = pending
}

$1 == "MARK" && $3 == "icr" { icr = $4 }

# MARK time irq entry N cpu C ordinal O name
$1 == "MARK" && $3 == "irq" && $4 == "entry" {
	if ($7 in inside)
		wrong("the handler before was not left")
	inside[$7] = $5
	ordinal[$7] = $9
	entries[$5]++
	reads[$7] = 0
	where[$7] = NR
}

$1 == "R" { total[$5]++ }

$1 == "MARK" && $3 == "irq" && $4 == "exit" {
	if (!($7 in inside) || inside[$7] != $5)
		wrong("left without having been entered")
	if ($10 != "handled")
		wrong("not handled")
	if ($9 <= ordinal[$7])
		wrong("no access between entry and exit")
	span[++spans] = where[$7] " " NR " " $5
	delete inside[$7]
}

# The address of the register is known by a marker only: so the lines are looked at again.
$1 == "R" { read_at[NR] = $5 }

END {
	for (cpu in inside)
		wrong("a handler was never left on CPU " cpu)
	for (i = 1; i <= spans; i++) {
		split(span[i], s, " ")
		found = 0
		for (n = s[1] + 1; n < s[2]; n++)
			found += read_at[n] == icr
		if (s[3] == irq && !found) {
			print "lines " s[1] " to " s[2] ": the cause register was not read"
			errors++
		}
	}
	if (counts != 2 || !counted[1] || counted[2] <= counted[1]) {
		print "the script has not counted twice"
		errors++
	}
	for (i = 1; i <= counts; i++) {
		if (seen[i] != counted[i]) {
			print seen[i] + 0 " interrupts recorded, " counted[i] " counted by the kernel"
			errors++
		}
	}
	print spans + 0 " interrupts, " counted[2] + 0 " of them counted by the kernel, " total[icr] + 0 \
		" reads of the cause register, " errors + 0 " wrong"
	exit errors > 0
}
