// SPDX-License-Identifier: GPL-2.0-only
/*
 * String instructions and movdir64b: two operands, each of which may be on an armed mapping.
 *
 * An element is read and written by one access each, of the width that the instruction has. After
 * some dozens of them the instruction is left to be started again, as an interrupt does it: so
 * interrupts come in between, and a fault takes a bounded time (Intel SDM volume 2, REP).
 *
 * The operand that is in ordinary memory may not be there. Nothing is done about it here, where
 * nothing may sleep: what was done so far stays, and the fault goes on as that operand's (hook.c).
 */
#include <linux/clocksource.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>
#include <asm/cpufeature.h>
#include <asm/tsc.h>

#include "emulate.h"
#include "trap.h"

#define BURST	64	/* elements in one fault */

/* Opcodes, as in struct insn. */
enum { STRING_MOVS = 0xa4, STRING_CMPS = 0xa6, STRING_STOS = 0xaa, STRING_LODS = 0xac,
       STRING_SCAS = 0xae };

enum { SIDE_SRC, SIDE_DST };

struct operand {
	u64 addr;
	u64 page;			/* that place.region is for; ~0: for none */
	int side;			/* alias window and record */
	struct trap_place place;	/* region NULL: in memory */
	struct mmiobpf_rec_access *rec;	/* begun for the region, NULL: not yet */
};

/*
 * The clock of a burst: read once, and from then on counted by the time stamp counter, which takes a
 * fraction of the time.
 */
struct burst_clock {
	u64 ns;
	u64 tsc;
};

static u32 tsc_mult, tsc_shift;		/* ticks to ns */

void trap_string_init(void)
{
	/* Not calibrated: the elements of a burst get the time of its start. */
	if (tsc_khz)
		clocks_calc_mult_shift(&tsc_mult, &tsc_shift, tsc_khz, NSEC_PER_MSEC, 60);
}

static u64 ticks_to_ns(u64 ticks)
{
	return (ticks * tsc_mult) >> tsc_shift;
}

static bool memory_is_canonical(u64 addr)
{
	return __is_canonical_address(addr, boot_cpu_data.x86_virt_bits);
}

static __always_inline bool nofault_read(u64 addr, u8 width, u64 *value)
{
	u8 v1;
	u16 v2;
	u32 v4;

	switch (width) {
	case 1:
		__get_kernel_nofault(&v1, (void *)addr, u8, fault);
		*value = v1;
		return true;
	case 2:
		__get_kernel_nofault(&v2, (void *)addr, u16, fault);
		*value = v2;
		return true;
	case 4:
		__get_kernel_nofault(&v4, (void *)addr, u32, fault);
		*value = v4;
		return true;
	default:
		__get_kernel_nofault(value, (void *)addr, u64, fault);
		return true;
	}
fault:
	return false;
}

static __always_inline bool nofault_write(u64 addr, u8 width, u64 value)
{
	switch (width) {
	case 1:
		__put_kernel_nofault((void *)addr, &value, u8, fault);
		return true;
	case 2:
		__put_kernel_nofault((void *)addr, &value, u16, fault);
		return true;
	case 4:
		__put_kernel_nofault((void *)addr, &value, u32, fault);
		return true;
	default:
		__put_kernel_nofault((void *)addr, &value, u64, fault);
		return true;
	}
fault:
	return false;
}

/* The driver opened user memory for itself, or SMAP would have stopped it (SDM volume 3, 4.6.1). */
bool trap_user_allowed(const struct pt_regs *regs)
{
	return !cpu_feature_enabled(X86_FEATURE_SMAP) || (regs->flags & X86_EFLAGS_AC);
}

static __always_inline bool nofault_access(u64 addr, u8 width, u64 *value, bool write)
{
	return write ? nofault_write(addr, width, *value) : nofault_read(addr, width, value);
}

