// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The reading end of the rings, against rings that the test fills itself as the kernel would: a page
 * with the consumer's position, a page with the producer's, and the data.
 *
 * The kernel maps the data's pages twice in a row. A memfd cannot show one page at two offsets, so its
 * data area is twice as large and every word is written to both halves.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <linux/bpf.h>

#include <cmocka.h>

#include "log/record.h"
#include "session/ring.h"

#define RINGS		4
#define SEED		20261130u
#define MODEL_RECORDS	100000

/* Of libasan; gcc 12 does not ship the header that declares it. */
size_t __sanitizer_get_current_allocated_bytes(void);

/* --- records: everything in one follows from its number --- */

static uint64_t record_time(uint64_t seq)
{
	return 1000 + 7 * seq;
}

static size_t record_fill(union mmiobpf_rec_any *rec, uint64_t seq)
{
	uint64_t noise = (seq + 1) * 0x9e3779b97f4a7c15ull;

	memset(rec, 0, sizeof(*rec));
	rec->hdr.seq = seq;
	rec->hdr.time_ns = record_time(seq);
	rec->hdr.pid = (uint32_t)noise;
	switch (noise >> 61) {
	case 0:
		rec->hdr.type = MMIOBPF_REC_MARK;
		rec->hdr.size = sizeof(rec->mark);
		rec->mark.len = sizeof(rec->mark.text);
		memset(rec->mark.text, (int)(noise & 0x7f), sizeof(rec->mark.text));
		break;
	case 1:
		rec->hdr.type = MMIOBPF_REC_UNMAP;
		rec->hdr.size = sizeof(rec->unmap);
		rec->unmap.pc = noise;
		break;
	default:
		rec->hdr.type = MMIOBPF_REC_ACCESS;
		rec->hdr.size = sizeof(rec->access);
		rec->access.width = 8;
		rec->access.dir = MMIOBPF_DIR_READ;
		rec->access.flags = MMIOBPF_ACC_BEFORE;
		rec->access.before = noise;
	}
	return rec->hdr.size;
}

/* --- the kernel's end of a ring --- */

struct producer {
	int fd;
	char *mem;
	size_t page, size;
	unsigned long splits; /* records that went over the end */
};

static unsigned long *producer_position(const struct producer *p)
{
	return (unsigned long *)(p->mem + p->page);
}

static unsigned long *consumer_position(const struct producer *p)
{
	return (unsigned long *)p->mem;
}

static void producer_open(struct producer *p, size_t size, unsigned long start)
{
	size_t bytes;

	memset(p, 0, sizeof(*p));
	p->page = sysconf(_SC_PAGESIZE);
	p->size = size;
	bytes = 2 * p->page + 2 * size;
	p->fd = memfd_create("ring", MFD_CLOEXEC);
	assert_true(p->fd >= 0);
	assert_return_code(ftruncate(p->fd, bytes), errno);
	p->mem = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, p->fd, 0);
	assert_ptr_not_equal(p->mem, MAP_FAILED);
	*consumer_position(p) = start;
	*producer_position(p) = start;
}

static void producer_close(struct producer *p)
{
	munmap(p->mem, 2 * p->page + 2 * p->size);
	close(p->fd);
}

static char *producer_at(const struct producer *p, unsigned long position, bool second)
{
	return p->mem + 2 * p->page + (position & (p->size - 1)) + (second ? p->size : 0);
}

/* To both halves, a word at a time, because a record may go over the end. */
static void producer_write(struct producer *p, unsigned long position, const void *bytes, size_t n)
{
	for (size_t i = 0; i < n; i += 8) {
		size_t part = n - i < 8 ? n - i : 8;

		memcpy(producer_at(p, position + i, false), (const char *)bytes + i, part);
		memcpy(producer_at(p, position + i, true), (const char *)bytes + i, part);
	}
}

static void length_write(struct producer *p, unsigned long position, uint32_t length)
{
	__atomic_store_n((uint32_t *)producer_at(p, position, true), length, __ATOMIC_RELEASE);
	__atomic_store_n((uint32_t *)producer_at(p, position, false), length, __ATOMIC_RELEASE);
}

