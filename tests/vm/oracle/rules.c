// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * QEMU logs what it hands to a device model, which is not always the access as the CPU made it. The rules
 * bring both sides to one form. Each access of ours still needs one of theirs for each of its pieces, and each
 * of theirs one of ours: no rule can hide an access that is missing.
 *
 * Where it comes from: access_with_adjusted_size() in QEMU's softmmu/memory.c, and the size limits in the
 * MemoryRegionOps of the device models.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"

enum rule_kind {
	RULE_SPLIT, /* logged in pieces of at most this many bytes, lowest address first */
	RULE_WIDE, /* logged with a larger size: only the bytes that were accessed count */
	RULE_DIRTY, /* the value has bits above its size, which mean nothing */
};

struct rule {
	const char *region; /* NULL: any region */
	enum rule_kind kind;
	uint8_t bytes; /* RULE_SPLIT */
	const char *reason;
};

static const struct rule rules[] = {
	{ NULL, RULE_SPLIT, 4,
	  "an 8-byte access to a region that takes no more than 4 bytes is carried out as two" },
	{ "capabilities", RULE_SPLIT, 1, "ehci: its capability registers are read byte by byte" },
	{ "lsi-mmio", RULE_SPLIT, 1, "lsi53c895a: its registers are accessed byte by byte" },
	{ "megasas-mmio", RULE_WIDE, 0, "megasas: every access is made 8 bytes wide" },
	{ "bochs dispi interface", RULE_DIRTY, 0,
	  "bochs-display: returns more bits than asked for" },
	{ "edu-mmio", RULE_DIRTY, 0,
	  "edu: an 8-byte register read with 4 bytes returns all of it" },
	{ "bochs-display-mmio", RULE_DIRTY, 0,
	  "what no part of the region handles reads as all ones, 64 of them" },
	{ "pvscsi-io", RULE_DIRTY, 0, "pvscsi: returns more bits than asked for" },
};

#define RULE_COUNT (sizeof(rules) / sizeof(rules[0]))

/* A region of the device log, and the largest size that it is logged with. Several may have one name. */
struct region {
	uint64_t id;
	const char *name;
	uint32_t len;
	uint8_t largest;
};

/* Which region an address belongs to. */
struct place {
	uint64_t phys;
	size_t region;
};

struct places {
	struct place *at;
	size_t count;
	struct region *regions;
	size_t region_count;
};

static uint64_t mask(unsigned int width)
{
	return width >= 8 ? UINT64_MAX : (UINT64_C(1) << (8 * width)) - 1;
}

static void *must_alloc(size_t count, size_t size)
{
	void *array = calloc(count + 1, size);

	if (!array) {
		fputs("oracle: out of memory\n", stderr);
		exit(2);
	}
	return array;
}

static int place_order(const void *x, const void *y)
{
	const struct place *a = x, *b = y;

	return (a->phys > b->phys) - (a->phys < b->phys);
}

/* There are few regions in a log: a walk does. */
static size_t region_add(struct places *p, const struct access *a)
{
	size_t i;

	for (i = 0; i < p->region_count; i++)
		if (p->regions[i].id == a->region_id)
			break;
	if (i == p->region_count)
		p->regions[p->region_count++] =
			(struct region){ a->region_id, a->region, a->region_len, 0 };
	if (a->width > p->regions[i].largest)
		p->regions[i].largest = a->width;
	return i;
}

static void places_init(struct places *p, const struct access_list *theirs)
{
	size_t n = theirs->count;

	*p = (struct places){ .at = must_alloc(n, sizeof(*p->at)),
			      .regions = must_alloc(n, sizeof(*p->regions)) };
	for (size_t i = 0; i < n; i++)
		p->at[i] = (struct place){ theirs->at[i].phys, region_add(p, &theirs->at[i]) };
	qsort(p->at, n, sizeof(*p->at), place_order);
	for (size_t i = 0; i < n; i++)
		if (!p->count || p->at[p->count - 1].phys != p->at[i].phys)
			p->at[p->count++] = p->at[i];
}

static void places_deinit(struct places *p)
{
	free(p->at);
	free(p->regions);
}

static const struct place *place_find(const struct places *p, uint64_t phys)
{
	struct place key = { .phys = phys };

	return bsearch(&key, p->at, p->count, sizeof(*p->at), place_order);
}

static const struct rule *rule_find(const char *region, size_t len, enum rule_kind kind)
{
	for (size_t i = 0; i < RULE_COUNT; i++)
		if (rules[i].kind == kind && rules[i].region && strlen(rules[i].region) == len &&
		    !memcmp(rules[i].region, region, len))
			return &rules[i];
	return NULL;
}

/* Bytes of one piece of an access of ours; its width when it is not split. */
static unsigned int piece_size(const struct access *a, const struct places *places)
{
	const struct place *p = place_find(places, a->phys);
	const struct region *region;
	const struct rule *rule;

	if (!p)
		return a->width;
	region = &places->regions[p->region];
	rule = rule_find(region->name, region->len, RULE_SPLIT);
	if (!rule)
		rule = &rules[0];
	/* A region that is logged with more bytes than that does not split. */
	return region->largest <= rule->bytes && rule->bytes < a->width ? rule->bytes : a->width;
}

static void split_ours(struct access_list *ours, const struct places *places, struct text_log *log)
{
	struct access_list out = { 0 };
	size_t gap = 0;

	for (size_t i = 0; i < ours->count; i++) {
		struct access piece = ours->at[i];
		unsigned int size = piece_size(&piece, places), left = piece.width;

		for (; gap < log->gap_count && log->gaps[gap].before <= i; gap++)
			log->gaps[gap].before = out.count;
		piece.width = size;
		for (; left; left -= size, piece.phys += size) {
			struct access whole = piece;

			piece.value &= mask(size);
			access_add(&out, &piece);
			piece.value = size < 8 ? whole.value >> (8 * size) : 0;
		}
	}
	for (; gap < log->gap_count; gap++)
		log->gaps[gap].before = out.count;
	free(ours->at);
	*ours = out;
}

/* The smallest width with which ours has an address; 0 when it is not there. */
static unsigned int our_width(const struct access_list *ours, const struct access *theirs)
{
	unsigned int width = 0;

	for (size_t i = 0; i < ours->count; i++)
		if (ours->at[i].phys == theirs->phys && ours->at[i].write == theirs->write &&
		    (!width || ours->at[i].width < width))
			width = ours->at[i].width;
	return width;
}

static void trim_theirs(const struct access_list *ours, struct access_list *theirs)
{
	for (size_t i = 0; i < theirs->count; i++) {
		struct access *a = &theirs->at[i];
		unsigned int width;

		if (rule_find(a->region, a->region_len, RULE_DIRTY))
			a->value &= mask(a->width);
		if (!rule_find(a->region, a->region_len, RULE_WIDE))
			continue;
		width = our_width(ours, a);
		if (width && width < a->width) {
			a->width = width;
			a->value &= mask(width);
		}
	}
}

void rules_apply(struct access_list *ours, struct access_list *theirs, struct text_log *log)
{
	struct places places;

	places_init(&places, theirs);
	split_ours(ours, &places, log);
	trim_theirs(ours, theirs);
	places_deinit(&places);
}

void rules_print(void)
{
	static const char *const names[] = { "split", "wide", "dirty" };

	for (size_t i = 0; i < RULE_COUNT; i++)
		printf("%-24s %-6s %s\n", rules[i].region ? rules[i].region : "any region",
		       names[rules[i].kind], rules[i].reason);
}
