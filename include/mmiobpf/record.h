/* SPDX-License-Identifier: GPL-2.0-or-later WITH Linux-syscall-note */
/*
 * The one record layout: written by the kernel module, passed on by the BPF programs, read by the
 * user program, and the same in memory, in the ring and from a file.
 *
 * Rules: fixed-width types only, no holes, explicit zeroed padding, size a multiple of 8, enums are
 * append-only. The asserts at the end are checked by gcc, by clang -target bpf and by kbuild.
 *
 * All times are nanoseconds of CLOCK_MONOTONIC. All sizes and widths are bytes.
 */
#ifndef MMIOBPF_RECORD_H
#define MMIOBPF_RECORD_H

/*
 * BPF programs get the fixed-width types from vmlinux.h, which must not be mixed with uapi headers.
 */
#ifndef __VMLINUX_H__
#include <linux/types.h>
#endif

#define MMIOBPF_RECORD_VERSION	1

#define MMIOBPF_COMM_LEN	16
#define MMIOBPF_NAME_LEN	32
#define MMIOBPF_INSN_LEN	16
#define MMIOBPF_MARK_LEN	976	/* longest marker text, without a terminator */
#define MMIOBPF_WIDE_WORDS	8	/* a 64-byte access */
#define MMIOBPF_NO_BAR		0xff
#define MMIOBPF_NO_DEV		0xffffffffu

enum mmiobpf_rec_type {
	MMIOBPF_REC_NONE	= 0,
	MMIOBPF_REC_ACCESS	= 1,
	MMIOBPF_REC_UNKNOWN	= 2,	/* an access that was not decoded */
	MMIOBPF_REC_MAP		= 3,
	MMIOBPF_REC_UNMAP	= 4,
	MMIOBPF_REC_MARK	= 5,
	MMIOBPF_REC_IRQ		= 6,
	MMIOBPF_REC_CONFIG	= 7,	/* PCI configuration space */
	MMIOBPF_REC_PMU		= 8,
	MMIOBPF_REC_LOST	= 9,
	MMIOBPF_REC_SESSION	= 10,
	MMIOBPF_REC_END		= 11,
};

enum mmiobpf_context {
	MMIOBPF_CTX_TASK	= 0,
	MMIOBPF_CTX_SOFTIRQ	= 1,
	MMIOBPF_CTX_HARDIRQ	= 2,
	MMIOBPF_CTX_NMI		= 3,
};

/* A bit mask: a read-modify-write has both. */
enum mmiobpf_dir {
	MMIOBPF_DIR_READ	= 1,
	MMIOBPF_DIR_WRITE	= 2,
	MMIOBPF_DIR_RMW		= 3,
};

enum mmiobpf_how {
	MMIOBPF_HOW_NONE	= 0,
	MMIOBPF_HOW_EMULATED	= 1,
	MMIOBPF_HOW_STEPPED	= 2,
};

/* Cache mode of a mapping, as its page-table entries have it. */
enum mmiobpf_cache {
	MMIOBPF_CACHE_WB	= 0,
	MMIOBPF_CACHE_WC	= 1,
	MMIOBPF_CACHE_UC_MINUS	= 2,
	MMIOBPF_CACHE_UC	= 3,
	MMIOBPF_CACHE_WT	= 4,
	MMIOBPF_CACHE_WP	= 5,
};

/* As which ioremap variant does the mapping was made; 5 is not used. */
enum mmiobpf_map_kind {
	MMIOBPF_MAP_IOREMAP	= 0,
	MMIOBPF_MAP_UC		= 1,
	MMIOBPF_MAP_WC		= 2,
	MMIOBPF_MAP_WT		= 3,
	MMIOBPF_MAP_CACHE	= 4,
	MMIOBPF_MAP_ENCRYPTED	= 6,
	MMIOBPF_MAP_LIVE	= 7,	/* found when the session began */
};

/* Why an access is UNKNOWN. */
enum mmiobpf_reason {
	MMIOBPF_WHY_NONE	= 0,
	MMIOBPF_WHY_DECODE	= 1,	/* instruction not recognised */
	MMIOBPF_WHY_ADDRESS	= 2,	/* its operand is not where the fault was */
	MMIOBPF_WHY_NO_BASE	= 3,	/* no base register that can be redirected */
	MMIOBPF_WHY_OPERAND	= 4,	/* the base register is also another operand */
	MMIOBPF_WHY_EDGE	= 5,	/* reaches past the end of the mapping */
	MMIOBPF_WHY_BUSY	= 6,	/* a step was under way in this context */
	MMIOBPF_WHY_NO_VALUE	= 7,	/* carried out, but its value cannot be told */
	MMIOBPF_WHY_FETCH	= 8,	/* a fault that is not a data access */
};