/* Memory that may not be there, of kernel or user. False: it is not. */
static bool memory_access(const struct trap *t, u64 addr, u8 width, u64 *value, bool write)
{
	bool user = trap_operand_is_user(addr, width);
	bool done = false;

	if (!memory_is_canonical(addr) || (!user && addr < TASK_SIZE_MAX) ||
	    (user && !trap_user_allowed(t->regs)))
		return false;
	/* So that a fault in here ends at its fixup. */
	pagefault_disable();
	if (!user) {
		done = nofault_access(addr, width, value, write);
	} else if (user_access_begin((void __user *)addr, width)) {
		done = nofault_access(addr, width, value, write);
		user_access_end();
	}
	pagefault_enable();
	return done;
}

static bool operand_fails(struct trap *t, u64 addr, bool write)
{
	t->other->faults = true;
	t->other->addr = addr;
	t->other->write = write;
	t->other->width = t->insn->width;
	return false;
}

static void operand_locate(struct operand *o)
{
	u64 page = o->addr & PAGE_MASK;

	if (o->page != page) {
		struct region *r = arm_find(o->addr);

		if (r && !r->armed)
			r = NULL;
		if (r != o->place.region)
			o->rec = NULL;
		o->place.region = r;
		o->page = page;
	}
	if (o->place.region)
		place_set(&o->place, o->addr);
}

/* What differs from element to element; the rest is filled in once. */
static struct mmiobpf_rec_access *element_begin(struct trap *t, struct operand *o,
						const struct burst_clock *clock, u64 tsc0, u64 tsc1,
						u8 dir)
{
	struct mmiobpf_rec_access *a = o->rec;
	u64 now = clock->ns + ticks_to_ns(tsc0 - clock->tsc);

	if (!a) {
		a = o->rec = access_begin(t, &o->place, o->side, now);
		a->dir = dir;
	} else {
		a->hdr.time_ns = now;
		a->phys = o->place.phys;
		a->bar_off = arm_bar_offset(o->place.region, o->place.phys);
	}
	a->latency_ns = min_t(u64, ticks_to_ns(tsc1 - tsc0), U32_MAX);
	trap_count(elements);
	return a;
}

static bool operand_read(struct trap *t, struct operand *o, const struct burst_clock *clock,
			 u64 *value)
{
	u8 width = t->insn->width;
	struct mmiobpf_rec_access *a;
	u64 t0, t1;
	void *p;

	if (!o->place.region)
		return memory_access(t, o->addr, width, value, false) ||
		       operand_fails(t, o->addr, false);
	if (o->addr + width > o->place.region->end)
		return operand_fails(t, o->place.region->end, false);
	p = place_alias(t, &o->place, o->side, width);
	t0 = rdtsc_ordered();
	*value = device_read(p, width);
	t1 = rdtsc_ordered();
	a = element_begin(t, o, clock, t0, t1, MMIOBPF_DIR_READ);
	access_set_before(a, *value);
	access_emit(t, a);
	return true;
}

static bool operand_write(struct trap *t, struct operand *o, const struct burst_clock *clock,
			  u64 value)
{
	u8 width = t->insn->width;
	struct mmiobpf_rec_access *a;
	u64 t0, t1;
	void *p;

	if (!o->place.region)
		return memory_access(t, o->addr, width, &value, true) ||
		       operand_fails(t, o->addr, true);
	if (o->addr + width > o->place.region->end)
		return operand_fails(t, o->place.region->end, true);
	p = place_alias(t, &o->place, o->side, width);
	t0 = rdtsc_ordered();
	device_write(p, width, value);
	t1 = rdtsc_ordered();
	a = element_begin(t, o, clock, t0, t1, MMIOBPF_DIR_WRITE);
	access_set_after(a, insn_value_cut(value, width));
	access_emit(t, a);
	return true;
}

static void pointer_add(unsigned long *reg, s64 by, u8 addrsize)
{
	*reg = insn_value_cut(*reg + by, addrsize);
}

struct string_run {
	struct operand src;
	struct operand dst;
	struct burst_clock clock;
	bool uses_src;
	bool uses_dst;
	bool compares;
	bool equal;			/* what the last comparison found */
};

