// SPDX-License-Identifier: GPL-2.0-or-later
/* Filters: what is parsed, and which records pass. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "filter/stage.h"
#include "log/record.h"

static struct mmiobpf_rec_access access_record(uint8_t dir, uint16_t width, uint64_t phys,
					       uint64_t value)
{
	struct mmiobpf_rec_access a = {
		.hdr = { .type = MMIOBPF_REC_ACCESS, .size = sizeof(a), .pid = 175, .tgid = 170,
			 .cpu = 3, .context = MMIOBPF_CTX_SOFTIRQ, .comm = "modprobe" },
		.width = width, .dir = dir, .phys = phys, .bar = MMIOBPF_NO_BAR,
		.pc = 0xffffffffc0340010, .map_id = 1,
	};

	if (dir & MMIOBPF_DIR_READ) {
		a.flags |= MMIOBPF_ACC_BEFORE;
		a.before = value;
	}
	if (dir & MMIOBPF_DIR_WRITE) {
		a.flags |= MMIOBPF_ACC_AFTER;
		a.after = value;
	}
	return a;
}

/* Does the record pass a filter of this one item? */
static int passes(enum filter_field field, const char *text, const void *rec)
{
	struct mmiobpf_filter f;
	const char *why;

	filter_init(&f);
	assert_int_equal(filter_add(&f, field, text, &why), 0);
	return mmiobpf_filter_match(&f, rec);
}

