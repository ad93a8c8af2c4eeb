// SPDX-License-Identifier: GPL-2.0-only
/*
 * The single step: an instruction that is not emulated runs once with its base register redirected,
 * to the alias window or to a copy of the value, and the debug trap puts everything right.
 */
#include <linux/kdebug.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/timekeeping.h>
#include <asm/debugreg.h>
#include <asm/msr.h>

#include "trap.h"

/*
 * Held from the read to the write back of a locked instruction, with interrupts off and never in an
 * NMI: so that two CPUs' locked instructions do not come between each other's halves. A plain store of
 * another CPU, or a write of the device, still may.
 */
static DEFINE_RAW_SPINLOCK(step_lock);

/*
 * Not in an NMI: the debug trap has a stack of its own, which it enters at the top. The kernel keeps
 * debug traps out of NMIs for that reason, as the NMI may have come in the middle of another one.
 */
static u8 step_refusal(const struct trap *t, const struct trap_step *st)
{
	const struct insn *in = t->insn;

	if (st->active || t->window == ALIAS_NMI)
		return MMIOBPF_WHY_BUSY;
	if (in->base == INSN_NO_REG || in->rip_relative || in->segment || in->addrsize != 8 ||
	    in->base == INSN_RSP)
		return MMIOBPF_WHY_NO_BASE;
	if (in->index == in->base || (in->src_regs & (1u << in->base)))
		return MMIOBPF_WHY_OPERAND;
	return MMIOBPF_WHY_NONE;
}

/*
 * The kernel may run with DEBUGCTL.BTF on while a user task is block-stepped; TF would then trap at
 * the next branch only. The debug trap's entry code sets it again by TIF_BLOCKSTEP (SDM volume 3,
 * 17.4.3).
 */
static void step_clear_btf(void)
{
	u64 debugctl;

	if (!test_thread_flag(TIF_BLOCKSTEP))
		return;
	rdmsrl(MSR_IA32_DEBUGCTLMSR, debugctl);
	wrmsrl(MSR_IA32_DEBUGCTLMSR, debugctl & ~(u64)DEBUGCTLMSR_BTF);
}

/* Reports at the start what is known then; the debug trap adds the values and emits. */
static void step_prepare_record(struct trap *t, const struct trap_step *st, u64 t0)
{
	struct mmiobpf_rec_access *a = &t->cpu->access[t->window];

	if (!st->on_copy) {
		unknown_fill(t, MMIOBPF_WHY_NO_VALUE, MMIOBPF_HOW_STEPPED);
		return;
	}
	access_begin(t, t0);
	a->dir = st->dir;
	a->how = MMIOBPF_HOW_STEPPED;
}

u8 step_start(struct trap *t)
{
	struct trap_step *st = &t->cpu->step;
	const struct insn *in = t->insn;
	struct pt_regs *regs = t->regs;
	unsigned long *base;
	u64 t0;
	u8 why = step_refusal(t, st);

	if (why)
		return why;

	st->alias = trap_alias(t, in->width ? in->width : OPERAND_MAX);
	st->on_copy = in->width && in->width <= sizeof(u64) && in->dir;
	st->locked = in->lock;
	if (st->locked)
		raw_spin_lock(&step_lock);
	st->width = in->width;
	st->dir = in->dir;
	st->base = in->base;
	st->dst_is_base = !!(in->dst_regs & (1u << in->base));
	st->opsize = in->opsize;
	st->before = 0;
	st->t_read = 0;
	t0 = ktime_get_mono_fast_ns();
	if (st->on_copy && (in->dir & MMIOBPF_DIR_READ)) {
		st->before = device_read(st->alias, in->width);
		st->t_read = ktime_get_mono_fast_ns() - t0;
	}
	st->copy[0] = st->before;
	step_prepare_record(t, st, t0);

	base = reg_ptr(regs, in->base);
	st->base_value = *base;
	*base += (st->on_copy ? (u64)st->copy : (u64)st->alias) - t->addr;
	st->base_redirected = *base;
	st->flags = regs->flags & (X86_EFLAGS_TF | X86_EFLAGS_IF);
	regs->flags |= X86_EFLAGS_TF;
	regs->flags &= ~(unsigned long)X86_EFLAGS_IF;
	step_clear_btf();
	st->active = true;
	return MMIOBPF_WHY_NONE;
}

/*
 * The base register gets its value back, or what the instruction loaded into it, or part of that.
 */
static unsigned long step_base_after(const struct trap_step *st, unsigned long now)
{
	if (!st->dst_is_base || now == st->base_redirected)
		return st->base_value;
	switch (st->opsize) {
	case 1: return (st->base_value & ~0xfful) | (now & 0xff);
	case 2: return (st->base_value & ~0xfffful) | (now & 0xffff);
	case 4:
		/* A conditional 32-bit load that was not taken still clears the upper half. */
		if (now == (u32)st->base_redirected)
			return (u32)st->base_value;
		return now;
	default: return now;
	}
}

static void step_finish_copy(struct trap_step *st, struct mmiobpf_rec_access *a)
{
	u64 ns = st->t_read;

	if (st->dir & MMIOBPF_DIR_READ) {
		a->before = st->before;
		a->flags |= MMIOBPF_ACC_BEFORE;
	}
	if (st->dir & MMIOBPF_DIR_WRITE) {
		u64 t0 = ktime_get_mono_fast_ns();

		a->after = value_cut(st->copy[0], st->width);
		a->flags |= MMIOBPF_ACC_AFTER;
		device_write(st->alias, st->width, a->after);
		ns += ktime_get_mono_fast_ns() - t0;
	}
	a->latency_ns = min_t(u64, ns, U32_MAX);
}

static void step_finish(struct trap_cpu *cpu, struct pt_regs *regs)
{
	struct trap_step *st = &cpu->step;
	unsigned long *base = reg_ptr(regs, st->base);

	st->active = false;
	*base = step_base_after(st, *base);
	regs->flags &= ~(unsigned long)(X86_EFLAGS_TF | X86_EFLAGS_IF);
	regs->flags |= st->flags;
	if (st->on_copy)
		step_finish_copy(st, &cpu->access[ALIAS_NORMAL]);
	if (st->locked)
		raw_spin_unlock(&step_lock);
	if (st->on_copy) {
		trap_count(stepped);
		rec_emit(&cpu->access[ALIAS_NORMAL].hdr);
	} else {
		trap_count(undecoded);
		rec_emit(&cpu->unknown[ALIAS_NORMAL].hdr);
	}
}

static int step_notify(struct notifier_block *nb, unsigned long val, void *data)
{
	struct die_args *args = data;
	unsigned long *dr6;
	struct trap_cpu *cpu;

	if (val != DIE_DEBUG)
		return NOTIFY_DONE;
	dr6 = (unsigned long *)ERR_PTR(args->err);
	if (!(*dr6 & DR_STEP))
		return NOTIFY_DONE;
	cpu = this_cpu_ptr(trap_cpus);
	if (!cpu->step.active)
		return NOTIFY_DONE;
	step_finish(cpu, args->regs);
	*dr6 &= ~DR_STEP;
	/* A breakpoint that was hit at the same time is for others to handle. */
	return *dr6 & DR_TRAP_BITS ? NOTIFY_DONE : NOTIFY_STOP;
}

struct notifier_block step_notifier = {
	.notifier_call = step_notify,
	.priority = INT_MAX,
};
