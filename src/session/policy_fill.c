// SPDX-License-Identifier: GPL-2.0-or-later
#include "policy_fill.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* --- physical ranges --- */

static int phys_add(struct policy_phys *table, __u32 *n, const struct policy_phys *entry)
{
	if (*n == POLICY_PHYS_RANGES)
		return -E2BIG;
	table[(*n)++] = *entry;
	return 0;
}

static int fill_ranges(struct policy_phys *table, __u32 *n, const struct target_set *set)
{
	int err = 0;

	for (size_t i = 0; i < set->ndenied && !err; i++)
		err = phys_add(table, n,
			       &(struct policy_phys){ .start = set->denied[i].start,
						      .end = set->denied[i].end,
						      .dev = MMIOBPF_NO_DEV,
						      .bar = MMIOBPF_NO_BAR,
						      .flags = POLICY_PHYS_DENIED });
	for (size_t i = 0; i < set->nranges && !err; i++) {
		const struct target_range *r = &set->ranges[i];

		if (r->origin == TARGET_BOUND)
			continue;
		err = phys_add(table, n, &(struct policy_phys){
			.start = r->start, .end = r->end, .dev = MMIOBPF_NO_DEV,
			.bar = MMIOBPF_NO_BAR, .flags = POLICY_PHYS_WANTED });
	}
	return err;
}

static void fill_bars(struct policy_phys *table, __u32 *n, const struct pci_list *pci)
{
	for (size_t i = 0; i < pci->n; i++) {
		const struct pci_dev_info *d = &pci->devs[i];

		for (unsigned int bar = 0; bar < PCI_DEV_RESOURCES; bar++) {
			struct policy_phys p = { .dev = d->dev, .bar = bar };

			if (!pci_bar_is_mem(d, bar))
				continue;
			p.start = d->start[bar] & ~15ull;
			p.end = p.start + d->size[bar];
			if (phys_add(table, n, &p))
				return;
		}
	}
}

int policy_fill_phys(struct policy_phys *table, __u32 *n, const struct target_set *set,
		     const struct pci_list *pci)
{
	int err = fill_ranges(table, n, set);

	if (!err)
		fill_bars(table, n, pci);
	return err;
}

/* --- code --- */

int policy_fill_text(struct policy_text *table, const struct target_set *set)
{
	if (set->ntext > POLICY_TEXT_RANGES / 2)
		return -E2BIG;
	for (size_t i = 0; i < set->ntext; i++) {
		table[i].start = set->text[i].start;
		table[i].end = set->text[i].end;
		memcpy(table[i].driver, set->text[i].driver, sizeof(table[i].driver));
	}
	return 0;
}

static bool set_has_text(const struct target_set *set, uint64_t start)
{
	for (size_t i = 0; i < set->ntext; i++)
		if (set->text[i].start == start)
			return true;
	return false;
}

static struct policy_text *text_find(struct policy_text *table, uint64_t start)
{
	for (size_t i = 0; i < POLICY_TEXT_RANGES; i++)
		if (__atomic_load_n(&table[i].start, __ATOMIC_RELAXED) == start)
			return &table[i];
	return NULL;
}

/* A slot is taken first and filled then, as the programs do it. */
static int text_add(struct policy_text *table, const struct target_text *text)
{
	for (size_t i = 0; i < POLICY_TEXT_RANGES; i++) {
		__u64 unused = 0;

		if (!__atomic_compare_exchange_n(&table[i].start, &unused, POLICY_TEXT_TAKEN, false,
						 __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			continue;
		memcpy(table[i].driver, text->driver, sizeof(table[i].driver));
		table[i].end = text->end;
		__atomic_store_n(&table[i].start, text->start, __ATOMIC_RELEASE);
		return 0;
	}
	return -E2BIG;
}

int policy_renew_text(struct policy_text *table, const struct target_set *before,
		      const struct target_set *now)
{
	int err = 0;

	for (size_t i = 0; i < before->ntext; i++) {
		__u64 start = before->text[i].start;
		struct policy_text *gone = set_has_text(now, start) ? NULL : text_find(table, start);

		/* Taken from the programs first; free when it holds no address. */
		if (!gone || !__atomic_compare_exchange_n(&gone->start, &start, POLICY_TEXT_TAKEN, false,
							  __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			continue;
		gone->end = 0;
		__atomic_store_n(&gone->start, 0, __ATOMIC_RELEASE);
	}
	for (size_t i = 0; i < now->ntext && !err; i++)
		if (!text_find(table, now->text[i].start))
			err = text_add(table, &now->text[i]);
	return err;
}

int policy_fill_watched(struct policy_watched *table, const struct target_set *set)
{
	if (set->nwatch > POLICY_WATCHED)
		return -E2BIG;
	for (size_t i = 0; i < set->nwatch; i++)
		snprintf(table[i].name, sizeof(table[i].name), "%s", set->watch[i].module);
	return 0;
}
