// SPDX-License-Identifier: GPL-2.0-or-later
#include "reorder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int reorder_init(struct reorder *r)
{
	r->slots = calloc(REORDER_SIZE + 1, sizeof(*r->slots));
	r->first = r->n = 0;
	r->spare = REORDER_SIZE;
	return r->slots ? 0 : -ENOMEM;
}

void reorder_deinit(struct reorder *r)
{
	free(r->slots);
	r->slots = NULL;
}

const struct mmiobpf_rec_hdr *reorder_push(struct reorder *r, const struct mmiobpf_rec_hdr *rec)
{
	uint16_t slot = r->spare, earliest = r->order[0];
	bool full = r->n == REORDER_SIZE;
	size_t at;

	if (full)
		memmove(r->order, r->order + 1, --r->n * sizeof(r->order[0]));
	else
		slot = (uint16_t)r->n;
	/* Nearly always the last one. Of two at one time the first stays first. */
	for (at = r->n; at && r->slots[r->order[at - 1]].hdr.time_ns > rec->time_ns; at--)
		r->order[at] = r->order[at - 1];
	r->order[at] = slot;
	r->n++;
	memcpy(&r->slots[slot], rec, rec->size);
	if (!full)
		return NULL;
	r->spare = earliest;
	return &r->slots[earliest].hdr;
}

const struct mmiobpf_rec_hdr *reorder_pop(struct reorder *r)
{
	return r->first < r->n ? &r->slots[r->order[r->first++]].hdr : NULL;
}
