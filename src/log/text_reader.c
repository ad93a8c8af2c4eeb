// SPDX-License-Identifier: GPL-2.0-or-later
#include "text_reader.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "line_reader.h"
#include "text_fast.h"
#include "text_fields.h"
#include "text_grammar.h"

struct text_reader {
	struct line_reader base;
	uint64_t seq;			/* of the next record */
	bool in_mark;			/* lines without a keyword go on with a marker */
	uint64_t mark_time;
	size_t mark_used;		/* bytes of the front line that a marker has taken */
};

static void consume_line(struct text_reader *r, const struct line *l)
{
	lines_take(&r->base.lines, l);
	r->mark_used = 0;
}

/* --- records --- */

static void rec_begin(struct text_reader *r, uint16_t type, size_t size)
{
	memset(&r->base.rec, 0, size);
	r->base.rec.hdr.type = type;
	r->base.rec.hdr.size = (uint16_t)size;
	r->base.rec.hdr.seq = r->seq;
}

static void rec_lost(struct text_reader *r, uint64_t time_ns, uint64_t count)
{
	rec_begin(r, MMIOBPF_REC_LOST, sizeof(r->base.rec.lost));
	r->base.rec.hdr.time_ns = time_ns;
	r->base.rec.lost.count = count;
	r->seq += count - 1;
}

/* A width that the kernel could not tell is 0: the access happened, its value says nothing. */
static void access_to_unknown(struct text_reader *r, uint8_t dir)
{
	struct mmiobpf_rec_access a = r->base.rec.access;
	struct mmiobpf_rec_unknown *u = &r->base.rec.unknown;

	rec_begin(r, MMIOBPF_REC_UNKNOWN, sizeof(*u));
	u->hdr.time_ns = a.hdr.time_ns;
	u->hdr.pid = a.hdr.pid;
	u->map_id = a.map_id;
	u->dir = dir;
	u->phys = a.phys;
	u->pc = a.pc;
	u->bar = MMIOBPF_NO_BAR;
	u->reason = MMIOBPF_WHY_NO_VALUE;
}

static void parse_access(struct text_reader *r, struct text_fields *f, bool write)
{
	struct mmiobpf_rec_access *a = &r->base.rec.access;
	uint64_t value;

	rec_begin(r, MMIOBPF_REC_ACCESS, sizeof(*a));
	a->width = (uint16_t)text_decimal(f, 8);
	a->hdr.time_ns = text_time(f);
	a->map_id = text_map_id(f);
	a->phys = text_hex(f);
	value = text_hex(f);
	a->pc = text_hex(f);
	a->hdr.pid = (uint32_t)text_decimal(f, INT_MAX);
	a->bar = MMIOBPF_NO_BAR;
	a->dir = write ? MMIOBPF_DIR_WRITE : MMIOBPF_DIR_READ;
	a->flags = write ? MMIOBPF_ACC_AFTER : MMIOBPF_ACC_BEFORE;
	*(write ? &a->after : &a->before) = value;
	if (!f->why && a->width == 0)
		access_to_unknown(r, a->dir);
	else if (!f->why && a->width & (a->width - 1))
		f->why = "a width must be 1, 2, 4 or 8";
}

static void parse_unknown(struct text_reader *r, struct text_fields *f)
{
	struct mmiobpf_rec_unknown *u = &r->base.rec.unknown;

	rec_begin(r, MMIOBPF_REC_UNKNOWN, sizeof(*u));
	u->hdr.time_ns = text_time(f);
	u->map_id = text_map_id(f);
	u->phys = text_hex(f);
	u->insn_len = (uint8_t)text_bytes(f, u->insn, sizeof(u->insn));
	u->pc = text_hex(f);
	u->hdr.pid = (uint32_t)text_decimal(f, INT_MAX);
	u->bar = MMIOBPF_NO_BAR;
	u->reason = MMIOBPF_WHY_DECODE;
}

static void parse_map(struct text_reader *r, struct text_fields *f)
{
	struct mmiobpf_rec_map *m = &r->base.rec.map;

	rec_begin(r, MMIOBPF_REC_MAP, sizeof(*m));
	m->hdr.time_ns = text_time(f);
	m->map_id = text_map_id(f);
	m->phys = text_hex(f);
	m->virt = text_hex(f);
	m->len = text_hex(f);
	m->pc = text_hex(f);
	m->hdr.pid = (uint32_t)text_decimal(f, INT_MAX);
	m->bar = MMIOBPF_NO_BAR;
	m->dev = MMIOBPF_NO_DEV;
	m->armed = 1;
}

static void parse_unmap(struct text_reader *r, struct text_fields *f)
{
	struct mmiobpf_rec_unmap *m = &r->base.rec.unmap;

	rec_begin(r, MMIOBPF_REC_UNMAP, sizeof(*m));
	m->hdr.time_ns = text_time(f);
	m->map_id = text_map_id(f);
	m->pc = text_hex(f);
	m->hdr.pid = (uint32_t)text_decimal(f, INT_MAX);
}

