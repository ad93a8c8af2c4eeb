# SPDX-License-Identifier: GPL-2.0-or-later
# The makefiles: help, deps, install, and what they say when something is missing.

setup()
{
	top=$BATS_TEST_DIRNAME/../..
	# Of the make that runs this test, nothing may reach the one under test.
	unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES
}

make_top()
{
	make --no-print-directory -C "$top" "$@"
}

@test "make help lists the targets of the house" {
	run make_top help
	[ "$status" -eq 0 ]
	for target in all check demo bench install clean help deps kernels modules program bpf; do
		[[ $output == *"  $target "* ]]
	done
}

# Phony targets are what one may ask for by name; FORCE is not.
@test "make help lists every phony target" {
	help=$(make_top help)
	cd "$top"
	targets=$(sed -n 's/^\.PHONY: *//p' Makefile mk/*.mk src/module.mk tests/*/module.mk bench/module.mk 2>/dev/null |
		tr ' ' '\n' | grep -v -e '^FORCE$' -e '^\$' -e '^$')
	[ -n "$targets" ]
	for target in $targets; do
		[[ $help == *"  $target "* ]] || { echo "not in help: $target"; false; }
	done
}

@test "install honours DESTDIR and prefix" {
	dest=$BATS_TEST_TMPDIR/dest
	version=$(cat "$top/VERSION")
	run make_top install DESTDIR="$dest" prefix=/opt/mmiobpf
	echo "$output"
	[ "$status" -eq 0 ]
	[ -x "$dest/opt/mmiobpf/bin/mmiobpf" ]
	[ -f "$dest/usr/src/mmiobpf-$version/kmod/Kbuild" ]
	[ -f "$dest/usr/src/mmiobpf-$version/include/mmiobpf/record.h" ]
	# Nothing outside of the two.
	[ "$(cd "$dest" && echo *)" = "opt usr" ]
	[ "$(cd "$dest/usr" && echo *)" = "src" ]
}

@test "man pages are installed in their sections" {
	ls "$top"/man/*.[1-8] >/dev/null 2>&1 || skip "there are no man pages yet"
	run make_top install DESTDIR="$BATS_TEST_TMPDIR" prefix=/usr
	[ "$status" -eq 0 ]
	for page in "$top"/man/*.[1-8]; do
		[ -f "$BATS_TEST_TMPDIR/usr/share/man/man${page##*.}/$(basename "$page")" ]
	done
}

@test "dkms.conf is installed with the version, and names what the build makes" {
	run make_top install-module-source DESTDIR="$BATS_TEST_TMPDIR"
	[ "$status" -eq 0 ]
	conf=$(echo "$BATS_TEST_TMPDIR"/usr/src/mmiobpf-*/dkms.conf)
	kernelver=6.1.0-0-test kernel_source_dir=/nowhere
	# shellcheck disable=SC1090
	. "$conf"
	[ "$PACKAGE_NAME" = mmiobpf ]
	[ "$PACKAGE_VERSION" = "$(cat "$top/VERSION")" ]
	[ "${BUILT_MODULE_LOCATION[0]}" = build/kmod/6.1.0-0-test ]
	[[ ${MAKE[0]} == *KDIR=/nowhere* ]]
}

@test "the installed module source builds by dkms.conf's command" {
	release=$(cd "$top/build/kmod" 2>/dev/null && ls -d */mmiobpf.ko | sort -V | tail -n 1)
	release=${release%/*}
	[ -n "$release" ] || skip "no module was built, so no kernel to try with"
	run make_top install-module-source DESTDIR="$BATS_TEST_TMPDIR"
	[ "$status" -eq 0 ]
	cd "$BATS_TEST_TMPDIR"/usr/src/mmiobpf-*
	kernelver=$release kernel_source_dir=/usr/src/linux-headers-$release
	# shellcheck disable=SC1091
	. ./dkms.conf
	# In a machine of that release, this is found in /sys or /boot.
	KERNEL_BTF=$top/build/kmod/$release/vmlinux.btf run sh -c "${MAKE[0]}"
	echo "$output"
	[ "$status" -eq 0 ]
	[ -s "${BUILT_MODULE_LOCATION[0]}/${BUILT_MODULE_NAME[0]}.ko" ]
}

@test "deps does nothing when nothing is missing" {
	printf '# comment\n\nbash\ncoreutils\n' > "$BATS_TEST_TMPDIR/list"
	run "$top/tools/deps" "$BATS_TEST_TMPDIR/list"
	[ "$status" -eq 0 ]
	[ -z "$output" ]
}

@test "deps names what is missing and what to do when it may not install" {
	printf 'bash\nno-such-package-here\n' > "$BATS_TEST_TMPDIR/list"
	DEPS=no run "$top/tools/deps" "$BATS_TEST_TMPDIR/list"
	[ "$status" -eq 1 ]
	[ "${lines[0]}" = "error: these packages are missing: no-such-package-here" ]
	[[ $output == *"as root"* ]]
}

@test "the module's build says so when there are no headers" {
	run make --no-print-directory -C "$top/kmod" KDIR="$BATS_TEST_TMPDIR/nowhere"
	[ "$status" -ne 0 ]
	[[ $output == *"no kernel headers in $BATS_TEST_TMPDIR/nowhere"* ]]
}

@test "make modules says what to do when no kernel is at hand" {
	run make_top modules B="$BATS_TEST_TMPDIR" RELEASES=
	[ "$status" -ne 0 ]
	[[ $output == *"no kernel to build the module for"* ]]
	[[ $output == *"make deps kernels"* ]]
}

@test "make modules says what to do when a fetched kernel has no headers" {
	mkdir -p "$BATS_TEST_TMPDIR/kernels/9.9.9-test"
	run make_top modules B="$BATS_TEST_TMPDIR"
	[ "$status" -ne 0 ]
	[[ $output == *"install linux-headers-9.9.9-test"* ]]
}

@test "clean keeps the fetched kernels" {
	mkdir -p "$BATS_TEST_TMPDIR"/{obj,kernels/6.1}
	run make_top clean B="$BATS_TEST_TMPDIR"
	[ "$status" -eq 0 ]
	[ ! -e "$BATS_TEST_TMPDIR/obj" ]
	[ -e "$BATS_TEST_TMPDIR/kernels/6.1" ]
}
