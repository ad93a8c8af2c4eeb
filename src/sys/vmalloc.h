/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ioremap mappings that are live now, from /proc/vmallocinfo. */
#ifndef MMIOBPF_SYS_VMALLOC_H
#define MMIOBPF_SYS_VMALLOC_H

#include <stddef.h>
#include <stdint.h>

#include "root.h"

struct vmalloc_map {
	uint64_t virt;		/* page-aligned; 0 when the kernel hides it */
	uint64_t phys;		/* of @virt, page-aligned: the file does not tell more */
	uint64_t len;		/* whole pages, without the guard page that the file counts */
	char caller[128];	/* "e1000_probe+0x1c2/0xf30 [e1000e]" */
	char module[64];	/* "e1000e", "" when the caller is built in */
};

struct vmalloc_list {
	struct vmalloc_map *maps;	/* by address, as in the file */
	size_t n;
	int hidden;			/* 1: addresses are hashed, virt is 0 in all */
};

/**
 * vmalloc_list_read() - live ioremap mappings
 * @root: machine
 * @list: filled, freed with vmalloc_list_deinit()
 *
 * With kernel.kptr_restrict=0 the kernel prints hashed addresses even to root (%pK, lib/vsprintf.c,
 * restricted_pointer()); with 1 it prints true ones to a process with CAP_SYSLOG. So hidden
 * addresses are no error here, but cannot be attached to; see vmalloc_list_read_true().
 *
 * Return: 0 or -errno.
 */
int vmalloc_list_read(const struct sys_root *root, struct vmalloc_list *list);

/**
 * vmalloc_list_read_true() - the same, with true addresses
 * @root, @list: as above
 *
 * When the addresses are hashed, sets kernel.kptr_restrict to 1 for as long as the file is read,
 * and back. A process that is killed in between leaves it at 1, the stricter value.
 *
 * Return: 0, -EPERM: the addresses stay hidden, or -errno.
 */
int vmalloc_list_read_true(const struct sys_root *root, struct vmalloc_list *list);

void vmalloc_list_deinit(struct vmalloc_list *list);

#endif
