// SPDX-License-Identifier: GPL-2.0-or-later
/* Captures: written and read back as they were, cut off and damaged anywhere. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "capture_memory.h"
#include "log/ctf_layout.h"
#include "log/ctf_metadata.h"
#include "log/ctf_reader.h"
#include "log/ctf_writer.h"

#define MAX_RECORDS 64

struct reading {
	union mmiobpf_rec_any recs[MAX_RECORDS];
	size_t n;
	int end;
	struct log_damage damage;
	char why[128];
	size_t ndevices, nlspci;
	struct pci_dev_info device;
	char lspci[64];
	struct mmiobpf_rec_session session;
};

static void read_dir(struct memory_dir *dir, struct reading *got)
{
	const struct mmiobpf_rec_hdr *rec;
	struct log_reader *r;

	memset(got, 0, sizeof(*got));
	assert_int_equal(ctf_reader_new(&dir->dir, &r), 0);
	while ((got->end = log_reader_next(r, &rec)) == 1) {
		assert_true(got->n < MAX_RECORDS);
		assert_int_equal(record_check(rec, rec->size), rec->size);
		memcpy(&got->recs[got->n++], rec, rec->size);
	}
	/* the end stays */
	assert_int_equal(log_reader_next(r, &rec), got->end);
	got->damage = r->damage;
	if (r->damage.why)
		snprintf(got->why, sizeof(got->why), "%s", r->damage.why);
	got->ndevices = r->header.ndevices;
	got->nlspci = r->header.nlspci;
	if (got->ndevices)
		got->device = r->header.devices[0];
	if (got->nlspci)
		snprintf(got->lspci, sizeof(got->lspci), "%s", r->header.lspci[0]);
	got->session = r->header.session;
	log_reader_free(r);
}

/* --- records to write --- */

static void make_header(union mmiobpf_rec_any *rec, uint16_t type, size_t size, uint64_t seq)
{
	memset(rec, 0, sizeof(*rec));
	rec->hdr = (struct mmiobpf_rec_hdr){
		.type = type, .size = (uint16_t)size, .seq = seq,
		.time_ns = 1000000000ull + 1000 * seq, .cpu = (uint16_t)(seq % 3),
		.context = (uint8_t)(seq % 4), .irqs_on = (uint8_t)(seq & 1),
		.pid = 100 + (uint32_t)seq, .tgid = 100, .comm = "fifteen letters",
	};
}

static void make_access(union mmiobpf_rec_any *rec, uint64_t seq)
{
	struct mmiobpf_rec_access *a = &rec->access;

	make_header(rec, MMIOBPF_REC_ACCESS, sizeof(*a), seq);
	a->map_id = 3;
	a->width = 4;
	a->dir = MMIOBPF_DIR_RMW;
	a->how = MMIOBPF_HOW_EMULATED;
	a->phys = 0xfeba0000ull + 4 * seq;
	a->bar_off = 4 * seq;
	a->pc = 0xffffffffc0340cccull;
	a->latency_ns = 321;
	a->bar = 1;
	a->flags = MMIOBPF_ACC_BEFORE | MMIOBPF_ACC_AFTER | MMIOBPF_ACC_LOCKED;
	a->before = 0x1122334455667788ull;
	a->after = ~0ull - seq;
}

