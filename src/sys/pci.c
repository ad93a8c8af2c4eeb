// SPDX-License-Identifier: GPL-2.0-or-later
#include "pci.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../array.h"

/* include/linux/ioport.h; the flags in /sys/bus/pci/devices/ADDRESS/resource are these. */
#define IORESOURCE_MEM	0x00000200ull
#define IORESOURCE_BUSY	0x80000000ull

/* --- addresses --- */

/*
 * Hexadecimal digits up to @end. Return: how many, 0 when there are none or the value is above
 * @max.
 */
static size_t parse_hex(const char *s, char end, uint32_t max, uint32_t *out)
{
	static const char digits[] = "0123456789abcdefABCDEF";
	size_t n = strspn(s, digits);
	char *stop;
	unsigned long v;

	if (!n || n > 8 || s[n] != end)
		return 0;
	v = strtoul(s, &stop, 16);
	if (v > max)
		return 0;
	*out = (uint32_t)v;
	return n;
}

int pci_parse_bdf(const char *s, uint32_t *dev)
{
	const char *first = strchr(s, ':');
	uint32_t domain = 0, bus, slot, fn;
	size_t n;

	if (first && strchr(first + 1, ':')) {
		n = parse_hex(s, ':', UINT32_MAX, &domain);
		if (!n)
			return -EINVAL;
		s += n + 1;
	}
	n = parse_hex(s, ':', 0xff, &bus);
	if (!n)
		return -EINVAL;
	s += n + 1;
	n = parse_hex(s, '.', 0x1f, &slot);
	if (!n)
		return -EINVAL;
	s += n + 1;
	if (!parse_hex(s, '\0', 7, &fn))
		return -EINVAL;
	if (domain > 0xffff)
		return -ERANGE;
	*dev = domain << 16 | bus << 8 | slot << 3 | fn;
	return 0;
}

const char *pci_format_bdf(uint32_t dev, char buf[PCI_BDF_LEN])
{
	snprintf(buf, PCI_BDF_LEN, "%04x:%02x:%02x.%x", dev >> 16, dev >> 8 & 0xff, dev >> 3 & 0x1f,
		 dev & 7);
	return buf;
}

/* --- the list --- */

static int read_number(const struct sys_root *root, const char *name, const char *file, int base,
		       uint32_t *out)
{
	char line[32];
	int err = sys_read_line(root->sys, line, sizeof(line), "bus/pci/devices/%s/%s", name, file);

	if (!err)
		*out = (uint32_t)strtoul(line, NULL, base);
	return err;
}

/* Seven lines "start end flags"; bridges have more, which are windows. */
static int read_resources(const struct sys_root *root, const char *name, struct pci_dev_info *d)
{
	FILE *f;
	int err = sys_open(root->sys, &f, "bus/pci/devices/%s/resource", name);

	if (err)
		return err;
	for (unsigned int i = 0; i < PCI_DEV_RESOURCES; i++) {
		uint64_t start, end, flags;

		if (fscanf(f, "%" SCNx64 " %" SCNx64 " %" SCNx64, &start, &end, &flags) != 3)
			break;
		d->start[i] = start;
		d->flags[i] = flags;
		/* As the kernel prints it: a resource of one byte has no size. */
		d->size[i] = start < end ? end - start + 1 : 0;
	}
	fclose(f);
	return 0;
}

/*
 * pci_dev_driver(), drivers/pci/pci-driver.c: "compat" is somebody who took the BARs without being
 * a driver.
 */
static int read_driver(const struct sys_root *root, const char *name, struct pci_dev_info *d)
{
	int err = sys_link_name(root->sys, d->driver, sizeof(d->driver),
				"bus/pci/devices/%s/driver", name);

	if (err != -ENOENT)
		return err;
	for (unsigned int i = 0; i < PCI_DEV_RESOURCES; i++) {
		if (d->flags[i] & IORESOURCE_BUSY)
			snprintf(d->driver, sizeof(d->driver), "compat");
	}
	return 0;
}

