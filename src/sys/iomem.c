// SPDX-License-Identifier: GPL-2.0-or-later
#include "iomem.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../array.h"

/* Names as the kernel gives them to its resources; the beginning counts. */
static const struct {
	const char *prefix;
	const char *why;
} denied[] = {
	{ "HPET", "the HPET, which the kernel's timekeeping reads" },
	{ "IOAPIC", "the I/O APIC, which every interrupt needs" },
	{ "Local APIC", "the local APIC, which every interrupt needs" },
	{ "PCI MMCONFIG", "PCI configuration space, which the kernel's PCI core uses" },
	{ "PCI ECAM", "PCI configuration space, which the kernel's PCI core uses" },
	{ "ACPI Tables", "ACPI tables, which are memory and no device" },
	{ "ACPI Non-volatile Storage", "ACPI storage, which the firmware and GHES use" },
	{ "APEI", "APEI error records, which are read in NMI" },
	{ "System RAM", "system memory, which is no device" },
	{ "Persistent Memory", "persistent memory, which is no device" },
};

static bool parse_line(char *line, struct iomem_entry *e)
{
	unsigned int blanks = (unsigned int)strspn(line, " ");
	uint64_t start, last;
	int at = 0;

	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, " %" SCNx64 "-%" SCNx64 " : %n", &start, &last, &at) != 2 || !at)
		return false;
	if (last < start || last == UINT64_MAX)
		return false;
	e->start = start;
	e->end = last + 1;
	e->depth = blanks / 2;
	snprintf(e->name, sizeof(e->name), "%s", line + at);
	return true;
}

static int parse_file(FILE *f, struct iomem_list *list)
{
	struct iomem_entry e, *added;
	bool hidden = true;
	char *line = NULL;
	size_t room = 0;
	int err = 0;

	while (getline(&line, &room, f) > 0) {
		if (!parse_line(line, &e))
			continue;
		added = array_push(list->entries, list->n);
		if (!added) {
			err = -ENOMEM;
			break;
		}
		*added = e;
		hidden &= e.end == 1;
	}
	if (!err && ferror(f))
		err = -EIO;
	free(line);
	return !err && hidden ? -EPERM : err;
}

int iomem_list_read(const struct sys_root *root, struct iomem_list *list)
{
	FILE *f;
	int err;

	memset(list, 0, sizeof(*list));
	err = sys_open(root->proc, &f, "iomem");
	if (err)
		return err;
	err = parse_file(f, list);
	fclose(f);
	if (err)
		iomem_list_deinit(list);
	return err;
}

void iomem_list_deinit(struct iomem_list *list)
{
	free(list->entries);
	memset(list, 0, sizeof(*list));
}

const char *iomem_denied(const struct iomem_entry *e)
{
	for (size_t i = 0; i < sizeof(denied) / sizeof(denied[0]); i++) {
		if (!strncmp(e->name, denied[i].prefix, strlen(denied[i].prefix)))
			return denied[i].why;
	}
	return NULL;
}

int iomem_for_each_of_device(const struct iomem_list *list, const char *device,
			     int (*fn)(void *ctx, const struct iomem_entry *e), void *ctx)
{
	size_t n = strlen(device);

	for (size_t i = 0; i < list->n; i++) {
		const struct iomem_entry *e = &list->entries[i];
		int ret;

		/*
		 * The device's own entry, not that of a driver inside it: "DEVICE" or "DEVICE
		 * DRIVER".
		 */
		if (strncmp(e->name, device, n) || (e->name[n] && e->name[n] != ' '))
			continue;
		ret = fn(ctx, e);
		if (ret)
			return ret;
	}
	return 0;
}
