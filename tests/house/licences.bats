# SPDX-License-Identifier: GPL-2.0-or-later
# Every file names the licence of its room.

setup()
{
	top=$BATS_TEST_DIRNAME/../..
	tree=$BATS_TEST_TMPDIR
	mkdir -p "$tree"/{kmod,bpf,include/mmiobpf,src,docs,tests/data}
}

# plant FILE LINE
plant()
{
	echo "$2" > "$tree/$1"
}

finds()
{
	run "$top/tools/check-licences" "$tree"
	[ "$status" -eq 1 ]
	[ "$output" = "$1" ]
}

@test "every file of the tree names the licence of its room" {
	run "$top/tools/check-licences"
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "all forms of the line are read" {
	plant kmod/a.c '// SPDX-License-Identifier: GPL-2.0-only'
	plant kmod/a.h '/* SPDX-License-Identifier: GPL-2.0-only */'
	plant include/mmiobpf/a.h '/* SPDX-License-Identifier: GPL-2.0-or-later WITH Linux-syscall-note */'
	plant docs/a.md '<!-- SPDX-License-Identifier: GPL-2.0-or-later -->'
	plant src/a.8 '.\" SPDX-License-Identifier: GPL-2.0-or-later'
	plant tests/data/a.log 'VERSION 20070824'
	run "$top/tools/check-licences" "$tree"
	echo "$output"
	[ "$status" -eq 0 ]
}

@test "a file without a licence is found" {
	plant src/a.c 'int a;'
	finds "src/a.c: licence is 'not named', it should be 'GPL-2.0-or-later'"
}

@test "the program's licence in the module is found" {
	plant kmod/a.c '// SPDX-License-Identifier: GPL-2.0-or-later'
	finds "kmod/a.c: licence is 'GPL-2.0-or-later', it should be 'GPL-2.0-only'"
}

@test "the module's licence in the program is found" {
	plant src/a.c '// SPDX-License-Identifier: GPL-2.0-only'
	finds "src/a.c: licence is 'GPL-2.0-only', it should be 'GPL-2.0-or-later'"
}

@test "a shared header without the syscall note is found" {
	plant include/mmiobpf/a.h '/* SPDX-License-Identifier: GPL-2.0-or-later */'
	finds "include/mmiobpf/a.h: licence is 'GPL-2.0-or-later', it should be 'GPL-2.0-or-later WITH Linux-syscall-note'"
}
