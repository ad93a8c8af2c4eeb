// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Readers look regions up while a writer inserts and removes. A region that stays must always be
 * found, and a region that is found must be alive: it is freed when every reader has been seen
 * outside a search, which is what RCU does in the kernel.
 *
 * Built twice: with ASan, which sees a region freed too early, and with TSan, which sees a missing
 * order.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kmod/region.h"

#define PAGE		4096ULL
#define READERS		3
#define SLOTS		512	/* each holds a region that comes and goes; every 8th stays */
#define STAYS		8
#define CHANGES		40000
#define PENDING_MAX	64

static struct region_table table;
static atomic_bool stop;

struct reader {
	atomic_ulong quiescent;	/* times seen outside a search */
	unsigned long lookups;
	unsigned long missed;	/* a region that stays was not found */
	unsigned long wrong;	/* another region was found */
	u32 random;
	pthread_t thread;
};

static struct reader readers[READERS];

struct pending {
	struct region *region;
	unsigned long seen[READERS];
};

static u32 next_random(u32 *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

static u64 slot_start(u32 slot)
{
	return (1 + (u64)slot) * 2 * PAGE;
}

static void *reader_run(void *arg)
{
	struct reader *me = arg;

	while (!atomic_load_explicit(&stop, memory_order_relaxed)) {
		u32 slot = next_random(&me->random) % SLOTS;
		struct region *r = region_find(&table, slot_start(slot) + 8);

		if (r && (r->start != slot_start(slot) || r->map_id != slot))
			me->wrong++;
		if (!r && slot % STAYS == 0)
			me->missed++;
		me->lookups++;
		atomic_fetch_add_explicit(&me->quiescent, 1, memory_order_release);
	}
	return NULL;
}

static struct region *slot_insert(u32 slot)
{
	u8 level = region_pick_level(&table);
	struct region *r = calloc(1, region_size(level));

	assert_non_null(r);
	r->start = slot_start(slot);
	r->end = r->start + PAGE;
	r->level = level;
	r->map_id = slot;
	assert_int_equal(region_insert(&table, r), 0);
	return r;
}

static void pending_add(struct pending *p, struct region *r)
{
	p->region = r;
	/* Read-modify-write, so that the removal is visible before: TSan does not know fences. */
	for (int i = 0; i < READERS; i++)
		p->seen[i] = atomic_fetch_add(&readers[i].quiescent, 0);
}

/* Two more than at the removal: a search that began before it has ended. */
static bool pending_done(const struct pending *p)
{
	for (int i = 0; i < READERS; i++)
		if (atomic_load(&readers[i].quiescent) < p->seen[i] + 2)
			return false;
	return true;
}

static void writer_run(struct region *slots[])
{
	struct pending pending[PENDING_MAX] = { 0 };
	u32 random = 7;

	for (u32 i = 0; i < CHANGES; i++) {
		struct pending *p = &pending[i % PENDING_MAX];
		u32 slot = next_random(&random) % SLOTS;

		if (slot % STAYS == 0)
			slot++;
		if (!slots[slot]) {
			slots[slot] = slot_insert(slot);
			continue;
		}
		while (p->region && !pending_done(p))
			sched_yield();
		free(p->region);
		region_remove(&table, slots[slot]);
		pending_add(p, slots[slot]);
		slots[slot] = NULL;
	}
	atomic_store(&stop, true);
	for (int i = 0; i < READERS; i++)
		pthread_join(readers[i].thread, NULL);
	for (int i = 0; i < PENDING_MAX; i++)
		free(pending[i].region);
}

static void readers_never_miss_what_stays(void **state)
{
	static struct region *slots[SLOTS];
	unsigned long lookups = 0;

	(void)state;
	for (u32 slot = 0; slot < SLOTS; slot += STAYS)
		slots[slot] = slot_insert(slot);
	for (int i = 0; i < READERS; i++) {
		readers[i].random = i;
		assert_int_equal(pthread_create(&readers[i].thread, NULL, reader_run, &readers[i]),
				 0);
	}
	writer_run(slots);
	for (int i = 0; i < READERS; i++) {
		assert_int_equal(readers[i].missed, 0);
		assert_int_equal(readers[i].wrong, 0);
		assert_true(readers[i].lookups > 100);
		lookups += readers[i].lookups;
	}
	print_message("# %lu lookups during %d changes\n", lookups, CHANGES);
	for (u32 slot = 0; slot < SLOTS; slot++) {
		if (slots[slot])
			region_remove(&table, slots[slot]);
		free(slots[slot]);
	}
	assert_int_equal(table.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(readers_never_miss_what_stays),
	};

	return cmocka_run_group_tests_name("region_race", tests, NULL, NULL);
}
