/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interrupts that a PCI device has now. */
#ifndef MMIOBPF_SYS_IRQS_H
#define MMIOBPF_SYS_IRQS_H

#include <stdint.h>

#include "../log/header.h"
#include "root.h"

/**
 * pci_irqs_for_each() - the interrupt numbers of a device that has a driver
 * @root: machine
 * @d: device
 * @fn: called with each number; what is not 0 ends the walk
 * @ctx: for @fn
 *
 * Those of MSI and MSI-X when it has any, else its line. Source: msi_irqs/ and irq below the device
 * in sysfs (Documentation/ABI/testing/sysfs-bus-pci).
 *
 * Return: 0, -errno, or what @fn returned.
 */
int pci_irqs_for_each(const struct sys_root *root, const struct pci_dev_info *d,
		      int (*fn)(void *ctx, uint32_t irq), void *ctx);

#endif
