// SPDX-License-Identifier: GPL-2.0-or-later
#include "header.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../array.h"

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

int log_header_add_device(struct log_header *h, const struct pci_dev_info *dev)
{
	struct pci_dev_info *added = array_push(h->devices, h->ndevices);

	if (!added)
		return -ENOMEM;
	*added = *dev;
	return 0;
}

int log_header_add_lspci(struct log_header *h, const char *line, size_t len)
{
	char *copy = strndup(line, len);
	char **added = copy ? array_push(h->lspci, h->nlspci) : NULL;

	if (!added) {
		free(copy);
		return -ENOMEM;
	}
	*added = copy;
	return 0;
}
