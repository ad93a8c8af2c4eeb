// SPDX-License-Identifier: GPL-2.0-or-later
/* Which accesses are in one log and not in the other, each counted as often as it happened. */
#include <stdio.h>
#include <stdlib.h>

#include "oracle.h"

static int shape_order(const struct access *a, const struct access *b)
{
	if (a->phys != b->phys)
		return a->phys < b->phys ? -1 : 1;
	if (a->width != b->width)
		return a->width < b->width ? -1 : 1;
	return (a->write > b->write) - (a->write < b->write);
}

static int value_order(const struct access *a, const struct access *b)
{
	int order = shape_order(a, b);

	return order ? order : (a->value > b->value) - (a->value < b->value);
}

static int pointer_order(const void *x, const void *y)
{
	return value_order(*(struct access *const *)x, *(struct access *const *)y);
}

static void number_accesses(struct access **sorted, size_t n, struct set_difference *d)
{
	for (size_t i = 0; i < n; i++) {
		d->keys += !i || value_order(sorted[i - 1], sorted[i]);
		d->shapes += !i || shape_order(sorted[i - 1], sorted[i]);
		sorted[i]->key = d->keys - 1;
		sorted[i]->shape = d->shapes - 1;
	}
}

/* What is left over on both sides for one shape has another value; the rest is missing or extra. */
static void close_shape(struct set_difference *d, uint64_t missing, uint64_t extra)
{
	uint64_t different = missing < extra ? missing : extra;

	d->different += different;
	d->missing += missing - different;
	d->extra += extra - different;
}

static void count_differences(struct access **sorted, size_t n, const struct access_list *ours,
			      struct set_difference *d)
{
	const struct access *last = ours->at + ours->count;
	uint64_t missing = 0, extra = 0;
	size_t i = 0;

	while (i < n) {
		const struct access *first = sorted[i];
		int64_t surplus = 0;

		for (; i < n && sorted[i]->key == first->key; i++)
			surplus += sorted[i] >= ours->at && sorted[i] < last ? 1 : -1;
		extra += surplus > 0 ? surplus : 0;
		missing += surplus < 0 ? -surplus : 0;
		if (i == n || sorted[i]->shape != first->shape) {
			close_shape(d, missing, extra);
			missing = extra = 0;
		}
	}
}

struct set_difference sets_compare(struct access_list *ours, struct access_list *theirs)
{
	size_t n = ours->count + theirs->count;
	struct access **sorted = malloc((n + 1) * sizeof(*sorted));
	struct set_difference d = { 0 };

	if (!sorted) {
		fputs("oracle: out of memory\n", stderr);
		exit(2);
	}
	for (size_t i = 0; i < ours->count; i++)
		sorted[i] = &ours->at[i];
	for (size_t i = 0; i < theirs->count; i++)
		sorted[ours->count + i] = &theirs->at[i];
	qsort(sorted, n, sizeof(*sorted), pointer_order);
	number_accesses(sorted, n, &d);
	count_differences(sorted, n, ours, &d);
	free(sorted);
	return d;
}