/* As bpf_ringbuf_reserve(): false when the ring is full. */
static bool producer_reserve(struct producer *p, size_t n, unsigned long *position)
{
	unsigned long start = *producer_position(p);
	unsigned long end = start + ((n + BPF_RINGBUF_HDR_SZ + 7) & ~7ul);

	if (end - *consumer_position(p) > p->size - 1)
		return false;
	if ((start & (p->size - 1)) + (end - start) > p->size)
		p->splits++;
	length_write(p, start, (uint32_t)n | BPF_RINGBUF_BUSY_BIT);
	__atomic_store_n(producer_position(p), end, __ATOMIC_RELEASE);
	*position = start;
	return true;
}

/* @n: what was reserved; the record may be shorter */
static void producer_submit(struct producer *p, unsigned long position, size_t n, uint64_t seq)
{
	union mmiobpf_rec_any rec;

	producer_write(p, position + BPF_RINGBUF_HDR_SZ, &rec, record_fill(&rec, seq));
	length_write(p, position, (uint32_t)n);
}

static void producer_discard(struct producer *p, unsigned long position, size_t n)
{
	length_write(p, position, (uint32_t)n | BPF_RINGBUF_DISCARD_BIT);
}

static size_t record_size(uint64_t seq)
{
	union mmiobpf_rec_any rec;

	return record_fill(&rec, seq);
}

static bool producer_put(struct producer *p, uint64_t seq)
{
	size_t n = record_size(seq);
	unsigned long position;

	if (!producer_reserve(p, n, &position))
		return false;
	producer_submit(p, position, n, seq);
	return true;
}

/* --- the fixture: a set of rings, and what came out of it --- */

#define OUT_ROOM 512

struct out {
	uint64_t seq;
	uint64_t lost; /* 0 for a record */
	uint64_t time_ns;
};

struct fixture {
	struct producer p[RINGS];
	struct ring_set *set;
	struct out out[OUT_ROOM];
	size_t n;
	size_t stop_at; /* fail at the call that would be this one, counted from 1 */
	int stop_with;
};

static int setup_sized(void **state, size_t size, unsigned long start)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	assert_int_equal(ring_set_new(&f->set), 0);
	for (size_t i = 0; i < RINGS; i++) {
		producer_open(&f->p[i], size, start);
		assert_int_equal(ring_set_add(f->set, f->p[i].fd, size), 0);
	}
	*state = f;
	return 0;
}

static int setup(void **state)
{
	return setup_sized(state, 65536, 0);
}

/* The kernel's smallest ring, and positions that have been round many times. */
static int setup_small(void **state)
{
	return setup_sized(state, 4096, (1ul << 40) + 4000);
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	ring_set_free(f->set);
	for (size_t i = 0; i < RINGS; i++)
		producer_close(&f->p[i]);
	free(f);
	return 0;
}

static void record_is_whole(const struct mmiobpf_rec_hdr *rec)
{
	union mmiobpf_rec_any expected;
	size_t n = record_fill(&expected, rec->seq);

	assert_int_equal(rec->size, n);
	assert_memory_equal(rec, &expected, n);
}

static int take(void *ctx, const struct mmiobpf_rec_hdr *rec)
{
	struct fixture *f = ctx;
	struct out *o = &f->out[f->n++];

	assert_true(f->n <= OUT_ROOM);
	o->seq = rec->seq;
	o->time_ns = rec->time_ns;
	if (rec->type == MMIOBPF_REC_LOST) {
		assert_int_equal(rec->size, sizeof(struct mmiobpf_rec_lost));
		o->lost = ((const struct mmiobpf_rec_lost *)rec)->count;
		assert_int_not_equal(o->lost, 0);
	} else {
		record_is_whole(rec);
		o->lost = 0;
	}
	return f->n == f->stop_at ? f->stop_with : 0;
}

static long drain(struct fixture *f)
{
	f->n = 0;
	return ring_set_drain(f->set, take, f);
}

static long finish(struct fixture *f, uint64_t next_seq)
{
	f->n = 0;
	return ring_set_finish(f->set, next_seq, take, f);
}

static void put(struct fixture *f, size_t ring, uint64_t seq)
{
	assert_true(producer_put(&f->p[ring], seq));
}

