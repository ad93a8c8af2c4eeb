/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the targets to the tables of the BPF programs (bpf/policy.h). */
#ifndef MMIOBPF_SESSION_POLICY_FILL_H
#define MMIOBPF_SESSION_POLICY_FILL_H

#include <linux/types.h>

#include "../../bpf/policy.h"
#include "../sys/pci.h"
#include "../sys/target.h"

/**
 * policy_fill_phys() - physical ranges: what is denied, what is wanted, and the BARs of all devices
 * @table: of POLICY_PHYS_RANGES
 * @n: raised by the entries that were added
 * @set: what is wanted
 * @pci: devices; their BARs only name mappings, and those that find no room are left out
 *
 * Return: 0 or -E2BIG: denied and wanted ranges do not fit.
 */
int policy_fill_phys(struct policy_phys *table, __u32 *n, const struct target_set *set,
		     const struct pci_list *pci);

/**
 * policy_fill_text() - code of the drivers that are loaded
 * @table: of POLICY_TEXT_RANGES, all free
 *
 * Half of the table is kept for modules that are loaded later. Return: 0 or -E2BIG.
 */
int policy_fill_text(struct policy_text *table, const struct target_set *set);

/**
 * policy_renew_text() - follow what was loaded and unloaded meanwhile
 * @table: in use: the programs on module_load and module_free change it at the same time
 * @before: what it was filled from
 * @now: what there is now
 *
 * Return: 0 or -E2BIG.
 */
int policy_renew_text(struct policy_text *table, const struct target_set *before,
		      const struct target_set *now);

/**
 * policy_fill_watched() - modules whose code is wanted when they are loaded
 * @table: of POLICY_WATCHED
 *
 * Return: 0 or -E2BIG.
 */
int policy_fill_watched(struct policy_watched *table, const struct target_set *set);

#endif
