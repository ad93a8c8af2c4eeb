// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The rings of slots, filled by the test in the order in which bpf/record.bpf.c fills them. The merge
 * itself is tested in ring_test.c; here it is what these rings have of their own.
 */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../bpf/policy.h"
#include "log/record.h"
#include "session/ring.h"

#define RINGS		3
#define SLOTS		16	/* few, so that their end is crossed often */
#define THREAD_RECORDS	200000

struct fixture {
	struct ring_position position[RINGS];
	struct ring_slot slots[RINGS][SLOTS];
	struct ring_set *set;
	uint64_t next_seq;

	/* What came out. */
	uint64_t records, wide, lost;
	uint64_t next;		/* number that must come next */
	uint64_t fail_at;	/* record at which the taker fails, counted from 1 */
};

/* Everything in a record follows from its number. Every third is wide. */
static bool is_wide(uint64_t seq)
{
	return seq % 3 == 2;
}

static size_t record_make(struct mmiobpf_rec_access_wide *rec, uint64_t seq)
{
	memset(rec, 0, sizeof(*rec));
	rec->acc.hdr.seq = seq;
	rec->acc.hdr.type = MMIOBPF_REC_ACCESS;
	rec->acc.hdr.size = is_wide(seq) ? sizeof(*rec) : sizeof(rec->acc);
	rec->acc.hdr.time_ns = 10 * seq;
	rec->acc.width = is_wide(seq) ? 64 : 8;
	rec->acc.dir = MMIOBPF_DIR_READ;
	rec->acc.flags = MMIOBPF_ACC_BEFORE;
	rec->acc.before = ~seq;
	for (unsigned int i = 0; is_wide(seq) && i < MMIOBPF_WIDE_WORDS; i++)
		rec->before[i] = ~seq + i;
	return rec->acc.hdr.size;
}

static unsigned int slots_needed(uint64_t seq)
{
	return is_wide(seq) ? 2 : 1;
}

/* The writer's steps, which the program does in this order. */
static bool writer_reserve(struct fixture *f, size_t ring, unsigned int need)
{
	struct ring_position *p = &f->position[ring];
	uint64_t read = __atomic_load_n(&p->read, __ATOMIC_ACQUIRE);

	if (p->reserved + need - read > SLOTS)
		return false;
	__atomic_store_n(&p->reserved, p->reserved + need, __ATOMIC_SEQ_CST);
	return true;
}

static void writer_fill(struct fixture *f, size_t ring, uint64_t at, uint64_t seq)
{
	struct mmiobpf_rec_access_wide rec;
	const char *from = (const char *)&rec;
	size_t left = record_make(&rec, seq);

	for (; left; at++) {
		size_t n = left < sizeof(struct ring_slot) ? left : sizeof(struct ring_slot);

		memcpy(&f->slots[ring][at % SLOTS], from, n);
		from += n;
		left -= n;
	}
}

static void writer_publish(struct fixture *f, size_t ring)
{
	struct ring_position *p = &f->position[ring];

	__atomic_store_n(&p->written, p->reserved, __ATOMIC_RELEASE);
}

/* The next number into a ring. False when it is full: the number is gone. */
static bool put(struct fixture *f, size_t ring)
{
	uint64_t seq = f->next_seq++;
	uint64_t at = f->position[ring].reserved;

	if (!writer_reserve(f, ring, slots_needed(seq)))
		return false;
	writer_fill(f, ring, at, seq);
	writer_publish(f, ring);
	return true;
}

static int take(void *ctx, const struct mmiobpf_rec_hdr *rec)
{
	struct mmiobpf_rec_access_wide want;
	struct fixture *f = ctx;

	assert_int_equal(rec->seq, f->next);
	if (rec->type == MMIOBPF_REC_LOST) {
		uint64_t count = ((const struct mmiobpf_rec_lost *)rec)->count;

		f->lost += count;
		f->next += count;
		return 0;
	}
	assert_int_equal(rec->size, record_make(&want, rec->seq));
	assert_memory_equal(rec, &want, rec->size);
	f->wide += is_wide(rec->seq);
	f->next++;
	return ++f->records == f->fail_at ? -EPIPE : 0;
}

