// SPDX-License-Identifier: GPL-2.0-or-later
/* The text reader: all flavours, damage with its place, and the way back through the writer. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "log/record.h"
#include "log/text_reader.h"
#include "log/text_writer.h"
#include "log_memory.h"

#define MAX_RECORDS 64

/* All that a log says. */
struct reading {
	union mmiobpf_rec_any recs[MAX_RECORDS];
	size_t n;
	int end;			/* what the last log_reader_next() returned */
	struct log_damage damage;
	struct pci_dev_info devices[4];
	size_t ndevices;
	char lspci[4][64];
	size_t nlspci;
};

static void read_header(struct reading *got, const struct log_header *h)
{
	got->ndevices = h->ndevices;
	got->nlspci = h->nlspci;
	for (size_t i = 0; i < h->ndevices && i < 4; i++)
		got->devices[i] = h->devices[i];
	for (size_t i = 0; i < h->nlspci && i < 4; i++)
		snprintf(got->lspci[i], sizeof(got->lspci[i]), "%s", h->lspci[i]);
}

static void read_bytes(struct reading *got, const char *text, size_t len, size_t chunk, int err)
{
	const struct mmiobpf_rec_hdr *rec;
	struct memory_source src;
	struct log_reader *r;

	memset(got, 0, sizeof(*got));
	memory_source_init(&src, text, len);
	src.chunk = chunk;
	src.err = err;
	assert_int_equal(text_reader_new(&src.src, &r), 0);
	while ((got->end = log_reader_next(r, &rec)) == 1) {
		assert_true(got->n < MAX_RECORDS);
		assert_int_equal(record_check(rec, rec->size), rec->size);
		memcpy(&got->recs[got->n++], rec, rec->size);
	}
	/* the end stays */
	assert_int_equal(log_reader_next(r, &rec), got->end);
	got->damage = r->damage;
	read_header(got, &r->header);
	log_reader_free(r);
}

/* Read at once and byte by byte: it must be the same. */
static void read_text(struct reading *got, const char *text)
{
	static struct reading slow;

	read_bytes(&slow, text, strlen(text), 1, 0);
	read_bytes(got, text, strlen(text), 0, 0);
	assert_memory_equal(&slow, got, sizeof(slow));
}

static struct reading got;

static void records(void **state)
{
	const union mmiobpf_rec_any *r = got.recs;

	(void)state;
	read_text(&got, "VERSION 20070824\n"
			"PCIDEV 0018 808610d3 1b febc0000 feba0000 c045 febd000c 0 0 feb80001 "
			"20000 20000 20 4000 0 0 40000 e1000e\n"
			"PCIDEV 0020 12348765 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 \n"
			"LSPCI 00:03.0 Ethernet controller\n"
			"LSPCI \n"
			"MAP 1.000001 1 0xfebc0000 0xffffc90000180000 0x20000 "
			"0xffffffffc0100000 9\n"
			"R 4 1.000002 1 0xfebc0008 0xdeadbeef 0xffffffffc0100010 10\n"
			"W 8 1.000003 1 0xfebc0010 0xffffffffffffffff 0x0 0\n"
			"UNKNOWN 1.000004 1 0xfebc0000 0f,ae,38 0x0 0\n"
			"UNKNOWN 1.000005 1 0xfebc0000 - 0x0 0\n"
			"MARK 1.000006 hello world\n"
			"UNMAP 1.000007 -1 0x10 5\n"
			"R 0 1.000008 1 0xfebc0008 0x1 0x0 0\n");
	assert_int_equal(got.end, 0);
	assert_int_equal(got.n, 8);
	assert_int_equal(got.ndevices, 2);
	assert_int_equal(got.devices[0].dev, 0x18);
	assert_int_equal(got.devices[0].vendor, 0x8086);
	assert_int_equal(got.devices[0].device, 0x10d3);
	assert_int_equal(got.devices[0].irq, 27);
	assert_int_equal(got.devices[0].start[2], 0xc044);
	assert_int_equal(got.devices[0].flags[2], 1);
	assert_int_equal(got.devices[0].start[3], 0xfebd0000);
	assert_int_equal(got.devices[0].flags[3], 0xc);
	assert_int_equal(got.devices[0].start[6], 0xfeb80000);
	assert_int_equal(got.devices[0].flags[6], 1);
	assert_int_equal(got.devices[0].size[6], 0x40000);
	assert_string_equal(got.devices[0].driver, "e1000e");
	assert_string_equal(got.devices[1].driver, "");
	assert_int_equal(got.nlspci, 2);
	assert_string_equal(got.lspci[0], "00:03.0 Ethernet controller");
	assert_string_equal(got.lspci[1], "");

	for (size_t i = 0; i < got.n; i++)
		assert_int_equal(r[i].hdr.seq, i);
	assert_int_equal(r[0].hdr.type, MMIOBPF_REC_MAP);
	assert_int_equal(r[0].hdr.time_ns, 1000001000);
	assert_int_equal(r[0].map.virt, 0xffffc90000180000);
	assert_int_equal(r[0].map.len, 0x20000);
	assert_int_equal(r[0].map.pc, 0xffffffffc0100000);
	assert_int_equal(r[0].map.bar, MMIOBPF_NO_BAR);
	assert_int_equal(r[1].access.before, 0xdeadbeef);
	assert_int_equal(r[1].access.dir, MMIOBPF_DIR_READ);
	assert_int_equal(r[1].access.width, 4);
	assert_int_equal(r[1].access.phys, 0xfebc0008);
	assert_int_equal(r[1].hdr.pid, 10);
	assert_int_equal(r[2].access.after, UINT64_MAX);
	assert_int_equal(r[2].access.dir, MMIOBPF_DIR_WRITE);
	assert_int_equal(r[3].unknown.insn_len, 3);
	assert_int_equal(r[3].unknown.insn[1], 0xae);
	assert_int_equal(r[4].unknown.insn_len, 0);
	assert_int_equal(r[5].mark.len, 11);
	assert_memory_equal(r[5].mark.text, "hello world", 11);
	assert_int_equal(r[6].hdr.type, MMIOBPF_REC_UNMAP);
	assert_int_equal(r[6].unmap.map_id, UINT32_MAX);
	assert_int_equal(r[7].hdr.type, MMIOBPF_REC_UNKNOWN);
}