static void test_op(void **state)
{
	struct mmiobpf_rec_access r = access_record(MMIOBPF_DIR_READ, 4, 0, 0);
	struct mmiobpf_rec_access w = access_record(MMIOBPF_DIR_WRITE, 4, 0, 0);
	struct mmiobpf_rec_access rmw = access_record(MMIOBPF_DIR_RMW, 4, 0, 0);
	struct mmiobpf_rec_map map = { .hdr = { .type = MMIOBPF_REC_MAP, .size = sizeof(map) } };
	struct mmiobpf_rec_lost lost = { .hdr = { .type = MMIOBPF_REC_LOST,
						  .size = sizeof(lost) } };
	static const struct {
		const char *text;
		int read, write, rmw, map;
	} cases[] = {
		{ "read", 1, 0, 1, 1 },	     { "write", 0, 1, 1, 1 },
		{ "rmw", 0, 0, 1, 1 },	     { "read,write", 1, 1, 1, 1 },
		{ "access", 1, 1, 1, 1 },    { "!read", 0, 1, 0, 1 },
		{ "!rmw", 1, 1, 0, 1 },	     { "!access", 0, 0, 0, 1 },
		{ "map", 0, 0, 0, 1 },	     { "read,map", 1, 0, 1, 1 },
		{ "!map", 1, 1, 1, 0 },	     { "mark", 0, 0, 0, 0 },
		{ "write,unknown", 0, 1, 1, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(passes(FILTER_OP, cases[i].text, &r), cases[i].read);
		assert_int_equal(passes(FILTER_OP, cases[i].text, &w), cases[i].write);
		assert_int_equal(passes(FILTER_OP, cases[i].text, &rmw), cases[i].rmw);
		assert_int_equal(passes(FILTER_OP, cases[i].text, &map), cases[i].map);
		assert_int_equal(passes(FILTER_OP, cases[i].text, &lost), 1);
	}
}

static void test_rmw(void **state)
{
	struct mmiobpf_rec_access rmw = access_record(MMIOBPF_DIR_RMW, 4, 0, 0);

	(void)state;
	assert_true(passes(FILTER_OP, "read", &rmw));
	assert_true(passes(FILTER_OP, "write", &rmw));
	assert_true(passes(FILTER_OP, "rmw", &rmw));
	assert_false(passes(FILTER_OP, "!read", &rmw));
	assert_false(passes(FILTER_OP, "!write", &rmw));
	assert_false(passes(FILTER_OP, "!rmw", &rmw));
	rmw.before = 1;
	rmw.after = 2;
	assert_true(passes(FILTER_VALUE, "1", &rmw));
	assert_true(passes(FILTER_VALUE, "2", &rmw));
	assert_false(passes(FILTER_VALUE, "3", &rmw));
	assert_false(passes(FILTER_VALUE, "!2", &rmw));
}

static void test_range(void **state)
{
	struct mmiobpf_rec_access a = access_record(MMIOBPF_DIR_WRITE, 4, 0x1000, 0);

	(void)state;
	assert_true(passes(FILTER_RANGE, "0x1000", &a));
	assert_true(passes(FILTER_RANGE, "0x1003", &a));
	assert_false(passes(FILTER_RANGE, "0x1004", &a));
	assert_true(passes(FILTER_RANGE, "0xf00-0x1000", &a));
	assert_false(passes(FILTER_RANGE, "0xf00-0xfff", &a));
	assert_true(passes(FILTER_RANGE, "0x800+4k", &a));
	assert_false(passes(FILTER_RANGE, "!0x800+4k", &a));
	assert_true(passes(FILTER_RANGE, "!0x2000+4k", &a));
	/* in a BAR */
	assert_false(passes(FILTER_RANGE, "bar1", &a));
	a.bar = 1;
	a.bar_off = 0x20;
	assert_true(passes(FILTER_RANGE, "bar1", &a));
	assert_true(passes(FILTER_RANGE, "BAR1:0x20-0x2f", &a));
	assert_false(passes(FILTER_RANGE, "bar1:0x24-0x2f", &a));
	assert_false(passes(FILTER_RANGE, "bar0", &a));
	assert_true(passes(FILTER_RANGE, "!bar0", &a));
}

static void test_value_and_width(void **state)
{
	struct mmiobpf_rec_access a = access_record(MMIOBPF_DIR_READ, 2, 0, 0x1234);
	struct mmiobpf_rec_access_wide wide = {
		.acc = access_record(MMIOBPF_DIR_WRITE, 32, 0, 1),
		.after = { 1, 2, 3, 4, 5 },
	};

	(void)state;
	assert_true(passes(FILTER_VALUE, "0x1234", &a));
	assert_true(passes(FILTER_VALUE, "0xff30/0xf0", &a));
	assert_false(passes(FILTER_VALUE, "0x1235", &a));
	assert_true(passes(FILTER_VALUE, "!0x1235", &a));
	assert_true(passes(FILTER_WIDTH, "1,2", &a));
	assert_false(passes(FILTER_WIDTH, "4", &a));
	assert_false(passes(FILTER_WIDTH, "!2", &a));
	wide.acc.hdr.size = sizeof(wide);
	assert_true(passes(FILTER_VALUE, "4", &wide));
	assert_false(passes(FILTER_VALUE, "5", &wide));
	assert_true(passes(FILTER_WIDTH, "32", &wide));
}

static void test_origin(void **state)
{
	struct mmiobpf_rec_access a = access_record(MMIOBPF_DIR_READ, 4, 0, 0);
	struct mmiobpf_rec_irq irq = { .hdr = { .type = MMIOBPF_REC_IRQ, .size = sizeof(irq),
						.cpu = 2000, .context = MMIOBPF_CTX_HARDIRQ } };

	(void)state;
	assert_true(passes(FILTER_PID, "175", &a));
	assert_true(passes(FILTER_PID, "1,170", &a));
	assert_false(passes(FILTER_PID, "1", &a));
	assert_false(passes(FILTER_PID, "!170", &a));
	assert_true(passes(FILTER_COMM, "modprobe", &a));
	assert_false(passes(FILTER_COMM, "mod", &a));
	assert_true(passes(FILTER_COMM, "!mod", &a));
	assert_true(passes(FILTER_CPU, "3", &a));
	assert_true(passes(FILTER_CPU, "0,2-5", &a));
	assert_false(passes(FILTER_CPU, "!2-5", &a));
	assert_false(passes(FILTER_CPU, "1023", &irq));
	assert_true(passes(FILTER_CPU, "!0-1023", &irq));
	assert_true(passes(FILTER_CONTEXT, "softirq", &a));
	assert_false(passes(FILTER_CONTEXT, "task,nmi", &a));
	assert_false(passes(FILTER_CONTEXT, "!hardirq", &irq));
	assert_true(passes(FILTER_FUNCTION, "0xffffffffc0340000+0x20", &a));
	assert_false(passes(FILTER_FUNCTION, "!0xffffffffc0340000-0xffffffffc0340010", &a));
}

/* What an UNKNOWN record does not know does not hide it. */
static void test_unknown(void **state)
{
	struct mmiobpf_rec_unknown u = { .hdr = { .type = MMIOBPF_REC_UNKNOWN, .size = sizeof(u) },
					 .phys = 0x1000, .bar = MMIOBPF_NO_BAR };

	(void)state;
	assert_true(passes(FILTER_VALUE, "1", &u));
	assert_true(passes(FILTER_WIDTH, "4", &u));
	assert_true(passes(FILTER_OP, "write", &u));
	assert_false(passes(FILTER_OP, "!unknown", &u));
	assert_false(passes(FILTER_RANGE, "0x2000", &u));
}

/* Items of one field are alternatives, fields must all be content. */
static void test_together(void **state)
{
	struct mmiobpf_rec_access a = access_record(MMIOBPF_DIR_WRITE, 4, 0x1000, 7);
	struct mmiobpf_filter f;
	const char *why;

	(void)state;
	filter_init(&f);
	assert_true(mmiobpf_filter_match(&f, &a.hdr));
	assert_int_equal(filter_add(&f, FILTER_RANGE, "0x2000", &why), 0);
	assert_int_equal(filter_add(&f, FILTER_RANGE, "0x1000+4k", &why), 0);
	assert_true(mmiobpf_filter_match(&f, &a.hdr));
	assert_int_equal(filter_add(&f, FILTER_RANGE, "!0x1000", &why), 0);
	assert_false(mmiobpf_filter_match(&f, &a.hdr));
	a.phys = 0x1008;
	assert_true(mmiobpf_filter_match(&f, &a.hdr));
	assert_int_equal(filter_add(&f, FILTER_VALUE, "8", &why), 0);
	assert_false(mmiobpf_filter_match(&f, &a.hdr));
}

static void test_wrong(void **state)
{
	static const struct {
		enum filter_field field;
		const char *text;
	} cases[] = {
		{ FILTER_RANGE, "" },		 { FILTER_RANGE, "!" },
		{ FILTER_RANGE, "bar9" },	 { FILTER_RANGE, "bar0:" },
		{ FILTER_RANGE, "bar" },	 { FILTER_RANGE, "x/bar0" },
		{ FILTER_RANGE, "2-1" },	 { FILTER_RANGE, "00:03.0/0x10" },
		{ FILTER_OP, "" },		 { FILTER_OP, "read," },
		{ FILTER_OP, ",read" },		 { FILTER_OP, "reads" },
		{ FILTER_WIDTH, "3" },		 { FILTER_WIDTH, "0" },
		{ FILTER_WIDTH, "128" },	 { FILTER_VALUE, "x" },
		{ FILTER_VALUE, "1/" },		 { FILTER_VALUE, "/1" },
		{ FILTER_PID, "modprobe" },	 { FILTER_PID, "-1" },
		{ FILTER_COMM, "" },		 { FILTER_CPU, "1024" },
		{ FILTER_CPU, "5-2" },		 { FILTER_CPU, "0-1024" },
		{ FILTER_CONTEXT, "irq" },	 { FILTER_FUNCTION, "e1000_probe" },
	};
	struct mmiobpf_filter f;
	const char *why;

	(void)state;
	filter_init(&f);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (filter_add(&f, cases[i].field, cases[i].text, &why) != -EINVAL)
			fail_msg("\"%s\" was taken", cases[i].text);
		assert_non_null(why);
	}
	for (int i = 0; i < MMIOBPF_FILTER_ITEMS; i++)
		assert_int_equal(filter_add(&f, FILTER_PID, "1", &why), 0);
	assert_int_equal(filter_add(&f, FILTER_PID, "1", &why), -E2BIG);
}

