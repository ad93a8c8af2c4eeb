// SPDX-License-Identifier: GPL-2.0-or-later
#include "pc_set.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SIZE_MIN 256

void pc_set_init(struct pc_set *s)
{
	memset(s, 0, sizeof(*s));
}

void pc_set_deinit(struct pc_set *s)
{
	free(s->slots);
	free(s->open);
	pc_set_init(s);
}

/* Where @pc is, or the free slot where it belongs. Fibonacci hashing: Knuth, volume 3, 6.4. */
static uint64_t *slot_find(uint64_t *slots, size_t size, uint64_t pc)
{
	size_t i = (size_t)(pc * 0x9e3779b97f4a7c15ull >> 32) & (size - 1);

	while (slots[i] && slots[i] != pc)
		i = (i + 1) & (size - 1);
	return &slots[i];
}

/* At most half full. */
static int set_grow(struct pc_set *s)
{
	size_t size = s->size ? 2 * s->size : SIZE_MIN;
	uint64_t *slots;

	if (2 * (s->n + 1) <= s->size)
		return 0;
	slots = calloc(size, sizeof(*slots));
	if (!slots)
		return -ENOMEM;
	for (size_t i = 0; i < s->size; i++)
		if (s->slots[i])
			*slot_find(slots, size, s->slots[i]) = s->slots[i];
	free(s->slots);
	s->slots = slots;
	s->size = size;
	return 0;
}

static int open_room(struct pc_set *s)
{
	size_t room = s->open_room ? 2 * s->open_room : 64;
	uint64_t *grown;

	if (s->nopen < s->open_room)
		return 0;
	grown = reallocarray(s->open, room, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	s->open = grown;
	s->open_room = room;
	return 0;
}

int pc_set_add(struct pc_set *s, uint64_t pc)
{
	uint64_t *slot;
	int err;

	if (!pc || pc == s->last)
		return 0;
	err = set_grow(s);
	if (!err)
		err = open_room(s);
	if (err)
		return err;
	s->last = pc;
	slot = slot_find(s->slots, s->size, pc);
	if (*slot)
		return 0;
	*slot = pc;
	s->n++;
	s->open[s->nopen++] = pc;
	return 0;
}

void pc_set_close(struct pc_set *s, size_t i)
{
	s->open[i] = s->open[--s->nopen];
}
