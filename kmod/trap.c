// SPDX-License-Identifier: GPL-2.0-only
/*
 * The trap: what happens between a driver's instruction on an armed page and the next one.
 *
 *   driver:   mov %eax,(%rbx)          page not present
 *      |
 *   #PF -> fixup_exception(regs, X86_TRAP_PF, error, address)
 *      |        hooked by ftrace; the hook lets it return 1, "fixed"
 *      |
 *      +- integer instructions: carry the access out through the alias window, set registers,
 *      |                 flags and ip (emulate.c)
 *      |
 *      +- strings:    the same, element by element (string.c)
 *      |
 *      +- others:     base register -> alias window or a copy of the value, set TF, clear IF
 *      |                 the instruction runs once, then #DB: registers and flags put right (step.c)
 *      |
 *      +- the rest:   open the entry for good, report UNKNOWN: the instruction runs untraced
 *
 * The page itself stays closed in all but the last, so no access of another CPU can pass unseen.
 *
 * Everything here runs with interrupts off, allocates nothing, and ends after a bounded number of
 * accesses. The one lock is that of the locked instructions.
 */
#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>
#include <asm/msr.h>

#include "trap.h"
#include "emulate.h"

struct trap_cpu __percpu *trap_cpus;

const u8 trap_reg_at[16] = {
	offsetof(struct pt_regs, ax), offsetof(struct pt_regs, cx), offsetof(struct pt_regs, dx),
	offsetof(struct pt_regs, bx), offsetof(struct pt_regs, sp), offsetof(struct pt_regs, bp),
	offsetof(struct pt_regs, si), offsetof(struct pt_regs, di), offsetof(struct pt_regs, r8),
	offsetof(struct pt_regs, r9), offsetof(struct pt_regs, r10), offsetof(struct pt_regs, r11),
	offsetof(struct pt_regs, r12), offsetof(struct pt_regs, r13), offsetof(struct pt_regs, r14),
	offsetof(struct pt_regs, r15),
};

/* Not a loop over reg_at[]: this is on the way of every access. */
static void regs_load(const struct pt_regs *regs, u64 r[16])
{
	r[0] = regs->ax;
	r[1] = regs->cx;
	r[2] = regs->dx;
	r[3] = regs->bx;
	r[4] = regs->sp;
	r[5] = regs->bp;
	r[6] = regs->si;
	r[7] = regs->di;
	r[8] = regs->r8;
	r[9] = regs->r9;
	r[10] = regs->r10;
	r[11] = regs->r11;
	r[12] = regs->r12;
	r[13] = regs->r13;
	r[14] = regs->r14;
	r[15] = regs->r15;
}

/*
 * The kernel's segments are flat but for gs, its per-CPU base (fs holds user space's). Nothing of a
 * driver is in either.
 */
u64 trap_segment_base(const struct insn *in)
{
	u64 base = 0;

	if (in->segment == 0x65)
		rdmsrl(MSR_GS_BASE, base);
	else if (in->segment == 0x64)
		rdmsrl(MSR_FS_BASE, base);
	return base;
}

static void trap_move(struct trap *t, const u64 r[16])
{
	const struct insn *in = t->insn;
	void *p = place_alias(t, &t->at, 0, in->width);
	bool store = in->class == INSN_STORE_REG || in->class == INSN_STORE_IMM;
	struct mmiobpf_rec_access *a;
	u64 t0, t1, value;

	if (store) {
		value = emulate_store_value(in, r);
		t0 = ktime_get_mono_fast_ns();
		device_write(p, in->width, value);
		t1 = ktime_get_mono_fast_ns();
	} else {
		t0 = ktime_get_mono_fast_ns();
		value = device_read(p, in->width);
		t1 = ktime_get_mono_fast_ns();
	}
	a = access_begin(t, &t->at, 0, t0);
	a->latency_ns = min_t(u64, t1 - t0, U32_MAX);
	if (store) {
		access_set_after(a, value);
	} else {
		u64 out[16];

		access_set_before(a, value);
		out[in->reg & 15] = r[in->reg & 15];
		emulate_load(in, out, value);
		*reg_ptr(t->regs, in->reg) = out[in->reg & 15];
	}
	trap_advance(t);
	trap_count(emulated);
	access_emit(t, a);
}

/*
 * Held from the read to the write back of a locked instruction, so that two CPUs' locked instructions
 * do not come between each other's halves. A plain store of another CPU, or a write of the device,
 * still may. An NMI may have interrupted the holder: it waits a while, and then goes on without.
 */