/* A text log: the BARs are in the header, the records have addresses only. */
static void test_bars_of_header(void **state)
{
	struct mmiobpf_rec_access a = access_record(MMIOBPF_DIR_WRITE, 4, 0xfeb00010, 7);
	struct pci_dev_info d = { .dev = 0x18, .start = { 0xfeb00000, 0xfec00000 },
				  .size = { 0x1000, 0x1000 } };
	struct log_header h;
	static const struct {
		const char *text;
		int err;
		bool pass;
	} cases[] = {
		{ "bar0", 0, true },		     { "bar1", 0, false },
		{ "bar0:0x10", 0, true },	     { "bar0:0x20", 0, false },
		{ "00:03.0/bar0", 0, true },	     { "00:03.0/bar1", 0, false },
		{ "00:03.0/bar0:0x10-0x1f", 0, true }, { "00:03.0/bar0:0x20-0x2f", 0, false },
		{ "00:04.0/bar0", -ENODEV, false },  { "00:03.0/bar2", -ENODEV, false },
	};

	(void)state;
	log_header_init(&h);
	assert_int_equal(log_header_add_device(&h, &d), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct mmiobpf_filter_range *missing;
		struct filter_stage s;
		struct mmiobpf_filter f;
		const char *why;
		bool pass;

		filter_init(&f);
		assert_int_equal(filter_add(&f, FILTER_RANGE, cases[i].text, &why), 0);
		filter_stage_init(&s, &f, FILTER_CHANGES_ALL);
		assert_int_equal(filter_stage_begin(&s, &h, &missing), cases[i].err);
		if (!cases[i].err) {
			assert_int_equal(filter_stage_pass(&s, &a.hdr, &pass), 0);
			assert_int_equal(pass, cases[i].pass);
		}
		filter_stage_deinit(&s);
	}
	log_header_deinit(&h);
}

