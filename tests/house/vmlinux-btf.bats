# SPDX-License-Identifier: GPL-2.0-or-later
# Taking the BTF out of what a kernel comes in.

setup_file()
{
	# pahole calls llvm-objcopy unless told otherwise.
	export top=$BATS_TEST_DIRNAME/../.. PATH=$PATH:/usr/sbin LLVM_OBJCOPY=objcopy
	cd "$BATS_FILE_TMPDIR" || return 1
	gcc -Wall -Wextra -Werror -g -O1 -c -o vmlinux "$BATS_TEST_DIRNAME/fixtures/base.c"
	pahole -J vmlinux
	objcopy --dump-section .BTF=btf vmlinux copy
}

setup()
{
	cd "$BATS_TEST_TMPDIR"
	vmlinux=$BATS_FILE_TMPDIR/vmlinux
	btf=$BATS_FILE_TMPDIR/btf
	extract=$top/kmod/vmlinux-btf.sh
}

# number N BYTES: little-endian
number()
{
	local i n=$1

	for ((i = 0; i < $2; i++)); do
		printf "\\x$(printf %02x $((n & 255)))"
		n=$((n >> 8))
	done
}

zeros()
{
	head -c "$1" /dev/zero
}

# image PAYLOAD [SETUP-SECTORS]: a bzImage with that payload, 100 bytes behind the setup sectors. The offsets
# of the header's fields are those of the kernel's boot protocol.
image()
{
	local sectors=${2:-4} length

	length=$(stat -c %s "$1")
	zeros 497			# 0x1f1
	number "${2:-0}" 1		# setup_sects, 0 stands for 4
	zeros 16			# 0x202
	printf HdrS
	zeros 66			# 0x248
	number 100 4			# payload_offset
	number "$length" 4		# payload_length
	zeros $(((sectors + 1) * 512 - 592 + 100))
	cat "$1"
	echo "the end of the image, not of the payload"
}

# The kernel's build puts the length unpacked behind the payload.
with_length()
{
	cat "$1"
	number "$(stat -c %s "$vmlinux")" 4
}

@test "from raw BTF" {
	"$extract" "$btf" out
	cmp "$btf" out
}

@test "from a vmlinux" {
	"$extract" "$vmlinux" out
	cmp "$btf" out
}

@test "from a vmlinuz packed with xz" {
	xz -c "$vmlinux" > packed
	with_length packed > payload
	image payload > vmlinuz
	"$extract" vmlinuz out
	cmp "$btf" out
}

@test "from a vmlinuz packed with zstd" {
	zstd -qc "$vmlinux" > packed
	with_length packed > payload
	image payload 39 > vmlinuz
	"$extract" vmlinuz out
	cmp "$btf" out
}

@test "from a vmlinuz packed with gzip, which has the length in its own format" {
	gzip -c "$vmlinux" > payload
	image payload 27 > vmlinuz
	"$extract" vmlinuz out
	cmp "$btf" out
}

@test "from the kernels that were fetched" {
	local n=0

	for image in "$top"/build/kernels/*/boot/vmlinuz-*; do
		[ -f "$image" ] || continue
		"$extract" "$image" out
		bpftool btf dump file out > types
		grep -q "FUNC 'fixup_exception'" types
		n=$((n + 1))
	done
	[ "$n" -gt 0 ] || skip "no kernel was fetched"
}

fails()
{
	local want=$1

	shift
	run "$extract" "$@" out
	echo "$output"
	[ "$status" -ne 0 ]
	[[ $output == *"$want"* ]]
	[ ! -e out ]
}

@test "what is no kernel is named" {
	echo "neither nor" > text
	fails "text is neither a bzImage, an ELF file nor BTF" text
	fails "cannot read absent" absent
}

@test "an unknown packing is named" {
	head -c 1000 "$BATS_TEST_DIRNAME/vmlinux-btf.bats" > payload
	image payload > vmlinuz
	fails "compressed neither with xz, zstd nor gzip" vmlinuz
}

@test "a damaged kernel is named" {
	xz -c "$vmlinux" | head -c 500 > payload
	image payload > vmlinuz
	fails "vmlinuz" vmlinuz
}

@test "a kernel without BTF is named" {
	objcopy --remove-section .BTF "$vmlinux" bare
	fails "cannot find BTF in bare" bare
}