/*
 * "n [LOST n EVENTS]"; the kernel leaves the number out when it does not know it: then it is at
 * least 1.
 */
static void parse_cpu_lost(struct text_reader *r, struct text_fields *f)
{
	static const char before[] = "[LOST ", after[] = "EVENTS]";
	uint64_t cpu = text_decimal(f, UINT16_MAX), count = 1;

	if (!f->why && ((size_t)(f->end - f->at) < sizeof(before) - 1 ||
			memcmp(f->at, before, sizeof(before) - 1)))
		f->why = "\"[LOST n EVENTS]\" was expected";
	if (f->why)
		return;
	f->at += sizeof(before) - 1;
	if (f->at < f->end && *f->at != 'E')
		count = text_decimal(f, INT64_MAX);
	if (!f->why && ((size_t)(f->end - f->at) != sizeof(after) - 1 ||
			memcmp(f->at, after, sizeof(after) - 1)))
		f->why = "\"[LOST n EVENTS]\" was expected";
	if (!f->why && !count)
		f->why = "a loss of nothing";
	if (f->why)
		return;
	f->at = f->end;
	rec_lost(r, 0, count);
	r->base.rec.hdr.cpu = (uint16_t)cpu;
}

/* --- header lines --- */

/* An I/O BAR has two flag bits below its address, a memory BAR four. PCI 3.0, section 6.2.5.1. */
static void split_start(struct pci_dev_info *d, unsigned int i, uint64_t v)
{
	uint64_t mask = i < PCI_DEV_ROM && v & 1 ? 3 : 0xf;

	d->start[i] = v & ~mask;
	d->flags[i] = v & mask;
}

static int parse_pcidev(struct text_reader *r, struct text_fields *f)
{
	struct pci_dev_info d = { 0 };
	uint64_t id, irq, v;
	size_t n;

	v = text_bare_hex(f);
	id = text_bare_hex(f);
	irq = text_bare_hex(f);
	if (v > 0xffff || id > UINT32_MAX || irq > UINT32_MAX)
		f->why = "a number is too large";
	d.irq = (uint32_t)irq;
	d.dev = (uint32_t)v;
	d.vendor = (uint16_t)(id >> 16);
	d.device = (uint16_t)id;
	for (unsigned int i = 0; i < PCI_DEV_RESOURCES; i++)
		split_start(&d, i, text_bare_hex(f));
	for (unsigned int i = 0; i < PCI_DEV_RESOURCES; i++)
		d.size[i] = text_bare_hex(f);
	n = (size_t)(f->end - f->at);
	if (!f->why && n >= sizeof(d.driver))
		f->why = "the driver's name is too long";
	if (f->why)
		return 0;
	memcpy(d.driver, f->at, n);
	return log_header_add_device(&r->base.reader.header, &d);
}

static void parse_version(struct text_fields *f)
{
	size_t n = sizeof(TEXT_VERSION) - 1;

	if ((size_t)(f->end - f->at) < n || memcmp(f->at, TEXT_VERSION, n))
		f->why = "the log has another version than " TEXT_VERSION;
	else
		f->at += n;
	text_end(f);
}

static int add_lspci(struct text_reader *r, const struct text_fields *f)
{
	const char *at = f->at;

	if (at < f->end && *at == ' ')
		at++;
	return log_header_add_lspci(&r->base.reader.header, at, (size_t)(f->end - at));
}

/* --- markers --- */

/*
 * Take text of the line at the front into the marker record, as much as fits. The rest of a long
 * line becomes another marker of the same time. Return: true when the line is used up.
 */
static bool mark_take(struct text_reader *r, const char *text, size_t n)
{
	struct mmiobpf_rec_mark *m = &r->base.rec.mark;
	size_t room = MMIOBPF_MARK_LEN - m->len, part = n < room ? n : room;

	memcpy(m->text + m->len, text, part);
	m->len += (uint32_t)part;
	return part == n;
}

static void mark_begin(struct text_reader *r)
{
	rec_begin(r, MMIOBPF_REC_MARK, sizeof(r->base.rec.mark));
	r->base.rec.hdr.time_ns = r->mark_time;
}

/* Text of the line @l from byte @from on; true when the whole line was taken and consumed. */
static bool mark_line(struct text_reader *r, const struct line *l, size_t from)
{
	size_t before = r->base.rec.mark.len;

	if (!mark_take(r, l->at + from, l->len - from)) {
		r->mark_used = from + (r->base.rec.mark.len - before);
		return false;
	}
	consume_line(r, l);
	return true;
}

