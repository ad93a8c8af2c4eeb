// SPDX-License-Identifier: GPL-2.0-or-later
#include "ring.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <linux/bpf.h>

#include "../../bpf/policy.h"
#include "../log/record.h"

/* A record that was taken out of its ring and not handed over yet. */
struct pending {
	uint64_t seq;
	size_t at;		/* in bytes[] */
};

struct ring {
	/* A ring of slots, or NULL. */
	struct ring_position *position;
	const struct ring_slot *slots;
	size_t nslots;

	/* A BPF ring buffer otherwise. */
	unsigned long *consumer;	/* position, written here */
	const unsigned long *producer;	/* position, written by the kernel */
	const char *data;		/* mapped twice in a row, so that no record is split */
	size_t size;

	char *bytes;			/* copies of the pending records */
	size_t bytes_used, bytes_room;
	struct pending *pending;	/* by seq */
	size_t first, npending, pending_room;
};

struct ring_set {
	struct ring *rings;
	size_t n;
	size_t page;
	uint64_t next;		/* sequence number to hand over next */
	uint64_t seen_end;	/* one more than the highest number seen */
	uint64_t last_ns;	/* time of the record handed over last */
	uint64_t lost;
	uint64_t count;		/* records handed over */
};

int ring_set_new(struct ring_set **out)
{
	struct ring_set *set = calloc(1, sizeof(*set));

	if (!set)
		return -ENOMEM;
	set->page = sysconf(_SC_PAGESIZE);
	*out = set;
	return 0;
}

void ring_set_free(struct ring_set *set)
{
	if (!set)
		return;
	for (size_t i = 0; i < set->n; i++) {
		struct ring *r = &set->rings[i];

		if (!r->position) {
			munmap(r->consumer, set->page);
			munmap((void *)r->producer, set->page + 2 * r->size);
		}
		free(r->bytes);
		free(r->pending);
	}
	free(set->rings);
	free(set);
}

/* Room for one more, which counts when set->n is raised. */
static struct ring *ring_room(struct ring_set *set)
{
	struct ring *rings = reallocarray(set->rings, set->n + 1, sizeof(*rings));

	if (!rings)
		return NULL;
	set->rings = rings;
	memset(&rings[set->n], 0, sizeof(*rings));
	return &rings[set->n];
}

int ring_set_add_slots(struct ring_set *set, struct ring_position *position,
		       const struct ring_slot *slots, size_t nslots)
{
	struct ring *r = ring_room(set);

	if (!r)
		return -ENOMEM;
	r->position = position;
	r->slots = slots;
	r->nslots = nslots;
	set->n++;
	return 0;
}

