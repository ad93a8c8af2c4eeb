/* SPDX-License-Identifier: GPL-2.0-or-later WITH Linux-syscall-note */
/*
 * Which records are wanted: one flat struct, which a BPF map can hold, and the function that looks
 * at a record with it, for BPF programs and for the user program alike.
 *
 * Within one field, items that are wanted are alternatives, and none of those that are not wanted
 * may be there; a field without items lets everything pass. All fields must be content.
 *
 * LOST, SESSION and END records always pass: a filter must not hide that something is missing. What
 * an UNKNOWN record does not know, such as its value, is no reason to leave it out.
 */
#ifndef MMIOBPF_FILTER_H
#define MMIOBPF_FILTER_H

#include "record.h"

#define MMIOBPF_FILTER_ITEMS	16	/* of one field, at most */
#define MMIOBPF_FILTER_CPUS	1024

/* What a record is. A read-modify-write is a read and a write as well. */
#define MMIOBPF_OP_READ		0x001u
#define MMIOBPF_OP_WRITE	0x002u
#define MMIOBPF_OP_RMW		0x004u
#define MMIOBPF_OP_ACCESS	0x007u	/* any of them */
#define MMIOBPF_OP_UNKNOWN	0x008u
#define MMIOBPF_OP_MAP		0x010u
#define MMIOBPF_OP_UNMAP	0x020u
#define MMIOBPF_OP_MARK		0x040u
#define MMIOBPF_OP_IRQ		0x080u
#define MMIOBPF_OP_CONFIG	0x100u
#define MMIOBPF_OP_PMU		0x200u

/* Bits of things: wanted ones (0: all), and such as must not be. */
struct mmiobpf_filter_bits {
	__u32 want;
	__u32 unwanted;
};

/* Addresses, both ends included: physical, of code, or in a BAR. */
struct mmiobpf_filter_range {
	__u64 first;
	__u64 last;
	__u32 dev;		/* not resolved yet: the BAR's device; else MMIOBPF_NO_DEV */
	__u8  bar;		/* MMIOBPF_NO_BAR: physical, or of code */
	__u8  unwanted;
	__u8  pad[2];
};

struct mmiobpf_filter_value {
	__u64 value;		/* masked */
	__u64 mask;
	__u64 unwanted;
};

struct mmiobpf_filter_pid {
	__u32 pid;		/* of a thread or of a process */
	__u32 unwanted;
};

struct mmiobpf_filter_comm {
	char comm[MMIOBPF_COMM_LEN];	/* zero-padded */
	__u64 unwanted;
};

/* Zeros let everything pass. */
struct mmiobpf_filter {
	struct mmiobpf_filter_bits ops;		/* MMIOBPF_OP_* */
	struct mmiobpf_filter_bits widths;	/* the widths in bytes, which are powers of two */
	struct mmiobpf_filter_bits contexts;	/* bit n: enum mmiobpf_context */
	__u32 nranges;
	__u32 nvalues;
	__u32 nfunctions;
	__u32 npids;
	__u32 ncomms;
	__u32 cpus_wanted;			/* how many; 0: all */
	__u32 cpus_unwanted;
	__u32 pad;
	__u64 cpus_want[MMIOBPF_FILTER_CPUS / 64];
	__u64 cpus_not[MMIOBPF_FILTER_CPUS / 64];
	struct mmiobpf_filter_range ranges[MMIOBPF_FILTER_ITEMS];
	struct mmiobpf_filter_range functions[MMIOBPF_FILTER_ITEMS];
	struct mmiobpf_filter_value values[MMIOBPF_FILTER_ITEMS];
	struct mmiobpf_filter_pid pids[MMIOBPF_FILTER_ITEMS];
	struct mmiobpf_filter_comm comms[MMIOBPF_FILTER_ITEMS];
};

MMIOBPF_ASSERT_SIZE(mmiobpf_filter_range, 24);
MMIOBPF_ASSERT_SIZE(mmiobpf_filter_value, 24);
MMIOBPF_ASSERT_SIZE(mmiobpf_filter_comm, 24);
MMIOBPF_ASSERT_SIZE(mmiobpf_filter, 56 + 256 + MMIOBPF_FILTER_ITEMS * (24 + 24 + 24 + 8 + 24));

/* What the items of one field have said so far. */
struct mmiobpf_filter_tally {
	__u32 wanted;		/* items that name what is wanted */
	__u32 met;		/* 1: the record is one of those */
	__u32 unwanted_met;	/* 1: it is one that must not be */
};

static inline void mmiobpf_filter_count(struct mmiobpf_filter_tally *t, __u64 unwanted, int hit)
{
	if (unwanted) {
		t->unwanted_met |= hit;
	} else {
		t->wanted++;
		t->met |= hit;
	}
}