static int setup_at(void **state, uint64_t start)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	assert_int_equal(ring_set_new(&f->set), 0);
	for (size_t i = 0; i < RINGS; i++) {
		f->position[i] = (struct ring_position){ .reserved = start, .written = start,
							 .read = start };
		assert_int_equal(ring_set_add_slots(f->set, &f->position[i], f->slots[i], SLOTS), 0);
	}
	*state = f;
	return 0;
}

static int setup(void **state)
{
	return setup_at(state, 0);
}

/* About to go round, and past 32 bits. */
static int setup_late(void **state)
{
	return setup_at(state, (1ull << 40) + SLOTS - 1);
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	ring_set_free(f->set);
	free(f);
	return 0;
}

static void order_over_the_rings(void **state)
{
	static const size_t rings[] = { 2, 0, 0, 1, 2, 1, 0, 2 };
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(rings) / sizeof(rings[0]); i++)
		assert_true(put(f, rings[i]));
	assert_int_equal(ring_set_drain(f->set, take, f), 8);
	assert_int_equal(f->records, 8);
	assert_int_equal(f->wide, 2);
	assert_int_equal(f->lost, 0);
}

static void wide_record_goes_round_the_end(void **state)
{
	struct fixture *f = *state;

	for (unsigned int i = 0; i < 40 * SLOTS; i++) {
		assert_true(put(f, 0));
		assert_int_equal(ring_set_drain(f->set, take, f), 1);
	}
	assert_int_equal(f->records, 40 * SLOTS);
	assert_int_equal(f->lost, 0);
}

static void slots_are_freed_when_read(void **state)
{
	struct fixture *f = *state;
	uint64_t start = f->position[1].read;

	for (unsigned int i = 0; i < 9; i++)	/* six of one slot, three of two */
		assert_true(put(f, 1));
	assert_int_equal(f->position[1].read, start);
	assert_int_equal(ring_set_drain(f->set, take, f), 9);
	assert_int_equal(f->position[1].read, start + 12);
	assert_int_equal(f->position[0].read, f->position[0].written);
}

static void full_ring_is_a_gap_in_place(void **state)
{
	struct fixture *f = *state;
	unsigned int kept = 0, lost = 0;

	while (f->next_seq < 20) {
		if (put(f, 0))
			kept++;
		else
			lost++;
	}
	assert_true(lost > 0);
	assert_true(put(f, 1));		/* another ring has room: what comes behind the gap */
	kept++;
	/* The first look sees the highest number, the second knows that nothing is on its way. */
	ring_set_drain(f->set, take, f);
	ring_set_drain(f->set, take, f);
	assert_int_equal(f->records, kept);
	assert_int_equal(f->lost, lost);
	assert_int_equal(ring_set_lost(f->set), lost);
	assert_int_equal(f->next, 21);
}

static void reserved_slot_defers_the_gap(void **state)
{
	struct fixture *f = *state;
	uint64_t at = f->position[0].reserved;

	assert_true(writer_reserve(f, 0, slots_needed(0)));
	f->next_seq = 1;		/* number 0 is taken, and not written yet */
	assert_true(put(f, 1));
	for (unsigned int i = 0; i < 3; i++)
		assert_int_equal(ring_set_drain(f->set, take, f), 0);
	writer_fill(f, 0, at, 0);
	writer_publish(f, 0);
	assert_int_equal(ring_set_drain(f->set, take, f), 2);
	assert_int_equal(f->lost, 0);
}

static void finish_reports_what_no_ring_had_room_for(void **state)
{
	struct fixture *f = *state;

	assert_true(put(f, 2));
	assert_int_equal(ring_set_finish(f->set, 5, take, f), 1);
	assert_int_equal(f->lost, 4);
	assert_int_equal(f->next, 5);
}

static void error_ends_the_drain_where_it_was(void **state)
{
	struct fixture *f = *state;

	for (unsigned int i = 0; i < 6; i++)
		assert_true(put(f, 0));
	f->fail_at = 3;
	assert_int_equal(ring_set_drain(f->set, take, f), -EPIPE);
	assert_int_equal(f->records, 3);
	assert_int_equal(ring_set_drain(f->set, take, f), 3);
	assert_int_equal(f->records, 6);
}

