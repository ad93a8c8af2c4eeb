// SPDX-License-Identifier: GPL-2.0-only
/*
 * Arming: the region table of the session, and the life of a region.
 *
 *   request --> NEW ------------------> ARMED ----------------> LEAVING
 *                |  all entries are          iounmap(), or end    |  all entries are open
 *                |  right: MAP record,       of the session       |  again: UNMAP record
 *                |  entries are closed                            v
 *                `--- wrong, or unmapped meanwhile -----------> GONE
 *
 * The table and every state change under arm_lock, a raw spinlock that no fault takes. A mapping of
 * 16 GiB can have four million entries, so the lock is dropped after each chunk of them, with
 * interrupts on in between. What makes that right:
 *
 *  1. Entries are closed in state ARMED only, opened for good in state LEAVING only, and each chunk
 *     looks at the state again, under the lock. So nothing is closed any more once opening began.
 *  2. A region goes out of the table when all its entries are open, and it goes into it before the
 *     first is closed. So a fault on a closed entry finds its region, and one that finds none finds
 *     the entry open and is retried. A fault on a region that is half closed or half open is as any
 *     other: the access is carried out by the region's physical address, whatever the entry says.
 *  3. iounmap() is held up by arm_unmap() until the region is GONE, whoever opened its entries. So
 *     the page tables are those of the region as long as its state is another, and who has lost the
 *     state has nothing to do with them any more.
 *  4. Who walks a region pins it: the last one frees it. Readers, which do not pin, are protected
 *     by the grace period.
 *  5. The end of a session takes new requests away first, then every region that is there. When it
 *     meets a region that iounmap() is opening, it opens the rest itself rather than wait for that
 *     task, which may not be running. Opening twice does no harm.
 */
#include <linux/ioport.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/smp.h>
#include <asm/e820/api.h>
#include <asm/tlbflush.h>

#include "entry.h"
#include "mmiobpf.h"

#define RECENT_UNMAPS	1024
#define UNMAP_WAITS	4

static DEFINE_RAW_SPINLOCK(arm_lock);
static struct region_table arm_table;
static bool arm_active;
static u32 arm_next_id;
static u32 arm_regions;		/* admitted and not freed: those of the table, and pinned ones */

/*
 * Calls of iounmap() since the session began that were for no region, and that may still be under
 * way: those from unmaps_over to unmaps. A live mapping that user space read from /proc/vmallocinfo
 * may be one of them, and its entries must not be touched then.
 */
static u64 recent_unmaps[RECENT_UNMAPS];
static u64 unmaps, unmaps_over;

/* The lock, held by one that may have to let go of it for a moment. */
struct arm_hold {
	unsigned long flags;
	bool may_sleep;
};

static void arm_take(struct arm_hold *hold)
{
	raw_spin_lock_irqsave(&arm_lock, hold->flags);
}

static void arm_let_go(struct arm_hold *hold)
{
	raw_spin_unlock_irqrestore(&arm_lock, hold->flags);
}

/* Interrupts come here, and others that want the lock. */
static void arm_pause(struct arm_hold *hold)
{
	arm_let_go(hold);
	if (hold->may_sleep)
		cond_resched();
	else
		cpu_relax();
	arm_take(hold);
}

/* --- unmaps under way --- */

/* Lock held. */
static void unmap_remember(u64 virt)
{
	recent_unmaps[unmaps++ % RECENT_UNMAPS] = virt & PAGE_MASK;
}

/* Lock held. True also when there were too many to tell. */
static bool unmap_under_way(u64 virt)
{
	u64 i;

	if (unmaps - unmaps_over > RECENT_UNMAPS)
		return true;
	for (i = unmaps_over; i < unmaps; i++)
		if (recent_unmaps[i % RECENT_UNMAPS] == (virt & PAGE_MASK))
			return true;
	return false;
}

/*
 * Waits until every iounmap() that was called before has returned: it does not give up the CPU of
 * itself, and that, or user space, is what this grace period waits for on each task, also for one
 * that was preempted. On PREEMPT_RT, to wait for a spinlock counts as being preempted
 * (Documentation/RCU/Design/Requirements/Requirements.rst, "Tasks RCU"). For one request at a time.
 */
static void unmaps_wait(void)
{
	unsigned long flags;
	u64 before;

	raw_spin_lock_irqsave(&arm_lock, flags);
	before = unmaps;
	raw_spin_unlock_irqrestore(&arm_lock, flags);
	synchronize_rcu_tasks();
	raw_spin_lock_irqsave(&arm_lock, flags);
	unmaps_over = before;
	raw_spin_unlock_irqrestore(&arm_lock, flags);
}

/* --- regions --- */

