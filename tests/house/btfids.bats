# SPDX-License-Identifier: GPL-2.0-or-later
# The resolver of .BTF_ids, by itself and against the kernel's own tool, and the modules that were built.

setup_file()
{
	# pahole calls llvm-objcopy unless told otherwise.
	export top=$BATS_TEST_DIRNAME/../.. PATH=$PATH:/usr/sbin LLVM_OBJCOPY=objcopy
	make --no-print-directory -C "$top/kmod" btfids BUILD="$BATS_FILE_TMPDIR"
	cd "$BATS_FILE_TMPDIR" || return 1
	gcc -Wall -Wextra -Werror -g -O1 -c -o base.o "$BATS_TEST_DIRNAME/fixtures/base.c"
	pahole -J base.o
	# -fno-toplevel-reorder: what gcc is given in asm() stays in its order.
	gcc -Wall -Wextra -Werror -g -O1 -fno-toplevel-reorder -c -o ids.o "$BATS_TEST_DIRNAME/fixtures/ids.c"
	pahole -J --btf_base base.o ids.o
}

setup()
{
	cd "$BATS_TEST_TMPDIR"
	base=$BATS_FILE_TMPDIR/base.o
	btfids=$BATS_FILE_TMPDIR/tools/btfids
	cp "$BATS_FILE_TMPDIR/ids.o" .
}

# The kernel's tool, of any kernel package that brings it.
reference()
{
	ls /usr/lib/linux-kbuild-*/tools/bpf/resolve_btfids/resolve_btfids 2>/dev/null | sort -V | tail -n 1
}

# section FILE: .BTF_ids as decimal words, one a line
words()
{
	objcopy --dump-section ".BTF_ids=$BATS_TEST_TMPDIR/words" "$1" "$BATS_TEST_TMPDIR/copy"
	od -An -v -w4 -t u4 "$BATS_TEST_TMPDIR/words" | tr -d ' '
}

# id KIND NAME: as bpftool prints it, of the module's own types or the base's
id()
{
	{
		bpftool btf dump file ids.o -B "$base"
		bpftool btf dump file "$base"
	} | sed -n "s/^\[\([0-9]*\)\] $1 '$2'.*/\1/p"
}

@test "lists, sets and sets with flags are filled in and sorted" {
	"$btfids" "$base" ids.o
	arm=$(id FUNC zz_arm) disarm=$(id FUNC aa_disarm) under=$(id FUNC mm__with__underscores_1)
	read=$(id FUNC base_read)
	[ -n "$arm" ] && [ -n "$disarm" ] && [ -n "$under" ] && [ -n "$read" ]
	{
		id STRUCT own_request
		id STRUCT base_task
		echo 0
		id UNION base_value
		id TYPEDEF u64
		id FUNC base_write
		echo 3
		printf '%s\n' "$arm" "$read" "$disarm" | sort -n
		printf '%s\n' 3 1
		printf '%s\n' "$arm 32" "$under 7" "$disarm 16" | sort -n | tr ' ' '\n'
		printf '%s\n' 0 0
	} > want
	words ids.o > got
	diff want got
}

@test "the fixture is not in order before it is sorted" {
	arm=$(id FUNC zz_arm) disarm=$(id FUNC aa_disarm)
	[ "$arm" -ne "$disarm" ]
	# zz_arm comes first in the source, so an unsorted set would show here or below.
	read=$(id FUNC base_read)
	[ "$arm" -gt "$read" ]
}

@test "the same bytes as the kernel's resolve_btfids on the fixture" {
	[ -n "$(reference)" ] || skip "no kernel package here brings resolve_btfids"
	cp ids.o theirs.o
	"$btfids" "$base" ids.o
	"$(reference)" -b "$base" theirs.o
	words ids.o > ours
	words theirs.o > theirs
	diff theirs ours
}

@test "nothing but .BTF_ids changes" {
	cp ids.o before.o
	"$btfids" "$base" ids.o
	objcopy --remove-section .BTF_ids before.o before
	objcopy --remove-section .BTF_ids ids.o after
	cmp before after
}