static void is_record(const struct fixture *f, size_t i, uint64_t seq)
{
	assert_true(i < f->n);
	assert_int_equal(f->out[i].lost, 0);
	assert_int_equal(f->out[i].seq, seq);
}

static void is_lost(const struct fixture *f, size_t i, uint64_t seq, uint64_t count,
		    uint64_t time_ns)
{
	assert_true(i < f->n);
	assert_int_equal(f->out[i].seq, seq);
	assert_int_equal(f->out[i].lost, count);
	assert_int_equal(f->out[i].time_ns, time_ns);
}

/* --- order --- */

static void nothing_comes_from_nothing(void **state)
{
	struct fixture *f = *state;
	struct ring_set *empty;

	assert_int_equal(drain(f), 0);
	assert_int_equal(f->n, 0);
	assert_int_equal(ring_set_new(&empty), 0);
	assert_int_equal(ring_set_drain(empty, take, f), 0);
	assert_int_equal(ring_set_finish(empty, 0, take, f), 0);
	ring_set_free(empty);
	ring_set_free(NULL);
	assert_int_equal(f->n, 0);
}

static void add_says_why(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(ring_set_add(f->set, -1, 4096), -EBADF);
	put(f, 0, 0);
	assert_int_equal(drain(f), 1);
}

static void order_over_many_rings(void **state)
{
	struct fixture *f = *state;

	/* Blocks from the last ring to the first, then record by record. */
	for (uint64_t seq = 0; seq < 20; seq++)
		put(f, RINGS - 1 - seq / 5, seq);
	for (uint64_t seq = 20; seq < 50; seq++)
		put(f, seq * 7 % RINGS, seq);
	assert_int_equal(drain(f), 50);
	for (size_t i = 0; i < 50; i++)
		is_record(f, i, i);
	for (size_t i = 0; i < RINGS; i++)
		assert_int_equal(*consumer_position(&f->p[i]), *producer_position(&f->p[i]));
	assert_int_equal(drain(f), 0);
	assert_int_equal(ring_set_lost(f->set), 0);
}

/* Changes the record where the kernel put it, and looks whether that is what was handed over. */
struct peek {
	struct producer *p;
	unsigned long position[3];
	bool direct[3];
};

static int peek_take(void *ctx, const struct mmiobpf_rec_hdr *rec)
{
	struct peek *k = ctx;
	size_t at =
		k->position[rec->seq] + BPF_RINGBUF_HDR_SZ + offsetof(struct mmiobpf_rec_hdr, cpu);
	const volatile uint16_t *cpu = &rec->cpu;
	uint16_t mark = 0x55;

	memcpy(producer_at(k->p, at, false), &mark, sizeof(mark));
	memcpy(producer_at(k->p, at, true), &mark, sizeof(mark));
	k->direct[rec->seq] = *cpu == mark;
	return 0;
}

static void next_record_is_not_copied(void **state)
{
	struct fixture *f = *state;
	struct peek k = { .p = &f->p[0] };

	for (size_t i = 0; i < 3; i++) {
		static const uint64_t seqs[] = { 0, 2, 1 };

		k.position[seqs[i]] = *producer_position(k.p);
		put(f, 0, seqs[i]);
	}
	assert_int_equal(ring_set_drain(f->set, peek_take, &k), 3);
	assert_true(k.direct[0]);
	assert_true(k.direct[1]);
	assert_false(k.direct[2]);
}

/* A record of an NMI is behind the one that it interrupted, with a lower number. */
static void nmi_is_put_right(void **state)
{
	static const uint64_t seqs[] = { 1, 0, 5, 3, 6, 4, 9, 8, 7 };
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(seqs) / sizeof(seqs[0]); i++)
		put(f, 2, seqs[i]);
	assert_int_equal(drain(f), 2);
	is_record(f, 0, 0);
	is_record(f, 1, 1);
	assert_int_equal(drain(f), 7);
	is_lost(f, 0, 2, 1, record_time(3));
	for (size_t i = 1; i < 8; i++)
		is_record(f, i, i + 2);
	assert_int_equal(ring_set_lost(f->set), 1);
}

