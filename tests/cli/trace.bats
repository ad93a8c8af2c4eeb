# SPDX-License-Identifier: GPL-2.0-or-later
# mmiobpf trace, where it ends before a session begins. What needs the module is in tests/vm.

bats_require_minimum_version 1.5.0

setup()
{
	. "$BATS_TEST_DIRNAME/cli.bash"
}

hint="'mmiobpf trace --help' shows how it is used"
looks="'mmiobpf trace' without a target lists what there is"

# Targets are looked up only for those who may trace.
as_root()
{
	[ "$(id -u)" -eq 0 ] || skip "needs root"
	grep -qE '^capabilities +yes' <("$mmiobpf" info) || skip "needs all capabilities"
}

@test "wrong options" {
	says 2 "mmiobpf: trace: unknown option --drivers; $hint" "$mmiobpf" trace --drivers e1000e
	says 2 "mmiobpf: trace: unknown option -x; $hint" "$mmiobpf" trace -x
	says 2 "mmiobpf: trace: an argument is missing after --driver; $hint" "$mmiobpf" trace --driver
	says 2 "mmiobpf: trace: an argument is missing after -o; $hint" "$mmiobpf" trace --all -o
	says 2 "mmiobpf: trace: no argument is allowed for --all; $hint" "$mmiobpf" trace --all=yes
}

@test "wrong numbers" {
	says 2 "mmiobpf: trace: \"large\" is not a right value for --buffer-size: it takes a number such as 4096, 0x1000, 64k or 1M; $hint" \
		"$mmiobpf" trace --all --buffer-size large
	says 2 "mmiobpf: trace: \"99999999999G\" is not a right value for --buffer-size: it takes a smaller number; $hint" \
		"$mmiobpf" trace --all --buffer-size 99999999999G
	says 2 "mmiobpf: trace: --buffer-size is from 4K to 1G; $hint" \
		"$mmiobpf" trace --all --buffer-size 1
	says 2 "mmiobpf: trace: \"soon\" is not a right value for --duration: it takes a time such as 10, 1.5, 500ms or 2m; $hint" \
		"$mmiobpf" trace --all --duration soon
}

@test "a command without --, and -- without a command" {
	says 2 "mmiobpf: trace: \"modprobe\" is no option; a command to run comes after --; $hint" \
		"$mmiobpf" trace --all modprobe e1000e
	says 2 "mmiobpf: trace: no command follows --; $hint" "$mmiobpf" trace --all --
}

@test "without a target, it says what the targets are" {
	run --separate-stderr "$mmiobpf" trace
	echo "$stderr"
	[ "$status" -eq 2 ]
	[ "$output" = "" ]
	[[ $stderr == "mmiobpf: nothing to trace was named; give --driver, --pci, --phys or --all."* ]]
	for device in /sys/bus/pci/devices/*; do
		[ -e "$device" ] || continue
		grep -q -- "^--pci ${device##*/}  " <<< "$stderr"
		driver=$(readlink "$device/driver" || true)
		[ -z "$driver" ] || grep -q -- "^    --driver ${driver##*/}$" <<< "$stderr"
	done
}

@test "no such driver" {
	as_root
	says 1 "mmiobpf: cannot trace driver \"no-such-driver-here\": there is no such driver on the PCI and platform buses, and no such module for this kernel; $looks" \
		"$mmiobpf" trace --driver no-such-driver-here
}

@test "no such device" {
	as_root
	[ ! -e /sys/bus/pci/devices/ffff:ff:1f.7 ]
	says 1 "mmiobpf: cannot trace PCI device ffff:ff:1f.7: there is no device with that address; $looks" \
		"$mmiobpf" trace --pci ffff:ff:1f.7
}

@test "not a PCI address" {
	as_root
	says 2 "mmiobpf: \"e1000e\" is not a PCI address; it looks like 0000:00:1f.2 or 00:1f.2" \
		"$mmiobpf" trace --pci e1000e
}

@test "not an address range" {
	as_root
	says 2 "mmiobpf: \"febc0000\" is not an address range; it looks like 0xfebc0000-0xfebdffff or 0xfebc0000+128k" \
		"$mmiobpf" trace --phys febc0000
}

@test "a format that there is not, and options that do not fit the format" {
	says 2 "mmiobpf: trace: there is no format \"xml\"; there is text, calls, json, csv, vcd, chrome; 'mmiobpf trace --help' shows how it is used" \
		"$mmiobpf" trace --all --format xml
	says 2 "mmiobpf: trace: --compat is for --format text, not for json; 'mmiobpf trace --help' shows how it is used" "$mmiobpf" trace --all --format json --compat
	says 2 "mmiobpf: trace: --latency is for --format calls, not for text; 'mmiobpf trace --help' shows how it is used" "$mmiobpf" trace --all -T
	says 2 "mmiobpf: trace: --format is for the log, and with --capture there is one only with --output; 'mmiobpf trace --help' shows how it is used" \
		"$mmiobpf" trace --all --format json --capture "$BATS_TEST_TMPDIR/capture"
	[ ! -e "$BATS_TEST_TMPDIR/capture" ]
}

@test "memory is no device" {
	as_root
	start=$(awk '/^[0-9a-f]+-[0-9a-f]+ : System RAM/ { sub(/-.*/, ""); print; exit }' /proc/iomem)
	run --separate-stderr "$mmiobpf" trace --phys "0x$start+4k"
	echo "$stderr"
	[ "$status" -eq 1 ]
	[[ $stderr == "mmiobpf: cannot trace 0x$start+4k: it touches 0x"*", system memory, which is no device; choose a range without it" ]]
}

@test "nobody is told which capabilities are missing" {
	run as_nobody "$mmiobpf" trace --all
	echo "$output"
	[ "$status" -eq 1 ]
	[[ $output == "mmiobpf: cannot start a trace: this process lacks "*"CAP_SYS_ADMIN"*"CAP_BPF"*"; run it as root" ]]
}

@test "the module is not there" {
	as_root
	without_module
	run --separate-stderr "$mmiobpf" trace --all -o "$BATS_TEST_TMPDIR/log"
	echo "$stderr"
	[ "$status" -eq 1 ]
	[ "$stderr" = "mmiobpf: cannot load the kernel module mmiobpf: it is not installed for this kernel; install it, or load build/kmod/RELEASE/mmiobpf.ko of the build tree with 'insmod'" ]
	[ ! -e "$BATS_TEST_TMPDIR/log" ]
}
