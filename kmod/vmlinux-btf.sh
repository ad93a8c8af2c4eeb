#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# vmlinux-btf.sh SOURCE OUTPUT: writes a kernel's BTF, raw, to OUTPUT.
#
# SOURCE is a bzImage (vmlinuz), an ELF file with a .BTF section (vmlinux), or raw BTF
# (/sys/kernel/btf/vmlinux). In a bzImage the compressed vmlinux begins at payload_offset after the
# setup sectors (Documentation/arch/x86/boot.rst, "the real-mode kernel header").
set -eu
export LC_ALL=C

fail()
{
	echo "vmlinux-btf: error: $*" >&2
	exit 1
}

# number FILE OFFSET SIZE: an unsigned little-endian number
number()
{
	od -An -v -t "u$3" -j "$2" -N "$3" --endian=little "$1" | tr -d ' \n'
}

hex()
{
	od -An -v -t x1 -j "$2" -N "$3" "$1" | tr -d ' \n'
}

# payload FILE: the compressed kernel, to stdout. The 4 bytes at its end are its length unpacked, in xz
# and zstd images an addition of the kernel build that unpackers take for garbage.
payload()
{
	setup=$(number "$1" 497 1)		# 0x1f1 setup_sects; 0 means 4
	[ "$setup" -ne 0 ] || setup=4
	start=$(((setup + 1) * 512 + $(number "$1" 584 4)))	# 0x248 payload_offset
	length=$(number "$1" 588 4)				# 0x24c payload_length
	case $(hex "$1" "$start" 4) in
	fd377a58) unpack="xz -dc"; length=$((length - 4)) ;;
	28b52ffd) unpack="zstd -dcq"; length=$((length - 4)) ;;
	1f8b*) unpack="gzip -dc" ;;
	*) fail "cannot read the kernel in $1: compressed neither with xz, zstd nor gzip." \
		"Give its vmlinux or its BTF instead (KERNEL_BTF=)" ;;
	esac
	command -v "${unpack%% *}" >/dev/null ||
		fail "cannot unpack the kernel in $1: ${unpack%% *} is not installed"
	tail -c +$((start + 1)) "$1" | head -c "$length" | $unpack
}

[ $# -eq 2 ] || fail "usage: vmlinux-btf.sh SOURCE OUTPUT"
source=$1
output=$2
[ -r "$source" ] || fail "cannot read $source: no such file, or not permitted"

work=$(mktemp -d "$output.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP

case $(hex "$source" 0 4) in
9feb01*)
	cat "$source" > "$work/btf" ;;
7f454c46)
	elf=$source ;;
*)
	[ "$(hex "$source" 514 4)" = 48647253 ] ||		# 0x202 "HdrS"
		fail "$source is neither a bzImage, an ELF file nor BTF"
	elf=$work/vmlinux
	payload "$source" > "$elf" || fail "cannot unpack the kernel in $source" ;;
esac

if [ ! -f "$work/btf" ]; then
	objcopy --dump-section .BTF="$work/btf" "$elf" "$work/copy" 2>"$work/errors" &&
		[ -s "$work/btf" ] ||
		fail "cannot find BTF in $source: $(cat "$work/errors")"
fi
mv "$work/btf" "$output"
