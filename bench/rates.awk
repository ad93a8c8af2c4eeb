# SPDX-License-Identifier: GPL-2.0-or-later
#
# The samples of bench/rates-guest as a table. Exits 1 when samples are missing. Variables: release,
# runs, and the CPUs and the load of the host (hostload).

function cell(key,	s, count)
{
	count = sorted(key, s)
	if (count != runs || !s[1]) {
		missing = 1
		return "-"
	}
	return sprintf("%.0f (%.0f-%.0f)", median(key), s[1], s[count])
}

# What is left of the untraced rate with the same number of CPUs.
function left(side, cpus, kind,	base)
{
	base = median("untraced" SUBSEP cpus SUBSEP kind)
	return base ? sprintf("%.2f", median(side SUBSEP cpus SUBSEP kind) / base) : "-"
}

function row(side, cpus, text)
{
	printf format, text, cell(side SUBSEP cpus SUBSEP "e1000e"), left(side, cpus, "e1000e"),
		cell(side SUBSEP cpus SUBSEP "nvme"), left(side, cpus, "nvme")
}

$1 == "lost" { lost[$2] += $3; next }
NF == 4 { sample_add($1 SUBSEP $2 SUBSEP $3, $4); next }
{ print "bench: cannot understand: " $0 > "/dev/stderr"; missing = 1 }

END {
	printf "Linux %s, a second: median (smallest-largest) of %d runs\n", release, runs
	printf "Host: %d CPUs, load %s when it began\n\n", cpus, hostload
	format = "%-20s %-26s %-8s %-26s %s\n"
	printf format, "", "e1000e flood ping", "left", "nvme random read", "left"
	row("untraced", 1, "untraced, 1 CPU")
	row("mmiotrace", 1, "mmiotrace, 1 CPU")
	row("mmiobpf", 1, "mmiobpf, 1 CPU")
	row("untraced", 4, "untraced, 4 CPUs")
	row("mmiobpf", 4, "mmiobpf, 4 CPUs")
	printf "\nLeft: of the untraced rate with as many CPUs. Records lost by mmiotrace: %d, by mmiobpf: none.\n\n",
		lost["mmiotrace"]
	exit missing
}