/* The file "trace": comments, no VERSION, losses of its own kind. */
static void kernel_trace_file(void **state)
{
	(void)state;
	read_text(&got, "# tracer: mmiotrace\n"
			"#\n"
			"##### CPU 1 buffer started ####\n"
			"MAP 104.482101 1 0xfebc0000 0xffffb1f080180000 0x20000 0x0 0\n"
			"CPU:0 [LOST 17 EVENTS]\n"
			"R 4 104.482126 1 0xfebc0008 0x80080783 0x0 0\n"
			"CPU:1 [LOST EVENTS]\n"
			"W 4 104.482129 1 0xfebc00d8 0xffffffff 0x0 0\n"
			"[LINE TOO BIG]\n"
			"MARK 0.000000 Lost 3 events.\n"
			"UNMAP 104.600000 1 0x0 0\n");
	assert_int_equal(got.end, 0);
	assert_int_equal(got.n, 8);
	assert_int_equal(got.recs[1].hdr.type, MMIOBPF_REC_LOST);
	assert_int_equal(got.recs[1].lost.count, 17);
	assert_int_equal(got.recs[1].hdr.seq, 1);
	assert_int_equal(got.recs[2].hdr.seq, 18);
	assert_int_equal(got.recs[3].lost.count, 1);
	assert_int_equal(got.recs[3].hdr.cpu, 1);
	assert_int_equal(got.recs[5].lost.count, 1);
	assert_int_equal(got.recs[6].lost.count, 3);
	assert_int_equal(got.recs[7].hdr.seq, 18 + 1 + 1 + 1 + 1 + 3);
}

static void expect_mark(size_t i, const char *text)
{
	const struct mmiobpf_rec_mark *m = &got.recs[i].mark;

	assert_int_equal(m->hdr.type, MMIOBPF_REC_MARK);
	assert_int_equal(m->len, strlen(text));
	assert_memory_equal(m->text, text, m->len);
}

