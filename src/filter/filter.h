/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Filters as a user writes them, made into the struct that looks at records. Pure. */
#ifndef MMIOBPF_FILTER_FILTER_H
#define MMIOBPF_FILTER_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "../../include/mmiobpf/filter.h"
#include "../log/header.h"

enum filter_field {
	FILTER_RANGE, /* "0xfeb00000-0xfeb0ffff", "0xfeb00000+64k", "bar0", "00:03.0/bar0:0-0xff" */
	FILTER_OP, /* "read,write,rmw,access,unknown,map,unmap,mark,irq,config,pmu" */
	FILTER_WIDTH, /* "1,2,4,8,16,32,64" bytes */
	FILTER_VALUE, /* "0x10", "0x10/0xff" */
	FILTER_FUNCTION, /* addresses of code: "0xffffffffc0340000-0xffffffffc03400ff" */
	FILTER_PID, /* "175,176": threads or processes */
	FILTER_COMM, /* the whole name */
	FILTER_CPU, /* "0,2-5" */
	FILTER_CONTEXT, /* "task,softirq,hardirq,nmi" */
};

/* Zeros let everything pass. */
void filter_init(struct mmiobpf_filter *f);

/**
 * filter_add() - one more item, or several with commas
 * @f: filter
 * @field: which one
 * @text: as the user wrote it; "!" in front means: not
 * @why: set on errors: what a right text looks like; static text
 *
 * Return: 0, -EINVAL: @text is wrong, -E2BIG: more than MMIOBPF_FILTER_ITEMS.
 */
int filter_add(struct mmiobpf_filter *f, enum filter_field field, const char *text,
	       const char **why);

/**
 * filter_resolve() - turn the BARs of named devices into physical addresses
 * @devices: with their BARs
 * @missing: on -ENODEV set to the range that could not be resolved
 *
 * Return: 0, or -ENODEV: no such device, or it has no such BAR.
 */
int filter_resolve(struct mmiobpf_filter *f, const struct pci_dev_info *devices, size_t n,
		   const struct mmiobpf_filter_range **missing);

/** filter_has_bar() - does it ask in which BAR an access is? */
bool filter_has_bar(const struct mmiobpf_filter *f);

#endif