static inline int mmiobpf_filter_content(const struct mmiobpf_filter_tally *t)
{
	return !t->unwanted_met && (t->met || !t->wanted);
}

/* One of the bits @is must be wanted, and none of them unwanted. */
static inline int mmiobpf_filter_bits_ok(const struct mmiobpf_filter_bits *b, __u32 is)
{
	return !(b->unwanted & is) && (!b->want || (b->want & is));
}

/* The MMIOBPF_OP_* bits of a record; 0 for one that always passes. */
static inline __u32 mmiobpf_filter_op(const struct mmiobpf_rec_hdr *rec)
{
	const struct mmiobpf_rec_access *a = (const void *)rec;

	switch (rec->type) {
	case MMIOBPF_REC_ACCESS:
		if (a->dir == MMIOBPF_DIR_RMW)
			return MMIOBPF_OP_ACCESS;
		return a->dir == MMIOBPF_DIR_WRITE ? MMIOBPF_OP_WRITE : MMIOBPF_OP_READ;
	case MMIOBPF_REC_UNKNOWN:
		return MMIOBPF_OP_UNKNOWN;
	case MMIOBPF_REC_MAP:
		return MMIOBPF_OP_MAP;
	case MMIOBPF_REC_UNMAP:
		return MMIOBPF_OP_UNMAP;
	case MMIOBPF_REC_MARK:
		return MMIOBPF_OP_MARK;
	case MMIOBPF_REC_IRQ:
		return MMIOBPF_OP_IRQ;
	case MMIOBPF_REC_CONFIG:
		return MMIOBPF_OP_CONFIG;
	case MMIOBPF_REC_PMU:
		return MMIOBPF_OP_PMU;
	default:
		return 0;
	}
}

/*
 * Records that are no access pass where only kinds of accesses were asked for: a log of writes
 * without its mappings and markers says little.
 */
static inline int mmiobpf_filter_op_ok(const struct mmiobpf_filter_bits *b, __u32 op)
{
	if (!(op & MMIOBPF_OP_ACCESS) && !(b->want & ~MMIOBPF_OP_ACCESS))
		return !(b->unwanted & op);
	return mmiobpf_filter_bits_ok(b, op);
}

/* @phys, @bar_off: of the first byte of @width */
static inline int mmiobpf_filter_range_ok(const struct mmiobpf_filter *f, __u64 phys,
					  __u64 bar_off, __u8 bar, __u32 width)
{
	struct mmiobpf_filter_tally t = { 0, 0, 0 };

	for (__u32 i = 0; i < MMIOBPF_FILTER_ITEMS && i < f->nranges; i++) {
		const struct mmiobpf_filter_range *r = &f->ranges[i];
		__u64 at = r->bar == MMIOBPF_NO_BAR ? phys : bar_off;
		int hit = at <= r->last && at + (width ? width - 1 : 0) >= r->first;

		if (r->bar != MMIOBPF_NO_BAR && r->bar != bar)
			hit = 0;
		mmiobpf_filter_count(&t, r->unwanted, hit);
	}
	return mmiobpf_filter_content(&t);
}

static inline int mmiobpf_filter_function_ok(const struct mmiobpf_filter *f, __u64 pc)
{
	struct mmiobpf_filter_tally t = { 0, 0, 0 };

	for (__u32 i = 0; i < MMIOBPF_FILTER_ITEMS && i < f->nfunctions; i++) {
		const struct mmiobpf_filter_range *r = &f->functions[i];

		mmiobpf_filter_count(&t, r->unwanted, pc >= r->first && pc <= r->last);
	}
	return mmiobpf_filter_content(&t);
}

/* Either value of a read-modify-write, and any word of a wide access. */
static inline int mmiobpf_filter_value_hit(const struct mmiobpf_filter_value *v,
					   const struct mmiobpf_rec_access *a)
{
	const struct mmiobpf_rec_access_wide *wide = (const void *)a;
	int hit = 0;

	if (a->flags & MMIOBPF_ACC_BEFORE)
		hit |= (a->before & v->mask) == v->value;
	if (a->flags & MMIOBPF_ACC_AFTER)
		hit |= (a->after & v->mask) == v->value;
	if (a->hdr.size != sizeof(*wide))
		return hit;
	for (__u32 i = 0; i < MMIOBPF_WIDE_WORDS && 8 * i < a->width; i++) {
		if (a->flags & MMIOBPF_ACC_BEFORE)
			hit |= (wide->before[i] & v->mask) == v->value;
		if (a->flags & MMIOBPF_ACC_AFTER)
			hit |= (wide->after[i] & v->mask) == v->value;
	}
	return hit;
}

