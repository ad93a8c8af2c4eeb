// SPDX-License-Identifier: GPL-2.0-or-later
/* What it costs to find a region: kmod/region.c itself, compiled into this module. */
#include <linux/irqflags.h>
#include <linux/ktime.h>
#include <linux/vmalloc.h>

#include "mapper.h"
#include "region.h"

/* As in a fault: with interrupts off, but not for all of them at a time. */
#define BATCH		1000
#define STRIDE		(16 * 4096ULL)

static u64 lookup_batch(const struct region_table *t, unsigned int n, u32 *seed, u64 *missed)
{
	unsigned long flags;
	unsigned int i;
	u64 start, ns;

	local_irq_save(flags);
	start = ktime_get_ns();
	for (i = 0; i < BATCH; i++) {
		*seed = *seed * 1664525 + 1013904223;
		if (!region_find(t, (1 + (u64)(*seed >> 8) % n) * STRIDE + 0x10))
			(*missed)++;
	}
	ns = ktime_get_ns() - start;
	local_irq_restore(flags);
	return ns;
}

int lookup_measure(unsigned int n, unsigned int count, struct answer *a)
{
	struct region_table *t = vzalloc(sizeof(*t));
	size_t size = region_size(REGION_MAX_LEVEL);
	char *regions = n && n <= 100000 ? vcalloc(n, size) : NULL;
	u64 ns = 0, missed = 0;
	u32 seed = 1;
	unsigned int i;
	int err = 0;

	if (!t || !regions) {
		err = -ENOMEM;
		goto out;
	}
	for (i = 0; i < n && !err; i++) {
		struct region *r = (struct region *)(regions + i * size);

		r->start = (1 + i) * STRIDE;
		r->end = r->start + 4096;
		r->level = region_pick_level(t);
		err = region_insert(t, r);
	}
	for (i = 0; i < count / BATCH && !err; i++)
		ns += lookup_batch(t, n, &seed, &missed);
	if (!err && missed)
		err = -EFAULT;
	if (!err)
		answer_add(a, "%u %u %llu\n", n, count / BATCH * BATCH, ns);
out:
	vfree(regions);
	vfree(t);
	return err;
}
