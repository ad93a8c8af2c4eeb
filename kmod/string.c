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
#include <linux/timekeeping.h>
#include <linux/uaccess.h>
#include <asm/cpufeature.h>

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
};

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

		o->place.region = r && r->armed ? r : NULL;
		o->page = page;
	}
	if (o->place.region)
		place_set(&o->place, o->addr);
}

static struct mmiobpf_rec_access *element_begin(struct trap *t, const struct operand *o, u64 t0,
						u64 t1, u8 dir)
{
	struct mmiobpf_rec_access *a = access_begin(t, &o->place, o->side, t0);

	a->dir = dir;
	a->latency_ns = min_t(u64, t1 - t0, U32_MAX);
	trap_count(elements);
	return a;
}

static bool operand_read(struct trap *t, struct operand *o, u64 *value)
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
	t0 = ktime_get_mono_fast_ns();
	*value = device_read(p, width);
	t1 = ktime_get_mono_fast_ns();
	a = element_begin(t, o, t0, t1, MMIOBPF_DIR_READ);
	access_set_before(a, *value);
	rec_emit(&a->hdr);
	return true;
}

static bool operand_write(struct trap *t, struct operand *o, u64 value)
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
	t0 = ktime_get_mono_fast_ns();
	device_write(p, width, value);
	t1 = ktime_get_mono_fast_ns();
	a = element_begin(t, o, t0, t1, MMIOBPF_DIR_WRITE);
	access_set_after(a, insn_value_cut(value, width));
	rec_emit(&a->hdr);
	return true;
}

static void pointer_add(unsigned long *reg, s64 by, u8 addrsize)
{
	*reg = insn_value_cut(*reg + by, addrsize);
}

/* One element, without what it does to the pointers. @equal: of cmps and scas. */
static bool element_carry_out(struct trap *t, struct operand *src, struct operand *dst, bool *equal)
{
	struct pt_regs *regs = t->regs;
	u8 width = t->insn->width;
	u64 a, b;

	switch (t->insn->string_op) {
	case STRING_MOVS:
		/* Known not to be there: the device must not be read once more for it. */
		if (!dst->place.region && trap_operand_refused(dst->addr, width))
			return operand_fails(t, dst->addr, true);
		return operand_read(t, src, &a) && operand_write(t, dst, a);
	case STRING_STOS:
		return operand_write(t, dst, regs->ax);
	case STRING_LODS:
		if (!operand_read(t, src, &a))
			return false;
		if (width < 4)
			a |= regs->ax & ~insn_value_cut(~0ULL, width);
		regs->ax = a;
		return true;
	case STRING_CMPS:
		if (!operand_read(t, src, &a) || !operand_read(t, dst, &b))
			return false;
		break;
	default:
		a = regs->ax;
		if (!operand_read(t, dst, &b))
			return false;
		break;
	}
	regs->flags = emulate_compare(width, a, b, regs->flags);
	*equal = regs->flags & X86_EFLAGS_ZF;
	return true;
}

static bool string_reads_src(u8 op)
{
	return op == STRING_MOVS || op == STRING_LODS || op == STRING_CMPS;
}

static bool string_compares(u8 op)
{
	return op == STRING_CMPS || op == STRING_SCAS;
}

/* After an element: pointers and count. True when there is another one. */
static bool string_advance(struct trap *t, bool equal)
{
	const struct insn *in = t->insn;
	struct pt_regs *regs = t->regs;
	s64 by = regs->flags & X86_EFLAGS_DF ? -(s64)in->width : in->width;

	if (string_reads_src(in->string_op))
		pointer_add(&regs->si, by, in->addrsize);
	if (in->string_op != STRING_LODS)
		pointer_add(&regs->di, by, in->addrsize);
	if (!in->rep)
		return false;
	pointer_add(&regs->cx, -1, in->addrsize);
	if (!insn_value_cut(regs->cx, in->addrsize))
		return false;
	return !string_compares(in->string_op) || equal == (in->rep == INSN_REP);
}

static void string_locate(struct trap *t, struct operand *src, struct operand *dst)
{
	const struct insn *in = t->insn;
	u8 op = in->string_op;

	if (string_reads_src(op)) {
		src->addr = insn_value_cut(t->regs->si, in->addrsize) + trap_segment_base(in);
		operand_locate(src);
	}
	if (op != STRING_LODS) {
		dst->addr = insn_value_cut(t->regs->di, in->addrsize);
		operand_locate(dst);
	}
}

static bool operand_covers(const struct operand *o, u64 addr, u8 width)
{
	return addr - o->addr < width && o->place.region;
}

u8 trap_string(struct trap *t)
{
	struct operand src = { .page = ~0ULL, .side = SIDE_SRC };
	struct operand dst = { .page = ~0ULL, .side = SIDE_DST };
	const struct insn *in = t->insn;
	bool more = true;
	int n;

	string_locate(t, &src, &dst);
	if (!operand_covers(&src, t->at.addr, in->width) &&
	    !operand_covers(&dst, t->at.addr, in->width))
		return MMIOBPF_WHY_ADDRESS;
	trap_count(strings);
	for (n = 0; n < BURST && more; n++) {
		bool equal = false;

		if (n)
			string_locate(t, &src, &dst);
		if (!element_carry_out(t, &src, &dst, &equal))
			break;
		more = string_advance(t, equal);
	}
	/* An operand that is not there is a matter of the next fault, when something was done. */
	if (n)
		t->other->faults = false;
	if (!more)
		trap_advance(t);
	return MMIOBPF_WHY_NONE;
}

/* --- movdir64b, enqcmds --- */

static bool direct64_read(struct trap *t, u64 addr, u64 words[OPERAND_WORDS])
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
	t0 = ktime_get_mono_fast_ns();
	for (i = 0; i < OPERAND_WORDS; i++)
		words[i] = device_read(p + i * 8, 8);
	t1 = ktime_get_mono_fast_ns();
	a = element_begin(t, &src, t0, t1, MMIOBPF_DIR_READ);
	access_set_before(a, words[0]);
	memcpy(((struct mmiobpf_rec_access_wide *)a)->before, words, OPERAND_MAX);
	rec_emit(&a->hdr);
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
						     trap_segment_base(in)), words))
		return MMIOBPF_WHY_NONE;
	p = place_alias(t, &dst.place, SIDE_DST, OPERAND_MAX);
	t0 = ktime_get_mono_fast_ns();
	direct64_write(t, p, words);
	t1 = ktime_get_mono_fast_ns();
	a = element_begin(t, &dst, t0, t1, MMIOBPF_DIR_WRITE);
	access_set_after(a, words[0]);
	memcpy(((struct mmiobpf_rec_access_wide *)a)->after, words, OPERAND_MAX);
	rec_emit(&a->hdr);
	trap_advance(t);
	return MMIOBPF_WHY_NONE;
}