/* One of each type, in all fields that a type has. */
static size_t make_all(union mmiobpf_rec_any *recs)
{
	union mmiobpf_rec_any *r = recs;
	uint64_t seq = 0;

	make_header(r, MMIOBPF_REC_MAP, sizeof(r->map), seq++);
	r->map.map_id = 3;
	r->map.kind = MMIOBPF_MAP_WC;
	r->map.cache = MMIOBPF_CACHE_UC;
	r->map.bar = 1;
	r->map.armed = 1;
	r->map.phys = 0xfeba0000;
	r->map.virt = 0xffffc90001720000;
	r->map.len = 0x20000;
	r->map.pc = 0xffffffffc0340ccc;
	r->map.bar_off = 0x40;
	r->map.dev = 0x100f8;
	/* a name that fills its field has no terminator */
	memset(r++->map.driver, 'd', sizeof(r->map.driver));
	make_access(r++, seq++);
	make_access(r, seq++);
	r->hdr.size = sizeof(r->wide);
	r->access.width = 64;
	for (unsigned int i = 0; i < MMIOBPF_WIDE_WORDS; i++) {
		r->wide.before[i] = 0x0101010101010101ull * i;
		r->wide.after[i] = ~r->wide.before[i];
	}
	make_header(++r, MMIOBPF_REC_UNKNOWN, sizeof(r->unknown), seq++);
	r->unknown = (struct mmiobpf_rec_unknown){
		.hdr = r->hdr, .map_id = 3, .width = 8, .dir = MMIOBPF_DIR_READ,
		.phys = 0xfeba0010, .bar_off = 0x10, .pc = 0x1234, .bar = 2,
		.reason = MMIOBPF_WHY_EDGE, .insn_len = 3, .insn = { 0xd9, 0x45, 0x00 },
	};
	make_header(++r, MMIOBPF_REC_MARK, sizeof(r->mark), seq++);
	r->mark.len = 10;
	memcpy(r->mark.text, "two\n\0lines", 10);
	make_header(++r, MMIOBPF_REC_IRQ, sizeof(r->irq), seq++);
	r->irq.irq = 129;
	r->irq.exit = 1;
	r->irq.handled = 1;
	r->irq.ordinal = 1ull << 40;
	memcpy(r->irq.name, "eth0", 4);
	make_header(++r, MMIOBPF_REC_CONFIG, sizeof(r->config), seq++);
	r->config.dev = 0x18;
	r->config.offset = 0xffc;
	r->config.width = 4;
	r->config.dir = MMIOBPF_DIR_WRITE;
	r->config.value = 0xdeadbeef;
	r->config.result = -5;
	r->config.pc = 0xffffffff81000000;
	make_header(++r, MMIOBPF_REC_PMU, sizeof(r->pmu), seq++);
	r->pmu.event = 1;
	r->pmu.overflow = 1;
	r->pmu.value = 2;
	r->pmu.enabled_ns = 3;
	r->pmu.running_ns = 4;
	r->pmu.pc = 5;
	make_header(++r, MMIOBPF_REC_LOST, sizeof(r->lost), seq);
	r->lost.count = 12;
	seq += 12;
	make_header(++r, MMIOBPF_REC_UNMAP, sizeof(r->unmap), seq++);
	r->unmap.map_id = 3;
	r->unmap.pc = 0xffffffffc0340ddd;
	return (size_t)(r + 1 - recs);
}

static void make_end(struct mmiobpf_rec_end *end)
{
	memset(end, 0, sizeof(*end));
	end->hdr.type = MMIOBPF_REC_END;
	end->hdr.size = sizeof(*end);
	end->hdr.seq = 1000;
	end->hdr.time_ns = 5000000000ull;
	end->accesses = 1;
	end->faults = 2;
	end->lost = 3;
	end->undecoded = 4;
	end->retried = 5;
}

/* --- writing --- */

static void session_fill(struct mmiobpf_rec_session *s)
{
	s->hdr.type = MMIOBPF_REC_SESSION;
	s->hdr.size = sizeof(*s);
	s->hdr.time_ns = 900000000;
	s->version = MMIOBPF_RECORD_VERSION;
	s->cpus = 4;
	s->realtime_ns = 1700000000900000000ull;
	strcpy(s->release, "6.12.0");
	strcpy(s->machine, "x86_64");
	strcpy(s->command, "mmiobpf trace \"a\\b\"\n");
}

static struct log_writer *write_begin_with(struct memory_dir *dir,
					   struct symbolizer *symbolizer)
{
	struct pci_dev_info d = { .dev = 0x18, .vendor = 0x8086, .device = 0x10d3, .irq = 11,
				  .start = { 0xfeba0000 }, .size = { 0x20000 },
				  .flags = { [6] = ~0ull }, .driver = "e1000e" };
	struct log_header h;
	struct log_writer *w;

