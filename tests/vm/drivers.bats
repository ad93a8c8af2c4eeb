#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Whole drivers under trace with four CPUs online: load, use, unload. The log equals the device's own log, the
# driver works as without us.

load trace.bash

setup_file()
{
	"$BATS_TEST_DIRNAME/kernels" fetch 6.1 6.12
}

setup()
{
	devices=()
	share_make
}

# whole_driver KERNEL DRIVER LEAST: at least LEAST accesses are expected.
whole_driver()
{
	local kernel=$1 driver=$2 least=$3

	device_add "$driver"
	run guest "$kernel" "${devices[@]}" -- "$scripts/traced" "$share" --driver "$driver" -- \
		"$workloads/$driver.sh" load use unload
	echo "$output"
	[ "$status" -eq 0 ]
	verdict_read "$share/trace.err"
	[ "$verdict" = complete ]
	[ "$accesses" -ge "$least" ]
	[ "$faults" -eq "$accesses" ]
	[ "$lost" -eq 0 ]
	[ "$undecoded" -eq 0 ]
	[ "$(grep -c '^[RW] ' "$share/log")" -eq "$accesses" ]
	run "$oracle" --only-declared "$share/log" "$share/device.log"
	echo "$output"
	[ "$status" -eq 0 ]
	echo "# $kernel $driver: $output" >&3
}

@test "6.1: e1000e: load, link up, 500 pings, unload" { whole_driver 6.1 e1000e 4000; }
@test "6.12: e1000e: load, link up, 500 pings, unload" { whole_driver 6.12 e1000e 4000; }
@test "6.1: nvme: four jobs on four CPUs" { whole_driver 6.1 nvme 20000; }
@test "6.12: nvme: four jobs on four CPUs" { whole_driver 6.12 nvme 20000; }
@test "6.1: ich9-ahci: write, read back, compare" { whole_driver 6.1 ahci 1000; }
@test "6.12: ich9-ahci: write, read back, compare" { whole_driver 6.12 ahci 1000; }

@test "6.12: the log is well-formed, VERSION and PCIDEV first, MAP before use" {
	device_add e1000e
	run guest 6.12 "${devices[@]}" -- "$scripts/traced" "$share" --driver e1000e -- \
		"$workloads/e1000e.sh" load
	[ "$status" -eq 0 ]
	[ "$(head -n 1 "$share/log")" = "VERSION 20070824" ]
	# Every line has its shape; times never run backwards by more than the CPUs overlap.
	awk '
	function bad(why) { print why ": " $0; failed = 1 }
	BEGIN { hex = "^0x(0|[1-9a-f][0-9a-f]*)$"; time = "^[0-9]+\\.[0-9][0-9][0-9][0-9][0-9][0-9]$" }
	$1 == "VERSION" { if (NR != 1) bad("VERSION not first"); next }
	$1 == "PCIDEV" { if (seen) bad("PCIDEV behind a record"); devices++; next }
	$1 == "LSPCI" { if (seen) bad("LSPCI behind a record"); next }
	{ seen = 1 }
	/  | $/ { bad("spaces") }
	$1 == "MAP" { if (NF != 8 || $2 !~ time || $4 !~ hex || $5 !~ hex || $6 !~ hex || $7 !~ hex) bad("MAP")
		map[$3] = 1; next }
	$1 == "UNMAP" { if (NF != 5 || !($3 in map)) bad("UNMAP"); next }
	$1 == "R" || $1 == "W" {
		if (NF != 8 || $2 !~ /^[1248]$/ || $3 !~ time || $5 !~ hex || $6 !~ hex || $7 !~ hex) bad("access")
		if (!($4 in map)) bad("map id not declared")
		if ($7 == "0x0" || $8 !~ /^[0-9]+$/) bad("no PC or PID")
		n++; next }
	{ bad("unknown line") }
	END { if (!n || !devices) { print "nothing there"; failed = 1 } exit failed }' "$share/log"
	# Equal to the kernel's own list of devices.
	[ "$(grep -c ^PCIDEV "$share/log")" -eq "$(grep -cE '^LSPCI [0-9a-f]{2}:' "$share/log")" ]
}

@test "6.1: --driver arms nothing of another driver that loads at the same time" { two_drivers 6.1; }
@test "6.12: --driver arms nothing of another driver that loads at the same time" { two_drivers 6.12; }

two_drivers()
{
	local bar

	device_add e1000e
	device_add nvme
	run guest "$1" "${devices[@]}" -- "$scripts/traced" "$share" --driver e1000e -- \
		"$scripts/two-drivers" "$share"
	echo "$output"
	[ "$status" -eq 0 ]
	run "$oracle" --only-declared "$share/log" "$share/device.log"
	echo "$output"
	[ "$status" -eq 0 ]
	# The other one's accesses happened, and none is in the log.
	bar=$(cat "$share/nvme.bar")
	run "$oracle" --count --phys "$bar" "$share/device.log"
	echo "nvme, not traced: $output"
	[ "$status" -eq 0 ]
	[ "${output%% *}" -gt 1000 ]
	while read -r phys; do
		echo "traced: $phys, nvme: $bar"
		[ $((phys)) -lt $((${bar%-*})) ] || [ $((phys)) -gt $((${bar#*-})) ]
	done < <(awk '$1 == "MAP" { print $4 } $1 == "R" || $1 == "W" { print $5 }' "$share/log" | sort -u)
}
