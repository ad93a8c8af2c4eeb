/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a log says about the machine before its first record. */
#ifndef MMIOBPF_LOG_HEADER_H
#define MMIOBPF_LOG_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../include/mmiobpf/record.h"

#define PCI_DEV_RESOURCES	7	/* BAR 0 to 5 and the expansion ROM */
#define PCI_DEV_ROM		6

/* A PCI device, as the kernel's struct pci_dev has it. */
struct pci_dev_info {
	uint32_t dev;			/* domain << 16 | bus << 8 | devfn */
	uint16_t vendor;
	uint16_t device;
	uint32_t irq;
	uint64_t start[PCI_DEV_RESOURCES]; /* physical address, 0 when there is none */
	uint64_t size[PCI_DEV_RESOURCES];  /* bytes, 0 when there is none */
	/*
	 * IORESOURCE_*. The low 4 bits are the BAR's own. A text log has only those, and only where
	 * the address is a multiple of 16.
	 */
	uint64_t flags[PCI_DEV_RESOURCES];
	char driver[MMIOBPF_NAME_LEN];	/* empty when no driver is bound */
};

/* The function that an address of the records is in. */
struct log_symbol {
	uint64_t pc;
	uint64_t start;			/* of the function */
	char *name;
	char *module;			/* empty: the kernel itself */
};

struct log_header {
	struct pci_dev_info *devices;
	size_t ndevices;
	char **lspci;			/* lines of lspci -v, without newline */
	size_t nlspci;
	struct log_symbol *symbols;	/* sorted by pc where they are looked up */
	size_t nsymbols;
	struct mmiobpf_rec_session session; /* hdr.type is MMIOBPF_REC_NONE when the log has none */
};

void log_header_init(struct log_header *h);
/** log_header_deinit() - free what the header owns: devices, lines and symbols */
void log_header_deinit(struct log_header *h);

/** log_header_add_device() - copy a device to the end of the list. Return: 0 or -ENOMEM */
int log_header_add_device(struct log_header *h, const struct pci_dev_info *dev);

/** log_header_add_lspci() - copy @len bytes as one line. Return: 0 or -ENOMEM */
int log_header_add_lspci(struct log_header *h, const char *line, size_t len);

/** log_header_add_symbol() - copy a symbol to the end of the list. Return: 0 or -ENOMEM */
int log_header_add_symbol(struct log_header *h, const struct log_symbol *sym);

/** log_header_sort_symbols() - by pc, so that they can be looked up */
void log_header_sort_symbols(struct log_header *h);

/** log_header_find_symbol() - the symbol of an address that records have, or NULL */
const struct log_symbol *log_header_find_symbol(const struct log_header *h, uint64_t pc);

#endif
