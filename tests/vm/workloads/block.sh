# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154 # the workload sets them
#
# Direct reads and writes of a disk by several jobs, each on its own CPU and its own area. Set before: jobs_wanted,
# requests (blocks per job), block_size, area_blocks (distance of the areas in blocks), disk, scratch (a directory
# in memory).

# One process does all requests of a job: with direct I/O each block is a request of its own.
copy_blocks()
{
	dd bs="$block_size" count="$requests" status=none "$@"
}

# job NUMBER: the data differ from job to job, so that an area written to by two of them is noticed.
job()
{
	local data=$scratch/data.$1 back=$scratch/back.$1 start=$(($1 * area_blocks))

	copy_blocks if=/dev/urandom of="$data" iflag=fullblock &&
		copy_blocks if="$data" of="$disk" seek="$start" oflag=direct conv=notrunc &&
		copy_blocks if="$disk" of="$back" skip="$start" iflag=direct || return 1
	[ "$(sha256sum <"$data")" = "$(sha256sum <"$back")" ] || {
		echo "job $1: what was read back differs from what was written" >&2
		return 1
	}
	rm -f "$data" "$back"
}

run_jobs()
{
	local i pids=() failed=0 cpus

	cpus=$(nproc)
	mkdir -p "$scratch" || fail "cannot create $scratch"
	for ((i = 0; i < jobs_wanted; i++)); do
		(taskset -pc $((i % cpus)) "$BASHPID" >/dev/null && job "$i") &
		pids+=($!)
	done
	for i in "${pids[@]}"; do
		wait "$i" || failed=$((failed + 1))
	done
	[ "$failed" -eq 0 ] || fail "$failed of $jobs_wanted jobs failed on $disk"
}