int ring_set_add(struct ring_set *set, int fd, size_t size)
{
	struct ring *r = ring_room(set);
	void *p;

	if (!r)
		return -ENOMEM;
	r->size = size;
	p = mmap(NULL, set->page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		return -errno;
	r->consumer = p;
	p = mmap(NULL, set->page + 2 * size, PROT_READ, MAP_SHARED, fd, set->page);
	if (p == MAP_FAILED) {
		int err = -errno;

		munmap(r->consumer, set->page);
		return err;
	}
	r->producer = p;
	r->data = (const char *)p + set->page;
	set->n++;
	return 0;
}

/* --- out of the ring --- */

static int grow(void *array, size_t *room, size_t need, size_t width)
{
	void **p = array;
	size_t want = *room ? *room : 256;
	void *bigger;

	if (need <= *room)
		return 0;
	while (want < need)
		want *= 2;
	bigger = reallocarray(*p, want, width);
	if (!bigger)
		return -ENOMEM;
	*p = bigger;
	*room = want;
	return 0;
}

/* Numbers in a ring rise. A BPF ring buffer may have several writers, whose numbers may not. */
static int pending_add(struct ring *r, const struct mmiobpf_rec_hdr *rec, size_t n)
{
	size_t end = r->first + r->npending;
	size_t i;

	if (grow(&r->bytes, &r->bytes_room, r->bytes_used + n, 1) ||
	    grow(&r->pending, &r->pending_room, end + 1, sizeof(*r->pending)))
		return -ENOMEM;
	memcpy(r->bytes + r->bytes_used, rec, n);
	for (i = end; i > r->first && r->pending[i - 1].seq > rec->seq; i--)
		r->pending[i] = r->pending[i - 1];
	r->pending[i].seq = rec->seq;
	r->pending[i].at = r->bytes_used;
	r->bytes_used += n;
	r->npending++;
	return 0;
}

/*
 * Room that was handed over is used again. What is left is little: what waits for a gap to be
 * decided.
 */
static void pending_compact(struct ring *r)
{
	size_t base = r->bytes_used;

	if (!r->first || (r->npending && r->first < r->pending_room / 2))
		return;
	for (size_t i = 0; i < r->npending; i++) {
		r->pending[i] = r->pending[r->first + i];
		if (r->pending[i].at < base)
			base = r->pending[i].at;
	}
	for (size_t i = 0; i < r->npending; i++)
		r->pending[i].at -= base;
	memmove(r->bytes, r->bytes + base, r->bytes_used - base);
	r->bytes_used -= base;
	r->first = 0;
}

/*
 * The next record of the stream is handed over from where it is; another one has to wait for its
 * turn.
 */
static int ring_take(struct ring_set *set, struct ring *r, const struct mmiobpf_rec_hdr *rec,
		     size_t n, ring_fn fn, void *ctx)
{
	if (rec->seq >= set->seen_end)
		set->seen_end = rec->seq + 1;
	if (rec->seq != set->next)
		return pending_add(r, rec, n);
	set->next++;
	set->last_ns = rec->time_ns;
	set->count++;
	return fn(ctx, rec);
}

/*
 * Take what is there. *settled turns false when a record below the producer's position is still
 * being written.
 */
static int ring_pull(struct ring_set *set, struct ring *r, bool *settled, ring_fn fn, void *ctx)
{
	unsigned long producer = __atomic_load_n(r->producer, __ATOMIC_ACQUIRE);
	unsigned long consumer = *r->consumer;

	pending_compact(r);
	while (consumer < producer) {
		const uint32_t *head = (const void *)(r->data + (consumer & (r->size - 1)));
		uint32_t len = __atomic_load_n(head, __ATOMIC_ACQUIRE);
		const struct mmiobpf_rec_hdr *rec = (const void *)(head + 2);
		int err = 0;

		if (len & BPF_RINGBUF_BUSY_BIT) {
			*settled = false;
			break;
		}
		if (!(len & BPF_RINGBUF_DISCARD_BIT)) {
			int n = record_check(rec, len);

			if (n < 0)
				return -EBADMSG;
			err = ring_take(set, r, rec, n, fn, ctx);
		}
		len &= ~BPF_RINGBUF_DISCARD_BIT;
		consumer += (len + BPF_RINGBUF_HDR_SZ + 7) & ~7ul;
		__atomic_store_n(r->consumer, consumer, __ATOMIC_RELEASE);
		if (err)
			return err;
	}
	return 0;
}

/* The record at @at, of which there are @n slots from there on; a wide one is put together in @room. */
static const struct mmiobpf_rec_hdr *slots_record(const struct ring *r, uint64_t at, uint64_t n,
						  struct ring_slot room[2], size_t *bytes)
{
	const struct ring_slot *slot = &r->slots[at & (r->nslots - 1)];
	const struct mmiobpf_rec_hdr *rec = (const void *)slot;

	*bytes = sizeof(*slot);
	if (rec->size <= sizeof(*slot) || n < 2)
		return rec;
	room[0] = *slot;
	room[1] = r->slots[(at + 1) & (r->nslots - 1)];
	*bytes = 2 * sizeof(*slot);
	return (const void *)room;
}

/* As ring_pull(). The writer hears once of all that was read: it looks there at each record. */
static int slots_pull(struct ring_set *set, struct ring *r, bool *settled, ring_fn fn, void *ctx)
{
	uint64_t reserved = __atomic_load_n(&r->position->reserved, __ATOMIC_ACQUIRE);
	uint64_t written = __atomic_load_n(&r->position->written, __ATOMIC_ACQUIRE);
	uint64_t read = r->position->read;
	int err = 0;

	pending_compact(r);
	if (written - read > r->nslots)
		return -EBADMSG;
	if (reserved > written)
		*settled = false;
	while (read < written && !err) {
		struct ring_slot room[2];
		size_t bytes;
		const struct mmiobpf_rec_hdr *rec =
			slots_record(r, read, written - read, room, &bytes);
		int n = record_check(rec, bytes);

		if (n < 0)
			err = -EBADMSG;
		else
			err = ring_take(set, r, rec, n, fn, ctx);
		read += bytes / sizeof(*room);
	}
	__atomic_store_n(&r->position->read, read, __ATOMIC_RELEASE);
	return err;
}

/* --- in order --- */

static struct ring *ring_lowest(const struct ring_set *set, uint64_t *seq)
{
	struct ring *lowest = NULL;

	for (size_t i = 0; i < set->n; i++) {
		struct ring *r = &set->rings[i];

		if (!r->npending || (lowest && r->pending[r->first].seq >= *seq))
			continue;
		lowest = r;
		*seq = r->pending[r->first].seq;
		if (*seq == set->next)
			break;
	}
	return lowest;
}

static int lost_report(struct ring_set *set, uint64_t until, const struct mmiobpf_rec_hdr *behind,
		       ring_fn fn, void *ctx)
{
	struct mmiobpf_rec_lost lost = {
		.hdr.type = MMIOBPF_REC_LOST,
		.hdr.size = sizeof(lost),
		.hdr.seq = set->next,
		.hdr.time_ns = behind ? behind->time_ns : set->last_ns,
		.count = until - set->next,
	};

	set->lost += lost.count;
	set->next = until;
	return fn(ctx, &lost.hdr);
}

/* Hands over everything below @bound with its gaps, and above it what follows without a gap. */
static int set_hand_over(struct ring_set *set, uint64_t bound, ring_fn fn, void *ctx)
{
	struct ring *r = NULL;

	for (;;) {
		const struct mmiobpf_rec_hdr *rec;
		uint64_t seq = 0;
		int err;

		/* Mostly a CPU's records follow each other. */
		if (!r || !r->npending || r->pending[r->first].seq != set->next)
			r = ring_lowest(set, &seq);
		if (!r)
			return 0;
		seq = r->pending[r->first].seq;
		rec = (const void *)(r->bytes + r->pending[r->first].at);
		if (seq < set->next)	/* handed over or given up before: no such record is made */
			return -EBADMSG;
		if (seq != set->next) {
			if (seq >= bound)
				return 0;
			err = lost_report(set, seq, rec, fn, ctx);
			if (err)
				return err;
		}
		r->first++;
		r->npending--;
		set->next = seq + 1;
		set->last_ns = rec->time_ns;
		set->count++;
		err = fn(ctx, rec);
		if (err)
			return err;
	}
}

/* One look at every ring. Return: 0, or what went wrong. */
static int set_pass(struct ring_set *set, ring_fn fn, void *ctx, bool *settled)
{
	uint64_t bound = set->seen_end;
	int err = 0;

	*settled = true;
	for (size_t i = 0; i < set->n && !err; i++)
		err = set->rings[i].position ?
			      slots_pull(set, &set->rings[i], settled, fn, ctx) :
			      ring_pull(set, &set->rings[i], settled, fn, ctx);
	return err ? err : set_hand_over(set, *settled ? bound : 0, fn, ctx);
}

long ring_set_drain(struct ring_set *set, ring_fn fn, void *ctx)
{
	uint64_t before = set->count;
	bool settled;
	int err = set_pass(set, fn, ctx, &settled);

	return err ? err : (long)(set->count - before);
}

long ring_set_finish(struct ring_set *set, uint64_t next_seq, ring_fn fn, void *ctx)
{
	uint64_t before = set->count;
	uint64_t seen;
	bool settled;
	int err;

	/* Once to see the highest number, once more to know that nothing below it is missing. */
	do {
		seen = set->count;
		err = set_pass(set, fn, ctx, &settled);
		if (err)
			return err;
	} while (set->count > seen || !settled);
	err = set_hand_over(set, UINT64_MAX, fn, ctx);
	if (!err && set->next < next_seq)
		err = lost_report(set, next_seq, NULL, fn, ctx);
	return err ? err : (long)(set->count - before);
}

uint64_t ring_set_lost(const struct ring_set *set)
{
	return set->lost;
}
