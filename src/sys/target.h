/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From what the user asks for (--driver, --pci, --phys, --all) to what is to be armed. */
#ifndef MMIOBPF_SYS_TARGET_H
#define MMIOBPF_SYS_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../../include/mmiobpf/record.h"
#include "modules.h"
#include "root.h"

struct target_request {
	const char *const *drivers;	/* --driver */
	size_t ndrivers;
	const char *const *pci;		/* --pci */
	size_t npci;
	const char *const *phys;	/* --phys */
	size_t nphys;
	bool all;			/* --all */
};

/* Code of a loaded module: a mapping made from here is wanted. */
struct target_text {
	uint64_t start;
	uint64_t end;			/* exclusive */
	char driver[MMIOBPF_NAME_LEN];	/* as the user named it */
	char module[MODULE_NAME_LEN];
};

/* A module that is not loaded yet, or may be loaded again: its text is wanted when it comes. */
struct target_watch {
	char module[MODULE_NAME_LEN];	/* the kernel's spelling */
	char driver[MMIOBPF_NAME_LEN];
};

enum target_origin {
	TARGET_PCI,			/* asked for by --pci */
	TARGET_PHYS,			/* asked for by --phys */
	TARGET_BUILTIN,			/* a device of a built-in driver */
	TARGET_AWAITED,			/* a device without a driver, which a module will get */
	/* a device of a loaded driver module: only to find the mappings that are live already */
	TARGET_BOUND,
};

struct target_range {
	uint64_t start;			/* physical */
	uint64_t end;			/* exclusive */
	uint32_t dev;			/* MMIOBPF_NO_DEV when it is no PCI device */
	uint8_t bar;			/* MMIOBPF_NO_BAR when it is no BAR */
	uint8_t origin;			/* enum target_origin */
	char driver[MMIOBPF_NAME_LEN];
};

struct target_denied {
	uint64_t start;			/* physical */
	uint64_t end;			/* exclusive */
	const char *name;		/* static: what it is, see iomem_denied() */
};

struct target_set {
	bool all;
	struct target_text *text;
	size_t ntext;
	struct target_watch *watch;
	size_t nwatch;
	struct target_range *ranges;
	size_t nranges;
	struct target_denied *denied;	/* never arm what touches one; filled for every request */
	size_t ndenied;
};

enum target_error {
	TARGET_OK,
	TARGET_NONE,			/* nothing was asked for */
	TARGET_NO_DRIVER,		/* no driver, no module of that name */
	TARGET_NO_DEVICE,		/* no such PCI device, or a built-in driver has none */
	TARGET_NO_BAR,			/* a device without memory */
	TARGET_BAD_BDF,			/* wrong usage: not a PCI address */
	TARGET_BAD_RANGE,		/* wrong usage: not an address range */
	TARGET_DENIED,			/* a range that must not be armed */
	TARGET_SYSTEM,			/* the machine could not be read; see the explanation */
};

/**
 * target_set_resolve() - find out what the request means on this machine
 * @set: filled, freed with target_set_deinit(), also after an error
 * @root: machine
 * @req: what the user asked for
 * @why: on error a sentence without "mmiobpf:" and full stop: what was attempted, on what, why it
 *       failed and what to do
 * @why_size: bytes at @why
 *
 * A driver name is looked up as a driver of the pci and platform buses, as a module, and as built
 * in. A loaded module gives its text ranges, a watch (it may be reloaded) and the TARGET_BOUND
 * ranges of its devices; one that is not loaded gives a watch and the ranges of
 * the devices that it will get; a built-in one the ranges of its devices.
 */
enum target_error target_set_resolve(struct target_set *set, const struct sys_root *root,
				     const struct target_request *req, char *why, size_t why_size);
void target_set_deinit(struct target_set *set);

/** target_error_is_usage() - is it wrong usage (status 2) rather than a failure (status 1)? */
bool target_error_is_usage(enum target_error e);

/** target_set_denied() - what a physical range [start, end) must not be armed for, or NULL */
const struct target_denied *target_set_denied(const struct target_set *set, uint64_t start,
					      uint64_t end);

/** target_set_range() - first wanted range that touches [start, end), or NULL */
const struct target_range *target_set_range(const struct target_set *set, uint64_t start,
					    uint64_t end);

/**
 * target_list_print() - what the targets on this machine are: devices with address, name, driver
 * and BARs
 * @root: machine
 * @out: where to
 *
 * Return: 0 or -errno; an error of @out is left in @out.
 */
int target_list_print(const struct sys_root *root, FILE *out);

#endif