static void markers(void **state)
{
	(void)state;
	read_text(&got, "MARK 1.000000 one\n"
			"two\n"
			"\n"
			" R is not a record\n"
			"MARK 2.000000 \n"
			"MARK 3.000000\n"
			"MARK 4.000000  Lost 5 events.\n"
			"MARK 5.000000 a\n"
			"# in between\n"
			"b\n"
			"UNMAP 6.000000 1 0x0 0\n");
	assert_int_equal(got.end, 0);
	assert_int_equal(got.n, 7);
	expect_mark(0, "one\ntwo\n\n R is not a record");
	expect_mark(1, "");
	expect_mark(2, "");
	expect_mark(3, " Lost 5 events.");
	expect_mark(4, "a");
	expect_mark(5, "b");
	assert_int_equal(got.recs[5].hdr.time_ns, 5000000000);
}

/* A marker that is longer than a record becomes several, and no byte of it is lost. */
static void long_markers(void **state)
{
	static char text[8192], expect[4096], joined[8192];
	size_t n = 0;
	int len;

	(void)state;
	for (size_t i = 0; i < 2500; i++)
		expect[i] = (char)('a' + i % 26);
	expect[2500] = '\0';
	len = snprintf(text, sizeof(text), "MARK 1.000000 %s\nnext\nUNMAP 2.000000 1 0x0 0\n",
		       expect);
	assert_true(len > 0 && (size_t)len < sizeof(text));
	read_text(&got, text);
	assert_int_equal(got.end, 0);
	assert_int_equal(got.n, 4);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(got.recs[i].hdr.type, MMIOBPF_REC_MARK);
		assert_int_equal(got.recs[i].hdr.time_ns, 1000000000);
		memcpy(joined + n, got.recs[i].mark.text, got.recs[i].mark.len);
		n += got.recs[i].mark.len;
	}
	assert_int_equal(n, 2505);
	assert_memory_equal(joined, expect, 2500);
	assert_memory_equal(joined + 2500, "\nnext", 5);
}

static void damage(void **state)
{
	static const char good[] = "R 4 1.000000 1 0x10 0x20 0x0 0\n";
	static const struct {
		const char *line, *why;
	} cases[] = {
		{ "hello\n", "the line does not begin with a word of the format" },
		{ "R 4 1.000000 1 0x10 0x20 0x0\n", "the line ends too early" },
		{ "R 4 1.000000 1 0x10 0x20 0x0 \n", "the line ends too early" },
		{ "R 4 1.000000 1 0x10 0x20 0x0 0 7\n", "the line is longer than its record" },
		{ "R 4 1.000000 1 10 0x20 0x0 0\n", "a hexadecimal number was expected" },
		{ "R 4 1.000000 1 0x1g 0x20 0x0 0\n",
		  "a field has a character that does not belong there" },
		{ "R 4 1.000000 1 0x10 0x11112222333344445 0x0 0\n", "a number is too large" },
		{ "R 3 1.000000 1 0x10 0x20 0x0 0\n", "a width must be 1, 2, 4 or 8" },
		{ "R 16 1.000000 1 0x10 0x20 0x0 0\n", "a number is too large" },
		{ "R x 1.000000 1 0x10 0x20 0x0 0\n", "a number was expected" },
		{ "R 4 1 1 0x10 0x20 0x0 0\n", "a time was expected" },
		{ "R 4 1. 1 0x10 0x20 0x0 0\n", "a time was expected" },
		{ "R 4 1.0000000000 1 0x10 0x20 0x0 0\n", "a time has too many digits" },
		{ "R 4 99999999999.0 1 0x10 0x20 0x0 0\n", "a number is too large" },
		{ "R 4 1.000000 4294967295 0x10 0x20 0x0 0\n", "a number is too large" },
		{ "R 4 1.000000 1 0x10 0x20 0x0 4294967295\n", "a number is too large" },
		{ "R  4 1.000000 1 0x10 0x20 0x0 0\n", "a number was expected" },
		{ "UNKNOWN 1.000000 1 0x10 100,2 0x0 0\n", "a byte was expected" },
		{ "UNKNOWN 1.000000 1 0x10 1, 0x0 0\n", "a number was expected" },
		{ "UNKNOWN 1.000000 1 0x10 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0 0x0 0\n",
		  "an instruction has too many bytes" },
		{ "MARK now\n", "a number was expected" },
		{ "MARK 1.000000 Lost 0 events.\n", "a number of lost events that cannot be" },
		{ "CPU:0 [FOUND 1 EVENTS]\n", "\"[LOST n EVENTS]\" was expected" },
		{ "CPU:0 [LOST 1 EVENTS\n", "\"[LOST n EVENTS]\" was expected" },
		{ "CPU:0 [LOST 0 EVENTS]\n", "a loss of nothing" },
		{ "VERSION 20061227\n", "the log has another version than 20070824" },
		{ "PCIDEV 10000 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 x\n", "a number is too large" },
		{ "PCIDEV 0000 0 0 0 0 0 0 0 0 0 0 0\n", "the line ends too early" },
		{ "PCIDEV 0018 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
		  "a-driver-with-a-name-of-more-letters-than-fit\n",
		  "the driver's name is too long" },
		{ "R 4 1.000000 1 0x10 0x20 0x0 0", "the last line has no end" },
		{ "R", "the last line has no end" },
	};
	char text[512];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(text, sizeof(text), "%s%s%s%s", good, good, cases[i].line,
			 strchr(cases[i].line, '\n') ? good : "");
		read_text(&got, text);
		if (got.end != -EBADMSG || strcmp(got.damage.why, cases[i].why))
			fail_msg("%s: %d, %s", cases[i].line, got.end,
				 got.damage.why ? got.damage.why : "none");
		assert_int_equal(got.n, 2);
		assert_int_equal(got.damage.offset, 2 * strlen(good));
		assert_int_equal(got.damage.line, 3);
	}
}

