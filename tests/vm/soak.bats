#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# All of 8 CPUs at work on shared and separate pages, while sessions come and go, by signals and by SIGKILL, CPUs go
# off- and online, and mappings are made and unmapped: nothing is lost unless reported, nothing is wrong. `make soak`
# does it with 10 million accesses; here they are fewer.

load trace.bash

setup_file()
{
	local release

	for release in "$BATS_TEST_DIRNAME"/../../build/kernels/*/; do
		release=$(basename "$release")
		make -C "$BATS_TEST_DIRNAME/soak" KDIR="/usr/src/linux-headers-$release"
	done
}

setup()
{
	share_make
}

# Judges each log when it is complete, and removes those that are right: all of them would be large.
judge_logs()
{
	local log ram edu counts

	until [ -e "$share/over" ] && ! compgen -G "$share/ready.*" > /dev/null; do
		for log in "$share"/ready.*; do
			[ -e "$log" ] || continue
			read -r ram edu < "$share/devices"
			counts=$share/counts.${log##*.}
			[ -e "$counts" ] || counts=''
			# shellcheck disable=SC2086 # none or one
			if "$top/build/vm/streams" "$ram" "$edu" "$log" $counts >> "$share/verdicts" 2>&1; then
				rm "$log"
			else
				echo "${log##*/} is wrong" >> "$share/wrong"
				mv "$log" "$log.wrong" && mv "$log.wrong" "$share/wrong-${log##*/}"
			fi
		done
		sleep 0.2
	done
}

# What is wrong is kept, to be looked at: it may not come again.
teardown()
{
	! compgen -G "$share/wrong-*" > /dev/null || {
		mkdir -p "$top/build/soak/wrong"
		cp "$share"/wrong-* "$share/console" "$share/verdicts" "$top/build/soak/wrong/"
	}
}

# number NAME: of the script's output
number()
{
	awk -v name="$1" '$1 == name { print $2 }' <<< "$output"
}

# In make check on one thread of QEMU, which is safe from its "Oops: int3"; the long forms have one for each CPU.
soaked()
{
	local accesses=${SOAK_ACCESSES:-$2} judge

	judge_logs 3>&- &
	judge=$!
	run "$BATS_TEST_DIRNAME/guest" --kernel "$1" --cpus 8 --tcg "${SOAK_TCG:-single}" --mem 2G --timeout $((600 + accesses / 1000)) \
		--share "$share" --dmesg-clean --console "$share/console" --device edu \
		--qemu-arg -object --qemu-arg memory-backend-ram,id=m0,size=1M \
		--device ivshmem-plain,memdev=m0 -- "$scripts/soak" "$accesses" "$share"
	echo "$output"
	touch "$share/over"
	wait $judge
	cat "$share/verdicts"
	[ "$status" -eq 0 ]
	[ ! -e "$share/wrong" ]
	[ "$(number made)" -ge $((accesses * 9 / 10)) ]
	[ "$(grep -c ', right$' "$share/verdicts")" -eq "$(number sessions)" ]
	[ "$(number hotplugs)" -gt 0 ]
	[ "$(number killed)" -gt 0 ]
	lost=$(awk '$1 == "streams:" { n += $4 } END { print n + 0 }' "$share/verdicts")
	echo "# $1: $(number made) accesses made, $(number recorded) recorded, $lost reported lost," \
		"$(number sessions) sessions ($(number killed) killed, $(number lossy) with losses)," \
		"$(number hotplugs) times a CPU off and on" >&3
}

@test "6.1: 8 CPUs, hotplug, mappings and sessions that come and go" { soaked 6.1 60000; }
@test "6.12: 8 CPUs, hotplug, mappings and sessions that come and go" { soaked 6.12 60000; }
