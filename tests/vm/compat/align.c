// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Puts two logs side by side by their heaviest common subsequence, and asks the rules about the rest. An access
 * that may come anywhere weighs next to nothing, so that it is the one that counts as moved.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat.h"

#define WEIGHT	     1000
#define WEIGHT_ASYNC 1

struct alignment {
	const struct record_list *ours, *theirs;
	struct rule_list *rules;
	uint32_t *weight; /* of the common subsequence from [i][j] on */
	size_t left; /* differences that may still be printed */
	size_t differences;
	size_t unknown; /* theirs, where ours knows the access */
};

static bool is_header(const struct record *r)
{
	return r->type <= RECORD_LSPCI || r->type == RECORD_MARK;
}

/* All but the value. */
static bool same_shape(const struct record *a, const struct record *b)
{
	if (a->type != b->type || a->pc != b->pc || a->pid != b->pid)
		return false;
	if (is_header(a))
		return !strcmp(a->text, b->text);
	return a->map == b->map && a->map_len == b->map_len && a->width == b->width &&
	       a->phys == b->phys;
}

static bool equal(struct rule_list *rules, const struct record *a, const struct record *b)
{
	return same_shape(a, b) && (a->value == b->value || rule_find(rules, RULE_VOLATILE, a));
}

static uint32_t *weight_at(const struct alignment *a, size_t i, size_t j)
{
	return &a->weight[i * (a->theirs->count + 1) + j];
}

static void fill_weights(struct alignment *a)
{
	for (size_t i = a->ours->count; i-- > 0;) {
		const struct record *ours = &a->ours->at[i];
		uint32_t own = rule_find(a->rules, RULE_ASYNC, ours) ? WEIGHT_ASYNC : WEIGHT;

		for (size_t j = a->theirs->count; j-- > 0;) {
			uint32_t best = *weight_at(a, i + 1, j), other = *weight_at(a, i, j + 1);

			if (other > best)
				best = other;
			if (equal(a->rules, ours, &a->theirs->at[j])) {
				other = *weight_at(a, i + 1, j + 1) + own;
				if (other > best)
					best = other;
			}
			*weight_at(a, i, j) = best;
		}
	}
}

static void print_side(const char *side, const struct record *r)
{
	if (r)
		printf("  %s line %" PRIu32 ": %s%s\n", side, r->line,
		       r->type == RECORD_MARK ? "MARK ... " : "", r->text);
}

static void differ(struct alignment *a, const char *what, const struct record *ours,
		   const struct record *theirs)
{
	a->differences++;
	if (!a->left)
		return;
	a->left--;
	puts(what);
	print_side("ours  ", ours);
	print_side("theirs", theirs);
}

static bool shape_is_in(const struct record_list *list, const struct record *r)
{
	for (size_t i = 0; i < list->count; i++)
		if (same_shape(&list->at[i], r))
			return true;
	return false;
}

/* A record that only one side has here. */
static void only_one(struct alignment *a, const struct record *r, bool ours)
{
	struct rule *rule = rule_find(a->rules, RULE_ASYNC, r);

	if (rule && shape_is_in(ours ? a->theirs : a->ours, r)) {
		rule->used++;
		return;
	}
	rule = ours ? rule_find(a->rules, RULE_OURS, r) : NULL;
	if (rule)
		rule->used++;
	else
		differ(a, ours ? "only ours:" : "only theirs:", ours ? r : NULL, ours ? NULL : r);
}

/* Two records at one place that do not match. True when that is all there is to say about both. */
static bool pair(struct alignment *a, const struct record *ours, const struct record *theirs)
{
	struct rule *rule;

	if (same_shape(ours, theirs)) {
		rule = rule_find(a->rules, RULE_WRONG, ours);
		if (!rule)
			rule = rule_find(a->rules, RULE_ASYNC, ours);
		if (rule)
			rule->used++;
		else
			differ(a, "another value:", ours, theirs);
		return true;
	}
	if (theirs->type == RECORD_UNKNOWN && ours->phys == theirs->phys &&
	    (ours->type == RECORD_READ || ours->type == RECORD_WRITE)) {
		a->unknown++;
		printf("mmiotrace does not know this instruction, %02x %02x %02x:\n",
		       (unsigned int)(theirs->value >> 16),
		       (unsigned int)(theirs->value >> 8) & 0xff,
		       (unsigned int)theirs->value & 0xff);
		print_side("ours  ", ours);
		print_side("theirs", theirs);
		return true;
	}
	return false;
}

static void count_volatile(struct alignment *a, const struct record *ours,
			   const struct record *theirs)
{
	if (ours->value != theirs->value)
		rule_find(a->rules, RULE_VOLATILE, ours)->used++;
}

/* Between two places where they agree, ours from i to i_end and theirs from j to j_end have nothing in common. */
static void walk_gap(struct alignment *a, size_t i, size_t i_end, size_t j, size_t j_end)
{
	while (i < i_end || j < j_end) {
		const struct record *ours = i < i_end ? &a->ours->at[i] : NULL;
		const struct record *theirs = j < j_end ? &a->theirs->at[j] : NULL;

		if (ours && theirs && pair(a, ours, theirs)) {
			i++, j++;
		} else if (ours) {
			only_one(a, ours, true);
			i++;
		} else {
			only_one(a, theirs, false);
			j++;
		}
	}
}

static bool is_best_match(const struct alignment *a, size_t i, size_t j)
{
	uint32_t here = *weight_at(a, i, j);

	return here > *weight_at(a, i + 1, j) && here > *weight_at(a, i, j + 1);
}

static void walk(struct alignment *a)
{
	size_t i = 0, j = 0, i_gap = 0, j_gap = 0;

	while (i < a->ours->count && j < a->theirs->count) {
		const struct record *ours = &a->ours->at[i], *theirs = &a->theirs->at[j];

		if (equal(a->rules, ours, theirs) && is_best_match(a, i, j)) {
			walk_gap(a, i_gap, i, j_gap, j);
			count_volatile(a, ours, theirs);
			i_gap = ++i;
			j_gap = ++j;
		} else if (*weight_at(a, i + 1, j) >= *weight_at(a, i, j + 1)) {
			i++;
		} else {
			j++;
		}
	}
	walk_gap(a, i_gap, a->ours->count, j_gap, a->theirs->count);
}

size_t records_compare(const struct record_list *ours, const struct record_list *theirs,
		       struct rule_list *rules, size_t most)
{
	struct alignment a = { .ours = ours, .theirs = theirs, .rules = rules, .left = most };

	a.weight = calloc((ours->count + 1) * (theirs->count + 1), sizeof(*a.weight));
	if (!a.weight) {
		fputs("compat: out of memory\n", stderr);
		exit(2);
	}
	fill_weights(&a);
	walk(&a);
	free(a.weight);
	printf("mmiotrace: %zu instructions that it does not know\n", a.unknown);
	return a.differences;
}
