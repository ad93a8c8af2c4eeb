// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The region table against a plain sorted array, at its edges, and the number of steps of a search.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kmod/region.h"

#define PAGE		4096ULL
#define SEED		20261130u
#define OPERATIONS	100000
#define SPACE_PAGES	4096	/* small, so that overlaps are frequent */
#define SPACE_START	0xffffc90000000000ULL

_Thread_local unsigned long region_steps;

static u64 random_state;

static u32 random_below(u32 n)
{
	random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (u32)(random_state >> 33) % n;
}

static struct region *region_new(struct region_table *t, u64 start, u64 end)
{
	u8 level = region_pick_level(t);
	struct region *r = calloc(1, region_size(level));

	assert_non_null(r);
	r->start = start;
	r->end = end;
	r->level = level;
	return r;
}

static int insert_new(struct region_table *t, u64 start, u64 end)
{
	struct region *r = region_new(t, start, end);
	int err = region_insert(t, r);

	if (err)
		free(r);
	return err;
}

static void table_clear(struct region_table *t)
{
	struct region *r;

	while ((r = region_first(t))) {
		region_remove(t, r);
		free(r);
	}
	assert_int_equal(t->count, 0);
}

/* The model: a sorted array of the same regions. */
static struct region *model[SPACE_PAGES];
static size_t model_count;

static struct region *model_find(u64 addr)
{
	for (size_t i = 0; i < model_count; i++)
		if (model[i]->start <= addr && addr < model[i]->end)
			return model[i];
	return NULL;
}

static bool model_overlaps(u64 start, u64 end)
{
	for (size_t i = 0; i < model_count; i++)
		if (model[i]->start < end && start < model[i]->end)
			return true;
	return false;
}

static void model_insert(struct region *r)
{
	size_t i = model_count++;

	for (; i > 0 && model[i - 1]->start > r->start; i--)
		model[i] = model[i - 1];
	model[i] = r;
}

static void model_remove(size_t i)
{
	memmove(&model[i], &model[i + 1], (--model_count - i) * sizeof(model[0]));
}

static void assert_same_walk(const struct region_table *t)
{
	struct region *r = region_first(t);

	for (size_t i = 0; i < model_count; i++, r = region_next(r))
		assert_ptr_equal(r, model[i]);
	assert_null(r);
	assert_int_equal(t->count, model_count);
}

static void random_insert(struct region_table *t)
{
	u64 start = SPACE_START + random_below(SPACE_PAGES) * PAGE;
	u64 end = start + (1 + random_below(8)) * PAGE;
	struct region *r = region_new(t, start, end);
	int err = region_insert(t, r);

	assert_int_equal(err, model_overlaps(start, end) ? -EEXIST : 0);
	if (err)
		free(r);
	else
		model_insert(r);
}

static void random_remove(struct region_table *t)
{
	size_t i;

	if (!model_count)
		return;
	i = random_below(model_count);
	region_remove(t, model[i]);
	free(model[i]);
	model_remove(i);
}

static void same_as_sorted_array(void **state)
{
	struct region_table t = { .next_seed = SEED };

	(void)state;
	random_state = SEED;
	model_count = 0;
	print_message("# seed %u\n", SEED);
	for (int i = 0; i < OPERATIONS; i++) {
		/* Grows to a full table, then shrinks, and again. */
		u32 inserts = i / 20000 % 2 ? 20 : 40;
		u32 op = random_below(100);

		if (op < inserts) {
			random_insert(&t);
		} else if (op < 60) {
			random_remove(&t);
		} else {
			u64 addr = SPACE_START + random_below(SPACE_PAGES * PAGE);

			assert_ptr_equal(region_find(&t, addr), model_find(addr));
		}
		if (i % 1000 == 0)
			assert_same_walk(&t);
	}
	assert_same_walk(&t);
	table_clear(&t);
}

static void insert_refusals(void **state)
{
	struct region_table t = { 0 };
	struct region *r;

	(void)state;
	assert_int_equal(insert_new(&t, 0x10000, 0x14000), 0);
	/* the same, inside, around, over the start, over the end */
	assert_int_equal(insert_new(&t, 0x10000, 0x14000), -EEXIST);
	assert_int_equal(insert_new(&t, 0x11000, 0x12000), -EEXIST);
	assert_int_equal(insert_new(&t, 0xf000, 0x15000), -EEXIST);
	assert_int_equal(insert_new(&t, 0xf000, 0x11000), -EEXIST);
	assert_int_equal(insert_new(&t, 0x13000, 0x15000), -EEXIST);
	/* empty, reversed, not aligned */
	assert_int_equal(insert_new(&t, 0x20000, 0x20000), -EINVAL);
	assert_int_equal(insert_new(&t, 0x21000, 0x20000), -EINVAL);
	assert_int_equal(insert_new(&t, 0x20001, 0x21000), -EINVAL);
	assert_int_equal(insert_new(&t, 0x20000, 0x20fff), -EINVAL);
	/* levels that the table does not have */
	r = region_new(&t, 0x30000, 0x31000);
	r->level = 0;
	assert_int_equal(region_insert(&t, r), -EINVAL);
	r->level = REGION_MAX_LEVEL + 1;
	assert_int_equal(region_insert(&t, r), -EINVAL);
	free(r);
	assert_int_equal(t.count, 1);
	table_clear(&t);
}

