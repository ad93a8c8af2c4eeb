// SPDX-License-Identifier: GPL-2.0-or-later
/* The text writer: each record as the line that it must be, and what is left after an error. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "log/record.h"
#include "log/text_writer.h"
#include "log_memory.h"

static union mmiobpf_rec_any rec;

static void begin(unsigned int type, size_t size)
{
	memset(&rec, 0, sizeof(rec));
	rec.hdr.type = (uint16_t)type;
	rec.hdr.size = (uint16_t)size;
	rec.hdr.time_ns = 12345678901234;
	rec.hdr.pid = 4242;
}

/* What the writer makes of the record must be @expect, byte for byte. */
static void expect_lines(unsigned int flags, const char *expect)
{
	struct memory_sink sink;
	struct log_writer *w;

	memory_sink_init(&sink);
	assert_true(record_check(&rec, sizeof(rec)) > 0);
	assert_int_equal(text_writer_new(&sink.sink, flags, &w), 0);
	assert_int_equal(log_writer_record(w, &rec.hdr), 0);
	assert_int_equal(log_writer_end(w, NULL), 0);
	assert_string_equal(sink.text ? sink.text : "", expect);
	log_writer_free(w);
	memory_sink_deinit(&sink);
}

static void begin_access(unsigned int width, unsigned int dir)
{
	begin(MMIOBPF_REC_ACCESS, width > 8 ? sizeof(rec.wide) : sizeof(rec.access));
	rec.access.map_id = 7;
	rec.access.width = (uint16_t)width;
	rec.access.dir = (uint8_t)dir;
	rec.access.flags = (uint8_t)dir;
	rec.access.phys = 0xfebc0008;
	rec.access.pc = 0xffffffffc0123456;
	rec.access.before = 0xdeadbeef;
	rec.access.after = 0x80;
}

static void accesses(void **state)
{
	(void)state;
	begin_access(4, MMIOBPF_DIR_READ);
	expect_lines(0, "R 4 12345.678901 7 0xfebc0008 0xdeadbeef 0xffffffffc0123456 4242\n");
	expect_lines(TEXT_COMPAT, "R 4 12345.678901 7 0xfebc0008 0xdeadbeef 0x0 0\n");
	begin_access(1, MMIOBPF_DIR_WRITE);
	expect_lines(0, "W 1 12345.678901 7 0xfebc0008 0x80 0xffffffffc0123456 4242\n");
	begin_access(8, MMIOBPF_DIR_WRITE);
	rec.access.after = UINT64_MAX;
	expect_lines(TEXT_COMPAT, "W 8 12345.678901 7 0xfebc0008 0xffffffffffffffff 0x0 0\n");
	rec.access.after = 0;
	rec.access.phys = 0;
	expect_lines(TEXT_COMPAT, "W 8 12345.678901 7 0x0 0x0 0x0 0\n");
}

static void read_modify_write(void **state)
{
	(void)state;
	begin_access(4, MMIOBPF_DIR_RMW);
	expect_lines(TEXT_COMPAT, "R 4 12345.678901 7 0xfebc0008 0xdeadbeef 0x0 0\n"
				  "W 4 12345.678901 7 0xfebc0008 0x80 0x0 0\n");
	/* a value that is not valid is not printed */
	rec.access.flags = MMIOBPF_ACC_BEFORE;
	expect_lines(TEXT_COMPAT, "R 4 12345.678901 7 0xfebc0008 0xdeadbeef 0x0 0\n");
}

