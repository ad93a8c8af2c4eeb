// SPDX-License-Identifier: GPL-2.0-or-later
#include "changed.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SIZE 1024

void changed_init(struct changed *c)
{
	memset(c, 0, sizeof(*c));
}

void changed_deinit(struct changed *c)
{
	free(c->places);
	memset(c, 0, sizeof(*c));
}

static size_t slot_of(const struct changed *c, uint64_t phys, uint8_t dir)
{
	/* Fibonacci hashing: Knuth, volume 3, section 6.4. */
	return (size_t)(((phys << 2 | dir) * 0x9e3779b97f4a7c15) >> 32) & (c->size - 1);
}

/* The place of an access, or the free slot for it. */
static struct changed_place *find(const struct changed *c, const struct changed_place *key)
{
	size_t i = slot_of(c, key->phys, key->dir);

	for (;; i = (i + 1) & (c->size - 1)) {
		struct changed_place *p = &c->places[i];

		if (!p->dir || (p->phys == key->phys && p->dir == key->dir &&
				p->width == key->width && p->map_id == key->map_id))
			return p;
	}
}

/* At most three quarters of the slots are taken. */
static int make_room(struct changed *c)
{
	struct changed old = *c;

	if (c->size && c->n < c->size / 4 * 3)
		return 0;
	if (c->n >= CHANGED_PLACES / 4 * 3) {
		memset(c->places, 0, c->size * sizeof(*c->places));
		c->n = 0;
		return 0;
	}
	c->size = old.size ? 2 * old.size : FIRST_SIZE;
	c->places = calloc(c->size, sizeof(*c->places));
	if (!c->places) {
		*c = old;
		return -ENOMEM;
	}
	for (size_t i = 0; i < old.size; i++)
		if (old.places[i].dir)
			*find(c, &old.places[i]) = old.places[i];
	free(old.places);
	return 0;
}

int changed_access(struct changed *c, const struct mmiobpf_rec_access *a, bool *is_changed)
{
	struct changed_place now = {
		.phys = a->phys,
		.before = a->before,
		.after = a->after,
		.map_id = a->map_id,
		.width = a->width,
		.dir = a->dir,
		.flags = a->flags & (MMIOBPF_ACC_BEFORE | MMIOBPF_ACC_AFTER),
	};
	struct changed_place *last;

	*is_changed = true;
	if (a->width > 8)
		return 0;
	if (make_room(c))
		return -ENOMEM;
	last = find(c, &now);
	if (!last->dir)
		c->n++;
	else
		*is_changed = memcmp(last, &now, sizeof(now)) != 0;
	*last = now;
	return 0;
}
