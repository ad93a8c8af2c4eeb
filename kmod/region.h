/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The region table: which mapping a virtual address belongs to. Looked up in the page fault, also
 * in NMI.
 *
 * A skip list of disjoint, page-aligned address ranges. Readers take no lock, write nothing and
 * take O(log n) steps; writers are serialised by the caller. A region that was removed may be freed
 * after a grace period (RCU in the kernel). The caller allocates, so that nothing can fail half
 * way.
 *
 * Pure: tests/unit compiles it as it is.
 */
#ifndef MMIOBPF_REGION_H
#define MMIOBPF_REGION_H

#ifdef __KERNEL__
#include <linux/types.h>
#include <linux/rcupdate.h>
#else
#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>
typedef __u8 u8;
typedef __u32 u32;
typedef __u64 u64;
#endif

#include "../include/mmiobpf/abi.h"

#define REGION_MAX_LEVEL	16

/* See arm.c. */
enum region_state { REGION_NEW, REGION_ARMED, REGION_LEAVING, REGION_GONE };

struct region {
	u64 start;			/* page-aligned, key */
	u64 end;			/* exclusive, page-aligned */
	u64 phys;			/* of start, page-aligned */
	u64 pgprot;			/* page-table flags of an open 4 KiB entry */
	u32 map_id;
	u8 armed;			/* 1: pages are (or are about to be) not present */
	u8 cache;			/* enum mmiobpf_cache */
	u8 level;			/* 1 to REGION_MAX_LEVEL; set by the caller */
	u8 state;			/* enum region_state; the writers' */
	u32 pins;			/* of the table and of those who walk its pages; the writers' */
	u32 pad;
	u64 given_back;			/* entries given back because of undecoded accesses */
	struct mmiobpf_map_req req;	/* as it was asked for */
#ifdef __KERNEL__
	struct rcu_head rcu;
#endif
	struct region *next[];		/* level of them */
};

struct region_table {
	struct region *head[REGION_MAX_LEVEL];
	u32 count;
	u32 next_seed;			/* of the level generator */
	u32 levels;			/* in use; a lookup starts there. Never falls */
};

/* Bytes to allocate for a region that will be inserted with @level. */
#define region_size(level) (sizeof(struct region) + (level) * sizeof(struct region *))

/** region_pick_level() - level for the next region: 1 with probability 3/4, 2 with 3/16, ... */
u8 region_pick_level(struct region_table *t);

/**
 * region_insert() - publish a region
 * @t: table; the caller holds the writers' lock
 * @r: start, end and level are set, the rest is complete; the table keeps the pointer
 *
 * Return: 0, or -EEXIST when it overlaps another one, -EINVAL when it is empty or not aligned.
 */
int region_insert(struct region_table *t, struct region *r);

/**
 * region_remove() - unlink a region
 * @t: table; the caller holds the writers' lock
 * @r: a region in the table; readers may still be looking at it, so free it after a grace period
 */
void region_remove(struct region_table *t, struct region *r);

/**
 * region_find() - region that holds an address
 * @t: table; the caller is in a read-side section (interrupts off, NMI, or rcu_read_lock)
 * @addr: virtual address
 *
 * Bounded also when the table changes meanwhile.
 * Return: region or NULL.
 */
struct region *region_find(const struct region_table *t, u64 addr);

/** region_first(), region_next() - walk in address order; under the writers' lock or as a reader */
struct region *region_first(const struct region_table *t);
struct region *region_next(const struct region *r);

#endif