/* Lines that go on with the marker in r->base.rec. */
static void mark_continue(struct text_reader *r)
{
	struct line l;

	/* The end, damage and errors are found again by the next call. */
	while (lines_peek(&r->base.lines, &l) == 1) {
		enum text_kind kind = text_line_kind(l.at, l.len, NULL);

		if (kind != TEXT_LINE_OTHER && kind != TEXT_LINE_EMPTY)
			break;
		/* What does not fit with its newline becomes a marker of its own. */
		if (r->base.rec.mark.len + 1 + l.len > MMIOBPF_MARK_LEN)
			break;
		r->base.rec.mark.text[r->base.rec.mark.len++] = '\n';
		mark_line(r, &l, 0);
	}
}

/* A marker that begins at byte @from of the line at the front. Return: 1, a record. */
static int mark_yield(struct text_reader *r, const struct line *l, size_t from)
{
	mark_begin(r);
	if (mark_line(r, l, from))
		mark_continue(r);
	return 1;
}

static int parse_mark(struct text_reader *r, struct text_fields *f, const struct line *l)
{
	unsigned long long count;
	uint64_t time_ns;

	/* A marker without text may have lost its trailing blank. */
	time_ns = text_time(f);
	if (f->why)
		return 0;
	if (text_is_loss(f->at, (size_t)(f->end - f->at), &count)) {
		if (count == 0 || count > INT64_MAX) {
			f->why = "a number of lost events that cannot be";
			return 0;
		}
		consume_line(r, l);
		rec_lost(r, time_ns, count);
		return 1;
	}
	r->in_mark = true;
	r->mark_time = time_ns;
	return mark_yield(r, l, (size_t)(f->at - l->at));
}

/* --- operations --- */

/* A line that makes no record. Return: 0 or -errno. */
static int header_line(struct text_reader *r, enum text_kind kind, struct text_fields *f)
{
	switch (kind) {
	case TEXT_LINE_VERSION:
		parse_version(f);
		return 0;
	case TEXT_LINE_PCIDEV:
		return parse_pcidev(r, f);
	case TEXT_LINE_LSPCI:
		return add_lspci(r, f);
	case TEXT_LINE_OTHER:
		f->why = "the line does not begin with a word of the format";
		return 0;
	default:
		return 0;
	}
}

/* A line that makes one record of its own. Return: false when it is none of those. */
static bool record_line(struct text_reader *r, enum text_kind kind, struct text_fields *f)
{
	switch (kind) {
	case TEXT_LINE_READ:
	case TEXT_LINE_WRITE:
		parse_access(r, f, kind == TEXT_LINE_WRITE);
		break;
	case TEXT_LINE_MAP:
		parse_map(r, f);
		break;
	case TEXT_LINE_UNMAP:
		parse_unmap(r, f);
		break;
	case TEXT_LINE_UNKNOWN:
		parse_unknown(r, f);
		break;
	case TEXT_LINE_LOST:
		parse_cpu_lost(r, f);
		break;
	case TEXT_LINE_TOO_BIG:
		rec_lost(r, 0, 1);
		break;
	default:
		return false;
	}
	text_end(f);
	return true;
}

/* An R or W line of the usual kind: is it one? */
static bool read_access(struct text_reader *r, const struct line *l)
{
	if (r->mark_used || !l->len || (l->at[0] != 'R' && l->at[0] != 'W'))
		return false;
	rec_begin(r, MMIOBPF_REC_ACCESS, sizeof(r->base.rec.access));
	if (!text_fast_access(l->at, l->len, &r->base.rec.access))
		return false;
	r->in_mark = false;
	consume_line(r, l);
	return true;
}

/* One line, or a marker with all of its lines. Return: 1: a record, 0: none, or -errno. */
static int line_record(struct text_reader *r, const struct line *l)
{
	struct text_fields f = { .at = l->at, .end = l->at + l->len };
	enum text_kind kind;
	bool is_record;
	int err;

	if (read_access(r, l))
		return 1;
	kind = text_line_kind(l->at, l->len, &f.at);
	if (r->mark_used)
		return mark_yield(r, l, r->mark_used);
	if (r->in_mark && (kind == TEXT_LINE_OTHER || kind == TEXT_LINE_EMPTY))
		return mark_yield(r, l, 0);
	if (kind == TEXT_LINE_MARK) {
		err = parse_mark(r, &f, l);
		return f.why ? line_reader_damaged(&r->base, f.why) : err;
	}
	/* Lines with # come between any two; they do not end a marker's text. */
	if (kind != TEXT_LINE_COMMENT)
		r->in_mark = false;
	is_record = record_line(r, kind, &f);
	err = is_record ? 0 : header_line(r, kind, &f);
	if (err)
		return err;
	if (f.why)
		return line_reader_damaged(&r->base, f.why);
	consume_line(r, l);
	return is_record;
}

/* Each record has the next number; one that tells of a loss has gone over more. */
static int text_line(struct line_reader *base, const struct line *l)
{
	struct text_reader *r = (struct text_reader *)base;
	int ret = line_record(r, l);

	r->seq += ret == 1;
	return ret;
}

int text_reader_new(struct log_source *src, struct log_reader **out)
{
	return line_reader_new(sizeof(struct text_reader), src, text_line, out);
}
