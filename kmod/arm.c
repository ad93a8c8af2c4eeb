// SPDX-License-Identifier: GPL-2.0-only
/*
 * Arming: the region table of the session and the present bit of the mappings in it.
 *
 * An armed entry has its present bit cleared and everything else kept, so that it can be opened
 * again from what it holds: nothing is stored per page. The frame number of a closed entry is
 * inverted, as the kernel does it for its own not-present entries (L1TF, asm/pgtable-invert.h). An
 * entry of 2 MiB or 1 GiB is closed and opened as a whole.
 *
 * Order, on which the fault path relies:
 *   arm:    region into the table, then entries closed;
 *   disarm: entries opened, then region out of the table, then a grace period.
 * So a fault on a closed entry finds its region, and one that does not, finds the entry open and is
 * retried.
 */
#include <linux/ioport.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/smp.h>
#include <asm/msr.h>
#include <asm/pgtable.h>
#include <asm/tlbflush.h>

#include "mmiobpf.h"

#define RECENT_UNMAPS	256

static DEFINE_RAW_SPINLOCK(arm_lock);	/* a fault never takes it */
static struct region_table arm_table;
static bool arm_active;
static u32 arm_next_id;

/*
 * Addresses that iounmap was called for since the session began, and that were no regions. A live
 * mapping that user space read from /proc/vmallocinfo may be on its way out: its entries must not
 * be touched then.
 */
static u64 recent_unmaps[RECENT_UNMAPS];
static u32 recent_unmap_count;

/* The page-table entry that maps @addr, of any level, with the address range that it covers. */
static pte_t *entry_at(u64 addr, u64 *start, u64 *end, unsigned int *level)
{
	pte_t *p = lookup_address(addr, level);
	u64 size;

	if (!p)
		return NULL;
	size = page_level_size(*level);
	*start = addr & ~(size - 1);
	*end = *start + size;
	return p;
}

/* Physical address and 4 KiB flags of the page at @addr in an entry of @level, open or closed. */
static u64 entry_phys(u64 val, unsigned int level, u64 addr)
{
	u64 size = page_level_size(level);

	if (!(val & _PAGE_PRESENT))
		val ^= PTE_PFN_MASK;
	/* Bit 12 of a large entry is its PAT bit. */
	return (val & PTE_PFN_MASK & ~(size - 1)) + (addr & (size - 1) & PAGE_MASK);
}

static u64 entry_pgprot(u64 val, unsigned int level)
{
	u64 prot = val & ~(u64)PTE_PFN_MASK;

	if (level != PG_LEVEL_4K) {
		prot &= ~(u64)_PAGE_PSE;	/* the same bit as a small entry's PAT */
		if (val & _PAGE_PAT_LARGE)
			prot |= _PAGE_PAT;
	}
	return prot | _PAGE_PRESENT | _PAGE_ACCESSED | _PAGE_DIRTY;
}

static bool entry_cmpxchg(pte_t *p, u64 old, u64 new)
{
	return cmpxchg64((u64 *)p, old, new) == old;
}

static void entry_close(pte_t *p)
{
	u64 old = READ_ONCE(*(u64 *)p);

	while (old & _PAGE_PRESENT) {
		u64 new = (old & ~(u64)_PAGE_PRESENT) ^ PTE_PFN_MASK;

		if (entry_cmpxchg(p, old, new))
			break;
		old = READ_ONCE(*(u64 *)p);
	}
}

/* Opens an entry that we closed. An empty one, and one that is open, stay as they are. */
static bool entry_open(pte_t *p)
{
	u64 old = READ_ONCE(*(u64 *)p);

	if (!old || (old & _PAGE_PRESENT))
		return false;
	return entry_cmpxchg(p, old, (old ^ PTE_PFN_MASK) | _PAGE_PRESENT);
}

/* Cache mode by the PAT register, which is the same on all CPUs (SDM volume 3, 12.12). */
static u8 entry_cache(u64 pgprot)
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

/*
 * Does every page of the region map what the request says? Fills the region's flags and cache mode.
 */
