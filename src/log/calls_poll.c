// SPDX-License-Identifier: GPL-2.0-or-later
#include "calls_poll.h"

#include "record.h"

uint64_t poll_thread(const struct mmiobpf_rec_hdr *hdr)
{
	bool task = hdr->context == MMIOBPF_CTX_TASK && hdr->pid;

	return 1ull << 63 | (uint64_t)hdr->context << 33 | (uint64_t)task << 32 |
	       (task ? hdr->pid : hdr->cpu);
}

struct calls_poll *polls_find(struct calls_polls *p, uint64_t thread)
{
	for (size_t i = 0; i < POLLS_MAX; i++)
		if (p->thread[i] == thread)
			return &p->at[i];
	return NULL;
}

struct calls_poll *polls_place(struct calls_polls *p)
{
	struct calls_poll *oldest = &p->at[0];

	for (size_t i = 0; i < POLLS_MAX; i++) {
		if (!p->thread[i])
			return &p->at[i];
		if (p->at[i].end_ns < oldest->end_ns)
			oldest = &p->at[i];
	}
	return oldest;
}

bool poll_can_begin(const struct mmiobpf_rec_access *a)
{
	return a->dir == MMIOBPF_DIR_READ && (a->flags & MMIOBPF_ACC_BEFORE) && a->width <= 8 &&
	       !record_is_wide(a);
}

void polls_begin(struct calls_polls *p, struct calls_poll *poll,
		 const struct mmiobpf_rec_access *a)
{
	p->thread[poll - p->at] = poll_thread(&a->hdr);
	*poll = (struct calls_poll){
		.first = *a,
		.cpu = a->hdr.cpu,
		.end_ns = a->hdr.time_ns,
		.latency_ns = a->latency_ns,
		.last = a->before,
		.count = 1,
	};
}

bool poll_add(struct calls_poll *poll, const struct mmiobpf_rec_access *a)
{
	const struct mmiobpf_rec_access *f = &poll->first;

	if (!poll_can_begin(a) || a->phys != f->phys || a->map_id != f->map_id ||
	    a->width != f->width || a->pc != f->pc || poll_is_over(poll))
		return false;
	/*
	 * Two reads with two values are no poll, but a counter or a queue, of which every value counts.
	 */
	if (a->before != f->before && poll->count < 2)
		return false;
	poll->cpu = a->hdr.cpu;
	poll->end_ns = a->hdr.time_ns;
	poll->latency_ns += a->latency_ns;
	poll->last = a->before;
	poll->count++;
	return true;
}