	memory_dir_init(dir);
	log_header_init(&h);
	assert_int_equal(log_header_add_device(&h, &d), 0);
	assert_int_equal(log_header_add_lspci(&h, "00:03.0 Ethernet", 16), 0);
	session_fill(&h.session);
	assert_int_equal(ctf_writer_new(&dir->dir, symbolizer, &w), 0);
	assert_int_equal(log_writer_begin(w, &h), 0);
	log_header_deinit(&h);
	return w;
}

static struct log_writer *write_begin(struct memory_dir *dir)
{
	return write_begin_with(dir, NULL);
}

/* @flush: every so many records; 0: never */
static void write_records(struct memory_dir *dir, const union mmiobpf_rec_any *recs, size_t n,
			  size_t flush, const struct mmiobpf_rec_end *end)
{
	struct log_writer *w = write_begin(dir);

	for (size_t i = 0; i < n; i++) {
		assert_int_equal(log_writer_record(w, &recs[i].hdr), 0);
		if (flush && i % flush == flush - 1)
			assert_int_equal(log_writer_flush(w), 0);
	}
	assert_int_equal(log_writer_end(w, end), 0);
	log_writer_free(w);
}

static void expect_records(const struct reading *got, const union mmiobpf_rec_any *recs, size_t n)
{
	assert_int_equal(got->n, n);
	for (size_t i = 0; i < n; i++)
		assert_memory_equal(&got->recs[i], &recs[i], recs[i].hdr.size);
}

/* --- tests --- */

static void round_trip(size_t flush)
{
	union mmiobpf_rec_any recs[MAX_RECORDS];
	size_t n = make_all(recs);
	struct memory_dir dir;
	struct reading got;

	make_end(&recs[n].end);
	write_records(&dir, recs, n, flush, &recs[n].end);
	read_dir(&dir, &got);
	assert_int_equal(got.end, 0);
	assert_null(got.damage.why);
	expect_records(&got, recs, n + 1);
	memory_dir_deinit(&dir);
}

static void test_every_record_comes_back(void **state)
{
	(void)state;
	round_trip(0);
}

static void test_packets_make_no_difference(void **state)
{
	(void)state;
	for (size_t flush = 1; flush < 6; flush++)
		round_trip(flush);
}

static void test_header_comes_back(void **state)
{
	struct mmiobpf_rec_session session = { 0 };
	struct memory_dir dir;
	struct reading got;

	(void)state;
	write_records(&dir, NULL, 0, 0, NULL);
	read_dir(&dir, &got);
	assert_int_equal(got.end, 0);
	assert_int_equal(got.n, 0);
	assert_int_equal(got.ndevices, 1);
	assert_int_equal(got.device.device, 0x10d3);
	assert_true(got.device.flags[6] == ~0ull);
	assert_string_equal(got.device.driver, "e1000e");
	assert_int_equal(got.nlspci, 1);
	assert_string_equal(got.lspci, "00:03.0 Ethernet");
	session_fill(&session);
	assert_memory_equal(&got.session, &session, sizeof(session));
	memory_dir_deinit(&dir);
}

static void test_many_records_fill_packets(void **state)
{
	enum { MANY = 20000 };
	const struct mmiobpf_rec_hdr *rec;
	union mmiobpf_rec_any one;
	struct memory_dir dir;
	struct log_writer *w = write_begin(&dir);
	struct log_reader *r;

	(void)state;
	for (uint64_t i = 0; i < MANY; i++) {
		make_access(&one, i);
		assert_int_equal(log_writer_record(w, &one.hdr), 0);
	}
	assert_int_equal(log_writer_end(w, NULL), 0);
	log_writer_free(w);
	assert_true(dir.files[1].len > 4 * CTF_PACKET_MAX);
	assert_int_equal(ctf_reader_new(&dir.dir, &r), 0);
	for (uint64_t i = 0; i < MANY; i++) {
		make_access(&one, i);
		assert_int_equal(log_reader_next(r, &rec), 1);
		assert_memory_equal(rec, &one, one.hdr.size);
	}
	assert_int_equal(log_reader_next(r, &rec), 0);
	log_reader_free(r);
	memory_dir_deinit(&dir);
}

