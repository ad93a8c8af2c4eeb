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

#define POLICY_TEXT_TAKEN	(~0ull)	/* holds no address: no end is above it */

/* Code of a driver: a mapping made with it on the call stack belongs to that driver. */
struct policy_text {
	__u64 start;		/* 0: free slot; POLICY_TEXT_TAKEN: being filled */
	__u64 end;		/* exclusive; 0 in a free slot, which is to hold no address */
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

/* Code of a function, by which the caller of a configuration access is told. */
struct policy_function {
	__u64 start;
	__u64 end;		/* exclusive */
};

#define POLICY_IRQS		16384	/* interrupt numbers from there on go by their handlers alone */
#define POLICY_DEVICES		256
#define POLICY_ACCESSORS	64
#define POLICY_CALLER_DEPTH	16
#define POLICY_CONFIG_BYTES	(1u << 20)

struct policy_config {
	__u64 vmalloc_start;
	__u64 vmalloc_end;
	__u32 cpus;		/* possible ones */
	__u32 slots;		/* of each CPU's ring, a power of two */
	__u32 watched;		/* in use, of the table's entries */
	__u32 phys;
	__u32 arm_flags;	/* MMIOBPF_MAP_ARM* for the mappings that are wanted */
	__u32 devices;		/* those whose configuration accesses are wanted */
	__u8  all;
	__u8  pad[7];
};

#define POLICY_CPUS		1024

#define POLICY_CONTROL_BYTES	(256u << 10)

/* One for each CPU, on a cache line of its own. */
struct policy_counters {
	__u64 faults;		/* not-present kernel faults in the vmalloc area */
	__u64 seen;		/* control records that reached the program */
	__u64 lost;		/* ... and found their ring full */
	__u64 pad[5];
};

/*
 * A ring of accesses is a run of slots, a power of two of them. A record has one slot, a wide access
 * two that follow each other, round the end as well. The rings of the CPUs come first, of
 * policy_config.slots each, then those of the CPUs' NMIs, each a quarter of that.
 */
#define RING_SLOT_WORDS		16
#define RING_WIDE_WORDS		(sizeof(struct mmiobpf_rec_access_wide) / 8)
#define RING_NMI_SLOTS(slots)	((slots) / 4)

struct ring_slot {
	__u64 words[RING_SLOT_WORDS];	/* a record, from its first byte on */
};

/*
 * Where a ring is: counts of slots since the beginning. There is one writer, a BPF program with
 * interrupts off, and one reader, the user program, which maps this.
 *
 * Writer: reserved, then the number is taken, then the slots are filled, then written.
 * Reader: loads reserved before written. If they are equal, nothing below what it has seen elsewhere
 * is on its way here.
 */
struct ring_position {
	__u64 reserved;
	__u64 written;
	__u64 seen;		/* records that reached the program */
	__u64 lost;		/* ... and found the ring full */
	__u64 pad[4];
	__u64 read;		/* by the reader: up to here the slots are free again */
	__u64 pad2[7];
};

_Static_assert(sizeof(struct mmiobpf_rec_access) <= sizeof(struct ring_slot), "one slot");
_Static_assert(sizeof(struct mmiobpf_rec_unknown) <= sizeof(struct ring_slot), "one slot");
_Static_assert(sizeof(struct mmiobpf_rec_access_wide) <= 2 * sizeof(struct ring_slot), "two slots");
_Static_assert(sizeof(struct ring_position) == 128, "an element of an array map, no padding");

#endif
