/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the loader tells the BPF programs, and what they count. Shared by both, by the skeleton's
 * mapped data. Fixed-width types only.
 */
#ifndef MMIOBPF_POLICY_H
#define MMIOBPF_POLICY_H

#include <mmiobpf/abi.h>

#define POLICY_TEXT_RANGES	64
#define POLICY_PHYS_RANGES	1024
#define POLICY_WATCHED		16
#define POLICY_STACK_DEPTH	32	/* a power of two */

/* Code of a driver: a mapping made with it on the call stack belongs to that driver. */
struct policy_text {
	__u64 start;		/* 0: free slot */
	__u64 end;		/* exclusive */
	char  driver[MMIOBPF_NAME_LEN];
};

#define POLICY_PHYS_WANTED	0x1
#define POLICY_PHYS_DENIED	0x2	/* never armed: read where no trap may happen */

struct policy_phys {
	__u64 start;
	__u64 end;		/* exclusive */
	__u32 dev;		/* as in struct mmiobpf_rec_map */
	__u8  bar;
	__u8  flags;		/* POLICY_PHYS_* */
	__u16 pad;
};

/* A module that is not loaded yet. */
struct policy_watched {
	char name[64] __attribute__((aligned(8)));	/* padded with zeros */
};

struct policy_config {
	__u64 vmalloc_start;
	__u64 vmalloc_end;
	__u32 cpus;		/* rings 0 to cpus - 1; ring cpus is for control records */
	__u32 watched;		/* in use, of the table's entries */
	__u32 phys;
	__u32 arm_flags;	/* MMIOBPF_MAP_ARM* for the mappings that are wanted */
	__u8  all;
	__u8  pad[7];
};

#define POLICY_CPUS		1024

/* One for each CPU, on a cache line of its own. */
struct policy_counters {
	__u64 faults;		/* not-present kernel faults in the vmalloc area */
	__u64 seen;		/* records that reached the program */
	__u64 lost_accesses;	/* access and unknown records that found their ring full */
	__u64 lost_others;
	__u64 pad[4];
};

#endif
