#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every kind of mapping, made under a trace and attached to: first, last and boundary addresses, each access in the
# log with its physical address and its value, in order. One guest a kernel runs all cases (scripts/maps), and one
# more with small page-table entries only; the tests look at what each has left. What mmiotrace does with a kind is
# said at its test: read in arch/x86/mm/kmmio.c and mmio-mod.c, and counted under mmiotrace on 6.12, with one CPU and
# without the accesses that cross a page.

load trace.bash

setup_file()
{
	load trace.bash
	run_guest 6.1 ""
	run_guest 6.12 ""
	# 4 KiB entries for all of 16 GiB, and page tables of four levels.
	run_guest 6.12 " nohugeiomap no5lvl" live
}

# run_guest KERNEL APPEND CASES...: kernel code is patched while others run it: one thread for all CPUs.
run_guest()
{
	local kernel=$1 append=$2 release size devices=()

	shift 2
	"$BATS_TEST_DIRNAME/kernels" fetch "$kernel"
	release=$("$BATS_TEST_DIRNAME/kernels" release "$kernel")
	make --no-print-directory -C "$BATS_TEST_DIRNAME/mapper" "KDIR=/usr/src/linux-headers-$release"
	for size in 1M 4M 1G 16G; do
		devices+=(--device "ivshmem-plain,memdev=ram$size" --qemu-arg -object
			--qemu-arg "memory-backend-ram,id=ram$size,size=$size,share=on,reserve=off")
	done
	device_add e1000e
	share=$BATS_FILE_TMPDIR/$kernel${append:+-small}
	mkdir -p "$share"
	guest "$kernel" --tcg single --append "$append" "${devices[@]}" --device edu --device pci-testdev \
		--qemu-arg -global --qemu-arg q35-pcihost.pci-hole64-size=64G \
		-- "$scripts/maps" "$share" "$@" >"$share/guest.out" 2>&1
	echo $? >"$share/guest.status"
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

whole_run()
{
	cat "$dir/guest.out"
	[ "$(<"$dir/guest.status")" -eq 0 ]
}

@test "the whole run: nothing in the kernel log, the module unloads" { for_kernels whole_run; }

@test "the same with small entries and four levels of page tables" {
	dir=$BATS_FILE_TMPDIR/6.12-small
	whole_run
}

# complete NAME
complete()
{
	cat "$dir/$1.err"
	[ "$(<"$dir/$1.status")" -eq 0 ]
	verdict_read "$dir/$1.err"
	[ "$verdict" = complete ]
	[ "$lost" -eq 0 ]
	[ "$undecoded" -eq 0 ]
	[ "$faults" -eq "$accesses" ]
	[ "$(grep -c '^[RW] ' "$dir/$1.log")" -eq "$accesses" ]
}

# first_of BAR: its first address
first_of()
{
	awk -v name="$1" '$1 == name { sub("-.*", "", $2); print $2 }' "$dir/bars"
}

# The accesses in the log of a case, R|W WIDTH PHYS VALUE, but for those that the driver did not count: what the PCI
# core did to the MSI-X table (its first page), and the reads until the mapping was gone.
accesses_of()
{
	local msix unmapped

	msix=$(first_of msix)
	unmapped=$(printf '0x%x' $(($(first_of ram1m) + 0x80000)))
	awk -v msix="${msix%000}" -v unmapped="$unmapped" '
		/^[RW] / && $5 != unmapped && !(length($5) == length(msix) + 3 && index($5, msix) == 1) {
			print $1, $2, $5, $6
		}' "$dir/$1.log"
}

# same CASE KIND LEAST: the accesses of this kind, at least as many, are those of the log at the same places.
same()
{
	grep "^$2 " "$dir/$1.expected" >"$BATS_TEST_TMPDIR/expected"
	paste -d ' ' <(cut -d ' ' -f 1 "$dir/$1.expected") <(accesses_of "$1") | grep "^$2 " |
		diff "$BATS_TEST_TMPDIR/expected" -
	[ "$(wc -l <"$BATS_TEST_TMPDIR/expected")" -ge "$3" ]
}

# entries CASE KIND MOMENT ENTRIES: closed and all page-table entries of the mapping.
entries()
{
	run grep "^$2 $3 " "$dir/$1.entries"
	[ "$output" = "$2 $3 $4" ] || { echo "$output, not $4"; return 1; }
}

# both KIND LEAST ENTRIES: made under a trace, and attached to; given back at the end.
both()
{
	same fresh "$1" "$2"
	same live "$1" "$2"
	entries fresh "$1" armed "$3"
	entries live "$1" armed "$3"
	open=$(sed -E 's,[0-9]+/,0/,g' <<<"$3")
	entries live "$1" before "$open"
	entries live "$1" after "$open"
}

# Here mmiotrace is complete as well.
@test "one page" { for_kernels both small 4 "4k 1/1 2m 0/0 1g 0/0"; }

# mmiotrace looks for the mapping of an access by the first address of its page, which is before the mapping: of
# the first page it logs nothing: 6 of 10 accesses here.
@test "an unaligned start: the first page is recorded too" { for_kernels both unaligned 13 "4k 3/3 2m 0/0 1g 0/0"; }

# The kernel's mappings end with their page; mmiotrace arms the same pages.
@test "a length that is no multiple of a page" { for_kernels both odd 16 "4k 4/4 2m 0/0 1g 0/0"; }

# mmiotrace logs what is in one page of 2 MiB. An access that goes on in the next one is a fault while it steps one,
# which it does not expect: it opens the second page and passes the fault on, and the kernel dies of it.
@test "pages of 2 MiB, and accesses from one to the next" { for_kernels both large 14 "4k 0/0 2m 2/2 1g 0/0"; }

# mmiotrace goes from page to page by the size of the first one: of the small pages of the tail it arms the first
# only, 6 of 12 accesses; and when the start is unaligned, nothing of the large page is logged either, 4 of 10.
@test "2 MiB with a tail of 4 KiB pages" { for_kernels both tail 18 "4k 3/3 2m 1/1 1g 0/0"; }
@test "2 MiB with a tail, unaligned" { for_kernels both unaligned-tail 16 "4k 1/1 2m 1/1 1g 0/0"; }

# mmiotrace knows pages of 4 KiB and 2 MiB: it says "unexpected page level" and arms none of these.
@test "a BAR of 1 GiB" { for_kernels both giant 13 "4k 0/0 2m 0/0 1g 1/1"; }
@test "a BAR of 16 GiB" { for_kernels both huge 20 "4k 0/0 2m 0/0 1g 16/16"; }

# mmiotrace arms nothing of the first part, and in steps of 1 GiB meets the page of 2 MiB but not the tail: 4 of 14.
@test "1 GiB, 2 MiB and 4 KiB in one mapping, and accesses from one to the next" {
	for_kernels both all-sizes 23 "4k 3/3 2m 1/1 1g 1/1"
}

# The order, and nothing more.
whole_log()
{
	complete "$1"
	diff <(cut -d ' ' -f 2- "$dir/$1.expected") <(accesses_of "$1")
}

# Of mappings that were there before it, mmiotrace sees nothing.
@test "attached: every access of every kind, in order, and no other" { for_kernels whole_log live; }
@test "fresh: every access of every kind, in order, and no other" { for_kernels whole_log fresh; }

@test "16 GiB in four million small entries: attached, recorded, given back" {
	dir=$BATS_FILE_TMPDIR/6.12-small
	whole_log live
	entries live huge before "4k 0/4194304 2m 0/0 1g 0/0"
	entries live huge armed "4k 4194304/4194304 2m 0/0 1g 0/0"
	entries live huge after "4k 0/4194304 2m 0/0 1g 0/0"
}

# mmiotrace has a probe for each address as well.
overlapping()
{
	same fresh overlapping 11
	# Each mapping has its own id, also for an address that all of them have.
	run awk -v at="$(printf '0x%x' $(($(first_of ram4m) + 0x1ff010)))" '
		/^[RW] / && $5 == at { id[$4] = 1 } END { for (i in id) n++; print n }' "$dir/fresh.log"
	[ "$output" -ge 3 ]
	# It is armed still when another one has gone.
	entries fresh overlapping armed "4k 0/0 2m 2/2 1g 0/0"
}

@test "overlapping mappings: each sees what another wrote, and each is recorded" { for_kernels overlapping; }

registers()
{
	same fresh edu 4
	same fresh testdev 3
	# edu answers with the complement, and with the value that it keeps.
	grep -q '^edu R 4 0x[0-9a-f]*4 0xedcba987$' "$dir/fresh.expected"
	for name in edu testdev; do
		run "$oracle" --phys "$(awk -v name=$name '$1 == name { print $2 }' "$dir/bars")" \
			"$dir/fresh.log" "$dir/device.log"
		echo "$output"
		[ "$status" -eq 0 ]
	done
}

# Of edu, mapped unaligned, mmiotrace logs nothing.
@test "registers, mapped from the middle of a page on: as the device saw them" { for_kernels registers; }

# mmiotrace sees these mappings as well, with the PCI core as the caller; it cannot be asked for those of a driver.
msix()
{
	local range

	[ "$(<"$dir/msix.vectors")" -eq 2 ]
	range=$(awk '$1 == "msix" { print $2 }' "$dir/bars")
	[ "$(grep -c "^MAP [0-9.]* [0-9]* ${range%-*} " "$dir/fresh.log")" -eq 1 ]
	run "$oracle" --phys "$range" "$dir/fresh.log" "$dir/device.log"
	echo "$output"
	[ "$status" -eq 0 ]
	run "$oracle" --count --phys "$range" "$dir/device.log"
	[ "$output" -ge 15 ]
}

@test "an MSI-X table that the PCI core maps: found by the driver on the call stack" { for_kernels msix; }

# ioremap() gives the ISA range an address like any other, whose entries say write-back. mmiotrace traces it.
isa()
{
	same fresh isa 4
	entries fresh isa armed "4k 16/16 2m 0/0 1g 0/0"
	# What the firmware keeps there.
	[ "$(awk '$1 == "isa" && $2 == "R" && $3 == 8 { print $5 }' "$dir/fresh.expected")" = \
		"0x$(tr -d ' ' <"$dir/isa.memory" | sed 's/^0*//')" ]
}

@test "the ISA range is recorded" { for_kernels isa; }

# mmiotrace arms every mapping, whatever its cache mode.
combined()
{
	whole_log cached
	for kind in wc wt cache uc; do
		same cached "$kind" 11
		entries cached "$kind" armed "4k 256/256 2m 0/0 1g 0/0"
	done
	# Without --cached: a MAP line, no access, and it is said.
	entries fresh wc-not-asked armed "4k 0/256 2m 0/0 1g 0/0"
	grep -q '1 mappings were recorded without their accesses' "$dir/fresh.err"
}

@test "write-combined and cached mappings are recorded when asked for" { for_kernels combined; }

# mmiotrace takes all CPUs but one offline.
racing()
{
	local i

	for i in 1 2 3; do
		complete "race.$i"
		[ "$accesses" -gt 100 ]
	done
	read -r rounds wrong <"$dir/race.result"
	[ "$rounds" -gt 100 ]
	[ "$wrong" -eq 0 ]
}

@test "mapped and unmapped on all CPUs while sessions come and go" { for_kernels racing; }

# The reads end with an error, as they do without a trace, and no value is wrong before.
unmapped()
{
	complete fresh
	[ "$(wc -l <"$dir/race-unmap")" -eq 3 ]
	awk '$1 < 1 || $2 != 0 { bad = 1 } END { exit bad }' "$dir/race-unmap"
}

@test "unmapped while another CPU reads it: what happens is what would happen without a trace" { for_kernels unmapped; }
