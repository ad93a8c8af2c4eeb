#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Instructions that are not emulated: each form of tests/vm/exerciser/forms.h does to registers, flags
# and memory under a trace what it does without, and is recorded as the device saw it. One boot for
# each kernel.

load trace.bash

setup_file()
{
	local kernel release

	load trace.bash
	for kernel in 6.1 6.12; do
		"$BATS_TEST_DIRNAME/kernels" fetch "$kernel"
		release=$("$BATS_TEST_DIRNAME/kernels" release "$kernel")
		make --no-print-directory -C "$BATS_TEST_DIRNAME/exerciser" \
			"KDIR=/usr/src/linux-headers-$release"
		share=$BATS_FILE_TMPDIR/$kernel
		mkdir -p "$share"
		guest "$kernel" --device edu --device ivshmem-plain,memdev=ram \
			--qemu-arg -object \
			--qemu-arg memory-backend-ram,id=ram,size=1M,share=on -- \
			"$scripts/stepped" "$share" >"$share/output" 2>&1 ||
			echo "status $?" >>"$share/output"
	done
}

# Without a status of the last trace, the guest did not get to it.
results_of()
{
	share=$BATS_FILE_TMPDIR/$1
	cat "$share/output"
	tail -qn 1 "$share"/*.err || true
	[ ! -s "$share/output" ]
	[ -s "$share/access.status" ]
}

# lines KIND LOG
lines()
{
	grep -cE "^($1) " "$share/$2.log"
}

same_effects()
{
	results_of "$1"
	for group in access silent give-up; do
		echo "$group:"
		diff "$share/$group.plain" "$share/$group.traced"
	done
	diff "$share/give-up.plain" "$share/given-back.traced"
	# Three lines a form: it is run with all flags clear, with all set, and with interrupts off.
	[ "$(wc -l < "$share/access.traced")" -ge 1000 ]
	[ "$(wc -l < "$share/silent.traced")" -eq 24 ]
	[ "$(wc -l < "$share/give-up.traced")" -eq 39 ]
}

@test "6.1: registers, flags and memory are as without a trace" { same_effects 6.1; }
@test "6.12: registers, flags and memory are as without a trace" { same_effects 6.12; }

# The comparison itself would see a register, a flag or a byte of memory that is wrong.
@test "the forms depend on flags, on the operand and on the base register" {
	results_of 6.1
	# With flags clear and set: a form that reads the carry, one on a condition, one of neither.
	[ "$(grep -c '^adc_m_r ' "$share/access.traced")" -eq 3 ]
	[ "$(grep '^adc_m_r ' "$share/access.traced" | head -n 2 | sort -u | wc -l)" -eq 2 ]
	[ "$(grep '^self_cmovz ' "$share/access.traced" | head -n 2 | sort -u | wc -l)" -eq 2 ]
	[ "$(grep '^add_m_r ' "$share/access.traced" | head -n 2 | sort -u | wc -l)" -eq 1 ]
	# 0x12345678 swapped, times three, and its low byte into that of the base register.
	grep -q '^base_movbe_rbx rbx=78563412 ' "$share/access.traced"
	grep -q '^base_imul_r13 r13=369d0368 ' "$share/access.traced"
	grep -q '^self_mov_b rbx=..78 ' "$share/access.traced"
	grep -q '^self_movbe_w rbx=..7856 ' "$share/access.traced"
	# Interrupts stay off where they were: bit 9 of the flags.
	grep -q '^add_m_r flags=86 ' "$share/access.traced"
	# Not taken: the upper half of the register is cleared, the lower one kept.
	grep -q '^self_cmovz rbx=low-half flags=202 ' "$share/access.traced"
}

as_the_device_saw()
{
	results_of "$1"
	[ "$(<"$share/access.status")" -eq 0 ]
	verdict_read "$share/access.err"
	[ "$verdict" = complete ]
	[ "$faults" -eq "$accesses" ]
	[ "$undecoded" -eq 0 ]
	run "$oracle" --phys "$(<"$share/edu")" "$share/access.log" "$share/device.log"
	echo "$output"
	[ "$status" -eq 0 ]
	echo "# $1: $output" >&3
	# Enough for every form on edu to be in it.
	run "$oracle" --count --phys "$(<"$share/edu")" "$share/device.log"
	[ "$output" -ge 2500 ]
}

@test "6.1: every access is recorded with the values that the device saw" { as_the_device_saw 6.1; }
@test "6.12: every access is recorded with the values that the device saw" { as_the_device_saw 6.12; }

# In the log of a form on edu: what was read, changed, is what is written, and is read back.
read_modify_write()
{
	results_of "$1"
	# bts_q of bit 62 in 0x8899aabb12345678 is the only one with this result.
	run grep -A 2 -E '^R 8 [0-9.]+ [0-9]+ 0x[0-9a-f]+80 0x8899aabb12345678 ' "$share/access.log"
	[[ $output == *"0xc899aabb12345678 "* ]]
	awk '
	$1 == "R" && $2 == 8 && $6 == "0x8899aabb12345678" { at = NR; time = $3; pc = $7 }
	$1 == "W" && $6 == "0xc899aabb12345678" && NR == at + 1 && $3 >= time && $7 == pc {
		n++
		written = NR
	}
	$1 == "R" && $6 == "0xc899aabb12345678" && NR == written + 1 { back++ }
	END { print n + 0, back + 0; exit !(n == 3 && back == 3) }' "$share/access.log"
}

@test "6.1: a read-modify-write is a read and a write of one instruction" { read_modify_write 6.1; }
@test "6.12: a read-modify-write is a read and a write of one instruction" { read_modify_write 6.12; }

# A vector move is carried out, but its value is not told; the page stays armed.
silent()
{
	results_of "$1"
	[ "$(<"$share/silent.status")" -eq 3 ]
	verdict_read "$share/silent.err"
	[ "$verdict" = incomplete ]
	[ "$undecoded" -eq 24 ]
	[ "$lost" -eq 0 ]
	[ "$faults" -eq "$((accesses + undecoded))" ]
	[ "$(lines UNKNOWN silent)" -eq 24 ]
	# Four writes before and two reads behind each, as the page stays armed.
	[ "$accesses" -eq "$((24 * 6))" ]
	[ "$(lines W silent)" -eq "$((24 * 4))" ]
	[ "$(lines R silent)" -eq "$((24 * 2))" ]
	# movups (%rbx),%xmm1
	grep -qE '^UNKNOWN [0-9.]+ [0-9]+ 0x[0-9a-f]+ 0f,10,0b ' "$share/silent.log"
	! grep -q 'no longer recorded' "$share/silent.err"
}

@test "6.1: a vector move is carried out and reported without its value" { silent 6.1; }
@test "6.12: a vector move is carried out and reported without its value" { silent 6.12; }

# What cannot be stepped gives its page back: reported once, and nothing of the page after it.
give_up()
{
	results_of "$1"
	[ "$(<"$share/give-up.status")" -eq 3 ]
	verdict_read "$share/give-up.err"
	[ "$verdict" = incomplete ]
	[ "$undecoded" -eq 13 ]
	[ "$lost" -eq 0 ]
	[ "$faults" -eq "$((accesses + undecoded))" ]
	[ "$(lines UNKNOWN give-up)" -eq 13 ]
	# addl %ebx,(%rbx)
	grep -qE '^UNKNOWN [0-9.]+ [0-9]+ 0x[0-9a-f]+ 01,1b ' "$share/give-up.log"
	[ "$(grep -c 'no longer recorded' "$share/give-up.err")" -eq 13 ]
	# Each has a page of its own, with four writes before.
	[ "$accesses" -eq "$((13 * 4))" ]
	awk '
	$1 == "UNKNOWN" {
		page = substr($4, 1, length($4) - 3)
		if (page in given)
			bad = 1
		given[page] = 1
		next
	}
	($1 == "R" || $1 == "W") && substr($5, 1, length($5) - 3) in given { bad = 1 }
	END { exit bad }' "$share/give-up.log"
}

@test "6.1: what cannot be stepped is reported, and its page given back" { give_up 6.1; }
@test "6.12: what cannot be stepped is reported, and its page given back" { give_up 6.12; }
