// SPDX-License-Identifier: GPL-2.0-only
/*
 * Requests of the BPF programs, which decide which mappings are wanted.
 */
#include <linux/bpf.h>
#include <linux/btf.h>
#include <linux/btf_ids.h>
#include <linux/module.h>

#include "mmiobpf.h"

__bpf_kfunc_start_defs();

/**
 * mmiobpf_map_add() - record a mapping that was just made, and with MMIOBPF_MAP_ARM its accesses
 * @req: what ioremap was asked for and returned; from the program on its exit, before the driver
 * has it
 *
 * Return: map id (> 0), or -ENODEV without a session, -EINVAL, -ENOENT, -EEXIST, -ENOMEM.
 */
__bpf_kfunc int mmiobpf_map_add(struct mmiobpf_map_req *req)
{
	/* Any tracing program may call it, from wherever it is attached. */
	if (in_nmi())
		return -EBUSY;
	return arm_map(req, false);
}

__bpf_kfunc_end_defs();

BTF_KFUNCS_START(mmiobpf_kfunc_ids)
BTF_ID_FLAGS(func, mmiobpf_map_add)
BTF_KFUNCS_END(mmiobpf_kfunc_ids)

static const struct btf_kfunc_id_set mmiobpf_kfunc_set = {
	.owner = THIS_MODULE,
	.set = &mmiobpf_kfunc_ids,
};

int kfunc_init(void)
{
	return register_btf_kfunc_id_set(BPF_PROG_TYPE_TRACING, &mmiobpf_kfunc_set);
}