/* One element, without what it does to pointers and count. */
static bool element_carry_out(struct trap *t, struct string_run *run)
{
	struct operand *src = &run->src, *dst = &run->dst;
	struct pt_regs *regs = t->regs;
	u8 width = t->insn->width;
	u64 a, b;

	switch (t->insn->string_op) {
	case STRING_MOVS:
		/* Known not to be there: the device must not be read once more for it. */
		if (!dst->place.region && trap_operand_refused(dst->addr, width))
			return operand_fails(t, dst->addr, true);
		return operand_read(t, src, &run->clock, &a) &&
		       operand_write(t, dst, &run->clock, a);
	case STRING_STOS:
		return operand_write(t, dst, &run->clock, regs->ax);
	case STRING_LODS:
		if (!operand_read(t, src, &run->clock, &a))
			return false;
		if (width < 4)
			a |= regs->ax & ~insn_value_cut(~0ULL, width);
		regs->ax = a;
		return true;
	case STRING_CMPS:
		if (!operand_read(t, src, &run->clock, &a) ||
		    !operand_read(t, dst, &run->clock, &b))
			return false;
		break;
	default:
		a = regs->ax;
		if (!operand_read(t, dst, &run->clock, &b))
			return false;
		break;
	}
	regs->flags = emulate_compare(width, a, b, regs->flags);
	run->equal = regs->flags & X86_EFLAGS_ZF;
	return true;
}

static void string_run_init(struct string_run *run, const struct trap *t)
{
	const struct insn *in = t->insn;
	u8 op = in->string_op;

	*run = (struct string_run){
		.src = { .addr = insn_value_cut(t->regs->si, in->addrsize) + trap_segment_base(in),
			 .page = ~0ULL, .side = SIDE_SRC },
		.dst = { .addr = insn_value_cut(t->regs->di, in->addrsize),
			 .page = ~0ULL, .side = SIDE_DST },
		.uses_src = op == STRING_MOVS || op == STRING_LODS || op == STRING_CMPS,
		.uses_dst = op != STRING_LODS,
		.compares = op == STRING_CMPS || op == STRING_SCAS,
	};
}

static void string_locate(struct string_run *run)
{
	if (run->uses_src)
		operand_locate(&run->src);
	if (run->uses_dst)
		operand_locate(&run->dst);
}

static bool operand_covers(const struct operand *o, u64 addr, u8 width)
{
	return addr - o->addr < width && o->place.region;
}

/* Up to @most elements. Returns how many, and sets @ended when a comparison says so. */
static u64 string_carry_out(struct trap *t, struct string_run *run, u64 most, s64 by, bool *ended)
{
	u64 n = 0;

	run->clock.tsc = rdtsc_ordered();
	run->clock.ns = ktime_get_mono_fast_ns();
	while (n < most) {
		string_locate(run);
		if (!element_carry_out(t, run))
			break;
		n++;
		run->src.addr += by;
		run->dst.addr += by;
		if (run->compares && run->equal != (t->insn->rep == INSN_REP)) {
			*ended = true;
			break;
		}
	}
	return n;
}

u8 trap_string(struct trap *t)
{
	const struct insn *in = t->insn;
	struct pt_regs *regs = t->regs;
	s64 by = regs->flags & X86_EFLAGS_DF ? -(s64)in->width : in->width;
	u64 count = in->rep ? insn_value_cut(regs->cx, in->addrsize) : 1;
	struct string_run run;
	bool ended = false;
	u64 n;

	string_run_init(&run, t);
	string_locate(&run);
	if (!operand_covers(&run.src, t->at.addr, in->width) &&
	    !operand_covers(&run.dst, t->at.addr, in->width))
		return MMIOBPF_WHY_ADDRESS;
	trap_count(strings);
	/* Pointers of 32 bits may wrap at any of them. */
	n = string_carry_out(t, &run, min_t(u64, count, in->addrsize == 4 ? 1 : BURST), by, &ended);

	if (run.uses_src)
		pointer_add(&regs->si, n * by, in->addrsize);
	if (run.uses_dst)
		pointer_add(&regs->di, n * by, in->addrsize);
	if (in->rep)
		pointer_add(&regs->cx, -(s64)n, in->addrsize);
	/* An operand that is not there is a matter of the next fault, when something was done. */
	if (n)
		t->other->faults = false;
	if (n == count || ended)
		trap_advance(t);
	return MMIOBPF_WHY_NONE;
}

/* --- movdir64b, enqcmds --- */

