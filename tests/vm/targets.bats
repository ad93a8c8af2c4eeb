#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every way to name a target, to attach to what runs already, and to end a trace. One guest a kernel runs all cases
# (scripts/targets); the tests look at what each has left.

load trace.bash

setup_file()
{
	local kernel devices=()

	"$BATS_TEST_DIRNAME/kernels" fetch 6.1 6.12
	device_add e1000e
	for kernel in 6.1 6.12; do
		share=$BATS_FILE_TMPDIR/$kernel
		mkdir -p "$share"
		guest "$kernel" --tcg single "${devices[@]}" --device pcie-root-port,id=rp0,slot=1 \
			-- "$scripts/targets" "$share" > "$share/guest.out" 2>&1
		echo $? > "$share/guest.status"
	done
}

# Each test looks at both kernels.
for_kernels()
{
	local kernel

	for kernel in 6.1 6.12; do
		dir=$BATS_FILE_TMPDIR/$kernel
		echo "kernel $kernel"
		"$@"
	done
}

# complete NAME STATUS LEAST: the case ended so, with a complete record of at least LEAST accesses
complete()
{
	cat "$dir/$1.err"
	[ "$(cat "$dir/$1.status")" -eq "$2" ]
	verdict_read "$dir/$1.err"
	[ "$verdict" = complete ]
	[ "$faults" -eq "$accesses" ]
	[ "$accesses" -ge "$3" ]
	[ "$(grep -c '^[RW] ' "$dir/$1.log")" -eq "$accesses" ]
}

whole_run()
{
	cat "$dir/guest.out"
	[ "$(cat "$dir/guest.status")" -eq 0 ]
	# The driver never noticed.
	[ ! -e "$dir/failed" ]
}

@test "the whole run: no ping lost, nothing in the kernel log, the module unloads" { for_kernels whole_run; }

attached()
{
	complete attached 0 200
	[ "$(grep -c '^MAP ' "$dir/attached.log")" -eq 2 ]
	# Attached, not loaded: nothing of the driver's start is there.
	complete pci 0 1
	complete phys 0 1
	[ "$(grep -c '^MAP ' "$dir/phys.log")" -eq 1 ]
}

@test "attach to a loaded driver, by driver, PCI address and physical range" { for_kernels attached; }

all_targets()
{
	complete all 0 100
	[ "$(grep -c '^MAP ' "$dir/all.log")" -gt 5 ]
	grep -q 'recorded without their accesses: cached' "$dir/all.err"
	# What the kernel's core needs is not armed.
	awk '$1 == "R" || $1 == "W" { print $5 }' "$dir/all.log" | while read -r phys; do
		[ $((phys)) -lt $((0xfec00000)) ] || [ $((phys)) -gt $((0xfeefffff)) ] || exit 1
	done
}

@test "all mappings but those of the kernel's core" { for_kernels all_targets; }

builtin_driver()
{
	# Unbound and bound again: the port's mappings come from the PCI core.
	complete builtin 0 5
	grep -q '^MAP ' "$dir/builtin.log"
}

@test "a driver that is built in" { for_kernels builtin_driver; }

platform_driver()
{
	complete platform 0 1
	grep -q '^MAP ' "$dir/platform.log"
}

@test "a driver of the platform bus" { for_kernels platform_driver; }

compat_log()
{
	complete compat 0 20
	awk '($1 == "R" || $1 == "W") && ($7 != "0x0" || $8 != "0") { exit 1 }
	     $1 == "MAP" && ($7 != "0x0" || $8 != "0") { exit 1 }' "$dir/compat.log"
}

@test "--compat writes no PC and no PID" { for_kernels compat_log; }

command_status()
{
	complete status 42 0
	complete signal 137 0
	[ "$(cat "$dir/nocommand.status")" -eq 1 ]
	[ "$(cat "$dir/nocommand.err")" = \
		"mmiobpf: cannot run /no/such/command: there is no such program; check its name and PATH" ]
}

@test "the command's status, its signal, a command that is not there" { for_kernels command_status; }

ends()
{
	complete duration 0 0
	# The command was told to end by SIGTERM.
	complete overtime 143 0
	complete interrupted 0 5
	complete terminated 0 5
}

@test "ends after --duration, on SIGINT and on SIGTERM" { for_kernels ends; }

marks()
{
	complete mark 0 20
	grep -qE '^MARK [0-9]+\.[0-9]{6} before the second$' "$dir/mark.log"
	grep -qE '^MARK [0-9]+\.[0-9]{6} two$' "$dir/mark.log"
	# In its place: accesses before and behind.
	awk '$1 == "R" || $1 == "W" { n++ } /^MARK .* before the second/ { at = n }
	     END { exit !(at > 0 && at < n) }' "$dir/mark.log"
}

@test "markers from the shell, in their place" { for_kernels marks; }

to_stdout()
{
	complete stdout 0 20
	[ "$(head -n 1 "$dir/stdout.log")" = "VERSION 20070824" ]
}

@test "the log on standard output" { for_kernels to_stdout; }

unmaps()
{
	complete unload 0 10
	[ "$(grep -c '^UNMAP ' "$dir/unload.log")" -eq "$(grep -c '^MAP ' "$dir/unload.log")" ]
}

@test "a driver that is unloaded unmaps what it mapped" { for_kernels unmaps; }

# Each access is in the log, under the name of its register and of the driver's function.
other_formats()
{
	cat "$dir/calls.err"
	[ "$(cat "$dir/calls.status")" -eq 0 ]
	grep -q '^+++ accesses: [1-9][0-9]*, lost: 0, not decoded: 0 +++$' "$dir/calls.log"
	grep -qE 'write32\(IMS\) +e1000[a-z_]+\+0x[0-9a-f]+ +<- 0x[0-9a-f]+ \([A-Z0-9|]+\) <[0-9.]+[nu]s>$' "$dir/calls.log"
	grep -qE 'write32\(TDT\[0\]\) +e1000_xmit_frame\+0x[0-9a-f]+ +<- 0x' "$dir/calls.log"
	cat "$dir/json.err"
	[ "$(cat "$dir/json.status")" -eq 0 ]
	verdict_read "$dir/json.err"
	[ "$accesses" -ge 20 ]
	[ "$(jq -s 'map(select(.type == "access")) | length' "$dir/json.log")" -eq "$accesses" ]
}

@test "the readable view, with names, and JSON" { for_kernels other_formats; }

came_and_went()
{
	complete came 0 10
	[ "$(grep -c '^MAP ' "$dir/came.log")" -eq 2 ]
	complete went 0 200
	[ "$(grep -c '^MAP ' "$dir/went.log")" -eq 2 ]
}

@test "a driver that is loaded, or unloaded, while the trace begins" { for_kernels came_and_went; }

info_complete()
{
	# As a fixed string: a release may have a "+" in it.
	grep -E '^kernel +yes ' "$dir/info.out" |
		grep -qF " Linux $("$BATS_TEST_DIRNAME/kernels" release "$(basename "$dir")") "
	grep -qE '^module +yes +loaded, version ' "$dir/info.out"
	grep -qE '^cpus +yes +4 online of 4' "$dir/info.out"
	grep -qE '^pmu-cycles +no ' "$dir/info.out"
	grep -qE '^page-sizes +yes +4 KiB, 2 MiB' "$dir/info.out"
	grep -qE '^invasive +yes ' "$dir/info.out"
}

@test "info says what the guest can do" { for_kernels info_complete; }