/* Damage and errors right behind a marker, whose end is only known there. */
static void behind_a_marker(void **state)
{
	static const char mark[] = "MARK 1.000000 a\n";

	(void)state;
	read_text(&got, "MARK 1.000000 a\nR 4\n");
	assert_int_equal(got.n, 1);
	assert_int_equal(got.end, -EBADMSG);
	assert_int_equal(got.damage.offset, strlen(mark));
	read_text(&got, "MARK 1.000000 a\nhalf a li");
	assert_int_equal(got.n, 1);
	assert_int_equal(got.end, -EBADMSG);
	assert_int_equal(got.damage.offset, strlen(mark));
	read_bytes(&got, mark, strlen(mark), 0, -EIO);
	assert_int_equal(got.n, 1);
	assert_int_equal(got.end, -EIO);
}

static void long_lines(void **state)
{
	static char text[300 * 1024];

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	memcpy(text, "LSPCI ", 6);
	text[70 * 1024] = '\n';
	read_bytes(&got, text, sizeof(text) - 1, 0, 0);
	assert_int_equal(got.end, -EBADMSG);
	assert_string_equal(got.damage.why, "the line is too long");
	assert_int_equal(got.damage.offset, 0);
	/* the last one that fits */
	text[70 * 1024] = 'x';
	text[64 * 1024] = '\n';
	read_bytes(&got, text, 64 * 1024 + 1, 0, 0);
	assert_int_equal(got.end, 0);
	assert_int_equal(got.nlspci, 1);
	read_bytes(&got, "", 0, 0, 0);
	assert_int_equal(got.end, 0);
	assert_int_equal(got.n, 0);
}

/* --- there and back --- */

static uint64_t random_state = 88172645463325252ull;

static uint64_t random_number(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	/* small numbers are as interesting as large ones */
	return random_state >> (random_state >> 3) % 64;
}

static void random_access(union mmiobpf_rec_any *r)
{
	bool write = random_number() & 1;

	r->hdr.type = MMIOBPF_REC_ACCESS;
	r->hdr.size = sizeof(r->access);
	r->access.width = (uint16_t)(1 << random_number() % 4);
	r->access.map_id = (uint32_t)random_number() & 0x7fffffff;
	r->access.phys = random_number();
	r->access.pc = random_number();
	r->access.bar = MMIOBPF_NO_BAR;
	r->access.dir = write ? MMIOBPF_DIR_WRITE : MMIOBPF_DIR_READ;
	r->access.flags = write ? MMIOBPF_ACC_AFTER : MMIOBPF_ACC_BEFORE;
	*(write ? &r->access.after : &r->access.before) = random_number();
}