static void discarded_is_skipped(void **state)
{
	static const char garbage[40] = "no record at all";
	struct fixture *f = *state;
	unsigned long position;

	put(f, 1, 0);
	assert_true(producer_reserve(&f->p[1], sizeof(garbage), &position));
	producer_write(&f->p[1], position + BPF_RINGBUF_HDR_SZ, garbage, sizeof(garbage));
	producer_discard(&f->p[1], position, sizeof(garbage));
	/* A length that is no multiple of 8 is rounded up. */
	assert_true(producer_reserve(&f->p[1], 13, &position));
	producer_discard(&f->p[1], position, 13);
	put(f, 1, 1);
	assert_int_equal(drain(f), 2);
	is_record(f, 1, 1);
	assert_int_equal(*consumer_position(&f->p[1]), *producer_position(&f->p[1]));
}

static void end_of_ring_is_crossed(void **state)
{
	struct fixture *f = *state;
	uint64_t seq = 0;

	/* Also filled to the brim: what does not fit is put again after the drain. */
	for (int round = 0; round < 300; round++) {
		uint64_t first = seq;

		while (producer_put(&f->p[seq % 2], seq))
			seq++;
		assert_int_equal(drain(f), seq - first);
		for (size_t i = 0; i < f->n; i++)
			is_record(f, i, first + i);
	}
	assert_true(f->p[0].splits > 100);
	assert_true(f->p[1].splits > 100);
}

/* --- gaps --- */

static void gap_waits_for_every_ring(void **state)
{
	struct fixture *f = *state;

	put(f, 3, 0);
	put(f, 3, 4);
	/* Numbers 1 to 3 could still be in a ring that was looked at before. */
	assert_int_equal(drain(f), 1);
	assert_int_equal(f->n, 1);
	put(f, 0, 2);
	assert_int_equal(drain(f), 2);
	is_lost(f, 0, 1, 1, record_time(2));
	is_record(f, 1, 2);
	is_lost(f, 2, 3, 1, record_time(4));
	is_record(f, 3, 4);
	assert_int_equal(ring_set_lost(f->set), 2);
}

/* A number that is seen first in this look decides nothing in it. */
static void gap_is_not_decided_by_a_new_number(void **state)
{
	struct fixture *f = *state;

	put(f, 0, 1);
	assert_int_equal(drain(f), 0);
	put(f, 0, 5);
	assert_int_equal(drain(f), 1);
	is_lost(f, 0, 0, 1, record_time(1));
	is_record(f, 1, 1);
	assert_int_equal(f->n, 2);
	for (uint64_t seq = 2; seq < 5; seq++)
		put(f, 1, seq);
	assert_int_equal(drain(f), 4);
	for (size_t i = 0; i < 4; i++)
		is_record(f, i, i + 2);
	assert_int_equal(ring_set_lost(f->set), 1);
}

static void busy_record_defers_the_gap(void **state)
{
	struct fixture *f = *state;
	unsigned long position;

	put(f, 0, 0);
	assert_true(producer_reserve(&f->p[1], record_size(1), &position));
	put(f, 1, 3);
	put(f, 2, 5);
	assert_int_equal(drain(f), 1);
	for (int i = 0; i < 5; i++) {
		assert_int_equal(drain(f), 0);
		assert_int_equal(f->n, 0);
	}
	/* Nothing behind it may be taken either. */
	assert_true(*consumer_position(&f->p[1]) == position);
	producer_submit(&f->p[1], position, record_size(1), 1);
	assert_int_equal(drain(f), 3);
	is_record(f, 0, 1);
	is_lost(f, 1, 2, 1, record_time(3));
	is_record(f, 2, 3);
	is_lost(f, 3, 4, 1, record_time(5));
	is_record(f, 4, 5);
	assert_int_equal(ring_set_lost(f->set), 2);
}

/* --- the end --- */

static void finish_reports_what_is_missing(void **state)
{
	struct fixture *f = *state;

	put(f, 0, 2);
	put(f, 1, 3);
	put(f, 0, 7);
	assert_int_equal(finish(f, 10), 3);
	assert_int_equal(f->n, 6);
	is_lost(f, 0, 0, 2, record_time(2));
	is_record(f, 1, 2);
	is_record(f, 2, 3);
	is_lost(f, 3, 4, 3, record_time(7));
	is_record(f, 4, 7);
	/* No record follows, so it has the time of the one before. */
	is_lost(f, 5, 8, 2, record_time(7));
	assert_int_equal(ring_set_lost(f->set), 7);
}

