# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# For the tests that trace in a guest: where things are, and the devices that the workloads want.

top=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
scripts=$BATS_TEST_DIRNAME/scripts
workloads=$BATS_TEST_DIRNAME/workloads
oracle=$top/build/vm/oracle

# A directory that the guest may write to, and that a failed test leaves behind in the output.
share_make()
{
	share=$BATS_TEST_TMPDIR/share
	mkdir -p "$share"
}

# guest KERNEL ARGS...: four CPUs, the device log in $share/device.log, no warning allowed in the kernel log.
guest()
{
	local kernel=$1
	shift
	"$BATS_TEST_DIRNAME/guest" --kernel "$kernel" --cpus 4 --timeout 300 --share "$share" --dmesg-clean \
		--oracle "$share/device.log" --console "$share/console" "$@"
}

# Arguments of QEMU for a device, into the array $devices; may be called again for another one.
device_add()
{
	case $1 in
	e1000e) devices+=(--netdev user,id=n0 --device e1000e,netdev=n0) ;;
	nvme)
		truncate -s 256M "$BATS_TEST_TMPDIR/nvme.img"
		devices+=(--drive "file=$BATS_TEST_TMPDIR/nvme.img,if=none,id=d0,format=raw"
			--device nvme,drive=d0,serial=1)
		;;
	ahci)
		truncate -s 256M "$BATS_TEST_TMPDIR/ahci.img"
		devices+=(--drive "file=$BATS_TEST_TMPDIR/ahci.img,if=none,id=d1,format=raw"
			--device ich9-ahci,id=a0 --device ide-hd,bus=a0.0,drive=d1)
		;;
	esac
}

# The numbers of the verdict, "mmiobpf: A accesses recorded, F page faults on armed pages, L lost, U undecoded: X"
verdict_read()
{
	local line
	line=$(grep ' accesses recorded, ' "$1")
	read -r accesses faults lost undecoded verdict < <(sed -E \
		's/.* ([0-9]+) accesses recorded, ([0-9]+) page faults on armed pages, ([0-9]+) lost, ([0-9]+) undecoded: /\1 \2 \3 \4 /' \
		<<< "$line")
}
