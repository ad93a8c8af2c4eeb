# SPDX-License-Identifier: GPL-2.0-or-later
#
# The samples of bench/guest as a table. Exits 1 when a ratio is above its limit, or samples are
# missing. Variables: release, runs, and the CPUs and the load of the host.

function sorted(key, into,	i, j, x)
{
	for (i = 1; i <= n[key]; i++) {
		x = sample[key, i]
		for (j = i - 1; j >= 1 && into[j] > x; j--)
			into[j + 1] = into[j]
		into[j + 1] = x
	}
	return n[key]
}

function median(key,	s, count)
{
	count = sorted(key, s)
	if (!count)
		return 0
	return count % 2 ? s[(count + 1) / 2] : (s[count / 2] + s[count / 2 + 1]) / 2
}

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

$1 == "lost" { lost[$2] += $3; next }
NF == 4 { key = $1 SUBSEP $2; sample[key, ++n[key]] = $4 / $3; next }
{ print "bench: cannot understand: " $0 > "/dev/stderr"; missing = 1 }

END {
	split("read write step-read step-rmw", kinds, " ")
	what["read"] = "read, emulated"
	what["write"] = "write, emulated"
	what["step-read"] = "read, stepped"
	what["step-rmw"] = "read-modify-write, stepped"
	limit["read"] = limit["write"] = 0.15
	limit["step-read"] = limit["step-rmw"] = 0.30

	printf "Linux %s, ns per access: median (smallest-largest) of %d runs\n", release, runs
	printf "Host: %d CPUs, load %s when it began\n\n", cpus, load
	printf "%-28s%-18s%-24s%-20s%-8s%s\n", "access", "untraced", "mmiotrace", "mmiobpf",
		"ratio", "limit"
	for (i = 1; i <= 4; i++) {
		k = kinds[i]
		base = median("mmiotrace" SUBSEP k)
		ratio = base ? median("mmiobpf" SUBSEP k) / base : 9
		above = ratio > limit[k]
		printf "%-28s%-18s%-24s%-20s%-8.3f%.2f%s\n", what[k],
			cell("untraced", k), cell("mmiotrace", k), cell("mmiobpf", k),
			ratio, limit[k], above ? "  exceeded" : ""
		if (above)
			exceeded = 1
	}
	printf "\nratio: mmiobpf by mmiotrace. Records lost by mmiotrace: %d, by mmiobpf: none.\n\n",
		lost["mmiotrace"]
	if (missing)
		print "bench: not every run has measured everything" > "/dev/stderr"
	exit missing || exceeded
}