static void finish_after_the_next_record(void **state)
{
	struct fixture *f = *state;

	put(f, 0, 0);
	assert_int_equal(finish(f, 2), 1);
	assert_int_equal(f->n, 2);
	is_lost(f, 1, 1, 1, record_time(0));
}

static void finish_without_a_record(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(finish(f, 5), 0);
	assert_int_equal(f->n, 1);
	is_lost(f, 0, 0, 5, 0);
	assert_int_equal(ring_set_lost(f->set), 5);
}

static void finish_without_a_loss(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(finish(f, 0), 0);
	assert_int_equal(f->n, 0);
	put(f, 0, 1);
	put(f, 1, 0);
	assert_int_equal(finish(f, 2), 2);
	assert_int_equal(f->n, 2);
	assert_int_equal(ring_set_lost(f->set), 0);
}

struct late {
	struct producer *p;
	unsigned long position;
	uint64_t seq;
};

static void *late_submit(void *arg)
{
	struct late *l = arg;

	usleep(20000);
	producer_submit(l->p, l->position, record_size(l->seq), l->seq);
	return NULL;
}

/* The last writer may still be between reserve and submit when the session is stopped. */
static void finish_waits_for_a_busy_record(void **state)
{
	struct fixture *f = *state;
	struct late l = { .p = &f->p[0], .seq = 0 };
	pthread_t thread;
	long n;

	assert_true(producer_reserve(l.p, record_size(l.seq), &l.position));
	put(f, 1, 1);
	assert_int_equal(pthread_create(&thread, NULL, late_submit, &l), 0);
	n = finish(f, 2);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_equal(n, 2);
	is_record(f, 0, 0);
	is_record(f, 1, 1);
	assert_int_equal(f->n, 2);
	assert_int_equal(ring_set_lost(f->set), 0);
}

/* --- what goes wrong --- */

/* A record that says @type and @size of itself, with @length bytes in the ring. */
static void put_damaged(struct fixture *f, size_t ring, uint16_t type, uint16_t size, size_t length)
{
	union mmiobpf_rec_any rec;
	unsigned long position;

	record_fill(&rec, 1);
	rec.hdr.type = type;
	rec.hdr.size = size;
	assert_true(producer_reserve(&f->p[ring], length, &position));
	producer_write(&f->p[ring], position + BPF_RINGBUF_HDR_SZ, &rec, length);
	length_write(&f->p[ring], position, (uint32_t)length);
}

static void damaged_record_is_refused(void **state)
{
	static const struct {
		uint16_t type, size, length;
	} damage[RINGS] = {
		{ MMIOBPF_REC_NONE, 48, 48 }, /* no type */
		{ MMIOBPF_REC_UNMAP, 72, 72 }, /* not the type's size */
		{ MMIOBPF_REC_UNMAP, 64, 56 }, /* larger than its place */
		{ MMIOBPF_REC_END + 1, 64, 64 }, /* a type of a later version */
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < RINGS; i++) {
		struct ring_set *set;
		unsigned long at;

		assert_int_equal(ring_set_new(&set), 0);
		assert_int_equal(ring_set_add(set, f->p[i].fd, f->p[i].size), 0);
		put(f, i, 0);
		at = *producer_position(&f->p[i]);
		put_damaged(f, i, damage[i].type, damage[i].size, damage[i].length);
		put(f, i, 1);
		f->n = 0;
		assert_int_equal(ring_set_drain(set, take, f), -EBADMSG);
		/* What was before it is kept, and it is not passed over. */
		assert_int_equal(f->n, 1);
		is_record(f, 0, 0);
		assert_true(*consumer_position(&f->p[i]) == at);
		assert_int_equal(ring_set_finish(set, 2, take, f), -EBADMSG);
		assert_int_equal(f->n, 1);
		ring_set_free(set);
	}
}

/* Stops at the first record, at one that had to wait, and at a loss. */
static void error_ends_the_drain(void **state)
{
	struct fixture *f = *state;

	f->stop_with = -EPIPE;
	f->stop_at = 2;
	for (uint64_t seq = 0; seq < 4; seq++)
		put(f, 0, seq);
	assert_int_equal(drain(f), -EPIPE);
	assert_int_equal(f->n, 2);
}