static void wide_accesses(void **state)
{
	(void)state;
	begin_access(16, MMIOBPF_DIR_WRITE);
	rec.wide.after[0] = 0x1122334455667788;
	rec.wide.after[1] = 0x99;
	expect_lines(TEXT_COMPAT, "W 8 12345.678901 7 0xfebc0008 0x1122334455667788 0x0 0\n"
				  "W 8 12345.678901 7 0xfebc0010 0x99 0x0 0\n");
	begin_access(10, MMIOBPF_DIR_READ);
	rec.wide.before[0] = 1;
	rec.wide.before[1] = 0xffffffffffff1234;
	expect_lines(TEXT_COMPAT, "R 8 12345.678901 7 0xfebc0008 0x1 0x0 0\n"
				  "R 2 12345.678901 7 0xfebc0010 0x1234 0x0 0\n");
	begin_access(28, MMIOBPF_DIR_READ);
	rec.wide.before[3] = 0xa00000001;
	expect_lines(TEXT_COMPAT, "R 8 12345.678901 7 0xfebc0008 0x0 0x0 0\n"
				  "R 8 12345.678901 7 0xfebc0010 0x0 0x0 0\n"
				  "R 8 12345.678901 7 0xfebc0018 0x0 0x0 0\n"
				  "R 4 12345.678901 7 0xfebc0020 0x1 0x0 0\n");
	/* a narrow access of an odd width: three bytes are two and one */
	begin_access(3, MMIOBPF_DIR_READ);
	rec.access.before = 0x112233;
	expect_lines(TEXT_COMPAT, "R 2 12345.678901 7 0xfebc0008 0x2233 0x0 0\n"
				  "R 1 12345.678901 7 0xfebc000a 0x11 0x0 0\n");
}

