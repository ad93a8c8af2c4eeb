#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Wrong input and wrong circumstances on a real kernel: one sentence that says what was attempted, why it failed and
# what to do, and a status. One guest a kernel runs all cases (scripts/wrong).

load trace.bash

# A module that differs from the program in nothing but its ABI.
other_module()
{
	local release tree=$BATS_FILE_TMPDIR/tree-$1
	release=$("$BATS_TEST_DIRNAME/kernels" release "$1")

	mkdir -p "$tree"
	cp -r "$top/kmod" "$top/include" "$top/VERSION" "$tree"
	sed -i 's/^#define MMIOBPF_ABI\t.*/#define MMIOBPF_ABI 999/' "$tree/include/mmiobpf/abi.h"
	make -C "$tree/kmod" KDIR="/usr/src/linux-headers-$release" \
		KERNEL_BTF="$top/build/kernels/$release/boot/vmlinuz-$release" > "$tree/out" 2>&1 || cat "$tree/out"
	cp "$tree/build/kmod/$release/mmiobpf.ko" "$share/other.ko"
}

setup_file()
{
	local kernel devices=()

	"$BATS_TEST_DIRNAME/kernels" fetch 6.1 6.12
	device_add e1000e
	for kernel in 6.1 6.12; do
		share=$BATS_FILE_TMPDIR/$kernel
		mkdir -p "$share"
		other_module "$kernel"
		guest "$kernel" --tcg single "${devices[@]}" -- "$scripts/wrong" "$share" > "$share/guest.out" 2>&1
		echo $? > "$share/guest.status"
	done
}

# said NAME STATUS SENTENCE: in both kernels; SENTENCE is a pattern for all of standard error
said()
{
	local kernel

	for kernel in 6.1 6.12; do
		dir=$BATS_FILE_TMPDIR/$kernel
		echo "kernel $kernel, status $(cat "$dir/$1.status"):"
		cat "$dir/$1.err"
		[ "$(cat "$dir/$1.status")" -eq "$2" ]
		# shellcheck disable=SC2053 # a pattern on purpose
		[[ "$(cat "$dir/$1.err")" == $3 ]]
	done
}

@test "the run: the driver goes on after every case, nothing in the kernel log" {
	for kernel in 6.1 6.12; do
		cat "$BATS_FILE_TMPDIR/$kernel/guest.out"
		[ "$(cat "$BATS_FILE_TMPDIR/$kernel/guest.status")" -eq 0 ]
		[ ! -e "$BATS_FILE_TMPDIR/$kernel/failed" ]
	done
	said after 0 "mmiobpf: * accesses recorded, * 0 lost, 0 undecoded: complete"
}

@test "no module" {
	said no-module 1 "mmiobpf: cannot load the kernel module mmiobpf: it is not installed for this kernel; install it, or *"
	said mark-no-module 1 "mmiobpf: cannot put a marker into the trace: the module mmiobpf is not loaded; load it, *"
}

@test "a module of another version" {
	said other-version 1 "mmiobpf: cannot start a trace: the module and this program are of different versions; build *"
}

@test "no such driver, no such device" {
	said no-driver 1 "mmiobpf: cannot trace driver \"e1000x\": there is no such driver * did you mean \"e1000e\"?"
	said no-device 1 "mmiobpf: cannot trace PCI device 00:1e.7: there is no device with that address; *"
}

@test "not root: the missing capability is named" {
	said not-root 1 "mmiobpf: cannot start a trace: this process lacks CAP_SYS_ADMIN*; run it as root"
}

@test "a range that must not be armed" {
	said denied 1 "mmiobpf: cannot trace 0xfee00000-0xfee00fff: it touches *, the local APIC, *; choose a range without it"
}

