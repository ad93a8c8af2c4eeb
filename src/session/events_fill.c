// SPDX-License-Identifier: GPL-2.0-or-later
#include "events_fill.h"

#include <errno.h>
#include <string.h>

#include "../sys/irqs.h"
#include "../sys/symbols.h"

/* --- devices --- */

static int device_add(__u32 *table, __u32 *n, __u32 dev)
{
	for (__u32 i = 0; i < *n; i++)
		if (table[i] == dev)
			return 0;
	if (*n == POLICY_DEVICES)
		return -E2BIG;
	table[(*n)++] = dev;
	return 0;
}

static bool device_touches(const struct pci_dev_info *d, const struct target_range *r)
{
	for (unsigned int bar = 0; bar < PCI_DEV_RESOURCES; bar++) {
		uint64_t start = d->start[bar] & ~15ull;

		if (pci_bar_is_mem(d, bar) && start < r->end && r->start < start + d->size[bar])
			return true;
	}
	return false;
}

int events_fill_devices(__u32 *table, __u32 *n, const struct target_set *set,
			const struct pci_list *pci)
{
	int err = 0;

	*n = 0;
	for (size_t i = 0; i < set->nranges && !err; i++) {
		const struct target_range *r = &set->ranges[i];

		if (r->dev != MMIOBPF_NO_DEV)
			err = device_add(table, n, r->dev);
		else
			for (size_t k = 0; k < pci->n && !err; k++)
				if (device_touches(&pci->devs[k], r))
					err = device_add(table, n, pci->devs[k].dev);
	}
	return err;
}

/* --- interrupts --- */

static int irq_mark(void *ctx, uint32_t irq)
{
	__u8 *table = ctx;

	if (irq < POLICY_IRQS)
		table[irq] = 1;
	return 0;
}

int events_fill_irqs(__u8 *table, const __u32 *devices, __u32 n, const struct pci_list *pci,
		     const struct sys_root *root)
{
	int err = 0;

	for (__u32 i = 0; i < n && !err; i++) {
		const struct pci_dev_info *d = pci_list_find(pci, devices[i]);

		if (d)
			err = pci_irqs_for_each(root, d, irq_mark, table);
	}
	return err;
}

/* --- accessors --- */

/*
 * drivers/pci/access.c, arch/x86/pci/common.c. A name that ends in _ stands for all that begin so; the
 * functions behind /sys and /proc (pci_read_config(), proc_bus_pci_read()) are callers.
 */
static bool name_is_accessor(const char *name)
{
	static const char *const names[] = {
		"pci_read",		  "pci_write",		    "pci_bus_read_config_",
		"pci_bus_write_config_",  "pci_read_config_",	    "pci_write_config_",
		"pci_user_read_config_",  "pci_user_write_config_", "pcie_capability_",
		"pci_clear_and_set_config_",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size_t len = strlen(names[i]);
		bool family = names[i][len - 1] == '_';

		if (family ? !strncmp(name, names[i], len) : !strcmp(name, names[i]))
			return true;
	}
	return false;
}

/* A function ends where the next symbol of another address begins. */
static uint64_t symbol_end(const struct symbols *s, size_t i)
{
	struct symbol sym, next;

	symbols_at(s, i, &sym);
	while (++i < symbols_count(s)) {
		symbols_at(s, i, &next);
		if (next.addr > sym.addr)
			return next.addr;
	}
	return sym.addr + 1;
}

int events_fill_accessors(struct policy_function *table, const struct sys_root *root)
{
	struct symbols *symbols;
	size_t used = 0;
	int err = symbols_new(root, &symbols);

	if (err)
		return err == -EPERM || err == -ENOENT ? 0 : err;
	for (size_t i = 0; i < symbols_count(symbols) && used < POLICY_ACCESSORS; i++) {
		struct symbol sym;

		symbols_at(symbols, i, &sym);
		if (sym.module[0] || !symbol_is_text(&sym) || !name_is_accessor(sym.name))
			continue;
		table[used++] = (struct policy_function){ .start = sym.addr,
							  .end = symbol_end(symbols, i) };
	}
	symbols_free(symbols);
	return 0;
}
