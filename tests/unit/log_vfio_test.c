// SPDX-License-Identifier: GPL-2.0-or-later
/* The reader of QEMU's vfio_region events. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "log/record.h"
#include "log/vfio_reader.h"
#include "log_memory.h"

#define MAX_RECORDS 16

struct reading {
	union mmiobpf_rec_any recs[MAX_RECORDS];
	size_t n;
	int end;
	struct log_damage damage;
};

static void read_text(struct reading *got, const char *text)
{
	const struct mmiobpf_rec_hdr *rec;
	struct memory_source src;
	struct log_reader *r;

	memset(got, 0, sizeof(*got));
	memory_source_init(&src, text, strlen(text));
	assert_int_equal(vfio_reader_new(&src.src, &r), 0);
	while ((got->end = log_reader_next(r, &rec)) == 1) {
		assert_true(got->n < MAX_RECORDS);
		assert_int_equal(record_check(rec, rec->size), rec->size);
		assert_int_equal(rec->seq, got->n);
		memcpy(&got->recs[got->n++], rec, rec->size);
	}
	assert_int_equal(log_reader_next(r, &rec), got->end);
	got->damage = r->damage;
	log_reader_free(r);
}

static void test_records(void **state)
{
	struct reading got;
	const struct mmiobpf_rec_access *a;

	(void)state;
	read_text(&got, "a line of the guest\n"
			"4711@1650000000.200001:vfio_region_read  (0000:01:00.1:region0+0x8, 4) = 0x80080783\n"
			"4711@1650000000.200014:vfio_pci_reset  (0000:01:00.1)\n"
			"4711@1650000000.300000:vfio_region_write  (0000:01:00.1:region0+0x100, "
			"0xfedcba9876543210, 8)\n");
	assert_int_equal(got.end, 0);
	assert_int_equal(got.n, 3);
	assert_int_equal(got.recs[0].hdr.type, MMIOBPF_REC_MAP);
	assert_int_equal(got.recs[0].hdr.time_ns, 1650000000200001000);
	assert_int_equal(got.recs[0].map.map_id, 1);
	assert_int_equal(got.recs[0].map.dev, 0x0101);
	assert_int_equal(got.recs[0].map.bar, 0);
	a = &got.recs[1].access;
	assert_int_equal(a->hdr.type, MMIOBPF_REC_ACCESS);
	assert_int_equal(a->hdr.pid, 4711);
	assert_int_equal(a->dir, MMIOBPF_DIR_READ);
	assert_int_equal(a->width, 4);
	assert_int_equal(a->phys, 8);
	assert_int_equal(a->bar_off, 8);
	assert_int_equal(a->bar, 0);
	assert_int_equal(a->before, 0x80080783);
	a = &got.recs[2].access;
	assert_int_equal(a->hdr.time_ns, 1650000000300000000);
	assert_int_equal(a->map_id, 1);
	assert_int_equal(a->dir, MMIOBPF_DIR_WRITE);
	assert_int_equal(a->width, 8);
	assert_int_equal(a->after, 0xfedcba9876543210);
}

/* Regions that are no BAR, devices that have no address, lines without a time. */
static void test_other_regions(void **state)
{
	struct reading got;

	(void)state;
	read_text(&got, "7@12.000001:vfio_region_read  (0000:01:00.0:region8+0x3c0, 1) = 0xff\n"
			"vfio_region_read  (83b8f4f2-509f-382f-3c1e-e6bfe0fa1001:region2+0x0, 2) = 0x1\n"
			"vfio_region_read  (0000:01:00.0:region8+0x3c0, 1) = 0xfe\r\n");
	assert_int_equal(got.end, 0);
	assert_int_equal(got.n, 5);
	assert_int_equal(got.recs[0].map.dev, 0x0100);
	assert_int_equal(got.recs[0].map.bar, MMIOBPF_NO_BAR);
	assert_int_equal(got.recs[1].access.bar, MMIOBPF_NO_BAR);
	assert_int_equal(got.recs[2].map.dev, MMIOBPF_NO_DEV);
	assert_int_equal(got.recs[2].map.bar, 2);
	assert_int_equal(got.recs[3].access.map_id, 2);
	assert_int_equal(got.recs[3].hdr.time_ns, 12000001000);
	assert_int_equal(got.recs[4].access.map_id, 1);
	assert_int_equal(got.recs[4].access.before, 0xfe);
}

static void test_damage(void **state)
{
	static const struct {
		const char *line, *why;
	} cases[] = {
		{ "vfio_region_read  (0000:01:00.0:region0+0x8, 4) =\n", "the line is no whole vfio_region event" },
		{ "vfio_region_read  (0000:01:00.0:region0+0x8, 4) = 0x1 x\n", "the line is no whole vfio_region event" },
		{ "vfio_region_read  (0000:01:00.0+0x8, 4) = 0x1\n", "the line is no whole vfio_region event" },
		{ "vfio_region_read  (a:region0+0x10000000000000000, 4) = 0x1\n", "the line is no whole vfio_region event" },
		{ "vfio_region_write  (a:region0+0x8, 4)\n", "the line is no whole vfio_region event" },
		{ "vfio_region_write  (a:region0+0x8, 0x1, 3)\n", "a width must be 1, 2, 4 or 8" },
		{ "vfio_region_write  (a:region0+0x8, 0x1, 4)", "the last line has no end" },
	};
	static const char good[] = "x\nvfio_region_write  (a:region0+0x8, 0x1, 4)\n";
	char text[512];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct reading got;

		snprintf(text, sizeof(text), "%s%s", good, cases[i].line);
		read_text(&got, text);
		assert_int_equal(got.end, -EBADMSG);
		assert_int_equal(got.n, 2);
		assert_string_equal(got.damage.why, cases[i].why);
		assert_int_equal(got.damage.offset, sizeof(good) - 1);
		assert_int_equal(got.damage.line, 3);
	}
}

static void test_knows(void **state)
{
	static const char event[] = "guest\n1@2.000003:vfio_region_read  (a:region0+0x8, 4) = 0x1\n";
	static const char message[] = "vfio_region_read(a:region0+0x10, 4) failed: Input/output error\n";
	static const char inside[] = "my_vfio_region_read  (a:region0+0x8, 4) = 0x1\n";

	(void)state;
	assert_true(vfio_reader_knows(event, sizeof(event) - 1));
	assert_false(vfio_reader_knows(event, 30));
	assert_false(vfio_reader_knows(message, sizeof(message) - 1));
	assert_false(vfio_reader_knows(inside, sizeof(inside) - 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_records),
		cmocka_unit_test(test_other_regions),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_knows),
	};

	return cmocka_run_group_tests_name("log_vfio", tests, NULL, NULL);
}