static void damaged_position_is_refused(void **state)
{
	struct fixture *f = *state;

	f->position[0].written += SLOTS + 1;
	assert_int_equal(ring_set_drain(f->set, take, f), -EBADMSG);
}

static void damaged_record_is_refused(void **state)
{
	struct fixture *f = *state;
	struct mmiobpf_rec_hdr *hdr = (void *)&f->slots[0][f->position[0].reserved % SLOTS];

	assert_true(put(f, 0));
	hdr->size = sizeof(struct mmiobpf_rec_mark);
	assert_int_equal(ring_set_drain(f->set, take, f), -EBADMSG);
}

/* A wide record whose second slot was not written. */
static void half_a_record_is_refused(void **state)
{
	struct fixture *f = *state;
	uint64_t at = f->position[0].reserved;

	assert_true(writer_reserve(f, 0, 1));
	writer_fill(f, 0, at, 2);
	writer_publish(f, 0);
	assert_int_equal(ring_set_drain(f->set, take, f), -EBADMSG);
}

/* --- writers at the same time --- */

struct writer {
	struct fixture *f;
	size_t ring;
	uint64_t lost;
};

static void *writer_run(void *arg)
{
	struct writer *w = arg;
	struct fixture *f = w->f;

	for (unsigned int i = 0; i < THREAD_RECORDS; i++) {
		/* The program knows the size before the number: whether wide is decided by its turn. */
		uint64_t at = f->position[w->ring].reserved;
		bool room = writer_reserve(f, w->ring, 2);
		uint64_t seq = __atomic_fetch_add(&f->next_seq, 1, __ATOMIC_SEQ_CST);

		if (!room) {
			w->lost++;
			continue;
		}
		if (!is_wide(seq))	/* one of its two slots is not used */
			__atomic_store_n(&f->position[w->ring].reserved, at + 1, __ATOMIC_SEQ_CST);
		writer_fill(f, w->ring, at, seq);
		writer_publish(f, w->ring);
	}
	return NULL;
}

static void nothing_is_missing_under_load(void **state)
{
	struct fixture *f = *state;
	struct writer writers[RINGS];
	pthread_t threads[RINGS];
	uint64_t lost = 0;

	for (size_t i = 0; i < RINGS; i++) {
		writers[i] = (struct writer){ .f = f, .ring = i };
		assert_int_equal(pthread_create(&threads[i], NULL, writer_run, &writers[i]), 0);
	}
	while (__atomic_load_n(&f->next_seq, __ATOMIC_ACQUIRE) < RINGS * THREAD_RECORDS)
		assert_true(ring_set_drain(f->set, take, f) >= 0);
	for (size_t i = 0; i < RINGS; i++) {
		pthread_join(threads[i], NULL);
		lost += writers[i].lost;
	}
	assert_true(ring_set_finish(f->set, f->next_seq, take, f) >= 0);
	assert_int_equal(f->lost, lost);
	assert_int_equal(f->records + lost, RINGS * THREAD_RECORDS);
	assert_true(f->records > 0 && f->wide > 0);
}

#define SLOTS_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
#define LATE_TEST(name)	 cmocka_unit_test_setup_teardown(name, setup_late, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SLOTS_TEST(order_over_the_rings),
		SLOTS_TEST(wide_record_goes_round_the_end),
		LATE_TEST(wide_record_goes_round_the_end),
		LATE_TEST(slots_are_freed_when_read),
		LATE_TEST(full_ring_is_a_gap_in_place),
		SLOTS_TEST(reserved_slot_defers_the_gap),
		SLOTS_TEST(finish_reports_what_no_ring_had_room_for),
		SLOTS_TEST(error_ends_the_drain_where_it_was),
		SLOTS_TEST(damaged_position_is_refused),
		LATE_TEST(damaged_record_is_refused),
		SLOTS_TEST(half_a_record_is_refused),
		LATE_TEST(nothing_is_missing_under_load),
	};

	return cmocka_run_group_tests_name("ring_slots", tests, NULL, NULL);
}