/* A reader of CTF refuses a clock that goes back; the time itself must not change. */
static void test_time_that_falls(void **state)
{
	union mmiobpf_rec_any recs[2];
	const struct ctf_packet *p;
	struct memory_dir dir;
	struct ctf_event e;
	struct reading got;
	size_t at = sizeof(*p);

	(void)state;
	make_access(&recs[0], 0);
	make_access(&recs[1], 3);
	recs[1].hdr.time_ns = recs[0].hdr.time_ns - 1;
	recs[0].hdr.cpu = recs[1].hdr.cpu = 2;
	write_records(&dir, recs, 2, 0, NULL);
	p = (const void *)dir.files[3].bytes;
	assert_true(p->context.begin_ns == recs[0].hdr.time_ns);
	assert_true(p->context.end_ns == recs[0].hdr.time_ns);
	for (int i = 0; i < 2; i++) {
		memcpy(&e, dir.files[3].bytes + at, sizeof(e));
		assert_true(e.header.timestamp == recs[0].hdr.time_ns);
		at += (dir.files[3].len - sizeof(*p)) / 2;
	}
	read_dir(&dir, &got);
	expect_records(&got, recs, 2);
	memory_dir_deinit(&dir);
}

static void test_losses_are_in_the_packets(void **state)
{
	union mmiobpf_rec_any recs[MAX_RECORDS];
	size_t n = make_all(recs);
	const struct ctf_packet *p;
	struct memory_dir dir;

	(void)state;
	write_records(&dir, recs, n, 0, NULL);
	assert_int_equal(recs[n - 2].hdr.type, MMIOBPF_REC_LOST);
	p = (const void *)dir.files[1 + recs[n - 2].hdr.cpu].bytes;
	assert_int_equal(p->context.discarded, 0);
	p = (const void *)((const char *)p + p->context.packet_bits / 8);
	assert_int_equal(p->context.discarded, 12);
	memory_dir_deinit(&dir);
}

/* A filter leaves numbers out: that is no loss. */
static void test_left_out_is_not_lost(void **state)
{
	union mmiobpf_rec_any recs[2];
	struct memory_dir dir;
	struct reading got;

	(void)state;
	make_access(&recs[0], 10);
	make_access(&recs[1], 500);
	write_records(&dir, recs, 2, 0, NULL);
	read_dir(&dir, &got);
	assert_int_equal(got.end, 0);
	expect_records(&got, recs, 2);
	memory_dir_deinit(&dir);
}

/* The session was killed: packets are whole, and nothing says that there was no more. */
static void test_not_closed(void **state)
{
	union mmiobpf_rec_any recs[3];
	struct memory_dir dir;
	struct log_writer *w = write_begin(&dir);
	struct reading got;

	(void)state;
	for (uint64_t i = 0; i < 3; i++) {
		make_access(&recs[i], i);
		assert_int_equal(log_writer_record(w, &recs[i].hdr), 0);
		if (i == 1)
			assert_int_equal(log_writer_flush(w), 0);
	}
	log_writer_free(w);
	read_dir(&dir, &got);
	expect_records(&got, recs, 2);
	assert_int_equal(got.end, -EBADMSG);
	assert_non_null(strstr(got.why, "was not closed"));
	assert_int_equal(got.damage.offset, dir.files[1].len);
	memory_dir_deinit(&dir);
}

static void expect_lost(const union mmiobpf_rec_any *rec, uint64_t seq, uint64_t count)
{
	assert_int_equal(rec->hdr.type, MMIOBPF_REC_LOST);
	assert_true(rec->hdr.seq == seq);
	assert_true(rec->lost.count == count);
}

/* A whole stream is gone, and with it every third record. */
static void test_missing_stream(void **state)
{
	union mmiobpf_rec_any recs[6];
	struct memory_dir dir;
	struct reading got;

	(void)state;
	for (uint64_t i = 0; i < 6; i++)
		make_access(&recs[i], i);
	write_records(&dir, recs, 6, 0, NULL);
	dir.files[1 + 2].there = 0;
	read_dir(&dir, &got);
	assert_int_equal(got.n, 6);
	for (unsigned int i = 0; i < 6; i++) {
		if (i % 3 == 2)
			expect_lost(&got.recs[i], i, 1);
		else
			assert_memory_equal(&got.recs[i], &recs[i], recs[i].hdr.size);
	}
	assert_true(got.recs[2].hdr.time_ns == recs[3].hdr.time_ns);
	memory_dir_deinit(&dir);
}

