#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# usage: MODULE=NAME display.sh [load] [use] [unload]
#
# In a guest with a display that the module drives: load sets a mode, as the console of the frame buffer is put on
# it; use writes pixels and reads them back.

# shellcheck source=tests/vm/workloads/driver.sh
. "$(dirname "$0")/driver.sh"

module=${MODULE:?}
scratch=/run/display-$module
pixels=65536

find_framebuffer()
{
	local path

	for path in /sys/class/graphics/fb[0-9]*; do
		case $(readlink -f "$path/device/driver/module") in
		*/"$module") framebuffer=/dev/${path##*/}; test -c "$framebuffer" && return 0 ;;
		esac
	done
	return 1
}

load()
{
	modprobe "$module" || fail "$module could not be loaded"
	retry 20 find_framebuffer || fail "$module has no frame buffer"
	report "$module: $framebuffer is there"
}

# It would draw while pixels are compared, and it holds the module.
console_off()
{
	local console

	for console in /sys/class/vtconsole/*; do
		grep -q 'frame buffer' "$console/name" && echo 0 >"$console/bind"
	done
	sleep 0.5
}

use()
{
	console_off
	find_framebuffer || fail "$module has no frame buffer"
	mkdir -p "$scratch"
	head -c "$pixels" /dev/urandom >"$scratch/data"
	dd if="$scratch/data" of="$framebuffer" bs=4096 status=none || fail "$framebuffer takes no pixels"
	dd if="$framebuffer" of="$scratch/back" bs=4096 count=$((pixels / 4096)) status=none ||
		fail "$framebuffer gives no pixels"
	cmp -s "$scratch/data" "$scratch/back" || fail "pixels read back differ from those written"
	# Off and on again: the mode is set anew.
	echo 1 >"/sys/class/graphics/${framebuffer##*/}/blank" || fail "the screen could not be blanked"
	echo 0 >"/sys/class/graphics/${framebuffer##*/}/blank" || fail "the screen could not be unblanked"
	report "$module: $pixels bytes of pixels written and read back"
}

unload()
{
	modprobe -r "$module" || fail "$module could not be unloaded"
	report "$module: unloaded"
}

workload_run "$@"
