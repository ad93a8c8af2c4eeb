// SPDX-License-Identifier: GPL-2.0-or-later
#include "irqs.h"

#include <dirent.h>
#include <errno.h>

#include "../number.h"
#include "pci.h"

int pci_irqs_for_each(const struct sys_root *root, const struct pci_dev_info *d,
		      int (*fn)(void *ctx, uint32_t irq), void *ctx)
{
	char path[PATH_MAX], bdf[PCI_BDF_LEN];
	unsigned int messages = 0;
	struct dirent *entry;
	uint64_t irq;
	DIR *dir;
	int ret = sys_path(path, root->sys, "bus/pci/devices/%s/msi_irqs",
			   pci_format_bdf(d->dev, bdf));

	if (ret)
		return ret;
	dir = opendir(path);
	if (!dir && errno != ENOENT)
		return -errno;
	while (dir && !ret && (entry = readdir(dir))) {
		if (number_parse(entry->d_name, &irq) || irq > UINT32_MAX)
			continue;
		messages++;
		ret = fn(ctx, (uint32_t)irq);
	}
	if (dir)
		closedir(dir);
	/* The line of a device without a driver is nobody's, or another's. */
	if (!messages && d->driver[0] && d->irq)
		ret = fn(ctx, d->irq);
	return ret;
}
