/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Polls of the readable view: reads of one register from one place in the code, one after the other
 * in one thread of control, that all gave the same value but for the last. Pure.
 *
 * A read is held back until it is known whether a poll begins with it. The table has a place for
 * each thread of control that holds one.
 */
#ifndef MMIOBPF_LOG_CALLS_POLL_H
#define MMIOBPF_LOG_CALLS_POLL_H

#include "calls_view.h"

#define POLLS_MAX	64

struct calls_poll {
	struct mmiobpf_rec_access first;
	uint16_t cpu;		/* of the last read */
	uint64_t end_ns;	/* time of the last read */
	uint64_t latency_ns;	/* sum */
	uint64_t last;		/* value of the last read */
	uint64_t count;
	uint64_t shown;		/* reads that a line says already */
};

struct calls_polls {
	uint64_t thread[POLLS_MAX];	/* poll_thread(); 0: the place is free */
	struct calls_poll at[POLLS_MAX];
};

/**
 * poll_thread() - thread of control that a record belongs to: a task on whatever CPU, or a CPU's
 * interrupt, softirq or NMI. A task without a number is its CPU's. Never 0.
 */
uint64_t poll_thread(const struct mmiobpf_rec_hdr *hdr);

/** polls_find() - what a thread of control holds, or NULL */
struct calls_poll *polls_find(struct calls_polls *p, uint64_t thread);

/**
 * polls_place() - a free place, or the one that was used longest ago, which the caller writes out
 * first
 */
struct calls_poll *polls_place(struct calls_polls *p);

/** poll_can_begin() - may a poll begin with this access? */
bool poll_can_begin(const struct mmiobpf_rec_access *a);

/** polls_begin() - with this read, at a place from polls_place() */
void polls_begin(struct calls_polls *p, struct calls_poll *poll,
		 const struct mmiobpf_rec_access *a);

/** polls_used() - does the place hold something? */
static inline bool polls_used(const struct calls_polls *p, const struct calls_poll *poll)
{
	return p->thread[poll - p->at] != 0;
}

static inline void polls_forget(struct calls_polls *p, const struct calls_poll *poll)
{
	p->thread[poll - p->at] = 0;
}

/** poll_add() - is it the next read of this poll, the last one too? Then it is taken into it */
bool poll_add(struct calls_poll *poll, const struct mmiobpf_rec_access *a);

/** poll_is_over() - another value has come: nothing can be added */
static inline bool poll_is_over(const struct calls_poll *poll)
{
	return poll->last != poll->first.before;
}

#endif
