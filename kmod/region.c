// SPDX-License-Identifier: GPL-2.0-only
/*
 * The region table: a skip list that a page fault can read at any moment.
 *
 * Why readers need no lock: a region's pointers are complete before it is published, it is
 * published from the lowest level up and unlinked from the highest level down, and a region that
 * was unlinked keeps its pointers until it is freed. So a reader that stands on a region that has
 * just gone still reaches every region behind it that stayed.
 *
 * Source of the method: W. Pugh, "Skip Lists: A Probabilistic Alternative to Balanced Trees", CACM
 * 33(6), 1990; Documentation/RCU/listRCU.rst for the order of publishing.
 */
#ifdef __KERNEL__
#include <linux/compiler.h>
#include <linux/errno.h>
#include <asm/barrier.h>
#else
#include <errno.h>
#endif

#include "region.h"

#ifdef __KERNEL__
#define region_load(p)		READ_ONCE(p)	/* the address dependency orders what follows */
#define region_publish(p, v)	smp_store_release(&(p), (v))
#define region_own(p, v)	WRITE_ONCE(p, v)
#else
#define region_load(p)		__atomic_load_n(&(p), __ATOMIC_ACQUIRE)
#define region_publish(p, v)	__atomic_store_n(&(p), (v), __ATOMIC_RELEASE)
#define region_own(p, v)	__atomic_store_n(&(p), (v), __ATOMIC_RELAXED)
#endif

/* For the test that shows O(log n). */
#ifdef REGION_COUNT_STEPS
extern _Thread_local unsigned long region_steps;
#define region_count_step()	(region_steps++)
#else
#define region_count_step()	do { } while (0)
#endif

#define REGION_PAGE		4096ULL
/*
 * About 64 steps are expected for 2^32 regions. The limit is only there so that a damaged list ends
 * in "not ours" and not in a fault handler that never returns.
 */
#define REGION_MAX_STEPS	(1u << 16)
#define REGION_DEFAULT_SEED	0x9e3779b9u

u8 region_pick_level(struct region_table *t)
{
	u32 x = t->next_seed ? t->next_seed : REGION_DEFAULT_SEED;
	u8 level = 1;

	/* xorshift32: G. Marsaglia, "Xorshift RNGs", 2003. Never 0 when it was not. */
	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	t->next_seed = x;

	while (level < REGION_MAX_LEVEL && (x & 3) == 0) {
		x >>= 2;
		level++;
	}
	return level;
}

/* The links, one per level, that lead to the first region with start >= key. */
static void region_find_links(struct region_table *t, u64 key, struct region **links[])
{
	struct region **next = t->head;
	int i;

	for (i = REGION_MAX_LEVEL - 1; i >= 0; i--) {
		while (next[i] && next[i]->start < key)
			next = next[i]->next;
		links[i] = &next[i];
	}
}

/* The region before a level-0 link; NULL for the head. */
static const struct region *region_of_link(const struct region_table *t, struct region **link)
{
	if (link == t->head)
		return NULL;
	return (const struct region *)((const char *)link - offsetof(struct region, next));
}

int region_insert(struct region_table *t, struct region *r)
{
	struct region **links[REGION_MAX_LEVEL];
	const struct region *before;
	int i;

	if (r->start >= r->end || (r->start | r->end) & (REGION_PAGE - 1))
		return -EINVAL;
	if (r->level < 1 || r->level > REGION_MAX_LEVEL)
		return -EINVAL;

	region_find_links(t, r->start, links);
	before = region_of_link(t, links[0]);
	if (before && before->end > r->start)
		return -EEXIST;
	if (*links[0] && (*links[0])->start < r->end)
		return -EEXIST;

	/* A lookup that does not see it yet starts on a lower level, which is right too. */
	if (r->level > t->levels)
		__atomic_store_n(&t->levels, r->level, __ATOMIC_RELAXED);
	for (i = 0; i < r->level; i++)
		region_own(r->next[i], *links[i]);
	for (i = 0; i < r->level; i++)
		region_publish(*links[i], r);
	t->count++;
	return 0;
}

void region_remove(struct region_table *t, struct region *r)
{
	struct region **links[REGION_MAX_LEVEL];
	int i;

	region_find_links(t, r->start, links);
	if (*links[0] != r)
		return;
	for (i = r->level - 1; i >= 0; i--)
		region_publish(*links[i], r->next[i]);
	t->count--;
}

struct region *region_find(const struct region_table *t, u64 addr)
{
	struct region *const *next = t->head;
	struct region *found = NULL, *r;
	unsigned int steps = 0;
	int i = (int)__atomic_load_n(&t->levels, __ATOMIC_RELAXED) - 1;

	/* Right while the next region starts at or before addr, else down. */
	while (i >= 0) {
		if (++steps > REGION_MAX_STEPS)
			return NULL;
		region_count_step();
		r = region_load(next[i]);
		if (r && r->start <= addr) {
			found = r;
			next = r->next;
		} else {
			i--;
		}
	}
	return found && addr < found->end ? found : NULL;
}

struct region *region_first(const struct region_table *t)
{
	return region_load(t->head[0]);
}

struct region *region_next(const struct region *r)
{
	return region_load(r->next[0]);
}