/* Records that are there, each as it was, or within a loss. Return: those of both kinds. */
static size_t expect_true_records(const struct reading *got, const union mmiobpf_rec_any *recs,
				  size_t n)
{
	size_t at = 0;

	for (size_t i = 0; i < got->n; i++) {
		if (got->recs[i].hdr.type == MMIOBPF_REC_LOST) {
			at += got->recs[i].lost.count;
			continue;
		}
		assert_true(at < n);
		assert_memory_equal(&got->recs[i], &recs[at], recs[at].hdr.size);
		at++;
	}
	assert_true(at <= n);
	return at;
}

static void test_every_truncation(void **state)
{
	union mmiobpf_rec_any recs[9];
	struct memory_dir dir;
	struct reading got;

	(void)state;
	for (uint64_t i = 0; i < 9; i++)
		make_access(&recs[i], i);
	write_records(&dir, recs, 9, 3, NULL);
	for (int file = 1; file <= 3; file++) {
		size_t whole = dir.files[file].len;

		for (size_t len = 0; len < whole; len++) {
			dir.files[file].len = len;
			read_dir(&dir, &got);
			/* The first stream tells how many there are; without it the rest does. */
			if (expect_true_records(&got, recs, 9) != 9)
				assert_int_equal(file, 1);
			/* A stream that ends with a packet is told by what is missing. */
			if (file > 1 && len % (whole / 3) == 0)
				assert_int_equal(got.end, 0);
			else
				assert_true(got.end == -EBADMSG && got.damage.offset <= len);
		}
		dir.files[file].len = whole;
	}
	memory_dir_deinit(&dir);
}

static void test_every_changed_byte(void **state)
{
	union mmiobpf_rec_any recs[9];
	struct memory_dir dir;
	struct reading got;

	(void)state;
	for (uint64_t i = 0; i < 9; i++)
		make_access(&recs[i], i);
	write_records(&dir, recs, 9, 3, NULL);
	for (size_t at = 0; at < dir.files[2].len; at++) {
		size_t in_packet = at % (dir.files[2].len / 3);

		dir.files[2].bytes[at] ^= 0x10;
		read_dir(&dir, &got);
		/* Of the packet's own fields three are for other programs. */
		if (in_packet < offsetof(struct ctf_packet, context.content_bits) &&
		    in_packet >= offsetof(struct ctf_packet, context))
			assert_int_equal(got.end, 0);
		else if (in_packet < offsetof(struct ctf_packet, context.number) &&
			 in_packet >= offsetof(struct ctf_packet, context.discarded))
			assert_int_equal(got.end, 0);
		else
			assert_int_equal(got.end, -EBADMSG);
		expect_true_records(&got, recs, 9);
		dir.files[2].bytes[at] ^= 0x10;
	}
	memory_dir_deinit(&dir);
}

static void test_full_disk_at_every_byte(void **state)
{
	struct memory_dir dir;
	union mmiobpf_rec_any rec;
	struct reading got;
	size_t begun, whole;

	(void)state;
	log_writer_free(write_begin(&dir));
	begun = dir.files[0].len + dir.files[1].len;
	memory_dir_deinit(&dir);
	make_access(&rec, 0);
	write_records(&dir, &rec, 1, 1, NULL);
	whole = dir.files[0].len + dir.files[1].len;
	memory_dir_deinit(&dir);
	for (size_t limit = begun; limit < whole; limit++) {
		struct log_writer *w = write_begin(&dir);

		dir.limit = limit;
		dir.err = -ENOSPC;
		log_writer_record(w, &rec.hdr);
		log_writer_flush(w);
		assert_int_equal(log_writer_end(w, NULL), -ENOSPC);
		assert_int_equal(log_writer_record(w, &rec.hdr), -ENOSPC);
		log_writer_free(w);
		read_dir(&dir, &got);
		expect_true_records(&got, &rec, 1);
		assert_int_equal(got.end, -EBADMSG);
		/* never in the middle of a packet */
		assert_non_null(strstr(got.why, "was not closed"));
		memory_dir_deinit(&dir);
	}
}

