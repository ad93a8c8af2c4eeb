/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Page-table entries of kernel mappings, of every size, and the walk over those of a region.
 *
 * A closed entry has its present bit cleared, its frame number inverted as the kernel does it for
 * its own not-present entries (L1TF, asm/pgtable-invert.h), and everything else kept. So it can be
 * opened again from what it holds: nothing is stored per page.
 */
#ifndef MMIOBPF_ENTRY_H
#define MMIOBPF_ENTRY_H

#include <linux/types.h>
#include <asm/pgtable.h>

/* Entries that are looked at in one go. A page-table page has as many. */
#define ENTRY_CHUNK	512

/* One entry, as the walk meets it. */
struct entry {
	pte_t *p;		/* NULL: no page-table page leads there */
	unsigned int level;	/* PG_LEVEL_*: 4 KiB, 2 MiB, 1 GiB */
	u64 addr;		/* what is looked at; its page may begin before it */
	u64 val;		/* as it was read */
};

struct region;

/* 0: go on. Else the walk ends and returns it. */
typedef int (*entry_fn)(struct region *r, const struct entry *e);

/**
 * entry_walk_chunk() - call a function for the next entries of a region
 * @r: region
 * @at: virtual address where to go on; moved behind what was done
 * @fn: called for each entry, at most ENTRY_CHUNK times
 *
 * Interrupts are off: a page-table page is freed only after every CPU has answered a flush of its
 * TLB, so none of those that the walk finds can go away meanwhile. It must not keep an entry for
 * longer than that. Of a page-table page only the first entry is looked up.
 *
 * Return: 0, or what @fn returned.
 */
int entry_walk_chunk(struct region *r, u64 *at, entry_fn fn);

/* Physical address of @addr's 4 KiB page in an entry of @level that holds @val, open or closed. */
u64 entry_phys(u64 val, unsigned int level, u64 addr);

/* Flags of a 4 KiB entry that would map the same, open. */
u64 entry_pgprot(u64 val, unsigned int level);

/* enum mmiobpf_cache, of such flags. */
u8 entry_cache(u64 pgprot);

void entry_close(pte_t *p);

/* Opens a closed entry. False when it is empty or open: then it stays as it is. */
bool entry_open(pte_t *p);

/* Any context; what it finds may change the next moment. NULL as above. */
pte_t *entry_of(u64 addr);

#endif
