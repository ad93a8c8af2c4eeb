// SPDX-License-Identifier: GPL-2.0-only
/*
 * How the kernel gets to the trap: ftrace on fixup_exception() and iounmap(), and the notifier of
 * debug traps.
 */
#include <linux/ftrace.h>
#include <linux/hash.h>
#include <linux/kdebug.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/pagemap.h>
#include <linux/uaccess.h>
#include <asm/trap_pf.h>
#include <asm/trapnr.h>

#include "trap.h"

/* What fixup_exception() is replaced by for our faults: "fixed". */
static notrace int fixup_done(void)
{
	return 1;
}

/*
 * Operands in user memory that could not be brought in: a task comes back once, and is let through to
 * the kernel then. Two tasks that share a slot may make each other try once more.
 */
static u64 refused_operands[64];

static u64 *refused_slot(u64 *key, u64 addr)
{
	*key = (unsigned long)current ^ (addr & PAGE_MASK);
	return &refused_operands[hash_64(*key, 6)];
}

bool trap_operand_refused(u64 addr, u8 width)
{
	u64 key, *slot = refused_slot(&key, addr);

	return trap_operand_is_user(addr, width) && READ_ONCE(*slot) == key;
}

/*
 * Called in place of fixup_exception(), no more from within ftrace: this one may sleep. Brings in the
 * page of a string instruction's operand in user memory, as the fault of the operand would have.
 */
static notrace int fixup_bring_in(struct pt_regs *regs, int trapnr, unsigned long error_code,
				  unsigned long addr, unsigned long width)
{
	char __user *p = (char __user *)addr;
	u64 key, *slot = refused_slot(&key, addr);
	size_t missing;

	__module_get(THIS_MODULE);
	local_irq_enable();
	if (error_code & X86_PF_WRITE)
		missing = fault_in_writeable(p, width);
	else
		missing = fault_in_readable(p, width);
	local_irq_disable();
	if (missing)
		WRITE_ONCE(*slot, key);
	module_put(THIS_MODULE);
	return 1;
}

/*
 * The fault becomes that of the other operand. The kernel would bring in a page of user memory where it
 * may; everything else is for fixup_exception(), as it would have been.
 */
static notrace void fixup_other(struct pt_regs *args, const struct trap_operand *other)
{
	const struct pt_regs *regs = (const struct pt_regs *)args->di;
	u64 key, *slot = refused_slot(&key, other->addr);

	args->cx = other->addr;
	args->dx = other->write ? X86_PF_WRITE : 0;
	args->r8 = other->width;
	if (!trap_operand_is_user(other->addr, other->width) || !trap_user_allowed(regs))
		return;
	if (trap_operand_refused(other->addr, other->width)) {
		WRITE_ONCE(*slot, 0);
		return;
	}
	if ((regs->flags & X86_EFLAGS_IF) && in_task() && current->mm && !faulthandler_disabled())
		args->ip = (unsigned long)fixup_bring_in;
}

static notrace void fixup_hook(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			       struct ftrace_regs *fregs)
{
	struct pt_regs *args = ftrace_get_regs(fregs);
	struct trap_operand other;

	/* fixup_exception(regs, trapnr, error_code, fault_addr) */
	if ((int)args->si != X86_TRAP_PF || (args->dx & (X86_PF_PROT | X86_PF_USER | X86_PF_INSTR)))
		return;
	if (!is_vmalloc_addr((void *)args->cx))
		return;
	switch (trap_fault((struct pt_regs *)args->di, args->cx, &other)) {
	case TRAP_DONE:
		args->ip = (unsigned long)fixup_done;
		break;
	case TRAP_OTHER:
		fixup_other(args, &other);
		break;
	case TRAP_NOT_OURS:
		break;
	}
}

static notrace void iounmap_hook(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
				 struct ftrace_regs *fregs)
{
	struct pt_regs *args = ftrace_get_regs(fregs);

	arm_unmap(args->di, parent_ip);
}

/*
 * PERMANENT: kernel.ftrace_enabled=0 is refused while we are registered, and we are refused where it
 * is 0 already: without the hooks an armed page is fatal. No RECURSION flag: it would put ftrace's
 * guard between us and a fault, which may drop one. The fault hook can be entered again: it touches
 * nothing that is armed.
 */
static struct ftrace_ops fixup_ops = {
	.func = fixup_hook,
	.flags = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_PERMANENT,
};

static struct ftrace_ops iounmap_ops = {
	.func = iounmap_hook,
	.flags = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_PERMANENT,
};

/*
 * The filters are set once: ftrace_free_filter() leaves the ops pointing at what it freed, so they
 * must not be used again after it.
 */
int trap_hooks_init(void)
{
	int err;

	trap_string_init();
	trap_cpus = alloc_percpu(struct trap_cpu);
	if (!trap_cpus)
		return -ENOMEM;
	err = ftrace_set_filter(&fixup_ops, "fixup_exception", strlen("fixup_exception"), 1);
	if (!err)
		err = ftrace_set_filter(&iounmap_ops, "iounmap", strlen("iounmap"), 1);
	if (err)
		trap_hooks_deinit();
	return err;
}

void trap_hooks_deinit(void)
{
	ftrace_free_filter(&iounmap_ops);
	ftrace_free_filter(&fixup_ops);
	free_percpu(trap_cpus);
}

int trap_hooks_register(void)
{
	int err = register_die_notifier(&step_notifier);

	if (err)
		return err;
	err = register_ftrace_function(&fixup_ops);
	if (err)
		goto out_notifier;
	err = register_ftrace_function(&iounmap_ops);
	if (err)
		goto out_fixup;
	return 0;
out_fixup:
	unregister_ftrace_function(&fixup_ops);
out_notifier:
	unregister_die_notifier(&step_notifier);
	return err;
}

void trap_hooks_unregister(void)
{
	unregister_ftrace_function(&iounmap_ops);
	unregister_ftrace_function(&fixup_ops);
	unregister_die_notifier(&step_notifier);
}
