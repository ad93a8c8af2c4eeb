/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which accesses have another value than the one before, at the same place. Pure. */
#ifndef MMIOBPF_FILTER_CHANGED_H
#define MMIOBPF_FILTER_CHANGED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../include/mmiobpf/record.h"

#define CHANGED_PLACES (256 * 1024) /* slots at most, three quarters of them in use: 8 MiB */

/* No holes: two of them are compared as bytes. */
struct changed_place {
	uint64_t phys;
	uint64_t before, after; /* of the last access there */
	uint32_t map_id;
	uint16_t width;
	uint8_t dir; /* 0: a free slot */
	uint8_t flags;
};
_Static_assert(sizeof(struct changed_place) == 32, "struct changed_place has holes");

struct changed {
	struct changed_place *places; /* a hash table: size is a power of two */
	size_t n, size;
};

void changed_init(struct changed *c);
void changed_deinit(struct changed *c);

/**
 * changed_access() - look at an access, and remember it
 * @is_changed: set: it is the first of its address, width and direction, or its value is not that of
 *	the one before. Of a wide access all counts as changed. When the table is full,
 *	all are forgotten, so that the next one of each counts as the first.
 *
 * Return: 0 or -ENOMEM.
 */
int changed_access(struct changed *c, const struct mmiobpf_rec_access *a, bool *is_changed);

#endif
