/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the parts of the module know of each other.
 *
 *   main.c     load and unload
 *   session.c  the device node: session, markers, information
 *   kfunc.c    requests of the BPF programs
 *   arm.c      the region table and the life of the regions in it
 *   entry.c    page-table entries: of what, open or closed, and the walk over them
 *   hook.c     how the kernel gets to the trap
 *   trap.c     the page fault: decodes an access and carries it out
 *   string.c   string instructions, element by element
 *   wide.c     accesses of 16 bytes and more
 *   step.c     the debug trap, for what is single-stepped
 *   record.c   the fields that every record has, the tracepoint
 *   alias.c    per-CPU windows onto device pages
 *   decode.c, emulate.c, region.c   pure parts, tested in user space
 */
#ifndef MMIOBPF_KMOD_H
#define MMIOBPF_KMOD_H

#include <linux/types.h>
#include <linux/percpu.h>
#include <asm/ptrace.h>

#include "../include/mmiobpf/abi.h"
#include "region.h"

/*
 * Since the session began. Every way that a fault can end is counted by exactly one of the first
 * six.
 */
struct trap_counters {
	u64 emulated;
	u64 stepped;
	u64 strings;	/* of string instructions: one fault makes several accesses, or none */
	u64 undecoded;
	u64 retried;
	u64 foreign;	/* not-present faults in the vmalloc area that are none of ours */
	u64 elements;	/* accesses of string instructions */
	u64 unseen;	/* faults on a CPU that is not online, where the kernel's tracepoint is off */
	u64 given_back;
	u64 emitted;
};

DECLARE_PER_CPU(struct trap_counters, trap_counters);

/* Interrupted by nothing that counts but an NMI, and this_cpu_inc() is one instruction. */
#define trap_count(what) this_cpu_inc(trap_counters.what)

/* Counters to zero, and no step under way: the last session may have ended in the middle of one. */
void trap_session_begin(void);
void trap_counters_sum(struct trap_counters *sum);

/* hook.c */
int trap_hooks_init(void);
void trap_hooks_deinit(void);
/* Hooks on and off. Between them armed pages are safe to touch. */
int trap_hooks_register(void);
void trap_hooks_unregister(void);
/* Fills all of @hdr but seq for an event that happens now on this CPU; preemption is off. */
void rec_fill(struct mmiobpf_rec_hdr *hdr, u16 type, u16 size, bool irqs_on);
/*
 * Hands a record to the tracepoint. Interrupts are off, so that BPF's recursion guard cannot drop
 * another.
 */
void rec_emit(const struct mmiobpf_rec_hdr *hdr);

/*
 * alias.c: windows of two consecutive pages, for each CPU, kind of context and side of a move.
 * alias_point() lets a window show the device page at @phys (page-aligned) with page-table flags
 * @pgprot, its successor behind it when @two, and returns the window's address. Interrupts are off.
 */
enum alias_context { ALIAS_NORMAL, ALIAS_NMI, ALIAS_CONTEXTS };

#define ALIAS_SIDES	2
#define ALIAS_WINDOWS	(ALIAS_CONTEXTS * ALIAS_SIDES)

int alias_init(void);
void alias_deinit(void);
void *alias_point(int window, u64 phys, u64 pgprot, bool two);
/* Called on each CPU when no trap can run: the windows let go of the device. */
void alias_reset_cpu(void);

/* arm.c */
int arm_map(const struct mmiobpf_map_req *req, bool live);
void arm_unmap(u64 virt, u64 caller);
void arm_session_begin(void);
void arm_session_end(void);
/* Regions in memory. Without a session there is none, but for a moment after its end. */
u32 arm_region_count(void);
struct region *arm_find(u64 addr);
/* Opens the entry that maps @addr, for good. From the fault path: takes no lock. */
void arm_give_back(struct region *r, u64 addr);
/* True when the entry for @addr is present now. */
bool arm_is_present(u64 addr);
u64 arm_bar_offset(const struct region *r, u64 phys);

/* session.c */
int session_init(void);
void session_deinit(void);

/* kfunc.c */
int kfunc_init(void);

#endif
