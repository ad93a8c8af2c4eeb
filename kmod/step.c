// SPDX-License-Identifier: GPL-2.0-only
/*
 * The single step: an instruction that is not emulated runs once with its base register redirected,
 * and the debug trap puts everything right.
 *
 * Where the width of its operand is known, the instruction works on a copy: the value is read from
 * the device first, and what the instruction left in the copy is written back. So both values are
 * known, and the device sees the same read and write as without us. The copy is aligned as the operand
 * is, for instructions that ask for it. Otherwise the instruction works on the alias window, and its
 * value cannot be told.
 */
#include <linux/kdebug.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>
#include <asm/debugreg.h>
#include <asm/msr.h>

#include "trap.h"

/*
 * Not in an NMI: the debug trap has a stack of its own, which it enters at the top. The kernel keeps
 * debug traps out of NMIs for that reason, as the NMI may have come in the middle of another one.
 */
static u8 step_refusal(const struct trap *t, const struct trap_step *st)
{
	const struct insn *in = t->insn;

	if (st->active || t->context == ALIAS_NMI)
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

/* Reads the device, when the instruction does. */
static void step_prepare_copy(struct trap *t, struct trap_step *st)
{
	u64 t0 = ktime_get_mono_fast_ns();

	st->operand = (u8 *)st->copy + (t->at.addr & (OPERAND_MAX - 1));
	memset(st->before, 0, sizeof(st->before));
	if (st->dir & MMIOBPF_DIR_READ) {
		if (st->width > sizeof(u64))
			wide_read(st->alias, st->width, st->before);
		else
			st->before[0] = device_read(st->alias, st->width);
	}
	st->t_read = ktime_get_mono_fast_ns() - t0;
	memcpy(st->operand, st->before, sizeof(st->before));
	/* What is known now; the debug trap adds the values and emits. */
	access_begin(t, &t->at, 0, t0)->how = MMIOBPF_HOW_STEPPED;
}

static bool step_width_known(const struct insn *in)
{
	switch (in->width) {
	case 1: case 2: case 4: case 8: case 16: case 32: case 64:
		return in->dir;
	default:
		return false;
	}
}

u8 step_start(struct trap *t)
{
	struct trap_step *st = &t->cpu->step;
	const struct insn *in = t->insn;
	struct pt_regs *regs = t->regs;
	unsigned long *base;
	u8 why = step_refusal(t, st);

	if (why)
		return why;

	st->alias = place_alias(t, &t->at, 0, in->width ? in->width : OPERAND_MAX);
	st->width = in->width;
	st->dir = in->dir;
	st->base = in->base;
	st->dst_is_base = !!(in->dst_regs & (1u << in->base));
	st->opsize = in->opsize;
	st->on_copy = step_width_known(in);
	if (st->on_copy)
		step_prepare_copy(t, st);
	else
		unknown_fill(t, MMIOBPF_WHY_NO_VALUE, MMIOBPF_HOW_STEPPED);

	base = reg_ptr(regs, in->base);
	st->base_value = *base;
	*base += (u64)(st->on_copy ? st->operand : st->alias) - t->at.addr;
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

/* Writes what the instruction left in the copy, when it writes. */
static void step_finish_copy(struct trap_step *st, struct mmiobpf_rec_access_wide *w)
{
	struct mmiobpf_rec_access *a = &w->acc;
	bool wide = st->width > sizeof(u64);
	u64 after[OPERAND_WORDS] = {};
	u64 ns = st->t_read;

	if (st->dir & MMIOBPF_DIR_READ) {
		access_set_before(a, st->before[0]);
		if (wide)
			memcpy(w->before, st->before, sizeof(w->before));
	}
	if (st->dir & MMIOBPF_DIR_WRITE) {
		u64 t0 = ktime_get_mono_fast_ns();

		memcpy(after, st->operand, st->width);
		if (wide)
			wide_write(st->alias, st->width, after);
		else
			device_write(st->alias, st->width, after[0]);
		ns += ktime_get_mono_fast_ns() - t0;
		access_set_after(a, after[0]);
		if (wide)
			memcpy(w->after, after, sizeof(w->after));
	}
	a->latency_ns = min_t(u64, ns, U32_MAX);
}

static void step_finish(struct trap_cpu *cpu, struct pt_regs *regs)
{
	struct mmiobpf_rec_access_wide *access = &cpu->access[ALIAS_NORMAL][0];
	struct trap_step *st = &cpu->step;
	unsigned long *base = reg_ptr(regs, st->base);

	st->active = false;
	*base = step_base_after(st, *base);
	regs->flags &= ~(unsigned long)(X86_EFLAGS_TF | X86_EFLAGS_IF);
	regs->flags |= st->flags;
	if (st->on_copy) {
		step_finish_copy(st, access);
		trap_count(stepped);
	} else {
		trap_count(undecoded);
	}
	step_emit(cpu, st->on_copy);
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