static void remove_of_a_stranger(void **state)
{
	struct region_table t = { 0 };
	struct region *r = region_new(&t, 0x10000, 0x11000);

	(void)state;
	assert_int_equal(insert_new(&t, 0x10000, 0x11000), 0);
	region_remove(&t, r);
	assert_int_equal(t.count, 1);
	assert_non_null(region_find(&t, 0x10000));
	free(r);
	table_clear(&t);
}

static void edges_of_regions(void **state)
{
	const u64 top = 0xfffffffffffff000ULL;
	struct region_table t = { 0 };

	(void)state;
	assert_null(region_find(&t, 0));
	assert_null(region_first(&t));
	assert_int_equal(insert_new(&t, 0, PAGE), 0);
	assert_int_equal(insert_new(&t, 0x10000, 0x12000), 0);
	assert_int_equal(insert_new(&t, 0x12000, 0x13000), 0);
	assert_int_equal(insert_new(&t, top - PAGE, top), 0);
	/* the last page has no exclusive end in 64 bits */
	assert_int_equal(insert_new(&t, top, 0), -EINVAL);

	assert_int_equal(region_find(&t, 0)->start, 0);
	assert_int_equal(region_find(&t, PAGE - 1)->start, 0);
	assert_null(region_find(&t, PAGE));
	assert_null(region_find(&t, 0xffff));
	assert_int_equal(region_find(&t, 0x10000)->start, 0x10000);
	assert_int_equal(region_find(&t, 0x11fff)->start, 0x10000);
	assert_int_equal(region_find(&t, 0x12000)->start, 0x12000);
	assert_int_equal(region_find(&t, 0x12fff)->start, 0x12000);
	assert_null(region_find(&t, 0x13000));
	assert_int_equal(region_find(&t, top - 1)->start, top - PAGE);
	assert_null(region_find(&t, top));
	assert_null(region_find(&t, ~0ULL));
	table_clear(&t);
}

static void levels_are_geometric(void **state)
{
	struct region_table a = { .next_seed = SEED }, b = { .next_seed = SEED };
	unsigned int seen[REGION_MAX_LEVEL + 1] = { 0 };

	(void)state;
	for (int i = 0; i < 100000; i++) {
		u8 level = region_pick_level(&a);

		assert_in_range(level, 1, REGION_MAX_LEVEL);
		assert_int_equal(level, region_pick_level(&b));
		seen[level]++;
	}
	assert_in_range(seen[1], 74000, 76000);
	assert_in_range(seen[2], 18000, 19500);
	assert_in_range(seen[3], 4300, 5100);
}

static unsigned int log2_of(u32 n)
{
	unsigned int bits = 0;

	while (n >>= 1)
		bits++;
	return bits;
}

/* Inserted in ascending order, as vmalloc mostly hands addresses out. */
static void steps_for(u32 regions)
{
	struct region_table t = { .next_seed = SEED };
	unsigned long most = 0, sum = 0;
	const u32 searches = 20000;

	for (u32 i = 0; i < regions; i++)
		assert_int_equal(insert_new(&t, i * 2 * PAGE, (i * 2 + 1) * PAGE), 0);
	for (u32 i = 0; i < searches; i++) {
		u32 at = random_below(regions);

		region_steps = 0;
		assert_non_null(region_find(&t, at * 2 * PAGE + random_below(PAGE)));
		sum += region_steps;
		if (region_steps > most)
			most = region_steps;
	}
	print_message("# %u regions: %lu steps on average, at most %lu\n", regions, sum / searches,
		      most);
	assert_true(sum / searches <= REGION_MAX_LEVEL + 2 * log2_of(regions));
	assert_true(most <= REGION_MAX_LEVEL + 6 * log2_of(regions));
	table_clear(&t);
}

static void steps_grow_with_the_logarithm(void **state)
{
	(void)state;
	random_state = SEED;
	steps_for(10);
	steps_for(1000);
	steps_for(100000);
}

/* A list that was damaged into a circle must not hold a fault handler for ever. */
static void circle_ends(void **state)
{
	struct region_table t = { 0 };
	struct region *r = calloc(1, region_size(1));

	(void)state;
	assert_non_null(r);
	r->start = PAGE;
	r->end = 2 * PAGE;
	r->level = 1;
	assert_int_equal(region_insert(&t, r), 0);
	r->next[0] = r;
	assert_null(region_find(&t, PAGE));
	free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_as_sorted_array),
		cmocka_unit_test(insert_refusals),
		cmocka_unit_test(remove_of_a_stranger),
		cmocka_unit_test(edges_of_regions),
		cmocka_unit_test(levels_are_geometric),
		cmocka_unit_test(steps_grow_with_the_logarithm),
		cmocka_unit_test(circle_ends),
	};

	return cmocka_run_group_tests_name("region", tests, NULL, NULL);
}
