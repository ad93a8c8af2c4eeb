/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether the kernel shows its addresses in /proc: the switch kernel.kptr_restrict. */
#ifndef MMIOBPF_SYS_KPTR_H
#define MMIOBPF_SYS_KPTR_H

#include "root.h"

struct kptr {
	char before[8];		/* value to put back */
};

/**
 * kptr_show() - let the kernel print true addresses to this process
 * @root: machine
 * @k: for kptr_put_back()
 *
 * With 0 the kernel prints hashed addresses for %pK even to root (lib/vsprintf.c,
 * restricted_pointer()); with 1 it prints true ones to a process with CAP_SYSLOG. A process that is
 * killed before kptr_put_back() leaves it at 1, the stricter value.
 *
 * Return: 0, -EPERM: it was not 0, which is somebody's decision, or must not be changed, or -errno.
 */
int kptr_show(const struct sys_root *root, struct kptr *k);

/** kptr_put_back() - after kptr_show() returned 0. Return: 0 or -errno */
int kptr_put_back(const struct sys_root *root, const struct kptr *k);

#endif
