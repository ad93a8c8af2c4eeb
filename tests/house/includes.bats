# SPDX-License-Identifier: GPL-2.0-or-later
# The include directions hold, and the check finds those that do not.

setup()
{
	top=$BATS_TEST_DIRNAME/../..
	tree=$BATS_TEST_TMPDIR
	mkdir -p "$tree"/{kmod,bpf,include/mmiobpf,src/log,src/family,src/sys,src/session,src/cmd}
	cp "$top"/include/mmiobpf/*.h "$tree/include/mmiobpf/"
}

# plant FILE INCLUDE: FILE with one include, as it would be written
plant()
{
	echo "#include $2" >> "$tree/$1"
}

finds()
{
	run "$top/tools/check-includes" "$tree"
	[ "$status" -eq 1 ]
	[[ $output == *"$1"* ]]
}

@test "the tree keeps its include directions" {
	run "$top/tools/check-includes"
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "a tree that is in order passes" {
	plant kmod/trap.c '"decode.h"'
	plant kmod/decode.h '<linux/types.h>'
	plant bpf/map.bpf.c '"vmlinux.h"'
	plant bpf/map.bpf.c '<bpf/bpf_helpers.h>'
	plant bpf/map.bpf.c '<mmiobpf/abi.h>'
	plant src/session/ring.c '<bpf/libbpf.h>'
	plant src/cmd/trace.c '"session/session.h"'
	plant src/session/session.h '<stdint.h>'
	run "$top/tools/check-includes" "$tree"
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "libbpf in a log format is found" {
	plant src/log/text_writer.c '<bpf/libbpf.h>'
	finds "src/log/text_writer.c: includes <bpf/libbpf.h>"
}

@test "libbpf below a header of the tree is found" {
	plant src/cmd/trace.c '"../session/session.h"'
	plant src/session/session.h '<bpf/libbpf.h>'
	finds "src/cmd/trace.c: includes <bpf/libbpf.h> through src/session/session.h"
}

@test "records below the tables of families are found" {
	plant src/family/a.c '"../log/record.h"'
	plant src/log/record.h '<stdint.h>'
	finds "src/family/a.c: includes src/log/record.h"
}

@test "the skeleton outside of the session is found" {
	plant src/sys/caps.c '"mmiobpf.skel.h"'
	finds "src/sys/caps.c: includes <mmiobpf.skel.h>"
}

@test "a log format that knows the session, a command or the system is found" {
	touch "$tree"/src/{session/session.h,cmd/opt.h,sys/pci.h}
	plant src/log/a.c '"session/session.h"'
	plant src/log/b.c '"../cmd/opt.h"'
	plant src/log/c.c '"../sys/pci.h"'
	finds "src/log/a.c: includes src/session/session.h"
	finds "src/log/b.c: includes src/cmd/opt.h"
	finds "src/log/c.c: includes src/sys/pci.h"
}

@test "a session that knows a format or a command is found" {
	touch "$tree"/src/{log/text_writer.h,cmd/opt.h}
	plant src/session/ring.c '"log/text_writer.h"'
	plant src/session/load.c '"cmd/opt.h"'
	finds "src/session/ring.c: includes src/log/text_writer.h"
	finds "src/session/load.c: includes src/cmd/opt.h"
}

@test "a module or BPF program that uses the program's files is found" {
	touch "$tree/src/number.h"
	plant kmod/session.c '"../src/number.h"'
	plant bpf/map.bpf.c '"../src/number.h"'
	finds "kmod/session.c: includes src/number.h"
	finds "bpf/map.bpf.c: includes src/number.h"
}

@test "a kernel interface in the decoder or the region table is found" {
	plant kmod/decode.c '<linux/slab.h>'
	plant kmod/region.c '"region.h"'
	plant kmod/region.h '<linux/mm.h>'
	finds "kmod/decode.c: includes <linux/slab.h>"
	finds "kmod/region.c: includes <linux/mm.h> through kmod/region.h"
}

@test "a uapi or C library header in a BPF program is found" {
	plant bpf/access.bpf.c '<linux/pci.h>'
	plant bpf/map.bpf.c '<string.h>'
	finds "bpf/access.bpf.c: includes <linux/pci.h>"
	finds "bpf/map.bpf.c: includes <string.h>"
}

@test "a program that includes the module's files is found" {
	touch "$tree/kmod/decode.h"
	plant src/sys/vmalloc.c '"../../kmod/decode.h"'
	finds "src/sys/vmalloc.c: includes kmod/decode.h"
}

@test "a shared header that depends on anything else is found" {
	plant include/mmiobpf/abi.h '<stdint.h>'
	finds "include/mmiobpf/abi.h: includes <stdint.h>"
}