static int region_verify(struct region *r)
{
	u64 addr, start, end;
	unsigned int level;

	for (addr = r->start; addr < r->end; addr = end) {
		pte_t *p = entry_at(addr, &start, &end, &level);
		u64 val = p ? READ_ONCE(*(u64 *)p) : 0;

		if (!(val & _PAGE_PRESENT))
			return -ENOENT;
		if (entry_phys(val, level, addr) != r->phys + (addr - r->start))
			return -ENOENT;
		/* An entry that also maps something else is not ours to close. */
		if (start < r->start || end > r->end)
			return -EINVAL;
		if (addr == r->start) {
			r->pgprot = entry_pgprot(val, level);
			r->cache = entry_cache(r->pgprot);
		}
	}
	return 0;
}

/* Calls @fn for every entry of the region. */
static void region_for_each_entry(struct region *r, void (*fn)(pte_t *p))
{
	u64 addr, start, end;
	unsigned int level;

	for (addr = r->start; addr < r->end; addr = end) {
		pte_t *p = entry_at(addr, &start, &end, &level);

		if (!p) {
			end = addr + PAGE_SIZE;
			continue;
		}
		fn(p);
	}
}

static void entry_open_any(pte_t *p)
{
	entry_open(p);
}

/* Lock held. */
static void region_disarm(struct region *r)
{
	if (r->armed)
		region_for_each_entry(r, entry_open_any);
}

u64 arm_bar_offset(const struct region *r, u64 phys)
{
	return r->req.bar_off + (phys - r->req.phys);
}

static struct region *region_new(const struct mmiobpf_map_req *req)
{
	u8 level;
	struct region *r;
	unsigned long flags;

	raw_spin_lock_irqsave(&arm_lock, flags);
	level = region_pick_level(&arm_table);
	raw_spin_unlock_irqrestore(&arm_lock, flags);

	r = kzalloc(region_size(level), GFP_ATOMIC | __GFP_NOWARN);
	if (!r)
		return NULL;
	r->level = level;
	r->start = req->virt & PAGE_MASK;
	r->end = PAGE_ALIGN(req->virt + req->len);
	r->phys = req->phys & PAGE_MASK;
	r->req = *req;
	return r;
}

static void map_report(const struct region *r)
{
	struct mmiobpf_rec_map rec = {
		.map_id = r->map_id,
		.kind = r->req.kind,
		.cache = r->cache,
		.bar = r->req.bar,
		.armed = r->armed,
		.phys = r->req.phys,
		.virt = r->req.virt,
		.len = r->req.len,
		.pc = r->req.pc,
		.bar_off = r->req.bar_off,
		.dev = r->req.dev,
	};

	memcpy(rec.driver, r->req.driver, sizeof(rec.driver));
	rec_fill(&rec.hdr, MMIOBPF_REC_MAP, sizeof(rec), true);
	rec_emit(&rec.hdr);
}

static bool recently_unmapped(u64 virt)
{
	u32 i;

	for (i = 0; i < recent_unmap_count; i++)
		if (recent_unmaps[i] == (virt & PAGE_MASK))
			return true;
	return false;
}

static bool region_is_to_arm(const struct region *r)
{
	if (r->req.flags & MMIOBPF_MAP_ARM_CACHED)
		return true;
	return (r->req.flags & MMIOBPF_MAP_ARM) &&
	       (r->cache == MMIOBPF_CACHE_UC || r->cache == MMIOBPF_CACHE_UC_MINUS);
}

static int map_checked(struct region *r, bool live)
{
	int err;

	if (!arm_active)
		return -ENODEV;
	if (live && recent_unmap_count > RECENT_UNMAPS)
		return -EAGAIN;		/* cannot tell any more */
	if (live && recently_unmapped(r->req.virt))
		return -ENOENT;
	err = region_verify(r);
	if (err)
		return err;
	r->armed = region_is_to_arm(r);
	r->map_id = arm_next_id;
	err = region_insert(&arm_table, r);
	if (err)
		return err;
	arm_next_id++;
	/* The MAP record comes before the first access that uses its id. */
	map_report(r);
	if (r->armed)
		region_for_each_entry(r, entry_close);
	return 0;
}

static void flush_cpu(void *unused)
{
	/*
	 * All PCIDs and global entries: non-global ones of other PCIDs survive invlpg (SDM
	 * 4.10.4.1).
	 */
	__flush_tlb_all();
}

/**
 * arm_map() - take a mapping into the table, and close its pages when asked
 * @req: the request; copied
 * @live: it has been in use: look whether it is on its way out, and flush every CPU's TLB. May then
 * sleep.
 *
 * Memory of the system is never closed, whatever the page tables say.
 *
 * Return: map id, or -ENODEV without a session, -EINVAL, -ENOENT when the page tables say
 * otherwise, -EAGAIN when there were too many unmaps to tell, -EEXIST, -ENOMEM.
 */
