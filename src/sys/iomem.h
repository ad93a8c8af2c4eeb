/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The physical address map, from /proc/iomem. */
#ifndef MMIOBPF_SYS_IOMEM_H
#define MMIOBPF_SYS_IOMEM_H

#include <stddef.h>
#include <stdint.h>

#include "root.h"

struct iomem_entry {
	uint64_t start;
	uint64_t end;		/* exclusive */
	unsigned int depth;	/* 0 at the outside */
	char name[80];
};

struct iomem_list {
	struct iomem_entry *entries;	/* in the file's order: parents before children */
	size_t n;
};

/**
 * iomem_list_read() - the whole map
 * @root: machine
 * @list: filled, freed with iomem_list_deinit()
 *
 * Return: 0, -EPERM: the kernel shows zeros to a process without CAP_SYS_ADMIN, or -errno.
 */
int iomem_list_read(const struct sys_root *root, struct iomem_list *list);
void iomem_list_deinit(struct iomem_list *list);

/**
 * iomem_denied() - why a range must not be armed
 * @e: entry
 *
 * Areas that the kernel's own core uses where no trap may happen: HPET, I/O APIC, local APIC, PCI
 * memory configuration space, ACPI tables and firmware memory (EFI runtime, GHES), and memory that
 * is no device at all.
 *
 * Return: what it is, for a message ("the HPET, which the kernel's own timekeeping reads"), static,
 * or NULL.
 */
const char *iomem_denied(const struct iomem_entry *e);

/**
 * iomem_for_each_of_device() - ranges of a device by its name in the map ("fed40000.tpm",
 * "INTC1055:00")
 * @list: map
 * @device: platform device's name
 * @fn: called for each; what is not 0 ends the walk and is returned
 */
int iomem_for_each_of_device(const struct iomem_list *list, const char *device,
			     int (*fn)(void *ctx, const struct iomem_entry *e), void *ctx);

#endif
