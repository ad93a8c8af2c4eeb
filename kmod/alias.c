// SPDX-License-Identifier: GPL-2.0-only
/*
 * Alias windows: private views of device pages through which a trapped access is carried out, so
 * that the driver's own mapping stays closed to every CPU.
 *
 * A window is two consecutive pages of the vmalloc area whose page-table entries are re-pointed as
 * needed. Only its own CPU ever uses it, with interrupts off; an NMI has its own. Of each kind
 * there are two, for an instruction that moves from one device page to another. The entries are
 * global: with PTI and PCID, invlpg drops the non-global entries of the current PCID only, and a
 * stale entry under another PCID would touch the wrong device page (Intel SDM volume 3, 4.10.4.1).
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <asm/pgtable.h>

#include "mmiobpf.h"

#define WINDOW_PAGES	2

struct alias_window {
	void *addr;
	pte_t *ptep[WINDOW_PAGES];
	u64 shown[WINDOW_PAGES];	/* what the entries hold */
};

struct alias_cpu {
	struct alias_window window[ALIAS_WINDOWS];
};

static DEFINE_PER_CPU(struct alias_cpu, alias_cpus);
static struct page *alias_dummy;	/* what a window shows when it shows nothing */
static void *alias_area;

static void alias_set(struct alias_window *w, int slot, u64 val)
{
	void *addr = w->addr + slot * PAGE_SIZE;

	if (w->shown[slot] == val)
		return;
	set_pte(w->ptep[slot], __pte(val));
	asm volatile("invlpg (%0)" ::"r"(addr) : "memory");
	w->shown[slot] = val;
}

static u64 alias_idle_entry(void)
{
	return pte_val(pfn_pte(page_to_pfn(alias_dummy), PAGE_KERNEL)) | _PAGE_GLOBAL;
}

void *alias_point(int window, u64 phys, u64 pgprot, bool two)
{
	struct alias_window *w = &this_cpu_ptr(&alias_cpus)->window[window];

	alias_set(w, 0, phys | pgprot | _PAGE_GLOBAL);
	if (two)
		alias_set(w, 1, (phys + PAGE_SIZE) | pgprot | _PAGE_GLOBAL);
	return w->addr;
}

void alias_reset_cpu(void)
{
	struct alias_cpu *c = this_cpu_ptr(&alias_cpus);
	int i, slot;

	for (i = 0; i < ALIAS_WINDOWS; i++)
		for (slot = 0; slot < WINDOW_PAGES; slot++)
			alias_set(&c->window[i], slot, alias_idle_entry());
}

static int alias_window_init(struct alias_window *w, void *addr)
{
	unsigned int level;
	int slot;

	w->addr = addr;
	for (slot = 0; slot < WINDOW_PAGES; slot++) {
		w->ptep[slot] = lookup_address((unsigned long)addr + slot * PAGE_SIZE, &level);
		if (!w->ptep[slot] || level != PG_LEVEL_4K)
			return -EFAULT;
		/* Global from the first moment on. */
		set_pte(w->ptep[slot], __pte(alias_idle_entry()));
		w->shown[slot] = alias_idle_entry();
	}
	return 0;
}

int alias_init(void)
{
	unsigned int total = nr_cpu_ids * ALIAS_WINDOWS * WINDOW_PAGES;
	struct page **pages;
	unsigned int i;
	int cpu, err = 0;

	alias_dummy = alloc_page(GFP_KERNEL | __GFP_ZERO);
	pages = kvmalloc_array(total, sizeof(*pages), GFP_KERNEL);
	if (!alias_dummy || !pages) {
		err = -ENOMEM;
		goto out;
	}
	for (i = 0; i < total; i++)
		pages[i] = alias_dummy;
	alias_area = vmap(pages, total, VM_MAP, PAGE_KERNEL);
	if (!alias_area) {
		err = -ENOMEM;
		goto out;
	}
	for_each_possible_cpu(cpu) {
		struct alias_cpu *c = per_cpu_ptr(&alias_cpus, cpu);

		for (i = 0; i < ALIAS_WINDOWS && !err; i++)
			err = alias_window_init(&c->window[i],
						alias_area + (cpu * ALIAS_WINDOWS + i) *
								     WINDOW_PAGES * PAGE_SIZE);
	}
out:
	kvfree(pages);
	if (err)
		alias_deinit();
	return err;
}

static void alias_window_deinit(struct alias_window *w)
{
	int slot;

	for (slot = 0; slot < WINDOW_PAGES; slot++)
		if (w->ptep[slot])
			set_pte(w->ptep[slot], __pte(alias_idle_entry()));
}

/*
 * No trap can run any more. The entries show RAM again before the area goes, as vunmap() expects.
 */
void alias_deinit(void)
{
	int cpu, i;

	if (alias_area) {
		for_each_possible_cpu(cpu)
			for (i = 0; i < ALIAS_WINDOWS; i++)
				alias_window_deinit(&per_cpu_ptr(&alias_cpus, cpu)->window[i]);
		vunmap(alias_area);
		alias_area = NULL;
	}
	if (alias_dummy)
		__free_page(alias_dummy);
	alias_dummy = NULL;
}
