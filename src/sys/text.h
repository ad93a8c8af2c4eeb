/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the code of loaded modules is. */
#ifndef MMIOBPF_SYS_TEXT_H
#define MMIOBPF_SYS_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "root.h"

struct text_range {
	uint64_t start;
	uint64_t end;		/* exclusive */
};

/* What was read of the machine, once for all modules that are asked for. */
struct text_source;

/** text_source_new() - nothing is read yet. Return: 0 or -ENOMEM */
int text_source_new(const struct sys_root *root, struct text_source **out);
void text_source_free(struct text_source *s);

/**
 * text_source_ranges() - where a loaded module's code is
 * @s: source
 * @module: either spelling
 * @ranges: set to an array that the caller frees
 * @n: set to its length: mostly 1; more where something else lies between; 0: the module is not
 *     loaded, or went a moment ago
 *
 * A module's code begins where /proc/modules says that the module is, and is in one area of its own,
 * which /proc/vmallocinfo shows; that area may hold the module's data as well (before 6.4). Where the
 * two do not tell, and for a module that is still loading, whose code is in two areas, it is read from
 * /proc/kallsyms: from the first to the last text symbol, the end rounded up to the next page but not
 * past the next symbol of anything else. That takes the kernel a hundred times longer.
 *
 * Return: 0, -ENOENT: no /proc/kallsyms, -EPERM: the kernel hides addresses from this process, or
 * -errno.
 */
int text_source_ranges(struct text_source *s, const char *module, struct text_range **ranges,
		       size_t *n);

#endif
