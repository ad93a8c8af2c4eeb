#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# usage: MODULE=NAME sound.sh [load] [use] [unload]
#
# In a guest with a sound card that the module drives, and QEMU's silent audio back-end: use plays two seconds to the
# end, and records one. The OSS emulation of the kernel needs no program for it: 8,000 samples of a byte a second.

# shellcheck source=tests/vm/workloads/driver.sh
. "$(dirname "$0")/driver.sh"

module=${MODULE:?}
seconds=2
rate=8000

find_dsp()
{
	local path

	for path in /sys/class/sound/dsp*; do
		case $(readlink -f "$path/device/device/driver/module") in
		*/"$module") dsp=/dev/${path##*/}; test -c "$dsp" && return 0 ;;
		esac
	done
	return 1
}

load()
{
	modprobe "$module" || fail "$module could not be loaded"
	modprobe snd-pcm-oss || fail "snd-pcm-oss could not be loaded"
	retry 20 find_dsp || fail "$module has no /dev/dsp"
	report "$module: $dsp is there"
}

use()
{
	local start=$EPOCHREALTIME took bytes

	find_dsp || fail "$module has no /dev/dsp"
	# To close it waits for the last sample.
	head -c $((seconds * rate)) /dev/urandom >"$dsp" || fail "$dsp does not play"
	took=$((${EPOCHREALTIME/./} - ${start/./}))
	[ "$took" -ge $((seconds * 900000)) ] || fail "$seconds s of sound were played in $took us"
	bytes=$(head -c "$rate" "$dsp" | wc -c) || fail "$dsp does not record"
	[ "$bytes" -eq "$rate" ] || fail "$bytes of $rate bytes were recorded"
	report "$module: $seconds s played in $took us, 1 s recorded"
}

unload()
{
	modprobe -r snd-pcm-oss || fail "snd-pcm-oss could not be unloaded"
	retry 10 modprobe -q -r "$module" || fail "$module could not be unloaded"
	report "$module: unloaded"
}

workload_run "$@"
