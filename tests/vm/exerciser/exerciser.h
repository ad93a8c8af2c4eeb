/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The exerciser: a module that makes accesses to device registers on request, by chosen
 * instructions.
 *
 * It binds to no device: it looks for QEMU's edu (registers) and ivshmem-plain (memory behind a
 * BAR), and maps them when told to, so that a tracer that is there by then sees the mapping made.
 *
 * A request is a line written to /sys/module/mmiobpf_exerciser/parameters/run, its answer is read
 * from result next to it. Requests come one at a time: the kernel serialises the parameters of a
 * module.
 */
#ifndef MMIOBPF_EXERCISER_H
#define MMIOBPF_EXERCISER_H

#include <linux/types.h>

/* Registers of edu (QEMU's docs/specs/edu). Those below 0x80 take accesses of 4 bytes only. */
#define EDU_IDENT      0x00 /* constant */
#define EDU_LIVENESS   0x04 /* reads as the complement of what was written */
#define EDU_DMA_SOURCE 0x80 /* keeps what was written, 4 or 8 bytes; of no effect before a DMA */

#define EDU_DMA_DESTINATION 0x88 /* the same */

/* Where in the memory of ivshmem the forms work. */
#define RAM_OFFSET 0x40

struct exerciser_maps {
	void __iomem *edu; /* NULL: not mapped, or no such device */
	void __iomem *ram;
	void __iomem *ram_view; /* the same memory by a mapping that no tracer knows */
	u64 ram_phys; /* of ram, and its length */
	u64 ram_len;
};

/* The answer to a request, at most a page. */
struct answer {
	char text[4000];
	size_t len;
};

__printf(2, 3) void answer_add(struct answer *a, const char *format, ...);

/**
 * loop_run() - make the same access many times
 * @kind: a name in loops[]
 * @count: of accesses
 * @edu: BAR 0 of edu
 * @ns: time that all of them took
 *
 * Interrupts are on, and preemption is off for some of them at a time.
 *
 * Return: 0, or -EINVAL when there is no such kind.
 */
int loop_run(const char *kind, unsigned long count, void __iomem *edu, u64 *ns);

/**
 * context_run() - make accesses in one kind of context
 * @kind: hardirq, softirq, nmi; or storm: NMIs hit a CPU that runs accesses in a task
 * @count: of interrupts; each makes a write, a read and a locked read-modify-write
 * @edu: BAR 0 of edu
 * @a: gets how many reads gave a wrong value
 *
 * Return: 0, -EINVAL when there is no such kind, -ENODEV without another CPU, -ETIMEDOUT when an
 * NMI did not come.
 */
int context_run(const char *kind, unsigned long count, void __iomem *edu, struct answer *a);

/**
 * copy_run() - copy between the memory behind the BAR and a user's memory
 * @maps: where the devices are
 * @a: gets what was not copied, and sums of both memories, for each kind of copy
 *
 * The user's memory, which belongs to the process that makes the request, is there, is not there
 * yet, or ends in the middle.
 */
int copy_run(const struct exerciser_maps *maps, struct answer *a);

/**
 * forms_count() - number of the forms of one group
 * @group: access, kept, silent, give-up or half: see forms.h
 *
 * Return: the number, -EINVAL when there is no such group.
 */
int forms_count(const char *group);

/**
 * form_run() - carry out one form three times: flags clear, flags set, and interrupts off
 * @group: see forms_count()
 * @number: of the form in its group, from 0
 * @maps: where the devices are
 * @a: gets a line for each time: what changed of registers and flags, and the memory
 *
 * What depends on the place of the mapping is not shown, so that answers can be compared.
 *
 * Return: 0, -EINVAL when there is no such form, -ENODEV when its device is not mapped.
 */
int form_run(const char *group, unsigned long number, const struct exerciser_maps *maps,
	     struct answer *a);

/**
 * random_run() - carry out random instances on the memory behind the BAR, and on ordinary memory
 * @seed: decides all of them
 * @first: number of the first one
 * @count: of instances
 * @a: gets a line for each of the first ones that differ, and how many there were
 *
 * What the log must have of them is left in debugfs, mmiobpf_exerciser/expected: a line for each
 * access, "R|W width physical-address value" as in a text log.
 *
 * Return: 0, -ENODEV without the device, -ENOSPC when it is too small or @count too large.
 */
int random_run(u64 seed, u64 first, u64 count, const struct exerciser_maps *maps, struct answer *a);

/** random_edu_run() - the same on a register of edu that keeps what was written; no expectations */
int random_edu_run(u64 seed, u64 first, u64 count, const struct exerciser_maps *maps,
		   struct answer *a);

/* 0 or -ENOMEM. */
int random_setup(void);
void random_teardown(void);

#endif
