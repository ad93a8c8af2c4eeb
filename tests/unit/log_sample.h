/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A session in small with a record of every type, for the golden files of the output formats. What
 * a format can stumble over is in it: quotes, commas, newlines and broken UTF-8 in texts, names
 * without terminators, two events at one time, a time that goes back, values of all widths, an
 * interrupt, a loss.
 */
#ifndef LOG_SAMPLE_H
#define LOG_SAMPLE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log/header.h"
#include "log/record.h"
#include "log/writer.h"
#include "log_memory.h"

#define SAMPLE_START	12345678900000ull
#define SAMPLE_E1000E	0x18u

struct sample {
	union mmiobpf_rec_any rec;
	struct log_writer *writer;
	uint64_t seq;
};

static void sample_header(struct log_header *h)
{
	static const struct pci_dev_info dev = {
		.dev = SAMPLE_E1000E,
		.vendor = 0x8086,
		.device = 0x10d3,
		.irq = 24,
		.start = { 0xfeb80000, 0xfeba0000, 0xc040, 0xfebd0000, 0, 0, 0xfeb40000 },
		.size = { 0x20000, 0x20000, 0x20, 0x4000, 0, 0, 0x40000 },
		.flags = { 0x40200, 0x40200, 0x40101, 0x40200, 0, 0, 0x46200 },
		.driver = "e1000e",
	};
	struct mmiobpf_rec_session *s = &h->session;

	log_header_init(h);
	log_header_add_device(h, &dev);
	log_header_add_lspci(h, "00:03.0 Ethernet controller: Intel \"82574L\"", 43);
	log_header_add_lspci(h, "\tFlags: bus master, fast devsel", 31);
	s->hdr.type = MMIOBPF_REC_SESSION;
	s->hdr.size = sizeof(*s);
	s->hdr.time_ns = SAMPLE_START;
	s->realtime_ns = 1785542400123456789;
	s->version = MMIOBPF_RECORD_VERSION;
	s->cpus = 2;
	strcpy(s->release, "6.12.0");
	strcpy(s->machine, "x86_64");
	strcpy(s->command, "mmiobpf trace --driver e1000e");
}

/* Begin a record: @at ns after the start of the session. */
static union mmiobpf_rec_any *sample_next(struct sample *s, unsigned int type, size_t size,
					  uint64_t at, unsigned int cpu)
{
	memset(&s->rec, 0, sizeof(s->rec));
	s->rec.hdr.seq = s->seq++;
	s->rec.hdr.time_ns = SAMPLE_START + at;
	s->rec.hdr.type = (uint16_t)type;
	s->rec.hdr.size = (uint16_t)size;
	s->rec.hdr.cpu = (uint16_t)cpu;
	s->rec.hdr.irqs_on = 1;
	s->rec.hdr.pid = 175;
	s->rec.hdr.tgid = 174;
	memcpy(s->rec.hdr.comm, "modprobe", 8);
	return &s->rec;
}

static void sample_put(struct sample *s)
{
	if (record_check(&s->rec, sizeof(s->rec)) <= 0)
		abort();
	if (log_writer_record(s->writer, &s->rec.hdr))
		abort();
}

static struct mmiobpf_rec_access *sample_access(struct sample *s, uint64_t at, unsigned int cpu,
						unsigned int dir, unsigned int width, uint64_t off)
{
	size_t size = width > 8 ? sizeof(s->rec.wide) : sizeof(s->rec.access);
	union mmiobpf_rec_any *any = sample_next(s, MMIOBPF_REC_ACCESS, size, at, cpu);

	any->access.map_id = 1;
	any->access.width = (uint16_t)width;
	any->access.dir = (uint8_t)dir;
	any->access.how = MMIOBPF_HOW_EMULATED;
	any->access.flags = (uint8_t)dir;
	any->access.phys = 0xfeb80000 + off;
	any->access.bar_off = off;
	any->access.pc = 0xffffffffc031b943;
	any->access.latency_ns = 850;
	return &any->access;
}

static void sample_maps(struct sample *s)
{
	struct mmiobpf_rec_map *m;

	m = &sample_next(s, MMIOBPF_REC_MAP, sizeof(*m), 1000, 0)->map;
	m->map_id = 1;
	m->kind = MMIOBPF_MAP_IOREMAP;
	m->cache = MMIOBPF_CACHE_UC_MINUS;
	m->armed = 1;
	m->phys = 0xfeb80000;
	m->virt = 0xffffc90001720000;
	m->len = 0x20000;
	m->pc = 0xffffffffc0340ccc;
	m->dev = SAMPLE_E1000E;
	strcpy(m->driver, "e1000e");
	sample_put(s);
	m = &sample_next(s, MMIOBPF_REC_MAP, sizeof(*m), 1500, 0)->map;
	m->map_id = 2;
	m->kind = MMIOBPF_MAP_WC;
	m->cache = MMIOBPF_CACHE_WC;
	m->bar = MMIOBPF_NO_BAR;
	m->phys = 0xfed00000;
	m->virt = 0xffffc90000009000;
	m->len = 0x400;
	m->dev = MMIOBPF_NO_DEV;
	memset(m->driver, 'x', sizeof(m->driver)); /* not terminated */
	sample_put(s);
}

