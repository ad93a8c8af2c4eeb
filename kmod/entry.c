// SPDX-License-Identifier: GPL-2.0-only
#include <linux/mm.h>
#include <asm/msr.h>

#include "entry.h"
#include "mmiobpf.h"
#include "region.h"

pte_t *entry_of(u64 addr)
{
	unsigned int level;

	return lookup_address(addr, &level);
}

u64 entry_phys(u64 val, unsigned int level, u64 addr)
{
	u64 size = page_level_size(level);

	if (!(val & _PAGE_PRESENT))
		val ^= PTE_PFN_MASK;
	/* Bit 12 of a large entry is its PAT bit. */
	return (val & PTE_PFN_MASK & ~(size - 1)) + (addr & (size - 1) & PAGE_MASK);
}

u64 entry_pgprot(u64 val, unsigned int level)
{
	u64 prot = val & ~(u64)PTE_PFN_MASK;

	if (level != PG_LEVEL_4K) {
		prot &= ~(u64)_PAGE_PSE;	/* the same bit as a small entry's PAT */
		if (val & _PAGE_PAT_LARGE)
			prot |= _PAGE_PAT;
	}
	return prot | _PAGE_PRESENT | _PAGE_ACCESSED | _PAGE_DIRTY;
}

/* By the PAT register, which is the same on all CPUs (SDM volume 3, 12.12). */
u8 entry_cache(u64 pgprot)
{
	static const u8 by_type[8] = {
		[0] = MMIOBPF_CACHE_UC, [1] = MMIOBPF_CACHE_WC, [4] = MMIOBPF_CACHE_WT,
		[5] = MMIOBPF_CACHE_WP, [6] = MMIOBPF_CACHE_WB, [7] = MMIOBPF_CACHE_UC_MINUS,
	};
	unsigned int index = (pgprot & _PAGE_PWT ? 1 : 0) + (pgprot & _PAGE_PCD ? 2 : 0) +
			     (pgprot & _PAGE_PAT ? 4 : 0);
	u64 pat;

	rdmsrl(MSR_IA32_CR_PAT, pat);
	return by_type[(pat >> (index * 8)) & 7];
}

static bool entry_cmpxchg(pte_t *p, u64 old, u64 new)
{
	return cmpxchg64((u64 *)p, old, new) == old;
}

/* Again when the processor set the accessed or dirty bit meanwhile: at most twice. */
void entry_close(pte_t *p)
{
	u64 old = READ_ONCE(*(u64 *)p);

	while (old & _PAGE_PRESENT) {
		u64 new = (old & ~(u64)_PAGE_PRESENT) ^ PTE_PFN_MASK;

		if (entry_cmpxchg(p, old, new))
			break;
		old = READ_ONCE(*(u64 *)p);
	}
}

bool entry_open(pte_t *p)
{
	u64 old = READ_ONCE(*(u64 *)p);

	if (!old || (old & _PAGE_PRESENT))
		return false;
	return entry_cmpxchg(p, old, (old ^ PTE_PFN_MASK) | _PAGE_PRESENT);
}

static u64 entry_end(const struct entry *e)
{
	u64 size = page_level_size(e->level);

	return (e->addr & ~(size - 1)) + size;
}

/*
 * lookup_address() stops at the first entry that is large, empty or not present, whatever the
 * number of levels, and says its level. Where nothing is mapped the step is the size of a small
 * page, which is right on every level.
 */
static void entry_lookup(struct entry *e, u64 addr)
{
	e->addr = addr;
	e->p = lookup_address(addr, &e->level);
	if (!e->p)
		e->level = PG_LEVEL_4K;
}

/* The entry behind @e: the next one of its page-table page, or looked up. */
static void entry_next(struct entry *e)
{
	u64 addr = entry_end(e);

	if (!e->p || e->level != PG_LEVEL_4K || !(addr & ~PMD_MASK)) {
		entry_lookup(e, addr);
		return;
	}
	e->addr = addr;
	e->p++;
}

int entry_walk_chunk(struct region *r, u64 *at, entry_fn fn)
{
	struct entry e;
	unsigned int n;
	int err = 0;

	entry_lookup(&e, *at);
	for (n = 0; n < ENTRY_CHUNK && !err; n++) {
		e.val = e.p ? READ_ONCE(*(u64 *)e.p) : 0;
		err = fn(r, &e);
		*at = entry_end(&e);
		if (*at >= r->end)
			break;
		/* A chunk ends with the page-table page. */
		if (e.level == PG_LEVEL_4K && !(*at & ~PMD_MASK))
			break;
		entry_next(&e);
	}
	return err;
}