/* 48 bytes at the start of every record. */
struct mmiobpf_rec_hdr {
	__u64 seq;		/* position in the session's stream; a gap is a loss */
	__u64 time_ns;		/* just before the event; CONFIG: just after it */
	__u16 type;		/* enum mmiobpf_rec_type */
	__u16 size;		/* of the whole record */
	__u16 cpu;
	__u8  context;		/* enum mmiobpf_context */
	__u8  irqs_on;		/* 1: interrupts were enabled; 0 where it is not known (CONFIG) */
	__u32 pid;		/* thread id, the kernel's pid */
	__u32 tgid;		/* process id */
	char  comm[MMIOBPF_COMM_LEN];
};

#define MMIOBPF_ACC_BEFORE	0x01	/* before is valid: what the device returned */
#define MMIOBPF_ACC_AFTER	0x02	/* after is valid: what the device was sent */
#define MMIOBPF_ACC_LOCKED	0x04	/* the instruction has a lock prefix */

struct mmiobpf_rec_access {
	struct mmiobpf_rec_hdr hdr;
	__u32 map_id;
	__u16 width;		/* 1, 2, 4, 8, or up to 64 in a wide record */
	__u8  dir;		/* enum mmiobpf_dir */
	__u8  how;		/* enum mmiobpf_how */
	__u64 phys;		/* physical address of the first byte */
	__u64 bar_off;		/* offset in the BAR, or in the mapping where bar is NO_BAR */
	__u64 pc;
	__u32 latency_ns;	/* of the device access alone */
	__u8  bar;		/* MMIOBPF_NO_BAR when it is not a PCI BAR */
	__u8  flags;		/* MMIOBPF_ACC_* */
	__u16 pad;
	__u64 before;		/* value read, zero-extended */
	__u64 after;		/* value written, zero-extended */
};

/* An access wider than 8 bytes; hdr.size tells. Words in address order, word 0 also in acc. */
struct mmiobpf_rec_access_wide {
	struct mmiobpf_rec_access acc;
	__u64 before[MMIOBPF_WIDE_WORDS];
	__u64 after[MMIOBPF_WIDE_WORDS];
};

struct mmiobpf_rec_unknown {
	struct mmiobpf_rec_hdr hdr;
	__u32 map_id;
	__u16 width;		/* 0 when not known */
	__u8  dir;		/* 0 when not known */
	__u8  how;		/* HOW_NONE: the page was given back */
	__u64 phys;
	__u64 bar_off;
	__u64 pc;
	__u8  bar;
	__u8  reason;		/* enum mmiobpf_reason */
	__u8  insn_len;		/* valid bytes in insn */
	__u8  pad[5];
	__u8  insn[MMIOBPF_INSN_LEN];
};

struct mmiobpf_rec_map {
	struct mmiobpf_rec_hdr hdr;
	__u32 map_id;
	__u8  kind;		/* enum mmiobpf_map_kind */
	__u8  cache;		/* enum mmiobpf_cache */
	__u8  bar;
	__u8  armed;		/* 1: accesses are recorded */
	__u64 phys;		/* as the driver asked for, not page-aligned */
	__u64 virt;		/* as the driver got it */
	__u64 len;		/* as the driver asked for */
	__u64 pc;		/* caller of ioremap */
	__u64 bar_off;		/* of phys */
	__u32 dev;		/* PCI: domain << 16 | bus << 8 | devfn, else MMIOBPF_NO_DEV */
	__u32 pad;
	char  driver[MMIOBPF_NAME_LEN];	/* zero-padded, empty when not known */
};

struct mmiobpf_rec_unmap {
	struct mmiobpf_rec_hdr hdr;
	__u32 map_id;
	__u32 pad;
	__u64 pc;		/* caller of iounmap */
};

struct mmiobpf_rec_mark {
	struct mmiobpf_rec_hdr hdr;
	__u32 len;		/* bytes of text, not terminated */
	__u32 pad;
	char  text[MMIOBPF_MARK_LEN];
};

