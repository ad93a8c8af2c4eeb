/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The soak module: accesses to device registers from all CPUs at once, each with a value that says whose it is
 * and the how manieth, so that a log of them can be judged (tests/vm/streams.c).
 *
 * It binds to no device: it looks for QEMU's edu (registers) and ivshmem-plain (memory behind a BAR).
 *
 * Each CPU has a worker, a thread that stays there while the CPU is online. Access k of worker w is, by k % 4:
 *
 *	0	write 4 bytes, VALUE(w, k), to its place in page 0 of ivshmem, which all workers use
 *	1	read 4 bytes from there: VALUE(w, k - 1)
 *	2	one of four instructions on 8 bytes in page 1 + w, which is its own, by k / 4 % 4:
 *		0	mov to memory, VALUE(w, k)
 *		1	mov from memory: VALUE(w, k - 4)
 *		2	xchg with VALUE(w, k); memory had VALUE(w, k - 8)
 *		3	mov from memory: VALUE(w, k - 4)
 *	3	write 4 bytes, VALUE(w, k), to edu's liveness register, which all workers use
 *
 * The mapper, worker MAPPER, maps a page of ivshmem, writes VALUE(MAPPER, k) for two k to it, and unmaps it, again
 * and again: k-th write goes to page MAPPER_PAGE + k / 2 % MAPPER_PAGES.
 */
#ifndef MMIOBPF_SOAK_H
#define MMIOBPF_SOAK_H

#include <linux/types.h>

#define WORKERS		8
#define MAPPER		15
#define MAPPER_PAGE	16
#define MAPPER_PAGES	8

#define VALUE(w, k)	((u32)(w) << 28 | (u32)((k) & 0xfffffff))

#define EDU_LIVENESS	0x04

struct soak_maps {
	void __iomem *edu;
	void __iomem *ram;
	phys_addr_t ram_phys;
};

/**
 * workers_start() - start a worker on each CPU
 * @maps: mapped until workers_stop() has returned
 * @count: accesses of each worker; a multiple of 16
 * @pause_us: after each BURST of accesses
 *
 * Return: 0 or -errno.
 */
int workers_start(const struct soak_maps *maps, unsigned long count, unsigned int pause_us);
/* Ends what still runs. The counts stay until the next start. */
void workers_stop(void);
/* Accesses of worker @w so far, and reads that returned something else than they had to. */
unsigned long workers_done(unsigned int w, unsigned long *wrong);
bool workers_run(void);

/* The same for the mapper, which goes on until it is stopped. */
int mapper_start(phys_addr_t ram);
void mapper_stop(void);
unsigned long mapper_done(void);

#endif