/* Two streams that claim the same place; the packets are right otherwise. */
static void test_a_place_taken_twice(void **state)
{
	union mmiobpf_rec_any recs[2];
	struct memory_dir one, two;
	struct reading got;
	struct memory_file swap;

	(void)state;
	make_access(&recs[0], 0);
	make_access(&recs[1], 1);
	write_records(&one, recs, 1, 0, NULL);
	write_records(&two, recs + 1, 1, 0, NULL);
	swap = one.files[2];
	one.files[2] = two.files[2];
	two.files[2] = swap;
	read_dir(&one, &got);
	assert_int_equal(got.end, -EBADMSG);
	assert_string_equal(got.why, "in cpu1, a record comes after a later one");
	expect_records(&got, recs, 1);
	memory_dir_deinit(&one);
	memory_dir_deinit(&two);
}

static int open_with(const char *metadata)
{
	struct memory_dir dir;
	struct log_reader *r;
	int err;

	memory_dir_init(&dir);
	dir.files[0].bytes = strdup(metadata);
	dir.files[0].len = strlen(metadata);
	dir.files[0].there = 1;
	err = ctf_reader_new(&dir.dir, &r);
	if (!err)
		log_reader_free(r);
	memory_dir_deinit(&dir);
	return err;
}

static void test_other_metadata(void **state)
{
	(void)state;
	assert_int_equal(open_with(""), -EBADMSG);
	assert_int_equal(open_with("/* CTF 1.8 */\n\ntrace { major = 1; };\n"), -EBADMSG);
	assert_int_equal(open_with("/* CTF 1.8 */\n/* mmiobpf capture, format 2, "), -ENOTSUP);
	assert_int_equal(open_with("/* CTF 1.8 */\n/* mmiobpf capture, format 1, 1234 */\n"),
			 -EBADMSG);
	assert_int_equal(open_with("/* CTF 1.8 */\n/* mmiobpf capture, format 1, "
				   "00112233-4455-6677-8899-aabbccddeeff */\n"), 0);
}

/* Knows addresses below @known, in functions of 16 bytes. */
struct test_symbolizer {
	struct symbolizer symbolizer;
	uint64_t known;
	unsigned int asked;
	char name[32];
};

static int test_find(struct symbolizer *symbolizer, uint64_t pc, struct symbol_name *out)
{
	struct test_symbolizer *t = (struct test_symbolizer *)symbolizer;

	t->asked++;
	if (pc >= t->known)
		return -ENOENT;
	out->offset = pc & 15;
	snprintf(t->name, sizeof(t->name), "f%llx", (unsigned long long)(pc - out->offset));
	out->name = t->name;
	out->module = pc & 1 ? "e1000e" : "";
	return 0;
}

static void expect_symbol(const struct log_header *h, uint64_t pc, const char *name,
			  const char *module)
{
	const struct log_symbol *sym = log_header_find_symbol(h, pc);

	assert_non_null(sym);
	assert_true(sym->pc == pc && sym->start == (pc & ~15ull));
	assert_string_equal(sym->name, name);
	assert_string_equal(sym->module, module);
}

/* Each address once, at a flush; and again at later ones while it is not known. */
static void test_symbols(void **state)
{
	static const uint64_t pcs[] = { 0x123, 0x234, 0x123, 0x999, 0 };
	struct test_symbolizer t = { .symbolizer.find = test_find, .known = 0x900 };
	union mmiobpf_rec_any rec;
	struct memory_dir dir;
	struct log_writer *w = write_begin_with(&dir, &t.symbolizer);
	struct log_reader *r;

	(void)state;
	for (unsigned int i = 0; i < sizeof(pcs) / sizeof(pcs[0]); i++) {
		make_access(&rec, i);
		rec.access.pc = pcs[i];
		assert_int_equal(log_writer_record(w, &rec.hdr), 0);
	}
	assert_int_equal(t.asked, 0);
	assert_int_equal(log_writer_flush(w), 0);
	assert_int_equal(t.asked, 3);
	t.known = 0x1000;
	assert_int_equal(log_writer_end(w, NULL), 0);
	assert_int_equal(t.asked, 4);
	log_writer_free(w);
	assert_int_equal(ctf_reader_new(&dir.dir, &r), 0);
	assert_int_equal(r->header.nsymbols, 3);
	expect_symbol(&r->header, 0x123, "f120", "e1000e");
	expect_symbol(&r->header, 0x234, "f230", "");
	expect_symbol(&r->header, 0x999, "f990", "e1000e");
	assert_null(log_header_find_symbol(&r->header, 0x124));
	log_reader_free(r);
	/* Damage there costs symbols, and no record. */
	dir.files[CAPTURE_MEMORY_FILES - 1].bytes[200] ^= 1;
	assert_int_equal(ctf_reader_new(&dir.dir, &r), 0);
	assert_true(r->header.nsymbols < 3);
	log_reader_free(r);
	memory_dir_deinit(&dir);
}

