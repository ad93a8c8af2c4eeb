#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The driver matrix: in-tree drivers on QEMU's devices, each loaded, used for its purpose and unloaded under trace,
# with four CPUs. Its log equals the device's own. One boot for each kernel; e1000e, nvme and ahci are in
# drivers.bats. The guests run on one thread: what concurrency there is comes from interrupts and preemption, and
# QEMU with a thread for each CPU may die when the kernel patches the page-fault tracepoint, which each of the
# traces makes it do.

load trace.bash

# Each device on its own line, as in matrix.table.
matrix_devices()
{
	local i

	devices=()
	for i in 1 2 3; do
		devices+=(--netdev "user,id=n$i")
	done
	devices+=(
		--device e1000,netdev=n1
		--device vmxnet3,netdev=n2
		--device rtl8139,netdev=n3
		--device i6300esb
		--qemu-arg -audiodev --qemu-arg none,id=a0
		--device intel-hda,id=hda --device hda-duplex,bus=hda.0,audiodev=a0
		--device bochs-display
		--device pci-bridge,id=bridge,chassis_nr=1,shpc=on --device pci-testdev,bus=bridge,addr=1
	)
	for i in 1 2 3 4 5 6; do
		truncate -s 64M "$BATS_FILE_TMPDIR/$1.$i.img"
		devices+=(--drive "file=$BATS_FILE_TMPDIR/$1.$i.img,if=none,id=d$i,format=raw")
	done
	devices+=(
		--device megasas,id=megasas --device scsi-hd,bus=megasas.0,drive=d1
		--device pvscsi,id=pvscsi --device scsi-hd,bus=pvscsi.0,drive=d2
		--device qemu-xhci,id=xhci --device usb-storage,bus=xhci.0,drive=d3
		--device usb-ehci,id=ehci --device usb-storage,bus=ehci.0,drive=d4
		--device pci-ohci,id=ohci --device usb-storage,bus=ohci.0,drive=d5
		--device sdhci-pci,id=sdhci --device sd-card,bus=sd-bus,drive=d6
	)
}

all_drivers()
{
	sed 's/#.*//' "$BATS_TEST_DIRNAME/matrix.table" | awk 'NF { print $1 }'
}

# matrix_on KERNEL: without acpiphp, which would have the slots of the bridge.
matrix_on()
{
	local names

	share=$BATS_FILE_TMPDIR/$1
	mapfile -t names < <(all_drivers)
	mkdir -p "$share"
	matrix_devices "$1"
	guest "$1" --tcg single --mem 2G --append acpiphp.disable=1 --timeout 600 "${devices[@]}" -- \
		"$scripts/matrix" "$share" "${names[@]}" >"$share/output" 2>&1 ||
		echo "status $?" >>"$share/output"
}

# A guest on one thread leaves half of two CPUs idle, so there are two at a time.
setup_file()
{
	load trace.bash
	"$BATS_TEST_DIRNAME/kernels" fetch 6.1 6.12
	matrix_on 6.1 3>&- &
	matrix_on 6.12 3>&-
	wait
}

@test "the guests of the matrix ran to their end, and no warning is in the kernel log" {
	cat "$BATS_FILE_TMPDIR"/*/output
	[ ! -s "$BATS_FILE_TMPDIR/6.1/output" ]
	[ ! -s "$BATS_FILE_TMPDIR/6.12/output" ]
}

# complete KERNEL NAME
complete()
{
	local dir=$BATS_FILE_TMPDIR/$1/$2

	cat "$dir/workload" "$dir/trace.err"
	[ "$(<"$dir/status")" -eq 0 ]
	verdict_read "$dir/trace.err"
	[ "$verdict" = complete ]
	[ "$accesses" -gt 20 ]
	[ "$lost" -eq 0 ]
	[ "$undecoded" -eq 0 ]
	# shellcheck disable=SC2046 # options, one a word
	run "$oracle" $(<"$dir/ranges") "$dir/log" "$BATS_FILE_TMPDIR/$1/device.log"
	echo "$output"
	[ "$status" -eq 0 ]
	[ -s "$dir/forms" ]
	! grep -E 'undecoded|unreadable' "$dir/forms"
	echo "# $1 $2: $output; $(wc -l <"$dir/forms") forms" >&3
}

@test "6.1: e1000" { complete 6.1 e1000; }
@test "6.1: vmxnet3" { complete 6.1 vmxnet3; }
@test "6.1: 8139cp" { complete 6.1 8139cp; }
@test "6.1: i6300esb" { complete 6.1 i6300esb; }
@test "6.1: intel-hda" { complete 6.1 intel-hda; }
@test "6.1: bochs" { complete 6.1 bochs; }
@test "6.1: megaraid_sas" { complete 6.1 megaraid_sas; }
@test "6.1: pvscsi" { complete 6.1 pvscsi; }
@test "6.1: xhci" { complete 6.1 xhci; }
@test "6.1: ehci" { complete 6.1 ehci; }
@test "6.1: ohci" { complete 6.1 ohci; }
@test "6.1: sdhci" { complete 6.1 sdhci; }
@test "6.1: shpchp" { complete 6.1 shpchp; }
@test "6.12: e1000" { complete 6.12 e1000; }
@test "6.12: vmxnet3" { complete 6.12 vmxnet3; }
@test "6.12: 8139cp" { complete 6.12 8139cp; }
@test "6.12: i6300esb" { complete 6.12 i6300esb; }
@test "6.12: intel-hda" { complete 6.12 intel-hda; }
@test "6.12: bochs" { complete 6.12 bochs; }
@test "6.12: megaraid_sas" { complete 6.12 megaraid_sas; }
@test "6.12: pvscsi" { complete 6.12 pvscsi; }
@test "6.12: xhci" { complete 6.12 xhci; }
@test "6.12: ehci" { complete 6.12 ehci; }
@test "6.12: ohci" { complete 6.12 ohci; }
@test "6.12: sdhci" { complete 6.12 sdhci; }
@test "6.12: shpchp" { complete 6.12 shpchp; }

@test "the table of the matrix has every driver" {
	"$BATS_TEST_DIRNAME/matrix-table" "$BATS_FILE_TMPDIR" >"$top/build/check/driver-matrix.md"
	cat "$top/build/check/driver-matrix.md"
	[ "$(wc -l <"$top/build/check/driver-matrix.md")" -eq "$(($(all_drivers | wc -l) + 2))" ]
	! grep -F '|  |' "$top/build/check/driver-matrix.md"
}