static DEFINE_RAW_SPINLOCK(lock_prefix_lock);

#define NMI_LOCK_TRIES	1000

static bool lock_prefix_enter(const struct trap *t)
{
	int i;

	if (t->context == ALIAS_NORMAL) {
		raw_spin_lock(&lock_prefix_lock);
		return true;
	}
	for (i = 0; i < NMI_LOCK_TRIES; i++) {
		if (raw_spin_trylock(&lock_prefix_lock))
			return true;
		cpu_relax();
	}
	return false;
}

static void place_read(void *p, u8 width, u64 words[2])
{
	if (width > sizeof(u64))
		wide_read(p, width, words);
	else
		words[0] = device_read(p, width);
}

static void place_write(void *p, u8 width, const u64 words[2])
{
	if (width > sizeof(u64))
		wide_write(p, width, words);
	else
		device_write(p, width, words[0]);
}

static void integer_report(struct trap *t, u64 t0, u64 latency, const u64 before[2],
			   const u64 after[2])
{
	struct mmiobpf_rec_access *a = access_begin(t, &t->at, 0, t0);
	struct mmiobpf_rec_access_wide *w = (void *)a;
	size_t bytes = t->insn->width;

	a->latency_ns = min_t(u64, latency, U32_MAX);
	if (a->dir & MMIOBPF_DIR_READ)
		access_set_before(a, before[0]);
	if (a->dir & MMIOBPF_DIR_WRITE)
		access_set_after(a, after[0]);
	if (bytes > sizeof(u64)) {
		memcpy(w->before, before, bytes);
		memcpy(w->after, after, bytes);
	}
	access_emit(t, a);
}

static void trap_integer(struct trap *t, struct emulate_cpu *c)
{
	const struct insn *in = t->insn;
	void *p = place_alias(t, &t->at, 0, in->width);
	u64 before[2] = {}, after[2] = {};
	u64 t0, t1, latency;
	bool locked = in->lock && lock_prefix_enter(t);
	unsigned int dst;

	t0 = ktime_get_mono_fast_ns();
	if (in->dir & MMIOBPF_DIR_READ)
		place_read(p, in->width, before);
	latency = ktime_get_mono_fast_ns() - t0;
	emulate_integer(in, c, before, after);
	if (in->dir & MMIOBPF_DIR_WRITE) {
		t1 = ktime_get_mono_fast_ns();
		place_write(p, in->width, after);
		latency += ktime_get_mono_fast_ns() - t1;
	}
	if (locked)
		raw_spin_unlock(&lock_prefix_lock);

	/* Before the registers change: it tells of the instruction. */
	trap_count(emulated);
	integer_report(t, t0, latency, before, after);
	for (dst = in->dst_regs; dst; dst &= dst - 1)
		*reg_ptr(t->regs, __builtin_ctz(dst)) = c->regs[__builtin_ctz(dst)];
	t->regs->flags = c->flags;
	trap_advance(t);
}

/*
 * clflush and its like make no access, but fault like one. The line of an alias is the same line:
 * caches go by the physical address. Any of them may be a plain clflush, which does more.
 */
static void trap_cache_line(struct trap *t)
{
	void *p = place_alias(t, &t->at, 0, 1);

	asm volatile("clflush %0" : "+m"(*(volatile char *)p));
	trap_advance(t);
	trap_count(retried);
}

/*
 * The instruction was fetched just now, so its bytes are mapped; those behind it need not be when
 * it ends near the end of a page.
 */
static size_t insn_fetch(u8 bytes[COPY_BYTES], unsigned long ip)
{
	size_t n = PAGE_SIZE - (ip & ~PAGE_MASK);

	if (likely(n >= COPY_BYTES)) {
		memcpy(bytes, (const void *)ip, COPY_BYTES);
		return INSN_MAX_LEN;
	}
	memset(bytes, 0, COPY_BYTES);
	memcpy(bytes, (const void *)ip, n);
	if (n < INSN_MAX_LEN &&
	    !copy_from_kernel_nofault(bytes + n, (const void *)ip + n, INSN_MAX_LEN - n))
		n = INSN_MAX_LEN;
	return n;
}