static void times(void **state)
{
	static const struct {
		uint64_t ns;
		const char *text;
	} cases[] = {
		{ 0, "MARK 0.000000 \n" },
		{ 499, "MARK 0.000000 \n" },
		{ 500, "MARK 0.000001 \n" },
		{ 999999500, "MARK 1.000000 \n" },
		{ 1000000000, "MARK 1.000000 \n" },
		{ 1050000000, "MARK 1.050000 \n" },
		{ UINT64_MAX, "MARK 18446744073.709552 \n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		begin(MMIOBPF_REC_MARK, sizeof(rec.mark));
		rec.hdr.time_ns = cases[i].ns;
		expect_lines(0, cases[i].text);
	}
}

static void maps(void **state)
{
	(void)state;
	begin(MMIOBPF_REC_MAP, sizeof(rec.map));
	rec.map.map_id = 1;
	rec.map.phys = 0xfebc0000;
	rec.map.virt = 0xffffc90000180000;
	rec.map.len = 0x20000;
	rec.map.pc = 0xffffffffc0100000;
	expect_lines(0, "MAP 12345.678901 1 0xfebc0000 0xffffc90000180000 0x20000 "
			"0xffffffffc0100000 4242\n");
	expect_lines(TEXT_COMPAT,
		     "MAP 12345.678901 1 0xfebc0000 0xffffc90000180000 0x20000 0x0 0\n");
	begin(MMIOBPF_REC_UNMAP, sizeof(rec.unmap));
	rec.unmap.map_id = 1;
	rec.unmap.pc = 0xffffffffc0100010;
	expect_lines(0, "UNMAP 12345.678901 1 0xffffffffc0100010 4242\n");
	rec.unmap.map_id = UINT32_MAX;
	expect_lines(TEXT_COMPAT, "UNMAP 12345.678901 -1 0x0 0\n");
}

static void unknown(void **state)
{
	static const uint8_t insn[] = { 0x0f, 0xae, 0x38, 0x90, 0x00 };

	(void)state;
	begin(MMIOBPF_REC_UNKNOWN, sizeof(rec.unknown));
	rec.unknown.map_id = 2;
	rec.unknown.phys = 0xfebc0000;
	rec.unknown.pc = 0xffffffff81000000;
	expect_lines(0, "UNKNOWN 12345.678901 2 0xfebc0000 - 0xffffffff81000000 4242\n");
	expect_lines(TEXT_COMPAT, "UNKNOWN 12345.678901 2 0xfebc0000 00,00,00 0x0 0\n");
	rec.unknown.insn_len = sizeof(insn);
	memcpy(rec.unknown.insn, insn, sizeof(insn));
	expect_lines(0,
		     "UNKNOWN 12345.678901 2 0xfebc0000 0f,ae,38,90,00 0xffffffff81000000 4242\n");
	expect_lines(TEXT_COMPAT, "UNKNOWN 12345.678901 2 0xfebc0000 0f,ae,38 0x0 0\n");
}

static void expect_mark(const char *text, const char *expect)
{
	begin(MMIOBPF_REC_MARK, sizeof(rec.mark));
	rec.hdr.time_ns = 1000;
	rec.mark.len = (uint32_t)strlen(text);
	memcpy(rec.mark.text, text, rec.mark.len);
	expect_lines(0, expect);
}

static void markers(void **state)
{
	(void)state;
	expect_mark("link up", "MARK 0.000001 link up\n");
	expect_mark("link up\n", "MARK 0.000001 link up\n");
	expect_mark("one\ntwo\n\nfour", "MARK 0.000001 one\ntwo\n\nfour\n");
	expect_mark("one\n\n", "MARK 0.000001 one\n");
	expect_mark("\n\n", "MARK 0.000001 \n");
	/* none of these may become a record, a comment or a loss */
	expect_mark("a\nR 4 1.000000 1 0x0 0x0 0x0 0",
		    "MARK 0.000001 a\n R 4 1.000000 1 0x0 0x0 0x0 0\n");
	expect_mark("a\n# b\nCPU:0 [LOST 1 EVENTS]\nVERSION 1",
		    "MARK 0.000001 a\n # b\n CPU:0 [LOST 1 EVENTS]\n VERSION 1\n");
	expect_mark("Lost 5 events.", "MARK 0.000001  Lost 5 events.\n");
	expect_mark("Lost 5 events", "MARK 0.000001 Lost 5 events\n");
	expect_mark("Read it", "MARK 0.000001 Read it\n");
}

static void losses(void **state)
{
	(void)state;
	begin(MMIOBPF_REC_LOST, sizeof(rec.lost));
	rec.lost.count = 1234567;
	expect_lines(0, "MARK 12345.678901 Lost 1234567 events.\n");
	expect_lines(TEXT_COMPAT, "MARK 12345.678901 Lost 1234567 events.\n");
}

static void only_when_asked_for(void **state)
{
	(void)state;
	begin(MMIOBPF_REC_IRQ, sizeof(rec.irq));
	rec.hdr.cpu = 3;
	rec.irq.irq = 24;
	rec.irq.ordinal = 17;
	memcpy(rec.irq.name, "eth0", 4);
	expect_lines(0, "");
	expect_lines(TEXT_IRQ, "MARK 12345.678901 irq entry 24 cpu 3 ordinal 17 eth0\n");
	rec.irq.exit = 1;
	rec.irq.handled = 1;
	expect_lines(TEXT_IRQ, "MARK 12345.678901 irq exit 24 cpu 3 ordinal 17 handled eth0\n");
	begin(MMIOBPF_REC_CONFIG, sizeof(rec.config));
	rec.config.dev = 0x0001001a;
	rec.config.offset = 4;
	rec.config.width = 2;
	rec.config.dir = MMIOBPF_DIR_WRITE;
	rec.config.value = 0x107;
	expect_lines(TEXT_IRQ, "");
	expect_lines(TEXT_CONFIG, "MARK 12345.678901 config write 0001:00:03.2 0x4 2 0x107 0x0\n");
	begin(MMIOBPF_REC_PMU, sizeof(rec.pmu));
	rec.pmu.value = 99;
	expect_lines(TEXT_CONFIG, "");
	expect_lines(TEXT_PMU, "MARK 12345.678901 pmu event 0 value 99 enabled 0 running 0 0x0\n");
	begin(MMIOBPF_REC_END, sizeof(rec.end));
	expect_lines(TEXT_IRQ | TEXT_CONFIG | TEXT_PMU, "");
}

static void header(void **state)
{
	struct pci_dev_info dev = {
		.dev = 0x10018,
		.vendor = 0x8086,
		.device = 0x10d3,
		.irq = 27,
		.start = { 0xfebc0000, 0xfeba0000, 0xc040, 0xfebd0000, 0, 0, 0xfeb80000 },
		.size = { 0x20000, 0x20000, 0x20, 0x4000, 0, 0, 0x40000 },
		.flags = { 0x40200, 0x40200, 0x40101, 0x4020c, 0, 0, 0x46200 },
		.driver = "e1000e",
	};
	struct log_header h;
	struct memory_sink sink;
	struct log_writer *w;

	(void)state;
	log_header_init(&h);
	log_header_add_device(&h, &dev);
	memset(dev.driver, 0, sizeof(dev.driver));
	log_header_add_device(&h, &dev);
	log_header_add_lspci(&h, "00:03.0 Ethernet controller", 27);
	log_header_add_lspci(&h, "", 0);
	memory_sink_init(&sink);
	assert_int_equal(text_writer_new(&sink.sink, 0, &w), 0);
	assert_int_equal(log_writer_begin(w, &h), 0);
	assert_string_equal(sink.text,
		"VERSION 20070824\n"
		"PCIDEV 0018 808610d3 1b febc0000 feba0000 c041 febd000c 0 0 feb80000 20000 20000 "
		"20 4000 0 0 40000 e1000e\n"
		"PCIDEV 0018 808610d3 1b febc0000 feba0000 c041 febd000c 0 0 feb80000 20000 20000 "
		"20 4000 0 0 40000 \n"
		"LSPCI 00:03.0 Ethernet controller\n"
		"LSPCI \n");
	log_writer_free(w);
	memory_sink_deinit(&sink);
	log_header_deinit(&h);
}

/*
 * Whatever the byte at which the disk is full: what stays is a prefix of the log, in whole lines.
 */
static void full_disk(void **state)
{
	struct memory_sink whole, cut;
	struct log_writer *w;

	(void)state;
	memory_sink_init(&whole);
	text_writer_new(&whole.sink, 0, &w);
	begin_access(4, MMIOBPF_DIR_RMW);
	for (int i = 0; i < 20; i++)
		assert_int_equal(log_writer_record(w, &rec.hdr), 0);
	assert_int_equal(log_writer_end(w, NULL), 0);
	log_writer_free(w);
	for (size_t limit = 1; limit < whole.len; limit++) {
		memory_sink_init(&cut);
		cut.limit = limit;
		cut.err = -ENOSPC;
		text_writer_new(&cut.sink, 0, &w);
		for (int i = 0; i < 20; i++)
			assert_int_equal(log_writer_record(w, &rec.hdr), 0);
		assert_int_equal(log_writer_flush(w), -ENOSPC);
		assert_true(cut.len <= limit);
		assert_memory_equal(cut.text, whole.text, cut.len);
		assert_true(cut.len == 0 || cut.text[cut.len - 1] == '\n');
		assert_null(memchr(whole.text + cut.len, '\n', limit - cut.len));
		/* the error stays, and nothing more is written */
		assert_int_equal(log_writer_record(w, &rec.hdr), -ENOSPC);
		assert_int_equal(log_writer_end(w, NULL), -ENOSPC);
		assert_true(cut.len <= limit);
		log_writer_free(w);
		memory_sink_deinit(&cut);
	}
	memory_sink_deinit(&whole);
}

/* More than the buffer holds: nothing is lost or doubled where it is emptied. */
static void many_records(void **state)
{
	struct memory_sink sink;
	struct log_writer *w;
	char line[128];
	size_t at = 0;

	(void)state;
	memory_sink_init(&sink);
	text_writer_new(&sink.sink, TEXT_COMPAT, &w);
	begin_access(4, MMIOBPF_DIR_READ);
	for (unsigned int i = 0; i < 20000; i++) {
		rec.access.before = i;
		assert_int_equal(log_writer_record(w, &rec.hdr), 0);
	}
	assert_int_equal(log_writer_end(w, NULL), 0);
	for (unsigned int i = 0; i < 20000; i++) {
		int n = snprintf(line, sizeof(line),
				 "R 4 12345.678901 7 0xfebc0008 0x%x 0x0 0\n", i);

		assert_true(at + (size_t)n <= sink.len);
		assert_memory_equal(sink.text + at, line, n);
		at += (size_t)n;
	}
	assert_int_equal(at, sink.len);
	log_writer_free(w);
	memory_sink_deinit(&sink);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(accesses),	 cmocka_unit_test(read_modify_write),
		cmocka_unit_test(wide_accesses), cmocka_unit_test(times),
		cmocka_unit_test(maps),		 cmocka_unit_test(unknown),
		cmocka_unit_test(markers),	 cmocka_unit_test(losses),
		cmocka_unit_test(only_when_asked_for), cmocka_unit_test(header),
		cmocka_unit_test(full_disk),	 cmocka_unit_test(many_records),
	};

	return cmocka_run_group_tests_name("log_writer", tests, NULL, NULL);
}