static void error_ends_the_drain_of_pending(void **state)
{
	struct fixture *f = *state;

	f->stop_with = -EPIPE;
	f->stop_at = 2;
	put(f, 1, 0);
	for (uint64_t seq = 1; seq < 4; seq++)
		put(f, 0, seq);
	assert_int_equal(drain(f), -EPIPE);
	assert_int_equal(f->n, 2);
	is_record(f, 1, 1);
}

static void error_at_a_loss_ends_the_drain(void **state)
{
	struct fixture *f = *state;

	f->stop_with = -ENOSPC;
	f->stop_at = 1;
	put(f, 0, 3);
	assert_int_equal(drain(f), 0);
	assert_int_equal(drain(f), -ENOSPC);
	assert_int_equal(f->n, 1);
	is_lost(f, 0, 0, 3, record_time(3));
}

static void error_ends_finish(void **state)
{
	struct fixture *f = *state;

	f->stop_with = -EPIPE;
	f->stop_at = 2;
	put(f, 0, 0);
	put(f, 0, 2);
	put(f, 0, 3);
	assert_int_equal(finish(f, 9), -EPIPE);
	assert_int_equal(f->n, 2);
	is_lost(f, 1, 1, 1, record_time(2));
}

/* The set stays usable: what follows is neither repeated nor counted as lost. */
static void error_leaves_the_set_in_order(void **state)
{
	struct fixture *f = *state;

	f->stop_with = -EPIPE;
	f->stop_at = 1;
	put(f, 0, 0);
	put(f, 0, 1);
	put(f, 0, 4);
	assert_int_equal(drain(f), -EPIPE);
	is_record(f, 0, 0);
	f->stop_at = 0;
	assert_int_equal(drain(f), 1);
	is_record(f, 0, 1);
	f->stop_at = 1;
	assert_int_equal(drain(f), -EPIPE);
	is_lost(f, 0, 2, 2, record_time(4));
	f->stop_at = 0;
	assert_int_equal(finish(f, 5), 1);
	assert_int_equal(f->n, 1);
	is_record(f, 0, 4);
	assert_int_equal(ring_set_lost(f->set), 2);
}

/* Everything that is not 0 ends it, also what looks like a number of records. */
static void positive_value_ends_it_as_well(void **state)
{
	struct fixture *f = *state;

	f->stop_with = 7;
	f->stop_at = 1;
	for (uint64_t seq = 0; seq < 3; seq++)
		put(f, 0, seq);
	assert_int_equal(drain(f), 7);
	assert_int_equal(f->n, 1);
	assert_int_equal(finish(f, 3), 7);
	assert_int_equal(f->n, 1);
}

static void number_that_came_before_is_refused(void **state)
{
	struct fixture *f = *state;

	for (uint64_t seq = 0; seq < 4; seq++)
		put(f, 0, seq);
	assert_int_equal(drain(f), 4);
	put(f, 1, 2);
	assert_int_equal(drain(f), -EBADMSG);
	assert_int_equal(f->n, 0);
	assert_int_equal(ring_set_lost(f->set), 0);
}

static void number_that_waits_twice_is_refused(void **state)
{
	struct fixture *f = *state;

	put(f, 0, 2);
	put(f, 1, 2);
	assert_int_equal(drain(f), 0);
	assert_int_equal(drain(f), -EBADMSG);
	assert_int_equal(f->n, 2);
	is_lost(f, 0, 0, 2, record_time(2));
	is_record(f, 1, 2);
	assert_int_equal(ring_set_lost(f->set), 2);
}

/* --- memory --- */

/*
 * Ring 0 never runs empty of pending records: its newest waits for a number that ring 1 brings in the
 * next round. What was handed over must be forgotten all the same.
 */
static void pending_memory_is_bounded(void **state)
{
	struct fixture *f = *state;
	size_t before = __sanitizer_get_current_allocated_bytes();
	size_t passed = 0;

	put(f, 0, 1);
	assert_int_equal(drain(f), 0);
	for (uint64_t seq = 0; seq < 100000; seq += 2) {
		put(f, 0, seq + 3);
		put(f, 1, seq);
		assert_int_equal(drain(f), 2);
		is_record(f, 0, seq);
		is_record(f, 1, seq + 1);
		passed += record_size(seq + 1);
	}
	assert_true(passed > 8 << 20);
	assert_true(__sanitizer_get_current_allocated_bytes() - before < 1 << 18);
	assert_int_equal(ring_set_lost(f->set), 0);
}

