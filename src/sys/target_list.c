// SPDX-License-Identifier: GPL-2.0-or-later
/* What the targets on this machine are, in words. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../array.h"
#include "iomem.h"
#include "pci.h"
#include "target.h"

/* "128K" where it is whole, as lspci writes it. */
static void print_size(uint64_t size, FILE *out)
{
	static const char units[] = "\0KMGT";
	unsigned int u = 0;

	while (u < 4 && size >= 1024 && size % 1024 == 0) {
		size /= 1024;
		u++;
	}
	fprintf(out, "%" PRIu64, size);
	if (units[u])
		fputc(units[u], out);
}

static void print_device(const struct pci_dev_info *d, struct pci_names *names, FILE *out)
{
	char bdf[PCI_BDF_LEN], text[256];
	bool any = false;

	pci_names_describe(names, d, text, sizeof(text));
	fprintf(out, "--pci %s  %s\n", pci_format_bdf(d->dev, bdf), text);
	if (*d->driver)
		fprintf(out, "    --driver %.*s\n", (int)sizeof(d->driver), d->driver);
	else
		fputs("    no driver is bound to it\n", out);
	for (unsigned int bar = 0; bar < PCI_DEV_RESOURCES; bar++) {
		if (!pci_bar_is_mem(d, bar))
			continue;
		if (bar == PCI_DEV_ROM)
			fputs("    ROM  ", out);
		else
			fprintf(out, "    BAR %u", bar);
		fprintf(out, "  0x%" PRIx64 "  ", d->start[bar]);
		print_size(d->size[bar], out);
		fputc('\n', out);
		any = true;
	}
	if (!any)
		fputs("    no memory BAR: nothing to trace\n", out);
}

static int print_pci(const struct sys_root *root, FILE *out)
{
	struct pci_names *names;
	struct pci_list list;
	int err = pci_list_read(root, &list);

	if (err)
		return err;
	err = pci_names_open(root, &names);
	if (err) {
		pci_list_deinit(&list);
		return err;
	}
	fputs("PCI devices:\n", out);
	for (size_t i = 0; i < list.n; i++)
		print_device(&list.devs[i], names, out);
	if (!list.n)
		fputs("    none\n", out);
	pci_names_close(names);
	pci_list_deinit(&list);
	return 0;
}

/* --- platform devices that have memory --- */

struct platform_walk {
	const struct sys_root *root;
	const struct iomem_list *iomem;
	const char *driver;
	const char *device;
	FILE *out;
	unsigned int ranges;	/* of all devices */
};

static int print_range(void *ctx, const struct iomem_entry *e)
{
	struct platform_walk *w = ctx;

	fprintf(w->out, "--driver %s  %s  0x%" PRIx64 "  ", w->driver, w->device, e->start);
	print_size(e->end - e->start, w->out);
	fputc('\n', w->out);
	w->ranges++;
	return 1;
}

static int print_platform_device(void *ctx, const char *device)
{
	struct platform_walk *w = ctx;

	w->device = device;
	iomem_for_each_of_device(w->iomem, device, print_range, w);
	return 0;
}

static int print_platform_driver(void *ctx, const char *bus, const char *driver)
{
	struct platform_walk *w = ctx;

	if (strcmp(bus, "platform"))
		return 0;
	w->driver = driver;
	return driver_for_each_device(w->root, bus, driver, print_platform_device, w);
}

static int print_platform(const struct sys_root *root, FILE *out)
{
	struct platform_walk w = { .root = root, .out = out };
	struct iomem_list iomem;
	int err = iomem_list_read(root, &iomem);

	fputs("\nPlatform devices with memory:\n", out);
	if (err == -EPERM || err == -EACCES) {
		fputs("    their addresses are shown to root only\n", out);
		return 0;
	}
	if (err)
		return err;
	w.iomem = &iomem;
	err = driver_for_each(root, print_platform_driver, &w);
	if (!w.ranges)
		fputs("    none\n", out);
	iomem_list_deinit(&iomem);
	return err;
}

int target_list_print(const struct sys_root *root, FILE *out)
{
	int err = print_pci(root, out);

	if (!err)
		err = print_platform(root, out);
	if (!err)
		fputs("\nAny address range: --phys START-END; everything: --all.\n"
		      "A driver may be named before it is loaded.\n", out);
	return err;
}