static void sample_accesses(struct sample *s)
{
	struct mmiobpf_rec_access *a;

	sample_access(s, 2000, 0, MMIOBPF_DIR_READ, 4, 0x8)->before = 0x80080783;
	sample_put(s);
	sample_access(s, 4000, 0, MMIOBPF_DIR_WRITE, 4, 0xd8)->after = 0xffffffff;
	sample_put(s);
	/* another CPU at the same time, and one that is late */
	sample_access(s, 4000, 1, MMIOBPF_DIR_WRITE, 4, 0xd8)->after = 0x1;
	sample_put(s);
	sample_access(s, 3999, 1, MMIOBPF_DIR_READ, 4, 0x8)->before = 0x80080780;
	sample_put(s);
	a = sample_access(s, 6000, 0, MMIOBPF_DIR_RMW, 4, 0x0);
	a->before = 0x140240;
	a->after = 0x140241;
	a->flags |= MMIOBPF_ACC_LOCKED;
	sample_put(s);
	/* carried out, but what was written is not known */
	a = sample_access(s, 6500, 0, MMIOBPF_DIR_RMW, 2, 0x14);
	a->before = 0x1234;
	a->flags = MMIOBPF_ACC_BEFORE;
	sample_put(s);
	sample_access(s, 7000, 0, MMIOBPF_DIR_WRITE, 8, 0x3800)->after = 0xfedcba9876543210;
	sample_put(s);
	a = sample_access(s, 8000, 0, MMIOBPF_DIR_READ, 1, 0x2);
	a->before = 0x5a;
	a->how = MMIOBPF_HOW_STEPPED;
	memcpy(a->hdr.comm, "0123456789abcdef", 16); /* not terminated */
	sample_put(s);
	sample_access(s, 9000, 0, MMIOBPF_DIR_WRITE, 16, 0x4000);
	s->rec.wide.after[0] = 0x21;
	s->rec.wide.after[1] = 0x1122334455667788;
	sample_put(s);
	/* in a mapping that is no BAR, and in one that was never declared */
	a = sample_access(s, 9500, 0, MMIOBPF_DIR_READ, 4, 0xf0);
	a->map_id = 2;
	a->phys = 0xfed000f0;
	a->bar = MMIOBPF_NO_BAR;
	a->latency_ns = 0;
	sample_put(s);
	a = sample_access(s, 9600, 0, MMIOBPF_DIR_READ, 4, 0x40);
	a->map_id = 77;
	a->phys = 0xe0000040;
	a->bar = MMIOBPF_NO_BAR;
	a->before = 7;
	sample_put(s);
}

static void sample_interrupt(struct sample *s)
{
	struct mmiobpf_rec_access *a;
	struct mmiobpf_rec_irq *irq;

	irq = &sample_next(s, MMIOBPF_REC_IRQ, sizeof(*irq), 10000, 1)->irq;
	irq->hdr.context = MMIOBPF_CTX_HARDIRQ;
	irq->irq = 24;
	irq->ordinal = 2;
	strcpy(irq->name, "eth0");
	sample_put(s);
	a = sample_access(s, 10500, 1, MMIOBPF_DIR_READ, 4, 0xc0);
	a->hdr.context = MMIOBPF_CTX_HARDIRQ;
	a->hdr.irqs_on = 0;
	a->before = 0x80000004;
	sample_put(s);
	irq = &sample_next(s, MMIOBPF_REC_IRQ, sizeof(*irq), 13100, 1)->irq;
	irq->hdr.context = MMIOBPF_CTX_HARDIRQ;
	irq->irq = 24;
	irq->exit = 1;
	irq->handled = 1;
	irq->ordinal = 3;
	strcpy(irq->name, "eth0");
	sample_put(s);
}

