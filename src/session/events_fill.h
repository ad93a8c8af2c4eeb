/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From the targets to the tables of the BPF programs for interrupts and configuration space
 * (bpf/irq.bpf.c, bpf/config.bpf.c).
 */
#ifndef MMIOBPF_SESSION_EVENTS_FILL_H
#define MMIOBPF_SESSION_EVENTS_FILL_H

#include <linux/types.h>

#include "../../bpf/policy.h"
#include "../sys/pci.h"
#include "../sys/target.h"

/**
 * events_fill_devices() - the PCI devices that the targets are on
 * @table: of POLICY_DEVICES
 * @n: set to the entries used
 * @set: what is wanted; a range that no device was named for stands for those whose BARs it touches
 * @pci: devices
 *
 * Return: 0 or -E2BIG.
 */
int events_fill_devices(__u32 *table, __u32 *n, const struct target_set *set,
			const struct pci_list *pci);

/**
 * events_fill_irqs() - mark the interrupts that these devices have now
 * @table: of POLICY_IRQS, by number; one from there on is left out
 * @devices: @n of them
 *
 * Return: 0 or -errno.
 */
int events_fill_irqs(__u8 *table, const __u32 *devices, __u32 n, const struct pci_list *pci,
		     const struct sys_root *root);

/**
 * events_fill_accessors() - where the kernel's accessors of configuration space are
 * @table: of POLICY_ACCESSORS, all free
 *
 * Where the kernel hides its symbols, or has none, there are no entries, and no caller is told.
 * What finds no room is left out: what it was called for is then told as its caller.
 *
 * Return: 0 or -errno.
 */
int events_fill_accessors(struct policy_function *table, const struct sys_root *root);

#endif