static bool direct64_read(struct trap *t, u64 addr, const struct burst_clock *clock,
			  u64 words[OPERAND_WORDS])
{
	struct operand src = { .addr = addr, .page = ~0ULL, .side = SIDE_SRC };
	struct mmiobpf_rec_access *a;
	u64 t0, t1;
	void *p;
	int i;

	operand_locate(&src);
	if (!src.place.region) {
		for (i = 0; i < OPERAND_WORDS; i++)
			if (!memory_access(t, addr + i * 8, 8, &words[i], false))
				return operand_fails(t, addr + i * 8, false);
		return true;
	}
	if (addr + OPERAND_MAX > src.place.region->end)
		return operand_fails(t, src.place.region->end, false);
	p = place_alias(t, &src.place, SIDE_SRC, OPERAND_MAX);
	t0 = rdtsc_ordered();
	for (i = 0; i < OPERAND_WORDS; i++)
		words[i] = device_read(p + i * 8, 8);
	t1 = rdtsc_ordered();
	a = element_begin(t, &src, clock, t0, t1, MMIOBPF_DIR_READ);
	access_set_before(a, words[0]);
	memcpy(((struct mmiobpf_rec_access_wide *)a)->before, words, OPERAND_MAX);
	access_emit(t, a);
	return true;
}

/* By the same instruction: nothing else writes 64 bytes at once, or hears of the queue's answer. */
static void direct64_write(struct trap *t, void *p, const u64 words[OPERAND_WORDS])
{
	bool retry;

	if (t->insn->op == INSN_MOVDIR64B) {
		asm volatile(".byte 0x66, 0x0f, 0x38, 0xf8, 0x02"	/* movdir64b (%rdx), %rax */
			     : : "a"(p), "d"(words) : "memory");
		return;
	}
	asm volatile(".byte 0xf3, 0x0f, 0x38, 0xf8, 0x02"		/* enqcmds (%rdx), %rax */
		     : "=@ccz"(retry) : "a"(p), "d"(words) : "memory");
	/* The other arithmetic flags are cleared (SDM volume 2, ENQCMDS). */
	t->regs->flags &= ~(unsigned long)(X86_EFLAGS_CF | X86_EFLAGS_PF | X86_EFLAGS_AF |
					   X86_EFLAGS_ZF | X86_EFLAGS_SF | X86_EFLAGS_OF);
	if (retry)
		t->regs->flags |= X86_EFLAGS_ZF;
}

u8 trap_direct64(struct trap *t, const u64 regs[16])
{
	const struct insn *in = t->insn;
	struct operand dst = { .page = ~0ULL, .side = SIDE_DST };
	struct burst_clock clock = { .ns = ktime_get_mono_fast_ns(), .tsc = rdtsc_ordered() };
	u64 words[OPERAND_WORDS] __aligned(OPERAND_MAX);
	struct mmiobpf_rec_access *a;
	u64 t0, t1;
	void *p;

	dst.addr = insn_value_cut(regs[in->reg & 15], in->addrsize);
	operand_locate(&dst);
	/*
	 * To memory it may fault half way, which only the instruction itself gets right. enqcmd is
	 * for user space, with its process's address space.
	 */
	if (!dst.place.region || (dst.addr & (OPERAND_MAX - 1)) || in->op == INSN_ENQCMD)
		return MMIOBPF_WHY_OPERAND;
	trap_count(strings);
	if (!direct64_read(t, insn_effective_address(in, regs, t->regs->ip + in->len,
						     trap_segment_base(in)), &clock, words))
		return MMIOBPF_WHY_NONE;
	p = place_alias(t, &dst.place, SIDE_DST, OPERAND_MAX);
	t0 = rdtsc_ordered();
	direct64_write(t, p, words);
	t1 = rdtsc_ordered();
	a = element_begin(t, &dst, &clock, t0, t1, MMIOBPF_DIR_WRITE);
	access_set_after(a, words[0]);
	memcpy(((struct mmiobpf_rec_access_wide *)a)->after, words, OPERAND_MAX);
	access_emit(t, a);
	trap_advance(t);
	return MMIOBPF_WHY_NONE;
}
