#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The exerciser (tests/vm/exerciser): each form of an instruction does to registers, flags and memory under a trace what
# it does without, and is recorded with its values; so do random instances, accesses in interrupts and copies to user
# memory. On the stock kernels and the real-time ones, one boot for each.
#
# One thread for all CPUs: with one each, 28 of 3,000 random instances differed in their arithmetic flags under QEMU
# 7.2, all of them locked instructions with an unaligned operand. The likely cause is that a fault in there leaves
# QEMU's cpu_exec_step_atomic() without cpu_exec_exit(), which keeps the flags.
#
# EXERCISE_SEED and EXERCISE_COUNT choose the random instances; `make exercise` runs more of them.

load trace.bash

kernels='6.1 6.12 6.1-rt 6.12-rt'
seed=${EXERCISE_SEED:-1}
random_count=${EXERCISE_COUNT:-100000}
edu_count=3000

# exercise_on KERNEL
exercise_on()
{
	share=$BATS_FILE_TMPDIR/$1
	guest "$1" --cpus 2 --tcg single --timeout "${EXERCISE_TIMEOUT:-300}" \
		--device edu --device ivshmem-plain,memdev=ram \
		--qemu-arg -object \
		--qemu-arg memory-backend-ram,id=ram,size=1M,share=on -- \
		"$scripts/exercise" "$share" "$seed" "$random_count" "$edu_count" \
		>"$share/output" 2>&1 || echo "status $?" >>"$share/output"
	# Parts by their start marks: that of the guest, then access, then storm.
	awk -v name="$share/device" '
	/value 0x4d size 1 name .ioport80/ { part++ }
	part > 1 { print >(name "." part) }' "$share/device.log"
}

# A guest on one thread leaves half of two CPUs idle, so there are two at a time.
setup_file()
{
	local kernel release

	load trace.bash
	for kernel in $kernels; do
		"$BATS_TEST_DIRNAME/kernels" fetch "$kernel"
		release=$("$BATS_TEST_DIRNAME/kernels" release "$kernel")
		make --no-print-directory -C "$BATS_TEST_DIRNAME/exerciser" \
			"KDIR=/usr/src/linux-headers-$release"
		mkdir -p "$BATS_FILE_TMPDIR/$kernel"
	done
	exercise_on 6.1 3>&- &
	exercise_on 6.12 3>&-
	wait
	exercise_on 6.1-rt 3>&- &
	exercise_on 6.12-rt 3>&-
	wait
}