static void sample_others(struct sample *s)
{
	static const char text[] = "link \"up\", 5%;\n\ttwo\\lines \xe2\x82\xac \xff";
	union mmiobpf_rec_any *any;

	any = sample_next(s, MMIOBPF_REC_MARK, sizeof(any->mark), 14000, 0);
	any->mark.len = sizeof(text) - 1;
	memcpy(any->mark.text, text, sizeof(text) - 1);
	sample_put(s);
	any = sample_next(s, MMIOBPF_REC_CONFIG, sizeof(any->config), 15000, 0);
	any->config.dev = SAMPLE_E1000E;
	any->config.offset = 4;
	any->config.width = 2;
	any->config.dir = MMIOBPF_DIR_WRITE;
	any->config.value = 0x107;
	any->config.pc = 0xffffffff81555555;
	sample_put(s);
	any = sample_next(s, MMIOBPF_REC_CONFIG, sizeof(any->config), 15100, 0);
	any->config.dev = SAMPLE_E1000E + 8;
	any->config.width = 4;
	any->config.dir = MMIOBPF_DIR_READ;
	any->config.value = 0xffffffff;
	any->config.result = 0x86;
	sample_put(s);
	any = sample_next(s, MMIOBPF_REC_UNKNOWN, sizeof(any->unknown), 16000, 0);
	any->unknown.map_id = 1;
	any->unknown.phys = 0xfeb80010;
	any->unknown.bar_off = 0x10;
	any->unknown.pc = 0xffffffffc0310000;
	any->unknown.reason = MMIOBPF_WHY_NO_VALUE;
	any->unknown.insn_len = 3;
	memcpy(any->unknown.insn, "\x0f\xae\x38", 3);
	sample_put(s);
	any = sample_next(s, MMIOBPF_REC_PMU, sizeof(any->pmu), 17000, 0);
	any->pmu.event = 1;
	any->pmu.overflow = 1;
	any->pmu.value = 0x100000000;
	any->pmu.enabled_ns = 5000;
	any->pmu.running_ns = 2500;
	any->pmu.pc = 0xffffffffc0310010;
	sample_put(s);
	any = sample_next(s, MMIOBPF_REC_LOST, sizeof(any->lost), 18000, 0);
	any->lost.count = 17;
	sample_put(s);
	s->seq += 16;
	sample_access(s, 18000, 0, MMIOBPF_DIR_READ, 4, 0x8)->before = 0x80080783;
	sample_put(s);
	any = sample_next(s, MMIOBPF_REC_UNMAP, sizeof(any->unmap), 20000, 0);
	any->unmap.map_id = 1;
	any->unmap.pc = 0xffffffffc0340ddd;
	sample_put(s);
}

static const struct mmiobpf_rec_end sample_end = {
	.hdr = { .type = MMIOBPF_REC_END, .size = sizeof(sample_end) },
	.accesses = 13,
	.faults = 32,
	.lost = 17,
	.undecoded = 1,
	.retried = 1,
};

/* All of it, into a writer. */
static inline void sample_write(struct log_writer *writer)
{
	struct sample s = { .writer = writer };
	struct log_header h;

	sample_header(&h);
	if (log_writer_begin(writer, &h))
		abort();
	log_header_deinit(&h);
	sample_maps(&s);
	sample_accesses(&s);
	sample_interrupt(&s);
	sample_others(&s);
	if (log_writer_end(writer, &sample_end))
		abort();
}

/* A whole file as a string. It belongs to the caller. */
static inline char *sample_read_file(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text = calloc(1, 65536);

	if (!f || !fread(text, 1, 65535, f))
		abort();
	fclose(f);
	return text;
}

/*
 * What the writer makes of the sample must be the golden file, byte for byte. MMIOBPF_GOLDEN_DIR is
 * where what it made goes as a file, for a look at both.
 */
static inline void sample_expect(struct log_writer *writer, struct memory_sink *sink,
				 const char *name)
{
	const char *dir = getenv("MMIOBPF_GOLDEN_DIR");
	char path[4096], *golden;
	FILE *f;

	sample_write(writer);
	if (dir) {
		snprintf(path, sizeof(path), "%s/%s", dir, name);
		f = fopen(path, "w");
		if (!f || fwrite(sink->text, 1, sink->len, f) != sink->len || fclose(f))
			abort();
	}
	snprintf(path, sizeof(path), "tests/data/formats/%s", name);
	golden = sample_read_file(path);
	assert_string_equal(sink->text, golden);
	free(golden);
}

/*
 * Whatever the byte at which the disk is full: what stays is a prefix of the log, in whole lines.
 * @writer_new: of the format
 */
static inline void sample_expect_full_disk(int (*writer_new)(struct log_sink *,
							     struct log_writer **))
{
	struct memory_sink whole, cut;
	struct log_header h;
	struct log_writer *w;

	sample_header(&h);
	memory_sink_init(&whole);
	assert_int_equal(writer_new(&whole.sink, &w), 0);
	sample_write(w);
	log_writer_free(w);
	for (size_t limit = 1; limit < whole.len; limit += 7) {
		struct sample s = { .seq = 0 };

		memory_sink_init(&cut);
		cut.limit = limit;
		cut.err = -ENOSPC;
		assert_int_equal(writer_new(&cut.sink, &w), 0);
		s.writer = w;
		/* The header goes out at once; if it did not fit nothing follows. */
		if (!log_writer_begin(w, &h)) {
			sample_maps(&s);
			sample_accesses(&s);
			sample_interrupt(&s);
			sample_others(&s);
		}
		assert_int_equal(log_writer_end(w, &sample_end), -ENOSPC);
		assert_true(cut.len <= limit);
		assert_memory_equal(cut.text, whole.text, cut.len);
		assert_true(cut.len == 0 || cut.text[cut.len - 1] == '\n');
		sample_next(&s, MMIOBPF_REC_MARK, sizeof(s.rec.mark), 0, 0);
		assert_int_equal(log_writer_record(w, &s.rec.hdr), -ENOSPC);
		assert_int_equal(log_writer_flush(w), -ENOSPC);
		log_writer_free(w);
		memory_sink_deinit(&cut);
	}
	memory_sink_deinit(&whole);
	log_header_deinit(&h);
}

#endif
