/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The PCI devices of the machine. */
#ifndef MMIOBPF_SYS_PCI_H
#define MMIOBPF_SYS_PCI_H

#include <stdbool.h>

#include "../log/header.h"
#include "root.h"

#define PCI_BDF_LEN 16		/* "10000:00:1f.2" and a terminator */

struct pci_list {
	struct pci_dev_info *devs;
	size_t n;
};

/**
 * pci_list_read() - all PCI devices, in the kernel's order, which is the order of mmiotrace's
 * PCIDEV lines
 * @root: machine
 * @list: filled, freed with pci_list_deinit(); empty on a machine without PCI
 *
 * Source of the method: /sys/bus/pci/devices for the facts, /proc/bus/pci/devices for the order
 * (both from for_each_pci_dev(), drivers/pci/proc.c). A device without a driver whose BARs are in
 * use has the driver "compat", as pci_dev_driver() says.
 *
 * Return: 0 or -errno.
 */
int pci_list_read(const struct sys_root *root, struct pci_list *list);
void pci_list_deinit(struct pci_list *list);

/** pci_list_find() - device with that number (domain << 16 | bus << 8 | devfn), or NULL */
const struct pci_dev_info *pci_list_find(const struct pci_list *list, uint32_t dev);

/**
 * pci_list_lookup() - device and BAR that hold a physical address
 * @list: devices
 * @phys: address
 * @bar: set to 0 to 6
 * @offset: set to the offset in that BAR
 *
 * Memory BARs only, not I/O ports. A bridge's windows are not BARs and are not looked at.
 * Return: device or NULL.
 */
const struct pci_dev_info *pci_list_lookup(const struct pci_list *list, uint64_t phys,
					   unsigned int *bar, uint64_t *offset);

/** pci_bar_is_mem() - is resource @bar of @d there, and memory rather than I/O ports? */
bool pci_bar_is_mem(const struct pci_dev_info *d, unsigned int bar);

/**
 * pci_parse_bdf() - "0000:00:1f.2", "00:1f.2", domain 0 when it is left out; hexadecimal without 0x
 * @s: the whole string
 * @dev: domain << 16 | bus << 8 | devfn
 *
 * Return: 0, -EINVAL, or -ERANGE for a domain above ffff, which a record cannot hold.
 */
int pci_parse_bdf(const char *s, uint32_t *dev);

/** pci_format_bdf() - "0000:00:1f.2" into @buf. Return: @buf */
const char *pci_format_bdf(uint32_t dev, char buf[PCI_BDF_LEN]);

/**
 * pci_read_lspci() - lines of lspci -v into a log's header
 * @h: header, gets one entry a line
 *
 * Runs lspci. Return: 0, also when lspci is not installed or fails (no lines then), or -ENOMEM.
 */
int pci_read_lspci(struct log_header *h);

struct pci_names;

/**
 * pci_names_open() - the data base of class, vendor and device names (pci.ids)
 * @root: machine; borrowed
 * @out: closed with pci_names_close()
 *
 * A machine without the data base is no error. Return: 0 or -ENOMEM.
 */
int pci_names_open(const struct sys_root *root, struct pci_names **out);
void pci_names_close(struct pci_names *names);

/**
 * pci_names_describe() - a device in words: "Ethernet controller: Intel Corporation 82574L"
 * @names: data base
 * @d: device
 * @buf, @size: filled; with hexadecimal numbers where the data base has no name
 */
void pci_names_describe(struct pci_names *names, const struct pci_dev_info *d, char *buf,
			size_t size);

#endif