@test "ftrace that is off, and that cannot be switched off while a trace runs" {
	said no-ftrace 1 "mmiobpf: cannot start a trace: ftrace is switched off (kernel.ftrace_enabled)*"
	for kernel in 6.1 6.12; do
		cat "$BATS_FILE_TMPDIR/$kernel/ftrace-off.err"
		[ "$(cat "$BATS_FILE_TMPDIR/$kernel/ftrace-off.status")" -ne 0 ]
	done
}

@test "another session: its process is named" {
	for kernel in 6.1 6.12; do
		pid=$(cat "$BATS_FILE_TMPDIR/$kernel/busy.pid")
		cat "$BATS_FILE_TMPDIR/$kernel/busy.err"
		[ "$(cat "$BATS_FILE_TMPDIR/$kernel/busy.status")" -eq 1 ]
		[ "$(cat "$BATS_FILE_TMPDIR/$kernel/busy.err")" = "mmiobpf: cannot start a trace: another session is running, of process $pid; wait for it, or end it with 'kill $pid'" ]
		grep -qE "^session +yes +process $pid " "$BATS_FILE_TMPDIR/$kernel/info.out"
	done
}

@test "a marker without a session, and one that is too long" {
	said mark-no-session 1 "mmiobpf: cannot put a marker into the trace: no session is running; start one *"
	said mark-too-long 1 "mmiobpf: cannot put a marker into the trace: the text is too long; use at most 976 bytes"
}

@test "a full disk: what was written is kept and valid" {
	said disk-full 1 "mmiobpf: cannot write the log to /run/small/log: the disk is full; what was written until then is kept and valid*: incomplete"
	for kernel in 6.1 6.12; do
		log=$BATS_FILE_TMPDIR/$kernel/disk-full.log
		[ "$(grep -c '^[RW] ' "$log")" -gt 0 ]
		# The last line is whole.
		[ "$(tail -c 1 "$log" | od -An -tx1)" = " 0a" ]
		[[ $(tail -n 1 "$log") =~ ^[RW]\ [1248]\ [0-9.]+\ [0-9]+\ 0x[0-9a-f]+\ 0x[0-9a-f]+\ 0x[0-9a-f]+\ [0-9]+$ ]]
	done
}

@test "a closed pipe" {
	said pipe 1 "mmiobpf: cannot write the log to standard output: the reader has closed the pipe; what it has read until then is valid*: incomplete"
}

@test "a directory that is not there" {
	said no-directory 1 "mmiobpf: cannot write the log to /no/such/dir/log: No such file or directory; create the directory first"
}

@test "no BTF" {
	said no-btf 1 "mmiobpf: cannot load the BPF programs*CONFIG_DEBUG_INFO_BTF; use a kernel that has it"
}

@test "the kernel's mmiotrace in use" {
	said mmiotrace 1 "mmiobpf: cannot start a trace: the kernel's own mmiotrace is in use, and the two exclude each other; write nop to /sys/kernel/tracing/current_tracer first"
}

# locked APPEND SENTENCE: a guest that takes no unsigned module, on 6.12
locked()
{
	share=$BATS_TEST_TMPDIR
	run guest 6.12 --tcg single --append "$1" -- "$scripts/locked" "$share"
	echo "$output"
	[ "$status" -eq 0 ]
	cat "$share/locked.err"
	[ "$(cat "$share/locked.status")" -eq 1 ]
	# shellcheck disable=SC2053 # a pattern on purpose
	[[ "$(cat "$share/locked.err")" == $2 ]]
}

@test "kernel lockdown" {
	locked lockdown=integrity "mmiobpf: cannot load the kernel module mmiobpf: kernel lockdown forbids tracing of memory-mapped I/O, * (lockdown=integrity); boot without lockdown"
	grep -qE '^lockdown +yes +lockdown=integrity' "$share/locked.info"
}

@test "module signature enforcement" {
	locked module.sig_enforce=1 "mmiobpf: cannot load the kernel module mmiobpf: the kernel takes only modules with a signature that it trusts; sign it *"
	grep -qE '^module-signatures +yes ' "$share/locked.info"
}
