/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who knows which function a program counter is in: the running kernel, or what a capture brings
 * along. Writers see no more of it than this table of operations.
 */
#ifndef MMIOBPF_LOG_SYMBOLIZER_H
#define MMIOBPF_LOG_SYMBOLIZER_H

#include <errno.h>
#include <stdint.h>

#include "header.h"

struct symbol_name {
	const char *name;	/* valid until the next look-up */
	const char *module;	/* "" when it is in the kernel itself */
	uint64_t offset;	/* bytes from the start of the function */
};

struct symbolizer {
	/* Return: 0, or -ENOENT when no function is known there. */
	int (*find)(struct symbolizer *s, uint64_t pc, struct symbol_name *out);
	void (*free)(struct symbolizer *s);	/* NULL: nothing to free */
};

/** symbolizer_find() - which function is @pc in? @s may be NULL. Return: 0 or -ENOENT */
static inline int symbolizer_find(struct symbolizer *s, uint64_t pc, struct symbol_name *out)
{
	return s ? s->find(s, pc, out) : -ENOENT;
}

/** symbolizer_free() - NULL is allowed */
static inline void symbolizer_free(struct symbolizer *s)
{
	if (s && s->free)
		s->free(s);
}

/* The functions that a log's header names. */
struct header_symbolizer {
	struct symbolizer symbolizer;
	const struct log_header *header;	/* borrowed; it may grow */
};

/** header_symbolizer_init() - nothing is to be freed */
void header_symbolizer_init(struct header_symbolizer *s, const struct log_header *header);

#endif