u64 arm_bar_offset(const struct region *r, u64 phys)
{
	return r->req.bar_off + (phys - r->req.phys);
}

/*
 * GFP_ATOMIC, as the programs run in a read-side section of RCU. Not under the lock: with
 * PREEMPT_RT the allocator sleeps.
 */
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

/* Lock held, so that @r may be looked at until it is dropped. kfree_rcu() may be called there. */
static void region_unpin(struct region *r)
{
	if (--r->pins)
		return;
	arm_regions--;
	kfree_rcu(r, rcu);
}

/* Lock held. The table's own pin goes. */
static void region_drop(struct region *r)
{
	region_remove(&arm_table, r);
	r->state = REGION_GONE;
	region_unpin(r);
}

/*
 * Calls @fn for every entry, as long as the region's state is the one it has now. The lock is held,
 * and dropped in between. The region must be looked at only as long as the lock is held after it.
 *
 * Return: 0, what @fn returned, or -ESTALE when the state changed.
 */
static int region_walk(struct region *r, entry_fn fn, struct arm_hold *hold)
{
	u8 state = r->state;
	u64 at = r->start;
	int err;

	r->pins++;
	for (;;) {
		err = entry_walk_chunk(r, &at, fn);
		if (err || at >= r->end)
			break;
		arm_pause(hold);
		if (r->state != state) {
			err = -ESTALE;
			break;
		}
	}
	region_unpin(r);
	return err;
}

/*
 * Does the entry map what the request says? Takes the region's flags and cache mode from the first.
 */
static int entry_verify(struct region *r, const struct entry *e)
{
	u64 size = page_level_size(e->level), start = e->addr & ~(size - 1);

	if (!(e->val & _PAGE_PRESENT))
		return -ENOENT;
	if (entry_phys(e->val, e->level, e->addr) != r->phys + (e->addr - r->start))
		return -ENOENT;
	/* An entry that also maps something else is not ours to close. */
	if (start < r->start || start + size > r->end)
		return -EINVAL;
	if (e->addr == r->start) {
		r->pgprot = entry_pgprot(e->val, e->level);
		r->cache = entry_cache(r->pgprot);
	}
	return 0;
}

static int entry_close_it(struct region *r, const struct entry *e)
{
	if (e->p)
		entry_close(e->p);
	return 0;
}

