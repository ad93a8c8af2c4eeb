// SPDX-License-Identifier: GPL-2.0-only
/*
 * The trap: what happens between a driver's instruction on an armed page and the next one.
 *
 *   driver:   mov %eax,(%rbx)          page not present
 *      |
 *   #PF -> fixup_exception(regs, X86_TRAP_PF, error, address)
 *      |        hooked by ftrace; the hook lets it return 1, "fixed"
 *      |
 *      +- mov family: carry the access out through the alias window, set registers and ip
 *      |
 *      +- others:     base register -> alias window or a copy of the value, set TF, clear IF
 *      |                 the instruction runs once, then #DB: registers and flags put right
 *      |
 *      +- the rest:   open the entry for good, report UNKNOWN: the instruction runs untraced
 *
 * The page itself stays closed in the first two, so no access of another CPU can pass unseen.
 *
 * Integer instructions of known operand width are stepped on a copy: the value is read from the
 * device first, the instruction works on the copy, and what it left there is written back. So a
 * read-modify-write shows both values. The device sees the same read and write as without us.
 *
 * Everything here runs with interrupts off, takes no lock, allocates nothing and does not loop.
 */
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
static u64 segment_base(const struct insn *in)
{
	u64 base = 0;

	if (in->segment == 0x65)
		rdmsrl(MSR_GS_BASE, base);
	else if (in->segment == 0x64)
		rdmsrl(MSR_FS_BASE, base);
	return base;
}

static void trap_emulate(struct trap *t, const u64 r[16])
{
	struct mmiobpf_rec_access *a = &t->cpu->access[t->window];
	const struct insn *in = t->insn;
	void *p = trap_alias(t, in->width);
	bool store = in->class == INSN_STORE_REG || in->class == INSN_STORE_IMM;
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
	access_begin(t, t0);
	a->latency_ns = min_t(u64, t1 - t0, U32_MAX);
	a->how = MMIOBPF_HOW_EMULATED;
	if (store) {
		a->dir = MMIOBPF_DIR_WRITE;
		a->flags |= MMIOBPF_ACC_AFTER;
		a->after = value;
	} else {
		u64 out[16];

		a->dir = MMIOBPF_DIR_READ;
		a->flags |= MMIOBPF_ACC_BEFORE;
		a->before = value;
		out[in->reg & 15] = r[in->reg & 15];
		emulate_load(in, out, value);
		*reg_ptr(t->regs, in->reg) = out[in->reg & 15];
	}
	t->regs->ip += in->len;
	/* Set by the fault, so that a breakpoint on this instruction is not hit again; not on the next. */
	t->regs->flags &= ~(unsigned long)X86_EFLAGS_RF;
	trap_count(emulated);
	rec_emit(&a->hdr);
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
	rec_emit(&t->cpu->unknown[t->window].hdr);
	arm_give_back(t->region, t->addr);
	return arm_is_present(t->addr);
}

/* Stands for what could not be decoded. */
static const struct insn insn_unknown;

static const struct insn *trap_decode(struct trap *t)
{
	unsigned long ip = t->regs->ip;
	struct trap_decoded *d;
	u64 words[COPY_BYTES / 8];

	d = &t->cpu->decoded[t->window][(ip ^ ip >> 6) % DECODED_ENTRIES];
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

static u8 trap_carry_out(struct trap *t)
{
	const struct insn *in = trap_decode(t);
	u64 r[16];

	t->insn = in ? in : &insn_unknown;
	if (!in)
		return MMIOBPF_WHY_DECODE;
	t->nbytes = in->len;
	if (in->class == INSN_STRING)
		return MMIOBPF_WHY_NO_BASE;
	regs_load(t->regs, r);
	if (insn_effective_address(in, r, t->regs->ip + in->len, segment_base(in)) != t->addr)
		return MMIOBPF_WHY_ADDRESS;
	if (t->addr + (in->width ? in->width : OPERAND_MAX) > t->region->end)
		return MMIOBPF_WHY_EDGE;
	switch (in->class) {
	case INSN_STORE_REG:
	case INSN_STORE_IMM:
	case INSN_LOAD:
	case INSN_LOAD_ZX:
	case INSN_LOAD_SX:
		trap_emulate(t, r);
		return MMIOBPF_WHY_NONE;
	default:
		return step_start(t);
	}
}

/*
 * A not-present fault of the kernel in the vmalloc area. True: handled, go on. False: none of ours.
 * A region may have been given back between the fault and here: then the entry is open, and the
 * access succeeds when it is tried again.
 */
bool trap_fault(struct pt_regs *regs, u64 addr)
{
	struct trap t;
	u8 why;

	t.region = arm_find(addr);
	if (!t.region || !t.region->armed) {
		bool present = arm_is_present(addr);

		if (present)
			trap_count(retried);
		else
			trap_count(foreign);
		return present;
	}
	t.regs = regs;
	t.addr = addr;
	t.phys = t.region->phys + (addr - t.region->start);
	t.cpu = this_cpu_ptr(trap_cpus);
	t.window = in_nmi() ? ALIAS_NMI : ALIAS_NORMAL;
	why = trap_carry_out(&t);
	return why ? trap_give_up(&t, why) : true;
}
