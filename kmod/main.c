// SPDX-License-Identifier: GPL-2.0-only
/*
 * Load and unload. A loaded module without a session hooks nothing and costs nothing.
 */
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <asm/cpufeature.h>

#include "mmiobpf.h"

static int __init mmiobpf_init(void)
{
	int err;

	/* A Xen PV guest may not write its page tables, and does not see true frame numbers there. */
	if (cpu_feature_enabled(X86_FEATURE_XENPV))
		return -EOPNOTSUPP;
	err = alias_init();
	if (err)
		return err;
	err = trap_hooks_init();
	if (err)
		goto out_alias;
	err = kfunc_init();
	if (err)
		goto out_trap;
	err = session_init();
	if (err)
		goto out_trap;
	return 0;
out_trap:
	trap_hooks_deinit();
out_alias:
	alias_deinit();
	return err;
}

/* Not reached while the device is open or a BPF program uses the kfunc or the tracepoint. */
static void __exit mmiobpf_exit(void)
{
	session_deinit();
	/* A task may still be on its way out of what the hooks have let it run. */
	synchronize_rcu_tasks();
	trap_hooks_deinit();
	alias_deinit();
	WARN_ON(arm_region_count());
}

module_init(mmiobpf_init);
module_exit(mmiobpf_exit);

MODULE_LICENSE("GPL v2");
MODULE_AUTHOR("The mmiobpf developers");
MODULE_DESCRIPTION("Trap memory-mapped I/O of drivers and report it to BPF programs");
MODULE_VERSION(MMIOBPF_VERSION);