struct mmiobpf_rec_irq {
	struct mmiobpf_rec_hdr hdr;
	__u32 irq;
	__u8  exit;		/* 0: entry, 1: exit */
	__u8  handled;		/* exit: the handler's return value */
	__u16 pad;
	__u64 ordinal;		/* accesses of this CPU before it */
	char  name[MMIOBPF_NAME_LEN];
};

struct mmiobpf_rec_config {
	struct mmiobpf_rec_hdr hdr;
	__u32 dev;		/* domain << 16 | bus << 8 | devfn */
	__u16 offset;
	__u8  width;
	__u8  dir;
	__u32 value;
	__s32 result;		/* 0 or a PCIBIOS_* code */
	__u64 pc;
};

struct mmiobpf_rec_pmu {
	struct mmiobpf_rec_hdr hdr;
	__u32 event;		/* index into the session's list of events */
	__u32 overflow;		/* 1: taken at a counter overflow */
	__u64 value;
	__u64 enabled_ns;
	__u64 running_ns;
	__u64 pc;
};

/* Made by the reader of the ring where sequence numbers are missing. */
struct mmiobpf_rec_lost {
	struct mmiobpf_rec_hdr hdr;	/* seq: of the first one lost; time: of the next record */
	__u64 count;
};

struct mmiobpf_rec_session {
	struct mmiobpf_rec_hdr hdr;
	__u32 version;		/* MMIOBPF_RECORD_VERSION */
	__u32 cpus;
	__u64 realtime_ns;	/* CLOCK_REALTIME at hdr.time_ns */
	char  release[64];	/* uname -r */
	char  machine[64];
	char  command[256];	/* the command line, cut to fit */
};

struct mmiobpf_rec_end {
	struct mmiobpf_rec_hdr hdr;
	__u64 accesses;		/* access records written */
	__u64 faults;		/* page faults on armed pages, counted on their own */
	__u64 lost;
	__u64 undecoded;
	__u64 retried;		/* faults whose page had just been given back */
};

#define MMIOBPF_ASSERT_SIZE(type, bytes) \
	_Static_assert(sizeof(struct type) == (bytes), #type " changed its size")
#define MMIOBPF_ASSERT_AT(type, field, at) \
	_Static_assert(__builtin_offsetof(struct type, field) == (at), #type "." #field " moved")

MMIOBPF_ASSERT_SIZE(mmiobpf_rec_hdr, 48);
MMIOBPF_ASSERT_SIZE(mmiobpf_rec_access, 104);
MMIOBPF_ASSERT_SIZE(mmiobpf_rec_access_wide, 232);
MMIOBPF_ASSERT_SIZE(mmiobpf_rec_unknown, 104);
MMIOBPF_ASSERT_SIZE(mmiobpf_rec_map, 136);
MMIOBPF_ASSERT_SIZE(mmiobpf_rec_unmap, 64);
MMIOBPF_ASSERT_SIZE(mmiobpf_rec_mark, 1032);
MMIOBPF_ASSERT_SIZE(mmiobpf_rec_irq, 96);
MMIOBPF_ASSERT_SIZE(mmiobpf_rec_config, 72);
MMIOBPF_ASSERT_SIZE(mmiobpf_rec_pmu, 88);
MMIOBPF_ASSERT_SIZE(mmiobpf_rec_lost, 56);
MMIOBPF_ASSERT_SIZE(mmiobpf_rec_session, 448);
MMIOBPF_ASSERT_SIZE(mmiobpf_rec_end, 88);

MMIOBPF_ASSERT_AT(mmiobpf_rec_hdr, type, 16);
MMIOBPF_ASSERT_AT(mmiobpf_rec_hdr, pid, 24);
MMIOBPF_ASSERT_AT(mmiobpf_rec_hdr, comm, 32);
MMIOBPF_ASSERT_AT(mmiobpf_rec_access, phys, 56);
MMIOBPF_ASSERT_AT(mmiobpf_rec_access, before, 88);
MMIOBPF_ASSERT_AT(mmiobpf_rec_unknown, insn, 88);
MMIOBPF_ASSERT_AT(mmiobpf_rec_map, phys, 56);
MMIOBPF_ASSERT_AT(mmiobpf_rec_map, driver, 104);
MMIOBPF_ASSERT_AT(mmiobpf_rec_mark, text, 56);

#endif