static void random_unknown(union mmiobpf_rec_any *r)
{
	r->hdr.type = MMIOBPF_REC_UNKNOWN;
	r->hdr.size = sizeof(r->unknown);
	r->unknown.map_id = (uint32_t)random_number() & 0x7fffffff;
	r->unknown.phys = random_number();
	r->unknown.pc = random_number();
	r->unknown.bar = MMIOBPF_NO_BAR;
	r->unknown.reason = MMIOBPF_WHY_DECODE;
	r->unknown.insn_len = (uint8_t)(random_number() % (MMIOBPF_INSN_LEN + 1));
	for (unsigned int i = 0; i < r->unknown.insn_len; i++)
		r->unknown.insn[i] = (uint8_t)random_number();
}

static void random_map(union mmiobpf_rec_any *r)
{
	r->hdr.type = MMIOBPF_REC_MAP;
	r->hdr.size = sizeof(r->map);
	r->map.map_id = (uint32_t)random_number() & 0x7fffffff;
	r->map.phys = random_number();
	r->map.virt = random_number();
	r->map.len = random_number();
	r->map.pc = random_number();
	r->map.bar = MMIOBPF_NO_BAR;
	r->map.dev = MMIOBPF_NO_DEV;
	r->map.armed = 1;
}

static void random_mark(union mmiobpf_rec_any *r)
{
	r->hdr.type = MMIOBPF_REC_MARK;
	r->hdr.size = sizeof(r->mark);
	r->mark.len = (uint32_t)(random_number() % 100);
	for (unsigned int i = 0; i < r->mark.len; i++)
		r->mark.text[i] = (char)(random_number() % 16 ? 'a' + random_number() % 26 : '\n');
	/* the last newline is the line's own */
	if (r->mark.len && r->mark.text[r->mark.len - 1] == '\n')
		r->mark.text[r->mark.len - 1] = '.';
}

static void random_record(union mmiobpf_rec_any *r, uint64_t *seq)
{
	memset(r, 0, sizeof(*r));
	switch (random_number() % 8) {
	case 0:
		random_unknown(r);
		break;
	case 1:
		random_map(r);
		break;
	case 2:
		random_mark(r);
		break;
	case 3:
		r->hdr.type = MMIOBPF_REC_UNMAP;
		r->hdr.size = sizeof(r->unmap);
		r->unmap.map_id = (uint32_t)random_number();
		r->unmap.pc = random_number();
		break;
	case 4:
		r->hdr.type = MMIOBPF_REC_LOST;
		r->hdr.size = sizeof(r->lost);
		r->lost.count = (random_number() >> 1) + 1;
		break;
	default:
		random_access(r);
		break;
	}
	r->hdr.seq = *seq;
	*seq += r->hdr.type == MMIOBPF_REC_LOST ? r->lost.count : 1;
	r->hdr.time_ns = random_number() / 1000 * 1000;
	if (r->hdr.type != MMIOBPF_REC_MARK && r->hdr.type != MMIOBPF_REC_LOST)
		r->hdr.pid = (uint32_t)random_number() & 0x7fffffff;
}

static void there_and_back(void **state)
{
	static union mmiobpf_rec_any sent[MAX_RECORDS];
	struct memory_sink sink;
	struct log_writer *w;

	(void)state;
	for (unsigned int round = 0; round < 2000; round++) {
		uint64_t seq = 0;

		memory_sink_init(&sink);
		assert_int_equal(text_writer_new(&sink.sink, 0, &w), 0);
		for (size_t i = 0; i < MAX_RECORDS; i++) {
			random_record(&sent[i], &seq);
			assert_int_equal(log_writer_record(w, &sent[i].hdr), 0);
		}
		assert_int_equal(log_writer_end(w, NULL), 0);
		read_bytes(&got, sink.text, sink.len, 1 + random_number() % 5000, 0);
		if (got.end || got.n != MAX_RECORDS)
			fail_msg("end %d %s, %zu records of\n%s", got.end,
				 got.damage.why ? got.damage.why : "", got.n, sink.text);
		for (size_t i = 0; i < MAX_RECORDS; i++)
			assert_memory_equal(&got.recs[i], &sent[i], sent[i].hdr.size);
		log_writer_free(w);
		memory_sink_deinit(&sink);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records),	   cmocka_unit_test(kernel_trace_file),
		cmocka_unit_test(markers),	   cmocka_unit_test(long_markers),
		cmocka_unit_test(damage),	   cmocka_unit_test(behind_a_marker),
		cmocka_unit_test(long_lines),	   cmocka_unit_test(there_and_back),
	};

	return cmocka_run_group_tests_name("log_reader", tests, NULL, NULL);
}