static inline int mmiobpf_filter_value_ok(const struct mmiobpf_filter *f,
					  const struct mmiobpf_rec_access *a)
{
	struct mmiobpf_filter_tally t = { 0, 0, 0 };

	for (__u32 i = 0; i < MMIOBPF_FILTER_ITEMS && i < f->nvalues; i++)
		mmiobpf_filter_count(&t, f->values[i].unwanted,
				     mmiobpf_filter_value_hit(&f->values[i], a));
	return mmiobpf_filter_content(&t);
}

/* Widths are powers of two, so each is its own bit. */
static inline int mmiobpf_filter_width_ok(const struct mmiobpf_filter *f, __u32 width)
{
	return mmiobpf_filter_bits_ok(&f->widths, width & (width - 1) ? 0 : width);
}

static inline int mmiobpf_filter_comm_same(const char *a, const char *b)
{
	int same = 1;

	for (__u32 i = 0; i < MMIOBPF_COMM_LEN && same; i++) {
		same = a[i] == b[i];
		if (!a[i])
			break;
	}
	return same;
}

static inline int mmiobpf_filter_task_ok(const struct mmiobpf_filter *f,
					 const struct mmiobpf_rec_hdr *rec)
{
	struct mmiobpf_filter_tally pid = { 0, 0, 0 }, comm = { 0, 0, 0 };

	for (__u32 i = 0; i < MMIOBPF_FILTER_ITEMS && i < f->npids; i++)
		mmiobpf_filter_count(&pid, f->pids[i].unwanted,
				     f->pids[i].pid == rec->pid || f->pids[i].pid == rec->tgid);
	for (__u32 i = 0; i < MMIOBPF_FILTER_ITEMS && i < f->ncomms; i++)
		mmiobpf_filter_count(&comm, f->comms[i].unwanted,
				     mmiobpf_filter_comm_same(rec->comm, f->comms[i].comm));
	return mmiobpf_filter_content(&pid) && mmiobpf_filter_content(&comm);
}

/* A CPU beyond the bitmap is one that nobody has named. */
static inline int mmiobpf_filter_cpu_ok(const struct mmiobpf_filter *f, __u32 cpu)
{
	__u32 word = cpu / 64 % (MMIOBPF_FILTER_CPUS / 64);
	__u64 bit = cpu < MMIOBPF_FILTER_CPUS ? 1ull << (cpu % 64) : 0;

	if (f->cpus_unwanted && (f->cpus_not[word] & bit))
		return 0;
	return !f->cpus_wanted || (f->cpus_want[word] & bit);
}

/* Who and where: for everything that happens on a CPU. */
static inline int mmiobpf_filter_origin_ok(const struct mmiobpf_filter *f,
					   const struct mmiobpf_rec_hdr *rec)
{
	return mmiobpf_filter_bits_ok(&f->contexts, 1u << (rec->context & 31)) &&
	       mmiobpf_filter_cpu_ok(f, rec->cpu) && mmiobpf_filter_task_ok(f, rec);
}

static inline int mmiobpf_filter_access_ok(const struct mmiobpf_filter *f,
					   const struct mmiobpf_rec_access *a)
{
	return mmiobpf_filter_width_ok(f, a->width) &&
	       mmiobpf_filter_range_ok(f, a->phys, a->bar_off, a->bar, a->width) &&
	       mmiobpf_filter_function_ok(f, a->pc) && mmiobpf_filter_origin_ok(f, &a->hdr) &&
	       mmiobpf_filter_value_ok(f, a);
}

static inline int mmiobpf_filter_unknown_ok(const struct mmiobpf_filter *f,
					    const struct mmiobpf_rec_unknown *u)
{
	return (!u->width || mmiobpf_filter_width_ok(f, u->width)) &&
	       mmiobpf_filter_range_ok(f, u->phys, u->bar_off, u->bar, u->width) &&
	       mmiobpf_filter_function_ok(f, u->pc) && mmiobpf_filter_origin_ok(f, &u->hdr);
}

/**
 * mmiobpf_filter_match() - does a record pass?
 * @f: all of its ranges resolved
 * @rec: checked
 *
 * Return: 1 or 0.
 */
static inline int mmiobpf_filter_match(const struct mmiobpf_filter *f,
				       const struct mmiobpf_rec_hdr *rec)
{
	__u32 op = mmiobpf_filter_op(rec);

	if (!op)
		return 1;
	if (!mmiobpf_filter_op_ok(&f->ops, op))
		return 0;
	switch (rec->type) {
	case MMIOBPF_REC_ACCESS:
		return mmiobpf_filter_access_ok(f, (const void *)rec);
	case MMIOBPF_REC_UNKNOWN:
		return mmiobpf_filter_unknown_ok(f, (const void *)rec);
	case MMIOBPF_REC_IRQ:
	case MMIOBPF_REC_CONFIG:
	case MMIOBPF_REC_PMU:
		return mmiobpf_filter_origin_ok(f, rec);
	default:
		return 1;
	}
}

#endif
