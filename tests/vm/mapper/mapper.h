/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A test module that maps what it is told to, in the ways that drivers do, and touches it.
 *
 *   mapper.c   requests, mappings, single accesses
 *   entries.c  the page-table entries of a mapping
 *   race.c     threads that map, touch and unmap, and one that reads while it is unmapped
 *   lookup.c   what it costs to find a region
 */
#ifndef MAPPER_H
#define MAPPER_H

#include <linux/types.h>

#define ANSWER_SIZE	512

struct answer {
	char text[ANSWER_SIZE];
	size_t len;
};

__printf(2, 3) void answer_add(struct answer *a, const char *format, ...);

/* One mapping. */
struct slot {
	void __iomem *virt;	/* NULL: free */
	u64 phys;
	u64 len;
};

/* Return: 0, -ENOMEM when ioremap refuses, -EINVAL when there is no such kind. */
int slot_map(struct slot *s, const char *kind, u64 phys, u64 len);
void slot_unmap(struct slot *s);

/* "4k A/B 2m A/B 1g A/B": of B entries of each size, A are not present. */
void entries_count(const struct slot *s, struct answer *a);

/*
 * Threads that map @phys, write and read it back, and unmap, as fast as they can. Each has a page of
 * its own of @len bytes. Return: -EBUSY when they run already, -ENOMEM.
 */
int race_start(unsigned int threads, u64 phys, u64 len);
/* Answer: rounds of all, and how many of them read what was not written. */
int race_stop(struct answer *a);
/*
 * A thread on another CPU reads the first word until that fails, with the kernel's guard against
 * faults; this one unmaps. Answer: reads, and how many of them had not the value that the word has.
 */
int race_unmap(struct slot *s, struct answer *a);

/* A table of @n regions, @count lookups. Answer: N, COUNT and their time in ns. */
int lookup_measure(unsigned int n, unsigned int count, struct answer *a);

#endif
