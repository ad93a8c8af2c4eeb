#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The guest runner itself.

setup_file()
{
	export top
	top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	"$top/tests/vm/kernels" fetch 6.1 6.12 6.1-rt 6.12-rt
}

setup()
{
	guest=$top/tests/vm/guest
}

# run_guest ARGS...: standard output in out, standard error in err.
run_guest()
{
	run bash -c '"$@" >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err"' - "$guest" "$@"
	out=$(<"$BATS_TEST_TMPDIR/out")
	err=$(<"$BATS_TEST_TMPDIR/err")
	printf 'status %s\nout: %s\nerr: %s\n' "$status" "$out" "$err"
}

@test "output and errors come apart, with the exit status, from 6.1 on one CPU" {
	run_guest --kernel 6.1 --env 'WORD=two  words' -- \
		sh -c 'uname -r; nproc; echo "$WORD"; pwd; echo wrong >&2; exit 7'
	[ "$status" -eq 7 ]
	[ "$out" = "$("$top/tests/vm/kernels" release 6.1)"$'\n1\ntwo  words\n'"$PWD" ]
	[ "$err" = wrong ]
}

@test "6.12 on four CPUs: success, a writable share, the rest of the tree is not" {
	mkdir "$BATS_TEST_TMPDIR/share"
	run_guest --kernel 6.12 --cpus 4 --share "$BATS_TEST_TMPDIR/share" --dmesg-clean -- sh -c "
		uname -r; nproc; cat /sys/devices/system/clocksource/clocksource0/current_clocksource
		echo kept >$BATS_TEST_TMPDIR/share/file && echo gone >$top/build/gone && cat $top/build/gone
		cat /sys/kernel/tracing/current_tracer; ls -d /sys/fs/bpf /sys/kernel/debug/tracing /dev/pts/ptmx
		cat /sys/class/net/lo/flags; modprobe -n e1000e && echo modules"
	[ "$status" -eq 0 ]
	[ "${out%%$'\n'*}" = "$("$top/tests/vm/kernels" release 6.12)" ]
	[ "${out#*$'\n'}" = $'4\ntsc\ngone\nnop\n/dev/pts/ptmx\n/sys/fs/bpf\n/sys/kernel/debug/tracing\n0x9\nmodules' ]
	[ "$(cat "$BATS_TEST_TMPDIR/share/file")" = kept ]
	[ ! -e "$top/build/gone" ]
}

# The release says so, and the kernel of that release is the one that booted.
preempt_rt()
{
	run_guest --kernel "$1" -- sh -c "uname -rv; cat /sys/kernel/realtime"
	[ "$status" -eq 0 ]
	[[ $1 == *-rt && $out == "$("$top/tests/vm/kernels" release "$1") "*" PREEMPT_RT "*$'\n1' ]]
}

@test "6.1-rt and 6.12-rt are kernels with PREEMPT_RT, and 6.1 and 6.12 are not" {
	preempt_rt 6.1-rt
	preempt_rt 6.12-rt
	for kernel in 6.1 6.12; do
		[[ $("$top/tests/vm/kernels" release "$kernel") != *-rt-* ]]
	done
}

@test "a command that hangs is ended after its time limit" {
	run_guest --timeout 3 -- sh -c 'echo begun; sleep 1000'
	[ "$status" -eq 124 ]
	[ "$out" = begun ]
	[[ $err == *"ended after its time limit of 3 s"* ]]
}

@test "a kernel panic is told from a failure, with the console" {
	run_guest --console "$BATS_TEST_TMPDIR/console" -- sh -c 'echo c >/proc/sysrq-trigger'
	[ "$status" -eq 125 ]
	[[ $err == *"the kernel panicked"*"Kernel panic - not syncing"* ]]
	grep -q 'sysrq triggered crash' "$BATS_TEST_TMPDIR/console"
	# It had begun: it is not booted again.
	[[ $err != *"boot 2"* ]]
}

@test "a warning in the kernel log fails a run that would have passed" {
	run_guest --dmesg-clean -- sh -c 'echo "WARNING: CPU: 0 PID: 1 at a/test" >/dev/kmsg'
	[ "$status" -eq 1 ]
	[[ $err == *"the kernel log has warnings"*"at a/test"* ]]
}

@test "a guest that dies before its script starts is booted again, and counted" {
	run_guest --append 'rdinit=/nothing init=/nothing' --console "$BATS_TEST_TMPDIR/console" -- true
	[ "$status" -eq 126 ]
	[[ $err == *"(Kernel panic"*"boot 2 of 4"*"boot 4 of 4"*"died 4 times before its script started"* ]]
}

@test "QEMU's own refusal is passed on and not tried again" {
	run_guest --device no-such-device -- true
	[ "$status" -eq 126 ]
	[[ $err == *"QEMU failed"*"no-such-device"* ]]
	[[ $err != *"boot 2"* ]]
}

@test "wrong usage is said in one sentence" {
	run_guest --nonsense 1 -- true
	[ "$status" -eq 126 ]
	[ "$err" = "guest: there is no option --nonsense: see guest --help" ]
	run_guest --kernel 6.1
	[ "$err" = "guest: there is no command: see guest --help" ]
	run_guest --module no-such-module -- true
	[ "$status" -eq 126 ]
	[[ $err == *"module no-such-module could not be loaded"* ]]
}

# The registers of QEMU's edu device: docs/specs/edu.txt in its sources. 0x00 identification, 0x04 liveness check
# (reads as the complement of what was written).
@test "the oracle sees exactly the accesses to edu between the marks" {
	# The guest's script finds the device by its ids.
	run_guest --cpus 2 --device edu --oracle "$BATS_TEST_TMPDIR/device.log" --share "$BATS_TEST_TMPDIR" -- \
		bash -euc "poke=$top/build/vm/poke
		for edu in /sys/bus/pci/devices/*; do
			[ \"\$(cat \$edu/device)\" = 0x11e8 ] && break
		done
		echo 1 >\$edu/enable
		read -r first _ _ <\$edu/resource
		\$poke \$edu/resource0 0 4
		\$poke \$edu/resource0 4 4 0x12345678
		value=\$(\$poke \$edu/resource0 4 4)
		echo \$value
		printf '%s\n' \"MAP 1.000000 1 \$first 0x0 0x100000 0x0 0\" \
			\"R 4 1.000000 1 \$first 0x10000ed 0x0 0\" \
			\"W 4 1.000000 1 \$(printf 0x%x \$((first + 4))) 0x12345678 0x0 0\" \
			\"R 4 1.000000 1 \$(printf 0x%x \$((first + 4))) \$value 0x0 0\" >$BATS_TEST_TMPDIR/ours.log"
	[ "$status" -eq 0 ]
	[ "$out" = $'0x10000ed\n0xedcba987' ]
	run "$top/build/vm/oracle" "$BATS_TEST_TMPDIR/ours.log" "$BATS_TEST_TMPDIR/device.log"
	echo "$output"
	[ "$status" -eq 0 ]
	[ "$output" = "oracle: 3 recorded, 3 in the device log, 0 missing, 0 extra, 0 different" ]
	run "$top/build/vm/oracle" --count --region edu-mmio "$BATS_TEST_TMPDIR/device.log"
	[ "$output" = 3 ]
	grep -q "^memory_region_ops_write cpu [01] .* value 0x4d size 1 name 'ioport80'" "$BATS_TEST_TMPDIR/device.log"
	grep -q "^memory_region_ops_write cpu [01] .* value 0x6d size 1 name 'ioport80'" "$BATS_TEST_TMPDIR/device.log"
}
