// SPDX-License-Identifier: GPL-2.0-only
/*
 * How the kernel gets to the trap: ftrace on fixup_exception() and iounmap(), and the notifier of
 * debug traps.
 */
#include <linux/ftrace.h>
#include <linux/kdebug.h>
#include <linux/mm.h>
#include <asm/trap_pf.h>
#include <asm/trapnr.h>

#include "trap.h"

/* What fixup_exception() is replaced by for our faults: "fixed". */
static notrace int fixup_done(void)
{
	return 1;
}

static notrace void fixup_hook(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			       struct ftrace_regs *fregs)
{
	struct pt_regs *args = ftrace_get_regs(fregs);

	/* fixup_exception(regs, trapnr, error_code, fault_addr) */
	if ((int)args->si != X86_TRAP_PF || (args->dx & (X86_PF_PROT | X86_PF_USER | X86_PF_INSTR)))
		return;
	if (!is_vmalloc_addr((void *)args->cx))
		return;
	if (trap_fault((struct pt_regs *)args->di, args->cx))
		args->ip = (unsigned long)fixup_done;
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