@test "a name that nobody has is an error" {
	gcc -g -O1 -fno-toplevel-reorder -DUNKNOWN_NAME -c -o ids.o "$BATS_TEST_DIRNAME/fixtures/ids.c"
	pahole -J --btf_base "$base" ids.o
	run "$btfids" "$base" ids.o
	[ "$status" -eq 1 ]
	[[ $output == *"cannot resolve BTF ids in ids.o"*"__BTF_ID__func__nobody_has_this__1"* ]]
}

@test "a second run is refused, for it would part ids from their flags" {
	"$btfids" "$base" ids.o
	words ids.o > before
	run "$btfids" "$base" ids.o
	[ "$status" -eq 1 ]
	[[ $output == *"resolved already"* ]]
	words ids.o | diff before -
}

@test "wrong files are named" {
	run "$btfids" "$base" /nonexistent.ko
	[ "$status" -eq 1 ]
	[[ $output == *"/nonexistent.ko"*"No such file"* ]]
	echo text > text
	run "$btfids" "$base" text
	[ "$status" -eq 1 ]
	[[ $output == *"not an ELF file"* ]]
	run "$btfids" text ids.o
	[ "$status" -eq 1 ]
	[[ $output == *"no BTF of a kernel"* ]]
	gcc -g -O1 -fno-toplevel-reorder -c -o plain.o "$BATS_TEST_DIRNAME/fixtures/ids.c"
	run "$btfids" "$base" plain.o
	[ "$status" -eq 1 ]
	[[ $output == *"no BTF of its own"* ]]
	cp "$base" base.o
	run "$btfids" "$base" base.o
	[ "$status" -eq 1 ]
	[[ $output == *"no section .BTF_ids"* ]]
}

@test "the modules have BTF, their kfuncs in it, and resolved ids" {
	local n=0

	for module in "$top"/build/kmod/*/mmiobpf.ko; do
		[ -f "$module" ] || continue
		dir=${module%/*}
		bpftool btf dump file "$module" -B "$dir/vmlinux.btf" > types
		grep -q "TYPEDEF 'btf_trace_mmiobpf_record'" types
		words "$module" > got
		# Every symbol of a function in the section has its id there.
		nm "$module" | sed -n 's/.* __BTF_ID__func__\(.*\)__[0-9]*$/\1/p' | sort -u > names
		[ -s names ]
		while read -r name; do
			number=$(sed -n "s/^\[\([0-9]*\)\] FUNC '$name'.*/\1/p" types)
			echo "${dir##*/}: $name is ${number:-not in the BTF}"
			grep -qx "$number" got
		done < names
		# Debug information is gone, BTF and the symbols are not.
		run readelf -SW "$module"
		[[ $output == *" .BTF "* ]] && [[ $output != *" .debug_info "* ]]
		n=$((n + 1))
	done
	[ "$n" -gt 0 ] || skip "no module was built"
}

@test "the same bytes as the kernel's resolve_btfids in the modules" {
	local n=0

	[ -n "$(reference)" ] || skip "no kernel package here brings resolve_btfids"
	for module in "$top"/build/kmod/*/mmiobpf.ko; do
		[ -f "$module" ] || continue
		dir=${module%/*}
		cp "$dir/obj/mmiobpf.ko" theirs.ko
		pahole -J --btf_gen_floats --btf_base "$dir/vmlinux.btf" theirs.ko
		"$(reference)" -b "$dir/vmlinux.btf" theirs.ko
		words "$module" > ours
		words theirs.ko > theirs
		[ -s theirs ]
		diff theirs ours
		n=$((n + 1))
	done
	[ "$n" -gt 0 ] || skip "no module was built"
}

@test "modinfo shows version, licence and description" {
	local n=0

	for module in "$top"/build/kmod/*/mmiobpf.ko; do
		[ -f "$module" ] || continue
		[ "$(modinfo -F version "$module")" = "$(cat "$top/VERSION")" ]
		[ "$(modinfo -F license "$module")" = "GPL v2" ]
		[ -n "$(modinfo -F description "$module")" ]
		release=$(basename "$(dirname "$module")")
		[[ $(modinfo -F vermagic "$module") == "$release "* ]]
		n=$((n + 1))
	done
	[ "$n" -gt 0 ] || skip "no module was built"
}
