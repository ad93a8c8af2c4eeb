# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# For the scripts that use the exerciser in a guest. They give $out, a directory.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
parameters=/sys/module/mmiobpf_exerciser/parameters

die()
{
	echo "${0##*/}: $*" >&2
	exit 1
}

modules_load()
{
	insmod "$top/build/kmod/$(uname -r)/mmiobpf.ko" || die "the module could not be loaded"
	insmod "$top/build/exerciser/$(uname -r)/mmiobpf_exerciser.ko" ||
		die "the exerciser could not be loaded: give the guest --device edu"
}

modules_unload()
{
	rmmod mmiobpf_exerciser && rmmod mmiobpf || die "the modules could not be unloaded"
}

request()
{
	echo "$*" >"$parameters/run" || die "the exerciser refused the request: $*"
}

answer()
{
	echo "$(<"$parameters/result")"
}

# See tests/vm/guest-init.
mark_port()
{
	# shellcheck disable=SC2059 # the byte is an escape on purpose
	printf "$1" | dd of=/dev/port bs=1 seek=128 conv=notrunc 2>/dev/null
}

# trace NAME FUNCTION ARGS...: the script is called with DIRECTORY FUNCTION ARGS... when all is armed, and what it
# prints goes to NAME.traced.
trace()
{
	local name=$1

	shift
	"$top/build/mmiobpf" trace --driver mmiobpf_exerciser -o "$out/$name.log" -- "$0" "$out" "$@" \
		>"$out/$name.traced" 2>"$out/$name.err"
	echo $? >"$out/$name.status"
}

# device_range VENDOR DEVICE BAR: FIRST-LAST
device_range()
{
	local device

	for device in /sys/bus/pci/devices/*; do
		[ "$(<"$device/vendor")$(<"$device/device")" = "$1$2" ] || continue
		awk -v bar="$3" 'NR == bar + 1 { print $1 "-" $2 }' "$device/resource"
	done
}
