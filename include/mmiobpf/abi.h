/* SPDX-License-Identifier: GPL-2.0-or-later WITH Linux-syscall-note */
/*
 * The module's interface: the device node, its ioctls, and the requests of the BPF programs.
 *
 * /dev/mmiobpf, mode 0600:
 *   O_RDWR    is the session. One at a time (EBUSY otherwise). Closing it, also by SIGKILL, gives
 *             every page back.
 *   O_WRONLY  each write() is one marker of at most MMIOBPF_MARK_LEN bytes; ENOTCONN without a session,
 *             EMSGSIZE when too long.
 *   O_RDONLY  for MMIOBPF_IOC_INFO, which works on every open file.
 */
#ifndef MMIOBPF_ABI_H
#define MMIOBPF_ABI_H

#include "record.h"

/* Module, BPF object and program must have the same number. */
#define MMIOBPF_ABI		2
#define MMIOBPF_DEVICE		"/dev/mmiobpf"

struct mmiobpf_info {
	__u32 abi;		/* MMIOBPF_ABI of the module */
	__u32 record_version;	/* MMIOBPF_RECORD_VERSION of the module */
	__s32 session_pid;	/* process that holds the session, 0 when none does */
	__u32 regions;		/* mappings held in memory; 0 a moment after the session's end */
	__u64 emulated;		/* accesses carried out in the fault; since the session began */
	__u64 stepped;
	__u64 undecoded;
	__u64 retried;		/* faults without an access: page just given back, or clflush */
	__u64 foreign;		/* not-present kernel faults in the vmalloc area, not ours */
	__u64 strings;		/* faults of string instructions */
	__u64 elements;		/* their accesses: several in one fault, or none */
	__u64 unseen;		/* faults that the page-fault tracepoint misses: on a CPU going offline */
	__u64 given_back;	/* page-table entries, because of undecoded accesses */
	__u64 emitted;		/* records handed to the tracepoint */
	__u64 vmalloc_start;	/* the area in which ioremap maps, [start, end) */
	__u64 vmalloc_end;
	char  version[16];	/* of the project */
};

#define MMIOBPF_MAP_ARM		0x1	/* record the accesses too, if uncached */
#define MMIOBPF_MAP_ARM_CACHED	0x2	/* ... and if not uncached */
#define MMIOBPF_MAP_FLAGS	(MMIOBPF_MAP_ARM | MMIOBPF_MAP_ARM_CACHED)

/*
 * A mapping that policy wants. In a kfunc call from the exit of ioremap, or by ioctl for one that
 * is live already; the module checks it against the page tables.
 */
struct mmiobpf_map_req {
	__u64 virt;		/* as the driver got it */
	__u64 phys;		/* as the driver asked for */
	__u64 len;
	__u64 pc;		/* caller */
	__u64 bar_off;
	__u32 dev;		/* as in struct mmiobpf_rec_map */
	__u32 flags;		/* MMIOBPF_MAP_* */
	__u8  kind;		/* enum mmiobpf_map_kind */
	__u8  bar;
	__u8  pad[6];
	char  driver[MMIOBPF_NAME_LEN];
};

#define MMIOBPF_IOC_INFO	_IOR('b', 0x60, struct mmiobpf_info)
/* Session only. Arms a live mapping; returns its map id, or EEXIST, ENOENT, EINVAL, ENOMEM. */
#define MMIOBPF_IOC_ATTACH	_IOW('b', 0x61, struct mmiobpf_map_req)
/* Session only. Gives every page back and waits for traps under way: after it no record comes. */
#define MMIOBPF_IOC_STOP	_IO('b', 0x62)

MMIOBPF_ASSERT_SIZE(mmiobpf_info, 128);
MMIOBPF_ASSERT_SIZE(mmiobpf_map_req, 88);

#endif
