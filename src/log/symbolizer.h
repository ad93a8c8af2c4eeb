/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who knows which function a program counter is in: the running kernel, or what a capture brings
 * along. Writers see no more of it than this table of operations.
 */
#ifndef MMIOBPF_LOG_SYMBOLIZER_H
#define MMIOBPF_LOG_SYMBOLIZER_H

#include <errno.h>
#include <stdint.h>

struct symbol_name {
	const char *name;	/* valid until the next look-up */
	const char *module;	/* "" when it is in the kernel itself */
	uint64_t offset;	/* bytes from the start of the function */
};

struct symbolizer {
	/* Return: 0, or -ENOENT when no function is known there. */
	int (*find)(struct symbolizer *s, uint64_t pc, struct symbol_name *out);
	void (*free)(struct symbolizer *s);
};

/** symbolizer_find() - which function is @pc in? @s may be NULL. Return: 0 or -ENOENT */
static inline int symbolizer_find(struct symbolizer *s, uint64_t pc, struct symbol_name *out)
{
	return s ? s->find(s, pc, out) : -ENOENT;
}

/** symbolizer_free() - NULL is allowed */
static inline void symbolizer_free(struct symbolizer *s)
{
	if (s)
		s->free(s);
}

#endif
