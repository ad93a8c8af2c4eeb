# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154 # run
#
# What the kernel has allocated, before and after many sessions. A script sets run, a directory, before.
#
# The module's own areas, and the mappings that it holds, are counted exactly; those are all that it allocates for a
# session. Of the slabs and of the areas of all the kernel, which others use as well, the growth is bounded: one object
# a session that is not given back is seen with some hundred sessions.

memory_numbers()
{
	awk '$1 == "Percpu:" || $1 == "VmallocUsed:" || $1 == "SUnreclaim:" { sub(":", "", $1); print $1, $2 }' /proc/meminfo
	echo "areas $(grep -c '\[mmiobpf\]' /proc/vmallocinfo)"
	awk '/^kmalloc-/ { print $1, $2 }' /proc/slabinfo
}

# regions_gone PROGRAM: does the module hold no mapping any more? iounmap() of one may take a moment behind the end of
# the session; so does the kernel that closes a killed one.
regions_gone()
{
	local _

	for _ in {1..50}; do
		"$1" info > "$run/info"
		grep -q '^session .* none is running$' "$run/info" && return
		sleep 0.1
	done
	grep '^session' "$run/info" >&2
	return 1
}

# memory_note NAME. What is freed after a grace period is gone by then.
memory_note()
{
	sync
	echo 3 > /proc/sys/vm/drop_caches
	sleep 3
	memory_numbers > "$run/memory.$1"
}

# memory_compare BEFORE AFTER SESSIONS OBJECTS: prints what grew; false when it is too much. OBJECTS, which are 1 KiB
# at most, is what others may have taken of each size meanwhile.
memory_compare()
{
	awk -v sessions="$3" -v objects="$4" '
	NR == FNR { before[$1] = $2; next }
	{
		grown = $2 - before[$1]
		if ($1 == "areas")
			most = 0
		else if ($1 ~ /^kmalloc-/)
			most = objects + sessions / 2
		else
			most = 2048 + objects
		if (grown > most) {
			printf "memory: %s grew by %d to %d, at most %d allowed\n", $1, grown, $2, most
			failed = 1
		}
	}
	END { exit failed }' "$run/memory.$1" "$run/memory.$2"
}
