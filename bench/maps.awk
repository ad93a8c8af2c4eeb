# SPDX-License-Identifier: GPL-2.0-or-later
#
# The table of bench/maps, of the lines of bench/maps-guest: medians of the runs. Used with median.awk.

function row(name, n_maps,	arm)
{
	arm = median(name " arm")
	printf "| %s | %s | %.1f | %.1f | %s | %s |\n", name,
		n_maps ? sprintf("%.0f", median("lookup " n_maps)) : "-",
		arm / 1000, median(name " back") / 1000,
		(n_maps > 1) ? sprintf("%.1f", arm / n_maps / 1000) : "-", median(name " bytes")
}

$1 == "lookup" { sample_add("lookup " $2, $4 / $3) }

$1 == "many" || $1 == "one" {
	if ($1 == "many")
		name = $2 ($2 == 1 ? " mapping" : " mappings") " of 4 KiB"
	else
		name = "16 GiB in " $2 " entries of " $3
	if (!(name in seen)) {
		seen[name] = ++rows
		names[rows] = name
		mappings[rows] = $1 == "many" ? $2 : 0
	}
	sample_add(name " arm", $5)
	sample_add(name " back", $6)
	sample_add(name " bytes", $7)
}

END {
	if (!rows)
		exit 1
	print "Linux " release ", median of " runs " runs, host with " cpus " CPUs and a load of " hostload
	print ""
	print "| armed | ns a lookup | arm, us | give back, us | us a mapping | bytes of the kernel |"
	print "|---|---|---|---|---|---|"
	for (i = 1; i <= rows; i++)
		row(names[i], mappings[i])
}