# Without a status of the last trace, the guest did not get to it.
results_of()
{
	share=$BATS_FILE_TMPDIR/$1
	cat "$share/output"
	tail -qn 1 "$share"/*.err || true
	[ ! -s "$share/output" ]
	[ -s "$share/storm.status" ]
}

# complete TRACE: with every value, and each page fault accounted for.
complete()
{
	verdict_read "$share/$1.err"
	[ "$verdict" = complete ] && [ "$undecoded" -eq 0 ] && [ "$lost" -eq 0 ] &&
		[ "$(<"$share/$1.status")" -eq 0 ] && ! grep -q '^UNKNOWN' "$share/$1.log"
}

# lines KIND LOG
lines()
{
	grep -cE "^($1) " "$share/$2.log"
}

same_effects()
{
	results_of "$1"
	for group in access kept silent give-up half copies; do
		echo "$group:"
		diff "$share/$group.plain" <(grep -vE '^([0-9]+ instances|[a-z]+: )' "$share/$group.traced")
	done
	for group in kept give-up half; do
		diff "$share/$group.plain" "$share/$group.after"
	done
	# Three lines a form: it is run with all flags clear, with all set, and with interrupts off.
	[ "$(wc -l <"$share/access.plain")" -ge 1500 ]
	[ "$(wc -l <"$share/kept.plain")" -eq "$((3 * 43))" ]
	[ "$(wc -l <"$share/silent.plain")" -eq 9 ]
	[ "$(wc -l <"$share/give-up.plain")" -eq 9 ]
	[ "$(wc -l <"$share/half.plain")" -eq 24 ]
}

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
	# 200 elements of 8 bytes, upwards and downwards.
	grep -q '^rep_stosq rcx=0 rdi+=1600 ' "$share/access.traced"
	grep -q '^down_stosq rcx=0 rdi+=-1600 ' "$share/access.traced"
}

as_the_device_saw()
{
	results_of "$1"
	complete access
	run "$oracle" --phys "$(<"$share/edu")" "$share/access.log" "$share/device.2"
	echo "$output"
	[ "$status" -eq 0 ]
	echo "# $1: $output" >&3
	# Enough for every form on edu to be in it, the random ones, and 600 interrupts with 4 accesses each.
	run "$oracle" --count --phys "$(<"$share/edu")" "$share/device.2"
	[ "$output" -ge $((2500 + 3 * edu_count + 2400)) ]
	# A random instance differs from none.
	grep -qx "$edu_count instances, 0 different" "$share/access.traced"
}

# The pages of the strings, from the 48th on, are prepared by a mapping that is not traced. Their values are those of the
# random instances.
as_the_memory_was()
{
	local first

	results_of "$1"
	complete kept
	first=$(<"$share/ram")
	first=${first%-*}
	for log in access kept; do
		run awk -v ranges="$first-$(printf 0x%x $((first + 48 * 4096 - 1)))" -f "$BATS_TEST_DIRNAME/replay.awk" "$share/$log.log"
		echo "$log: $output"
		[ "$status" -eq 0 ]
	done
}

# of_form NAME LOG: the lines of the last of its three runs' accesses, "R|W width address-in-page"
of_form()
{
	awk -v name="form $1" '
	$1 == "R" || $1 == "W" { list = list $1 $2 "@" substr($5, length($5) - 2) " " }
	$1 == "MARK" {
		if (index($0, name) && substr($0, index($0, name)) == name)
			print list
		list = ""
	}' "$share/$2.log"
}

# shows NAME LOG ACCESSES...: between the writes that prepare the operand and the reads that look at it
shows()
{
	local all part="${*:3}"

	all=$(of_form "$1" "$2")
	echo "$1: $all"
	# Three times.
	[ "$(grep -oF "W8@01c $part R8@ffc R8@004" <<<"$all" | wc -l)" -eq 3 ]
}

# mmiotrace opens the page of the first fault, and the second one faults in its single step: an oops, which it announces
# as a "recursive probe hit" (kmmio_handler()).
crossing()
{
	results_of "$1"
	shows cross_add access R8@ffc W8@ffc
	shows cross_lock access R8@ffd W8@ffd
	shows cross_mov access R8@ffc
	shows cross_put access W8@ffc
	shows cross_mov_w access R2@fff
	shows cross_put_l access W4@ffd
	shows cross_movups access R8@ffc R8@004
	shows cross_movups_m access W8@ffc W8@004
	shows cross_vmovups access R8@ffc R8@004 R8@00c R8@014
	shows cross_vmovups_m access W8@ffc W8@004 W8@00c W8@014
	shows cross_movsd access R8@ffc
	shows cross_div access R4@ffe
	shows cross_push access R8@ffc
	shows cross_pop access W8@ffc
	shows cross_stos access W8@ffc
	shows cross_lods access R8@ffc
	shows cross_movs access R8@ffc
}

# mmiotrace takes the same end as at a page's edge: the second page faults in the step of the first. Within one page it
# logs one UNKNOWN for all elements.
both_sides()
{
	results_of "$1"
	complete kept
	for width in b:1 w:2 l:4 q:8; do
		bytes=${width#*:}
		# 200 elements, a read and a write each, three times; and three writes that prepare edu.
		all=$(of_form "rep_movs${width%:*}_both" kept)
		[ "$(grep -oE "R$bytes@[0-9a-f]{3} W$bytes@[0-9a-f]{3} " <<<"$all" | wc -l)" -eq 600 ]
		[ "$(wc -w <<<"$all")" -eq 1209 ]
	done
	[ "$(of_form rep_movs_edu_ram kept | grep -oE 'R8@0(80|88|90) W8@[0-9a-f]{3}' | wc -l)" -eq 9 ]
	[ "$(of_form rep_movs_ram_edu kept | grep -oE 'R8@[0-9a-f]{3} W8@0(80|88|90)' | wc -l)" -eq 9 ]
}

# One of the two pages has been given back: what crosses into the other one is still recorded, whole.
half_open()
{
	results_of "$1"
	[ "$(<"$share/half.status")" -eq 3 ]
	for way in first second; do
		[[ $(of_form "${way}_add" half) == *"R8@ffc W8@ffc "* ]]
		[[ $(of_form "${way}_load" half) == *"R8@ffc "* ]]
		[[ $(of_form "${way}_vec" half) == *"R8@ffc R8@004 "* ]]
		[[ $(of_form "${way}_stos" half) == *"W8@ffc "* ]]
	done
}

# x87 and masked moves are carried out, but their value is not told; the page stays armed.
silent()
{
	results_of "$1"
	[ "$(<"$share/silent.status")" -eq 3 ]
	verdict_read "$share/silent.err"
	[ "$verdict" = incomplete ]
	[ "$undecoded" -eq 9 ]
	[ "$lost" -eq 0 ]
	[ "$faults" -eq "$((accesses + undecoded))" ]
	[ "$(lines UNKNOWN silent)" -eq 9 ]
	# Five writes before and two reads behind each, as the page stays armed.
	[ "$accesses" -eq "$((9 * 7))" ]
	! grep -q 'no longer recorded' "$share/silent.err"
}

# What cannot be stepped gives its page back: reported once, and nothing of the page after it.
give_up()
{
	results_of "$1"
	[ "$(<"$share/give-up.status")" -eq 3 ]
	verdict_read "$share/give-up.err"
	[ "$verdict" = incomplete ]
	[ "$undecoded" -eq 3 ]
	[ "$lost" -eq 0 ]
	[ "$faults" -eq "$((accesses + undecoded))" ]
	[ "$(lines UNKNOWN give-up)" -eq 3 ]
	[ "$(grep -c 'no longer recorded' "$share/give-up.err")" -eq 3 ]
	# Each has a page of its own, with five writes before.
	[ "$accesses" -eq "$((3 * 5))" ]
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

random_instances()
{
	results_of "$1"
	cat "$share/random.traced"
	complete random
	same=$(awk '/ instances, 0 different$/ { n += $1 } END { print n + 0 }' "$share/random.traced")
	[ "$same" -eq "$random_count" ]
	awk '/^[RW] / { print $1, $2, $5, $6 }' "$share/random.log" >"$share/random.got"
	diff "$share/random.expected" "$share/random.got" | head -n 10
	cmp "$share/random.expected" "$share/random.got"
	[ "$(wc -l <"$share/random.got")" -ge "$random_count" ]
	echo "# $1: $random_count random instances of seed $seed, $(wc -l <"$share/random.got") accesses" >&3
}

# Each interrupt makes four accesses. Their values are in as_the_device_saw().
interrupts()
{
	results_of "$1"
	for kind in hardirq softirq nmi; do
		grep -qx "$kind: 0 wrong" "$share/access.traced"
	done
	# The first letters of the values: see context_run().
	for letter in 72 66 69; do
		[ "$(grep -cE "^W 8 .* 0x${letter}00000000[0-9a-f]{2} " "$share/access.log")" -ge 200 ]
	done
}

# The NMI's records may come before that of the access that it interrupted: the order is not that of the device then.
storm()
{
	results_of "$1"
	grep -qE '^[0-9]+ accesses of the loop, 0 wrong$' "$share/storm.traced"
	complete storm
	run "$oracle" --phys "$(<"$share/edu")" "$share/storm.log" "$share/device.3"
	echo "$output"
	[[ $output == *" 0 missing, 0 extra, 0 different"* ]]
	[ "$accesses" -ge 8000 ]
	echo "# $1: storm: $(<"$share/storm.traced"), ${output##*oracle: }" >&3
}

copies()
{
	results_of "$1"
	complete copies
	# There are short copies, and whole ones.
	grep -q '^to user, there: 0 left' "$share/copies.traced"
	grep -q '^from user, absent: 0 left' "$share/copies.traced"
	grep -qE '^to user, short: [1-9][0-9]* left' "$share/copies.traced"
	grep -q '^from user, none: 5097 left' "$share/copies.traced"
	# The 5,097 bytes of those that copy all of them.
	awk '$1 == "R" { r += $2 } $1 == "W" { w += $2 } END { exit !(r >= 2 * 5097 && w >= 2 * 5097) }' \
		"$share/copies.log"
	# What copy_run() left in both memories: byte n of the device is (n / 8 * 8) modulo 251, of the user 5n or 0.
	awk '
	function number(hex, n, i) {
		for (i = 3; i <= length(hex); i++)
			n = n * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
		return n
	}
	$1 == "R" || $1 == "W" {
		digits = substr($6, 3)
		at = number("0x" substr($5, length($5) - 3)) % 16384
		for (i = 0; i < $2; i++) {
			byte = number("0x0" substr(digits, length(digits) - 2 * i - 1, 2))
			n = at + i
			if ($1 == "R" ? byte != (n - n % 8) % 251 : byte && byte != 5 * n % 256)
				bad++
		}
	}
	END { print bad + 0 " wrong bytes"; exit bad > 0 }' "$share/copies.log"
}

@test "6.1: registers, flags and memory are as without a trace" { same_effects 6.1; }
@test "6.12: registers, flags and memory are as without a trace" { same_effects 6.12; }
@test "6.1-rt: registers, flags and memory are as without a trace" { same_effects 6.1-rt; }
@test "6.12-rt: registers, flags and memory are as without a trace" { same_effects 6.12-rt; }

@test "6.1: every access is recorded with the values that the device saw" { as_the_device_saw 6.1; }
@test "6.12: every access is recorded with the values that the device saw" { as_the_device_saw 6.12; }
@test "6.1-rt: every access is recorded with the values that the device saw" { as_the_device_saw 6.1-rt; }
@test "6.12-rt: every access is recorded with the values that the device saw" { as_the_device_saw 6.12-rt; }

@test "6.1: every access to memory has the value that was there" { as_the_memory_was 6.1; }
@test "6.12: every access to memory has the value that was there" { as_the_memory_was 6.12; }
@test "6.1-rt: every access to memory has the value that was there" { as_the_memory_was 6.1-rt; }
@test "6.12-rt: every access to memory has the value that was there" { as_the_memory_was 6.12-rt; }

@test "6.1: an access that crosses a page is one access, where mmiotrace oopses" { crossing 6.1; }
@test "6.12: an access that crosses a page is one access, where mmiotrace oopses" { crossing 6.12; }
@test "6.1-rt: an access that crosses a page is one access, where mmiotrace oopses" { crossing 6.1-rt; }
@test "6.12-rt: an access that crosses a page is one access, where mmiotrace oopses" { crossing 6.12-rt; }

@test "6.1: moves between devices have both sides, where mmiotrace oopses" { both_sides 6.1; }
@test "6.12: moves between devices have both sides, where mmiotrace oopses" { both_sides 6.12; }
@test "6.1-rt: moves between devices have both sides, where mmiotrace oopses" { both_sides 6.1-rt; }
@test "6.12-rt: moves between devices have both sides, where mmiotrace oopses" { both_sides 6.12-rt; }

@test "6.1: an access that crosses a page is recorded with one page given back" { half_open 6.1; }
@test "6.12: an access that crosses a page is recorded with one page given back" { half_open 6.12; }
@test "6.1-rt: an access that crosses a page is recorded with one page given back" { half_open 6.1-rt; }
@test "6.12-rt: an access that crosses a page is recorded with one page given back" { half_open 6.12-rt; }

@test "6.1: what has no known width is reported without its value" { silent 6.1; }
@test "6.12: what has no known width is reported without its value" { silent 6.12; }
@test "6.1-rt: what has no known width is reported without its value" { silent 6.1-rt; }
@test "6.12-rt: what has no known width is reported without its value" { silent 6.12-rt; }

@test "6.1: what cannot be stepped is reported, and its page given back" { give_up 6.1; }
@test "6.12: what cannot be stepped is reported, and its page given back" { give_up 6.12; }
@test "6.1-rt: what cannot be stepped is reported, and its page given back" { give_up 6.1-rt; }
@test "6.12-rt: what cannot be stepped is reported, and its page given back" { give_up 6.12-rt; }

@test "6.1: random instances do as without a trace, and are recorded with their values" { random_instances 6.1; }
@test "6.12: random instances do as without a trace, and are recorded with their values" { random_instances 6.12; }
@test "6.1-rt: random instances do as without a trace, and are recorded with their values" { random_instances 6.1-rt; }
@test "6.12-rt: random instances do as without a trace, and are recorded with their values" { random_instances 6.12-rt; }

@test "6.1: accesses in hard and soft interrupts and in NMIs are recorded" { interrupts 6.1; }
@test "6.12: accesses in hard and soft interrupts and in NMIs are recorded" { interrupts 6.12; }
@test "6.1-rt: accesses in hard and soft interrupts and in NMIs are recorded" { interrupts 6.1-rt; }
@test "6.12-rt: accesses in hard and soft interrupts and in NMIs are recorded" { interrupts 6.12-rt; }

@test "6.1: NMIs in the middle of accesses lose nothing and change nothing" { storm 6.1; }
@test "6.12: NMIs in the middle of accesses lose nothing and change nothing" { storm 6.12; }
@test "6.1-rt: NMIs in the middle of accesses lose nothing and change nothing" { storm 6.1-rt; }
@test "6.12-rt: NMIs in the middle of accesses lose nothing and change nothing" { storm 6.12-rt; }

@test "6.1: copies to and from user memory end as they do without a trace" { copies 6.1; }
@test "6.12: copies to and from user memory end as they do without a trace" { copies 6.12; }
@test "6.1-rt: copies to and from user memory end as they do without a trace" { copies 6.1-rt; }
@test "6.12-rt: copies to and from user memory end as they do without a trace" { copies 6.12-rt; }