/* False when there is nothing to open: the driver uses a mapping that is gone, and must hear of it. */
static bool trap_give_up(struct trap *t, u8 why)
{
	unknown_fill(t, why, MMIOBPF_HOW_NONE);
	trap_count(undecoded);
	/* Reported first: nothing may come between the record and the untraced access. */
	unknown_emit(t);
	arm_give_back(t->at.region, t->at.addr);
	return arm_is_present(t->at.addr);
}

/* Stands for what could not be decoded. */
static const struct insn insn_unknown;

static const struct insn *trap_decode(struct trap *t)
{
	unsigned long ip = t->regs->ip;
	struct trap_decoded *d;
	u64 words[COPY_BYTES / 8];

	d = &t->cpu->decoded[t->context][(ip ^ ip >> 6) % DECODED_ENTRIES];
	t->nbytes = insn_fetch(t->bytes, ip);
	memcpy(words, t->bytes, sizeof(words));
	if (d->ip == ip && d->bytes[0] == words[0] && d->bytes[1] == words[1])
		return &d->insn;
	d->ip = 0;
	if (insn_decode(&d->insn, t->bytes, t->nbytes))
		return NULL;
	d->bytes[0] = words[0];
	d->bytes[1] = words[1];
	d->ip = ip;
	return &d->insn;
}

/*
 * Is the operand at @addr what the fault was about? One that crosses into a closed page from an open
 * one of the same mapping faults at the start of the closed page.
 */
static bool operand_matches(struct trap *t, u64 addr, u8 width)
{
	if (likely(addr == t->at.addr))
		return true;
	if (addr > t->at.addr || t->at.addr - addr >= width || addr < t->at.region->start)
		return false;
	place_set(&t->at, addr);
	return true;
}

/* What the instruction may touch at its operand. */
static u8 operand_bytes(const struct insn *in)
{
	if (in->width)
		return in->width;
	return in->class == INSN_CACHE_LINE ? 1 : OPERAND_MAX;
}

static u8 trap_carry_out(struct trap *t)
{
	const struct insn *in = trap_decode(t);
	struct emulate_cpu c;
	u64 addr;
	u8 width;

	t->insn = in ? in : &insn_unknown;
	if (!in)
		return MMIOBPF_WHY_DECODE;
	t->nbytes = in->len;
	if (in->class == INSN_STRING)
		return trap_string(t);
	regs_load(t->regs, c.regs);
	if (in->class == INSN_DIRECT64)
		return trap_direct64(t, c.regs);
	addr = insn_effective_address(in, c.regs, t->regs->ip + in->len, trap_segment_base(in));
	width = operand_bytes(in);
	if (!operand_matches(t, addr, width))
		return MMIOBPF_WHY_ADDRESS;
	if (t->at.addr + width > t->at.region->end)
		return MMIOBPF_WHY_EDGE;
	switch (in->class) {
	case INSN_STORE_REG:
	case INSN_STORE_IMM:
	case INSN_LOAD:
	case INSN_LOAD_ZX:
	case INSN_LOAD_SX:
		trap_move(t, c.regs);
		return MMIOBPF_WHY_NONE;
	case INSN_INTEGER:
		c.flags = t->regs->flags;
		trap_integer(t, &c);
		return MMIOBPF_WHY_NONE;
	case INSN_CACHE_LINE:
		trap_cache_line(t);
		return MMIOBPF_WHY_NONE;
	default:
		return step_start(t);
	}
}

/*
 * A region may have been given back between the fault and here: then the entry is open, and the
 * access succeeds when it is tried again.
 */
enum trap_end trap_fault(struct pt_regs *regs, u64 addr, struct trap_operand *other)
{
	struct trap t;
	u8 why;

	if (unlikely(!cpu_online(raw_smp_processor_id())))
		trap_count(unseen);
	t.at.region = arm_find(addr);
	if (!t.at.region || !t.at.region->armed) {
		bool present = arm_is_present(addr);

		if (present)
			trap_count(retried);
		else
			trap_count(foreign);
		return present ? TRAP_DONE : TRAP_NOT_OURS;
	}
	place_set(&t.at, addr);
	t.regs = regs;
	t.cpu = this_cpu_ptr(trap_cpus);
	t.context = in_nmi() ? ALIAS_NMI : ALIAS_NORMAL;
	t.other = other;
	other->faults = false;
	why = trap_carry_out(&t);
	if (!why)
		return other->faults ? TRAP_OTHER : TRAP_DONE;
	return trap_give_up(&t, why) ? TRAP_DONE : TRAP_NOT_OURS;
}
