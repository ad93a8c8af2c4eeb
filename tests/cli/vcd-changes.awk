# SPDX-License-Identifier: GPL-2.0-or-later
# The changes of a value change dump in a form that every tool's dump has in common: "TIME NAME VALUE", with
# names in full and without the zeros in front of a value. Sort it: at one time the order says nothing.

$1 == "$scope" { path[++depth] = $3; next }
$1 == "$upscope" { depth--; next }
$1 == "$var" {
	name = ""
	for (i = 1; i <= depth; i++)
		name = name path[i] "."
	names[$4] = name $5
	next
}
$1 == "$enddefinitions" { body = 1; next }
!body || /^\$/ { next }
/^#/ { time = substr($1, 2); next }
/^b/ {
	value = substr($1, 2)
	sub(/^0+/, "", value)
	sub(/^x+$/, "x", value)
	print time, names[$2], (value == "" ? 0 : value)
	next
}
{ print time, names[substr($1, 2)], substr($1, 1, 1) }