/* So many that the set grows several times. */
static void test_many_symbols(void **state)
{
	enum { MANY = 3000 };
	struct test_symbolizer t = { .symbolizer.find = test_find, .known = ~0ull };
	union mmiobpf_rec_any rec;
	struct memory_dir dir, copy;
	struct log_writer *w = write_begin_with(&dir, &t.symbolizer);
	struct log_reader *r;

	(void)state;
	for (uint64_t i = 0; i < 2 * MANY; i++) {
		make_access(&rec, i);
		rec.access.pc = 0xffffffffc0000000ull + i % MANY * 0x40;
		assert_int_equal(log_writer_record(w, &rec.hdr), 0);
	}
	assert_int_equal(log_writer_end(w, NULL), 0);
	log_writer_free(w);
	assert_int_equal(t.asked, MANY);
	assert_int_equal(ctf_reader_new(&dir.dir, &r), 0);
	assert_int_equal(r->header.nsymbols, MANY);
	/* A capture made of a capture keeps them. */
	memory_dir_init(&copy);
	assert_int_equal(ctf_writer_new(&copy.dir, NULL, &w), 0);
	assert_int_equal(log_writer_begin(w, &r->header), 0);
	assert_int_equal(log_writer_end(w, NULL), 0);
	log_writer_free(w);
	log_reader_free(r);
	assert_int_equal(ctf_reader_new(&copy.dir, &r), 0);
	for (uint64_t i = 0; i < MANY; i++)
		assert_non_null(log_header_find_symbol(&r->header, 0xffffffffc0000000ull + i * 0x40));
	log_reader_free(r);
	memory_dir_deinit(&dir);
	memory_dir_deinit(&copy);
}

/* What the tables say fits together: each event is found by its number, and has room in a packet. */
static void test_layouts(void **state)
{
	const struct ctf_layout *l;
	size_t i = 0;

	(void)state;
	for (; (l = ctf_layout_at(i)); i++) {
		assert_ptr_equal(ctf_layout_find(l->id), l);
		assert_true(sizeof(struct ctf_packet) + sizeof(struct ctf_event) + l->size <
			    CTF_PACKET_MAX);
		assert_false(l->fields[0].counted);
	}
	assert_int_equal(i, 16);
	for (unsigned int id = 0; id < 256; id++)
		if (ctf_layout_find(id))
			i--;
	assert_int_equal(i, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_record_comes_back),
		cmocka_unit_test(test_packets_make_no_difference),
		cmocka_unit_test(test_header_comes_back),
		cmocka_unit_test(test_many_records_fill_packets),
		cmocka_unit_test(test_time_that_falls),
		cmocka_unit_test(test_losses_are_in_the_packets),
		cmocka_unit_test(test_left_out_is_not_lost),
		cmocka_unit_test(test_not_closed),
		cmocka_unit_test(test_missing_stream),
		cmocka_unit_test(test_every_truncation),
		cmocka_unit_test(test_every_changed_byte),
		cmocka_unit_test(test_full_disk_at_every_byte),
		cmocka_unit_test(test_a_place_taken_twice),
		cmocka_unit_test(test_other_metadata),
		cmocka_unit_test(test_symbols),
		cmocka_unit_test(test_many_symbols),
		cmocka_unit_test(test_layouts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