/* Room is used again while a record waits in it: the record moves, and what is written goes behind it. */
static void pending_record_survives_reuse(void **state)
{
	struct fixture *f = *state;
	size_t n = record_size(201);
	unsigned long position;

	for (uint64_t seq = 1; seq <= 200; seq++)
		put(f, 0, seq);
	put(f, 0, 202);
	assert_int_equal(drain(f), 0);
	put(f, 1, 0);
	assert_true(producer_reserve(&f->p[1], n, &position));
	assert_int_equal(drain(f), 201);
	for (uint64_t seq = 203; seq < 500; seq++) {
		put(f, 0, seq);
		assert_int_equal(drain(f), 0);
	}
	producer_submit(&f->p[1], position, n, 201);
	assert_int_equal(drain(f), 299);
	for (size_t i = 0; i < f->n; i++)
		is_record(f, i, 201 + i);
}

/* --- the model: CPUs that are interrupted by NMIs, losses, and drains at any moment --- */

enum fate {
	FATE_OPEN, /* not decided yet: must not come out in any way */
	FATE_KEPT,
	FATE_LOST,
};

/* What one CPU is in the middle of. */
struct writer {
	bool reserved, numbered;
	size_t size;
	unsigned long position;
	uint64_t seq;
};

struct model {
	struct fixture *f;
	struct writer w[RINGS];
	uint64_t next_seq;
	unsigned char fate[MODEL_RECORDS + 2 * RINGS];
	uint64_t out_next; /* number that must come out next */
	uint64_t out_lost;
	bool gap_last; /* the last thing that came out was a loss */
	unsigned long records, gaps, reversed;
	uint32_t random;
};

static uint32_t below(struct model *m, uint32_t n)
{
	m->random ^= m->random << 13;
	m->random ^= m->random >> 17;
	m->random ^= m->random << 5;
	return m->random % n;
}

static int model_take(void *ctx, const struct mmiobpf_rec_hdr *rec)
{
	struct model *m = ctx;

	assert_true(rec->seq == m->out_next);
	if (rec->type != MMIOBPF_REC_LOST) {
		assert_int_equal(m->fate[rec->seq], FATE_KEPT);
		record_is_whole(rec);
		m->out_next++;
		m->records++;
		m->gap_last = false;
		return 0;
	}
	/* One gap is one report. */
	assert_false(m->gap_last);
	m->gap_last = true;
	m->gaps++;
	m->out_next += ((const struct mmiobpf_rec_lost *)rec)->count;
	assert_true(m->out_next <= m->next_seq);
	for (uint64_t seq = rec->seq; seq < m->out_next; seq++)
		assert_int_equal(m->fate[seq], FATE_LOST);
	m->out_lost += ((const struct mmiobpf_rec_lost *)rec)->count;
	return 0;
}

/* A whole record in one go, as an NMI or an undisturbed CPU writes it. */
static void model_put(struct model *m, size_t ring)
{
	uint64_t seq = m->next_seq++;
	bool kept = below(m, 20) && producer_put(&m->f->p[ring], seq);

	m->fate[seq] = kept ? FATE_KEPT : FATE_LOST;
}

/*
 * One step of a CPU. Between its steps the other CPUs go on, the rings are drained, and an NMI may come;
 * one that comes before the number is taken has a lower number at a later place.
 */
static void model_step(struct model *m, size_t ring)
{
	struct writer *w = &m->w[ring];
	struct producer *p = &m->f->p[ring];

	if (!below(m, 8)) {
		m->reversed += w->reserved && !w->numbered;
		model_put(m, ring);
	} else if (!w->reserved) {
		/* The largest: what it will be follows from the number that it gets. */
		w->size = sizeof(struct mmiobpf_rec_mark);
		if (producer_reserve(p, w->size, &w->position))
			w->reserved = true;
		else
			m->fate[m->next_seq++] = FATE_LOST;
	} else if (!w->numbered) {
		w->seq = m->next_seq++;
		w->numbered = true;
	} else {
		if (!below(m, 50)) {
			m->fate[w->seq] = FATE_LOST;
			producer_discard(p, w->position, w->size);
		} else {
			m->fate[w->seq] = FATE_KEPT;
			producer_submit(p, w->position, w->size, w->seq);
		}
		w->reserved = w->numbered = false;
	}
}