int arm_map(const struct mmiobpf_map_req *req, bool live)
{
	u64 last = req->virt + req->len - 1;
	struct region *r;
	unsigned long flags;
	int err, id;

	if (!req->len || last < req->virt || !is_vmalloc_addr((void *)req->virt) ||
	    !is_vmalloc_addr((void *)last) || ((req->virt ^ req->phys) & ~PAGE_MASK))
		return -EINVAL;
	r = region_new(req);
	if (!r)
		return -ENOMEM;
	if (region_intersects(req->phys, req->len, IORESOURCE_SYSTEM_RAM, IORES_DESC_NONE) !=
	    REGION_DISJOINT)
		r->req.flags &= ~MMIOBPF_MAP_FLAGS;

	raw_spin_lock_irqsave(&arm_lock, flags);
	err = map_checked(r, live);
	id = r->map_id;
	raw_spin_unlock_irqrestore(&arm_lock, flags);
	if (err) {
		kfree(r);
		return err;
	}
	/*
	 * One that was just made, too: a CPU may have walked to it by speculation from a pointer of an
	 * earlier mapping at the same address. Only where waiting is allowed.
	 */
	if (live || (!irqs_disabled() && in_task()))
		on_each_cpu(flush_cpu, NULL, 1);
	return id;
}

static void unmap_report(const struct region *r, u64 caller)
{
	struct mmiobpf_rec_unmap rec = {
		.map_id = r->map_id,
		.pc = caller,
	};

	rec_fill(&rec.hdr, MMIOBPF_REC_UNMAP, sizeof(rec), true);
	rec_emit(&rec.hdr);
}

/**
 * arm_unmap() - a driver is about to unmap
 * @virt: what it gave to iounmap()
 * @caller: its return address, for the record
 *
 * The pages are given back before iounmap() tears the mapping down.
 */
void arm_unmap(u64 virt, u64 caller)
{
	struct region *r;
	unsigned long flags;

	raw_spin_lock_irqsave(&arm_lock, flags);
	r = region_find(&arm_table, virt);
	if (r) {
		region_disarm(r);
		region_remove(&arm_table, r);
		unmap_report(r, caller);
		kfree_rcu(r, rcu);
	} else if (arm_active) {
		if (recent_unmap_count < RECENT_UNMAPS)
			recent_unmaps[recent_unmap_count] = virt & PAGE_MASK;
		recent_unmap_count++;
	}
	raw_spin_unlock_irqrestore(&arm_lock, flags);
}

void arm_session_begin(void)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&arm_lock, flags);
	arm_next_id = 1;
	recent_unmap_count = 0;
	arm_active = true;
	raw_spin_unlock_irqrestore(&arm_lock, flags);
}

static void settle_cpu(void *unused)
{
	alias_reset_cpu();
}

/**
 * arm_session_end() - give every page back; may be called again
 *
 * When it returns, no trap of ours is under way on any CPU and no record comes any more: a CPU
 * answers the call below only with interrupts on, and every trap runs with interrupts off from
 * fault to end.
 */
void arm_session_end(void)
{
	struct region *r;
	unsigned long flags;

	raw_spin_lock_irqsave(&arm_lock, flags);
	arm_active = false;
	while ((r = region_first(&arm_table))) {
		region_disarm(r);
		region_remove(&arm_table, r);
		kfree_rcu(r, rcu);
	}
	raw_spin_unlock_irqrestore(&arm_lock, flags);
	on_each_cpu(settle_cpu, NULL, 1);
}

u32 arm_region_count(void)
{
	return READ_ONCE(arm_table.count);
}

struct region *arm_find(u64 addr)
{
	return region_find(&arm_table, addr);
}

void arm_give_back(struct region *r, u64 addr)
{
	u64 start, end;
	unsigned int level;
	pte_t *p = entry_at(addr, &start, &end, &level);

	if (p && entry_open(p)) {
		r->given_back++;
		trap_count(given_back);
	}
}

bool arm_is_present(u64 addr)
{
	unsigned int level;
	pte_t *p = lookup_address(addr, &level);

	return p && (READ_ONCE(*(u64 *)p) & _PAGE_PRESENT);
}