static void test_changed(void **state)
{
	struct mmiobpf_rec_access r = access_record(MMIOBPF_DIR_READ, 4, 0x1000, 1);
	struct mmiobpf_rec_access w = access_record(MMIOBPF_DIR_WRITE, 4, 0x1000, 1);
	struct changed c;
	bool is;

	(void)state;
	changed_init(&c);
	assert_int_equal(changed_access(&c, &r, &is), 0);
	assert_true(is);
	assert_int_equal(changed_access(&c, &w, &is), 0);
	assert_true(is);
	assert_int_equal(changed_access(&c, &r, &is), 0);
	assert_false(is);
	r.before = 2;
	assert_int_equal(changed_access(&c, &r, &is), 0);
	assert_true(is);
	/* more places than it remembers: right for the last ones, and it ends */
	for (uint64_t i = 0; i < CHANGED_PLACES; i++) {
		r.phys = 0x100000 + 4 * i;
		assert_int_equal(changed_access(&c, &r, &is), 0);
		assert_true(is);
	}
	assert_int_equal(changed_access(&c, &r, &is), 0);
	assert_false(is);
	assert_true(c.size == CHANGED_PLACES);
	changed_deinit(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_op),	 cmocka_unit_test(test_rmw),
		cmocka_unit_test(test_range),	 cmocka_unit_test(test_value_and_width),
		cmocka_unit_test(test_origin),	 cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_together), cmocka_unit_test(test_wrong),
		cmocka_unit_test(test_changed),	 cmocka_unit_test(test_bars_of_header),
	};

	return cmocka_run_group_tests_name("filter", tests, NULL, NULL);
}
