// SPDX-License-Identifier: GPL-2.0-or-later
#include "header.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void log_header_init(struct log_header *h)
{
	memset(h, 0, sizeof(*h));
}

void log_header_deinit(struct log_header *h)
{
	for (size_t i = 0; i < h->nlspci; i++)
		free(h->lspci[i]);
	free(h->lspci);
	free(h->devices);
	memset(h, 0, sizeof(*h));
}

/* Grow by doubling: room for item @n. Return: the array, or NULL and @array is as it was. */
static void *grow(void *array, size_t n, size_t size)
{
	if (n & (n - 1))
		return array;
	return reallocarray(array, n ? 2 * n : 1, size);
}

int log_header_add_device(struct log_header *h, const struct pci_dev_info *dev)
{
	struct pci_dev_info *devices = grow(h->devices, h->ndevices, sizeof(*devices));

	if (!devices)
		return -ENOMEM;
	h->devices = devices;
	h->devices[h->ndevices++] = *dev;
	return 0;
}

int log_header_add_lspci(struct log_header *h, const char *line, size_t len)
{
	char **lspci = grow(h->lspci, h->nlspci, sizeof(*lspci));
	char *copy;

	if (!lspci)
		return -ENOMEM;
	h->lspci = lspci;
	copy = strndup(line, len);
	if (!copy)
		return -ENOMEM;
	h->lspci[h->nlspci++] = copy;
	return 0;
}
