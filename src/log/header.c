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
	for (size_t i = 0; i < h->nsymbols; i++) {
		free(h->symbols[i].name);
		free(h->symbols[i].module);
	}
	free(h->lspci);
	free(h->symbols);
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

int log_header_add_symbol(struct log_header *h, const struct log_symbol *sym)
{
	char *name = strdup(sym->name), *module = strdup(sym->module);
	struct log_symbol *added = name && module ? array_push(h->symbols, h->nsymbols) : NULL;

	if (!added) {
		free(name);
		free(module);
		return -ENOMEM;
	}
	*added = (struct log_symbol){ sym->pc, sym->start, name, module };
	return 0;
}

static int symbol_compare(const void *a, const void *b)
{
	const struct log_symbol *x = a, *y = b;

	return x->pc < y->pc ? -1 : x->pc > y->pc;
}

void log_header_sort_symbols(struct log_header *h)
{
	if (h->nsymbols)
		qsort(h->symbols, h->nsymbols, sizeof(*h->symbols), symbol_compare);
}

const struct log_symbol *log_header_find_symbol(const struct log_header *h, uint64_t pc)
{
	const struct log_symbol key = { .pc = pc };

	if (!h->nsymbols)
		return NULL;
	return bsearch(&key, h->symbols, h->nsymbols, sizeof(key), symbol_compare);
}
