# SPDX-License-Identifier: GPL-2.0-or-later
#
# The samples of bench/guest as a table. Exits 1 when a ratio is above its limit, or samples are
# missing. Variables: release, runs, and the CPUs and the load of the host (hostload).

function cell(side, kind,	key, s, count)
{
	key = side SUBSEP kind
	count = sorted(key, s)
	if (count != runs)
		missing = 1
	if (!count)
		return "-"
	return sprintf("%.0f (%.0f-%.0f)", median(key), s[1], s[count])
}

# A ratio of medians with its limit, "-" when there is none.
function ratio(kind, by, limit,	base, r)
{
	base = median(by SUBSEP kind)
	if (!base) {
		missing = 1
		return "-"
	}
	r = median("mmiobpf" SUBSEP kind) / base
	if (limit == "")
		return sprintf("%.3f", r)
	if (r <= limit)
		return sprintf("%.3f <= %.2f", r, limit)
	exceeded = 1
	return sprintf("%.3f >  %.2f !", r, limit)
}

# by_floor: "" where there is no limit.
function kind_add(kind, text, by_mmiotrace, by_floor)
{
	kinds[++nkinds] = kind
	what[kind] = text
	limit[kind] = by_mmiotrace
	floor_limit[kind] = by_floor
}

BEGIN {
	kind_add("read", "read", 0.12, 1.6)
	kind_add("write", "write", 0.12, 1.6)
	kind_add("int-read", "read by add", 0.12, 1.6)
	kind_add("int-rmw", "read-modify-write by or", 0.12, 1.6)
	kind_add("step", "read by div, stepped", 0.30, "")
	kind_add("movs-to", "element of rep movs, to", 0.05, "")
	kind_add("movs-from", "element of rep movs, from", 0.05, "")
}

$1 == "lost" { lost[$2] += $3; next }
NF == 4 && ($2 in what) { sample_add($1 SUBSEP $2, $4 / $3); next }
{ print "bench: cannot understand: " $0 > "/dev/stderr"; missing = 1 }

END {
	printf "Linux %s, ns per access: median (smallest-largest) of %d runs\n", release, runs
	printf "Host: %d CPUs, load %s when it began\n\n", cpus, hostload
	format = "%-26s %-15s %-21s %-19s %-19s %-16s %s\n"
	printf format, "access", "untraced", "mmiotrace", "floor", "mmiobpf", "by mmiotrace", "by floor"
	for (i = 1; i <= nkinds; i++) {
		k = kinds[i]
		printf format, what[k], cell("untraced", k), cell("mmiotrace", k), cell("floor", k),
			cell("mmiobpf", k), ratio(k, "mmiotrace", limit[k]), ratio(k, "floor", floor_limit[k])
	}
	printf "\nBy mmiotrace, by floor: the median of mmiobpf by theirs, and its limit; ! is above it.\n"
	printf "Records lost by mmiotrace: %d, by mmiobpf: none.\n\n", lost["mmiotrace"]
	if (missing)
		print "bench: not every run has measured everything" > "/dev/stderr"
	exit missing || exceeded
}
