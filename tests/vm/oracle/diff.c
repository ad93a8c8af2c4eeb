// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where both logs differ, with the lines around it.
 *
 * The counts come from sets.c and are exact. Of several equal accesses nobody can say which one is missing: the
 * walk here takes the first place where the logs no longer fit together.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"

#define CONTEXT	   2 /* lines on either side */
#define LOOK_AHEAD 4096 /* missing accesses in a row */

struct walk {
	const struct access_list *ours, *theirs;
	uint8_t *used; /* of theirs: found in ours, or described */
	int64_t *surplus; /* per key: how many more there are in ours, less those described */
	uint64_t different; /* still to be described */
	size_t ours_at, first_unused;
	size_t left; /* differences that may still be printed */
};

static void print_access(const char *mark, const struct access *a)
{
	printf("    %s line %" PRIu32 ": %s\n", mark, a->line, a->text);
}

/* The lines of ours around access number @i. */
static void print_ours(const struct access_list *list, size_t i)
{
	size_t k = i < CONTEXT ? 0 : i - CONTEXT;

	puts("  the log:");
	for (; k < list->count && k <= i + CONTEXT; k++) {
		/* The pieces of a split access have one line. */
		if (k == i || i >= list->count || list->at[k].line != list->at[i].line)
			print_access(k == i ? ">" : " ", &list->at[k]);
	}
	if (i >= list->count)
		puts("    > the end");
}

static void print_neighbours(const struct access_list *list, size_t i, int step)
{
	size_t found[CONTEXT], count = 0;

	for (size_t k = i + step; k < list->count && count < CONTEXT; k += step)
		if (list->at[k].cpu == list->at[i].cpu)
			found[count++] = k;
	for (size_t k = 0; k < count; k++)
		print_access(" ", &list->at[found[step < 0 ? count - 1 - k : k]]);
}

/* The accesses of the same CPU around access number @i of theirs. */
static void print_theirs(const struct access_list *list, size_t i)
{
	printf("  the device log, CPU %" PRId32 ":\n", list->at[i].cpu);
	print_neighbours(list, i, -1);
	print_access(">", &list->at[i]);
	print_neighbours(list, i, 1);
}

static void describe(struct walk *w, const char *what, const struct access *a, size_t theirs)
{
	if (!w->left)
		return;
	w->left--;
	printf("%s: %s %u 0x%" PRIx64 " 0x%" PRIx64 "\n", what, a->write ? "W" : "R", a->width,
	       a->phys, a->value);
	print_ours(w->ours, w->ours_at);
	if (theirs < w->theirs->count)
		print_theirs(w->theirs, theirs);
}

static bool is_missing(const struct walk *w, size_t i)
{
	return !w->used[i] && w->surplus[w->theirs->at[i].key] < 0;
}

/* First access of theirs, not used, that is equal to @ours, or has its shape and is missing. */
static size_t find(const struct walk *w, const struct access *ours, bool shape)
{
	size_t end = w->first_unused + LOOK_AHEAD;

	for (size_t i = w->first_unused; i < w->theirs->count && i < end; i++) {
		const struct access *a = &w->theirs->at[i];

		if (w->used[i])
			continue;
		if (shape ? a->shape == ours->shape && is_missing(w, i) : a->key == ours->key)
			return i;
	}
	return w->theirs->count;
}

static void use(struct walk *w, size_t i)
{
	w->used[i] = 1;
	while (w->first_unused < w->theirs->count && w->used[w->first_unused])
		w->first_unused++;
}

/* What the same CPU did before access number @i and is missing. */
static void describe_missing_before(struct walk *w, size_t i)
{
	for (size_t k = w->first_unused; k < i; k++) {
		if (w->theirs->at[k].cpu != w->theirs->at[i].cpu || !is_missing(w, k))
			continue;
		describe(w, "missing", &w->theirs->at[k], k);
		w->surplus[w->theirs->at[k].key]++;
		use(w, k);
	}
}

static void walk_access(struct walk *w, const struct access *ours)
{
	size_t i;

	if (w->surplus[ours->key] > 0) {
		i = w->different ? find(w, ours, true) : w->theirs->count;
		if (i < w->theirs->count) {
			describe(w, "different value", ours, i);
			w->different--;
			w->surplus[w->theirs->at[i].key]++;
			use(w, i);
			w->surplus[ours->key]--;
			return;
		}
		if (find(w, ours, false) == w->theirs->count) {
			describe(w, "extra", ours, w->theirs->count);
			w->surplus[ours->key]--;
			return;
		}
	}
	i = find(w, ours, false);
	if (i == w->theirs->count)
		return;
	describe_missing_before(w, i);
	use(w, i);
}

static void walk_init(struct walk *w, const struct access_list *ours,
		      const struct access_list *theirs, const struct set_difference *sets)
{
	w->used = calloc(theirs->count + 1, sizeof(*w->used));
	w->surplus = calloc(sets->keys + 1, sizeof(*w->surplus));
	if (!w->used || !w->surplus) {
		fputs("oracle: out of memory\n", stderr);
		exit(2);
	}
	for (size_t i = 0; i < ours->count; i++)
		w->surplus[ours->at[i].key]++;
	for (size_t i = 0; i < theirs->count; i++)
		w->surplus[theirs->at[i].key]--;
}

void diff_print(const struct access_list *ours, const struct access_list *theirs,
		const struct set_difference *sets, size_t most)
{
	struct walk w = {
		.ours = ours, .theirs = theirs, .different = sets->different, .left = most
	};

	walk_init(&w, ours, theirs, sets);
	for (; w.ours_at < ours->count && w.left; w.ours_at++)
		walk_access(&w, &ours->at[w.ours_at]);
	for (size_t i = 0; i < theirs->count && w.left; i++) {
		if (!is_missing(&w, i))
			continue;
		describe(&w, "missing", &theirs->at[i], i);
		w.surplus[theirs->at[i].key]++;
	}
	free(w.used);
	free(w.surplus);
}

void order_print(const struct access_list *ours, const struct access_list *theirs,
		 const struct order_break *at)
{
	if (at->undecided)
		puts("order: not decided, there are too many ways to read the log");
	else if (at->gap_line)
		printf("order: after the loss in line %" PRIu32 " no CPU made this access next\n",
		       at->gap_line);
	else
		puts("order: no CPU made this access next");
	print_ours(ours, at->ours);
	for (size_t c = 0; c < at->head_count; c++)
		if (at->heads[c] < theirs->count)
			print_theirs(theirs, at->heads[c]);
}