static void model_drain(struct model *m)
{
	unsigned long before = m->records;
	long n = ring_set_drain(m->f->set, model_take, m);

	assert_int_equal(n, m->records - before);
	assert_true(ring_set_lost(m->f->set) == m->out_lost);
}

/* With no CPU in the middle of a record, two looks are enough for all up to the last one kept. */
static void model_settle(struct model *m)
{
	uint64_t end;

	for (size_t i = 0; i < RINGS; i++)
		while (m->w[i].reserved)
			model_step(m, i);
	end = m->next_seq;
	while (end > 0 && m->fate[end - 1] != FATE_KEPT)
		end--;
	model_drain(m);
	model_drain(m);
	assert_true(m->out_next >= end);
}

static void model_run(struct fixture *f, unsigned long min_gaps)
{
	struct model *m = calloc(1, sizeof(*m));
	unsigned long kept = 0;

	assert_non_null(m);
	m->f = f;
	m->random = SEED;
	while (m->next_seq < MODEL_RECORDS) {
		model_step(m, below(m, RINGS));
		if (!below(m, 8))
			model_drain(m);
		if (!below(m, 1000))
			model_settle(m);
	}
	model_settle(m);
	assert_return_code(ring_set_finish(m->f->set, m->next_seq, model_take, m), 0);
	assert_true(m->out_next == m->next_seq);
	for (uint64_t seq = 0; seq < m->next_seq; seq++)
		kept += m->fate[seq] == FATE_KEPT;
	assert_int_equal(m->records, kept);
	assert_true(m->out_lost == m->next_seq - kept);
	assert_true(ring_set_lost(m->f->set) == m->out_lost);
	/* The run had what it is for. */
	assert_true(kept > MODEL_RECORDS / 2 && m->gaps > min_gaps && m->reversed > 1000);
	print_message("# %lu kept, %lu gaps, %lu out of order, seed %u\n", kept, m->gaps,
		      m->reversed, SEED);
	free(m);
}

static void model_small_rings(void **state)
{
	model_run(*state, 1000);
}

/* Little is lost here, but much waits. */
static void model_large_rings(void **state)
{
	model_run(*state, 100);
}

#define RING_TEST(name)	      cmocka_unit_test_setup_teardown(name, setup, teardown)
#define SMALL_RING_TEST(name) cmocka_unit_test_setup_teardown(name, setup_small, teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		RING_TEST(nothing_comes_from_nothing),
		RING_TEST(add_says_why),
		RING_TEST(order_over_many_rings),
		RING_TEST(next_record_is_not_copied),
		RING_TEST(nmi_is_put_right),
		RING_TEST(discarded_is_skipped),
		SMALL_RING_TEST(end_of_ring_is_crossed),
		RING_TEST(gap_waits_for_every_ring),
		RING_TEST(gap_is_not_decided_by_a_new_number),
		RING_TEST(busy_record_defers_the_gap),
		RING_TEST(finish_reports_what_is_missing),
		RING_TEST(finish_after_the_next_record),
		RING_TEST(finish_without_a_record),
		RING_TEST(finish_without_a_loss),
		RING_TEST(finish_waits_for_a_busy_record),
		RING_TEST(damaged_record_is_refused),
		RING_TEST(error_ends_the_drain),
		RING_TEST(error_ends_the_drain_of_pending),
		RING_TEST(error_at_a_loss_ends_the_drain),
		RING_TEST(error_ends_finish),
		RING_TEST(error_leaves_the_set_in_order),
		RING_TEST(positive_value_ends_it_as_well),
		RING_TEST(number_that_came_before_is_refused),
		RING_TEST(number_that_waits_twice_is_refused),
		SMALL_RING_TEST(pending_memory_is_bounded),
		RING_TEST(pending_record_survives_reuse),
		SMALL_RING_TEST(model_small_rings),
		RING_TEST(model_large_rings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
