// SPDX-License-Identifier: GPL-2.0-or-later
/* The window that puts records in the order of their times: none lost, equal ones as they came. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "log/reorder.h"

#define MANY	10000

static struct reorder window;
static uint64_t next_seq;

static int setup(void **state)
{
	(void)state;
	next_seq = 0;
	return reorder_init(&window);
}

static int teardown(void **state)
{
	(void)state;
	reorder_deinit(&window);
	return 0;
}

static const struct mmiobpf_rec_hdr *push(uint64_t time_ns)
{
	struct mmiobpf_rec_lost rec = {
		.hdr = { .type = MMIOBPF_REC_LOST, .size = sizeof(rec), .time_ns = time_ns,
			 .seq = next_seq },
		.count = 3 * next_seq,
	};

	next_seq++;
	return reorder_push(&window, &rec.hdr);
}

/* The time of the record number @seq: in order, but for some that are late by up to 180. */
static uint64_t time_of(uint64_t seq)
{
	return 10 * seq + 1000 - (seq % 7 == 0 ? seq * 31 % 180 : 0);
}

static void all_in_order(void **state)
{
	static uint8_t seen[MANY];
	const struct mmiobpf_rec_hdr *rec;
	uint64_t last = 0;
	size_t n = 0;

	(void)state;
	memset(seen, 0, sizeof(seen));
	for (uint64_t i = 0; i < MANY + REORDER_SIZE + 1; i++) {
		rec = i < MANY ? push(time_of(i)) : reorder_pop(&window);
		if (!rec)
			continue;
		assert_true(rec->time_ns >= last);
		assert_int_equal(rec->time_ns, time_of(rec->seq));
		assert_int_equal(((const struct mmiobpf_rec_lost *)rec)->count, 3 * rec->seq);
		assert_int_equal(seen[rec->seq], 0);
		seen[rec->seq] = 1;
		last = rec->time_ns;
		n++;
	}
	assert_int_equal(n, MANY);
	assert_null(reorder_pop(&window));
}

static void equal_times(void **state)
{
	const struct mmiobpf_rec_hdr *rec;
	uint64_t expect = 0;

	(void)state;
	for (int i = 0; i < 3 * REORDER_SIZE; i++) {
		rec = push(7);
		if (rec)
			assert_int_equal(rec->seq, expect++);
	}
	while ((rec = reorder_pop(&window)))
		assert_int_equal(rec->seq, expect++);
	assert_int_equal(expect, 3 * REORDER_SIZE);
}

/* One that is later than the window is long comes out as soon as it can. */
static void too_late(void **state)
{
	(void)state;
	for (uint64_t i = 0; i < REORDER_SIZE; i++)
		assert_null(push(100 + i));
	assert_int_equal(push(1000)->time_ns, 100);
	assert_int_equal(push(5)->time_ns, 101);
	assert_int_equal(push(2000)->time_ns, 5);
	assert_int_equal(push(2000)->time_ns, 102);
}

static void nothing(void **state)
{
	(void)state;
	assert_null(reorder_pop(&window));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(all_in_order, setup, teardown),
		cmocka_unit_test_setup_teardown(equal_times, setup, teardown),
		cmocka_unit_test_setup_teardown(too_late, setup, teardown),
		cmocka_unit_test_setup_teardown(nothing, setup, teardown),
	};

	return cmocka_run_group_tests_name("log_reorder", tests, NULL, NULL);
}