static int entry_open_it(struct region *r, const struct entry *e)
{
	if (e->p)
		entry_open(e->p);
	return 0;
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

static void unmap_report(const struct region *r, u64 caller)
{
	struct mmiobpf_rec_unmap rec = {
		.map_id = r->map_id,
		.pc = caller,
	};

	rec_fill(&rec.hdr, MMIOBPF_REC_UNMAP, sizeof(rec), true);
	rec_emit(&rec.hdr);
}

/* --- arming --- */

/*
 * In the ISA range the page tables always say write-back, whatever ioremap() was asked for, and the
 * MTRRs say what is right (memtype_reserve(): is_untracked_pat_range()).
 */
static bool region_is_uncached(const struct region *r)
{
	u64 end = r->phys + (r->end - r->start);

	if (is_ISA_range(r->phys, end) && r->req.kind != MMIOBPF_MAP_CACHE)
		return true;
	return r->cache == MMIOBPF_CACHE_UC || r->cache == MMIOBPF_CACHE_UC_MINUS;
}

static bool region_is_to_arm(const struct region *r)
{
	if (r->req.flags & MMIOBPF_MAP_ARM_CACHED)
		return true;
	return (r->req.flags & MMIOBPF_MAP_ARM) && region_is_uncached(r);
}

/* Lock held. When it succeeds, the region belongs to the table. */
static int region_admit(struct region *r, bool live)
{
	int err;

	if (!arm_active)
		return -ENODEV;
	if (live && unmap_under_way(r->req.virt))
		return -EAGAIN;
	r->state = REGION_NEW;
	err = region_insert(&arm_table, r);
	if (err)
		return err;
	r->pins = 1;
	arm_regions++;
	return 0;
}

/* Lock held. From NEW to ARMED, or out of the table again. */
static int region_arm(struct region *r, struct arm_hold *hold)
{
	int err = region_walk(r, entry_verify, hold);

	if (!err) {
		r->map_id = arm_next_id++;
		WRITE_ONCE(r->armed, region_is_to_arm(r));
		r->state = REGION_ARMED;
		/* The MAP record comes before the first access that uses its id. */
		map_report(r);
		if (r->armed)
			err = region_walk(r, entry_close_it, hold);
	} else if (err != -ESTALE) {
		region_drop(r);
	}
	/* Somebody unmapped it, or the session has ended; that one has put everything right. */
	if (err == -ESTALE)
		err = arm_active ? -ENOENT : -ENODEV;
	return err;
}

static void flush_cpu(void *unused)
{
	/*
	 * All PCIDs and global entries: non-global ones of other PCIDs survive invlpg (SDM
	 * 4.10.4.1).
	 */
	__flush_tlb_all();
}

static int map_try(const struct mmiobpf_map_req *req, bool live)
{
	struct region *r = region_new(req);
	struct arm_hold hold = { .may_sleep = live };
	bool armed = false;
	int err, id = 0;

	if (!r)
		return -ENOMEM;
	/* Memory of the system is never closed, whatever the page tables say. */
	if (region_intersects(req->phys, req->len, IORESOURCE_SYSTEM_RAM, IORES_DESC_NONE) !=
	    REGION_DISJOINT)
		r->req.flags &= ~MMIOBPF_MAP_FLAGS;

	arm_take(&hold);
	err = region_admit(r, live);
	if (err) {
		arm_let_go(&hold);
		kfree(r);
		return err;
	}
	err = region_arm(r, &hold);
	if (!err) {
		id = r->map_id;
		armed = r->armed;
	}
	arm_let_go(&hold);
	/*
	 * One that was just made, too: a CPU may have walked to it by speculation from a pointer of an
	 * earlier mapping at the same address.
	 */
	if (armed)
		on_each_cpu(flush_cpu, NULL, 1);
	return err ? err : id;
}

/**
 * arm_map() - take a mapping into the table, and close its pages when asked
 * @req: the request; copied
 * @live: it has been in use: look whether it is on its way out. May then sleep.
 *
 * From a task, with interrupts on: other CPUs are waited for. ioremap() itself can be called from
 * no other place (get_vm_area_caller(): BUG_ON(in_interrupt())), but a program that is attached to
 * something else could come from one.
 *
 * Return: map id, or -ENODEV without a session, -EBUSY from another context, -EINVAL, -ENOENT when
 * the page tables say otherwise or it was unmapped meanwhile, -EAGAIN when mappings go too fast to
 * tell, -EEXIST, -ENOMEM.
 */
int arm_map(const struct mmiobpf_map_req *req, bool live)
{
	u64 last = req->virt + req->len - 1;
	int tries, ret;

	if (!in_task() || irqs_disabled())
		return -EBUSY;
	if (!req->len || last < req->virt || !is_vmalloc_addr((void *)req->virt) ||
	    !is_vmalloc_addr((void *)last) || ((req->virt ^ req->phys) & ~PAGE_MASK))
		return -EINVAL;
	ret = map_try(req, live);
	for (tries = 0; ret == -EAGAIN && tries < UNMAP_WAITS; tries++) {
		unmaps_wait();
		ret = map_try(req, live);
	}
	return ret;
}

/* --- giving back --- */

/* Lock held. True when it was this caller who took the region out of the table. */
static bool region_leave(struct region *r, struct arm_hold *hold)
{
	r->state = REGION_LEAVING;
	return !r->armed || !region_walk(r, entry_open_it, hold);
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
	struct arm_hold hold = { .may_sleep = false };
	struct region *r;

	arm_take(&hold);
	r = region_find(&arm_table, virt);
	if (r && region_leave(r, &hold)) {
		/* One that was not armed yet has no MAP record either. */
		if (r->map_id)
			unmap_report(r, caller);
		region_drop(r);
	} else if (!r && arm_active) {
		unmap_remember(virt);
	}
	arm_let_go(&hold);
}

void arm_session_begin(void)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&arm_lock, flags);
	arm_next_id = 1;
	unmaps = 0;
	unmaps_over = 0;
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
	struct arm_hold hold = { .may_sleep = true };
	struct region *r;

	arm_take(&hold);
	arm_active = false;
	while ((r = region_first(&arm_table))) {
		if (region_leave(r, &hold))
			region_drop(r);
		/* There may be thousands. */
		arm_pause(&hold);
	}
	arm_let_go(&hold);
	on_each_cpu(settle_cpu, NULL, 1);
}

u32 arm_region_count(void)
{
	return READ_ONCE(arm_regions);
}

/* --- from the fault path: no lock --- */

struct region *arm_find(u64 addr)
{
	return region_find(&arm_table, addr);
}

void arm_give_back(struct region *r, u64 addr)
{
	pte_t *p = entry_of(addr);

	if (p && entry_open(p)) {
		r->given_back++;
		trap_count(given_back);
	}
}

bool arm_is_present(u64 addr)
{
	pte_t *p = entry_of(addr);

	return p && (READ_ONCE(*(u64 *)p) & _PAGE_PRESENT);
}