static int read_device(const struct sys_root *root, const char *name, struct pci_dev_info *d)
{
	uint32_t vendor, device;
	int err;

	memset(d, 0, sizeof(*d));
	err = pci_parse_bdf(name, &d->dev);
	if (!err)
		err = read_number(root, name, "vendor", 16, &vendor);
	if (!err)
		err = read_number(root, name, "device", 16, &device);
	if (!err)
		err = read_number(root, name, "irq", 10, &d->irq);
	if (!err)
		err = read_resources(root, name, d);
	if (!err)
		err = read_driver(root, name, d);
	if (err)
		return err;
	d->vendor = (uint16_t)vendor;
	d->device = (uint16_t)device;
	return 0;
}

static int read_devices(const struct sys_root *root, DIR *dir, struct pci_list *list)
{
	struct pci_dev_info d, *added;
	struct dirent *e;

	while ((e = readdir(dir))) {
		int err;

		if (e->d_name[0] == '.')
			continue;
		err = read_device(root, e->d_name, &d);
		/* Unplugged meanwhile, or a domain that no record can hold (Intel VMD). */
		if (err == -ENOENT || err == -ENODEV || err == -ERANGE)
			continue;
		if (err)
			return err;
		added = array_push(list->devs, list->n);
		if (!added)
			return -ENOMEM;
		*added = d;
	}
	return 0;
}

static int compare_address(const void *a, const void *b)
{
	const struct pci_dev_info *x = a, *y = b;

	return x->dev < y->dev ? -1 : x->dev > y->dev;
}

/*
 * The file names bus, device, vendor and device number, but no domain: the first that fits is
 * meant.
 */
static void sort_as_kernel(const struct sys_root *root, struct pci_list *list)
{
	size_t placed = 0, room = 0;
	char *line = NULL;
	FILE *f;

	qsort(list->devs, list->n, sizeof(*list->devs), compare_address);
	if (sys_open(root->proc, &f, "bus/pci/devices"))
		return;
	while (placed < list->n && getline(&line, &room, f) > 0) {
		struct pci_dev_info d;
		unsigned int bdf, id;
		size_t i;

		if (sscanf(line, "%x %x", &bdf, &id) != 2)
			continue;
		for (i = placed; i < list->n; i++) {
			d = list->devs[i];
			if ((d.dev & 0xffff) == bdf && ((uint32_t)d.vendor << 16 | d.device) == id)
				break;
		}
		if (i == list->n)
			continue;
		memmove(&list->devs[placed + 1], &list->devs[placed],
			(i - placed) * sizeof(*list->devs));
		list->devs[placed++] = d;
	}
	free(line);
	fclose(f);
}

int pci_list_read(const struct sys_root *root, struct pci_list *list)
{
	char path[PATH_MAX];
	DIR *dir;
	int err = sys_path(path, root->sys, "bus/pci/devices");

	memset(list, 0, sizeof(*list));
	if (err)
		return err;
	dir = opendir(path);
	if (!dir)
		return errno == ENOENT ? 0 : -errno;
	err = read_devices(root, dir, list);
	closedir(dir);
	if (err) {
		pci_list_deinit(list);
		return err;
	}
	if (list->n)
		sort_as_kernel(root, list);
	return 0;
}

void pci_list_deinit(struct pci_list *list)
{
	free(list->devs);
	memset(list, 0, sizeof(*list));
}

const struct pci_dev_info *pci_list_find(const struct pci_list *list, uint32_t dev)
{
	for (size_t i = 0; i < list->n; i++) {
		if (list->devs[i].dev == dev)
			return &list->devs[i];
	}
	return NULL;
}

bool pci_bar_is_mem(const struct pci_dev_info *d, unsigned int bar)
{
	return d->size[bar] && d->start[bar] && d->flags[bar] & IORESOURCE_MEM;
}

const struct pci_dev_info *pci_list_lookup(const struct pci_list *list, uint64_t phys,
					   unsigned int *bar, uint64_t *offset)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct pci_dev_info *d = &list->devs[i];

		for (unsigned int b = 0; b < PCI_DEV_RESOURCES; b++) {
			if (!pci_bar_is_mem(d, b) || phys < d->start[b] ||
			    phys - d->start[b] >= d->size[b])
				continue;
			*bar = b;
			*offset = phys - d->start[b];
			return d;
		}
	}
	return NULL;
}
