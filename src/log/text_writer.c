// SPDX-License-Identifier: GPL-2.0-or-later
#include "text_writer.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "line_buffer.h"
#include "record.h"
#include "text_grammar.h"
#include "text_put.h"

/*
 * No record needs LINE_BUFFER_ROOM: the largest are 16 lines of a 64-byte read-modify-write and a
 * marker of only newlines, with the PUT_SLACK of its last number.
 */
#define LSPCI_MAX	4096

struct text_writer {
	struct log_writer writer;
	unsigned int flags;
	struct line_buffer out;
};

/* --- fields: each appends, the caller has made room --- */

/* A field of its own: blank, 0x, hexadecimal. */
static char *put_hex_field(char *p, uint64_t v)
{
	p = put_text(p, " 0x", 3);
	return put_hex(p, v, 1);
}

/* Seconds with six decimals, rounded as the kernel's ns2usecs() rounds. */
static char *put_time(char *p, uint64_t ns)
{
	uint64_t us = ns / 1000 + (ns % 1000 >= 500);

	p = put_number(p, us / 1000000);
	*p++ = '.';
	return put_six_digits(p, (uint32_t)(us % 1000000));
}

/* The kernel prints a map id with %d, and -1 for a mapping that it does not know. */
static char *put_map_id(char *p, uint32_t id)
{
	*p++ = ' ';
	if ((int32_t)id < 0) {
		*p++ = '-';
		id = -id;
	}
	return put_number(p, id);
}

/* What every record line ends with. */
static char *put_origin(const struct text_writer *w, char *p, uint64_t pc, uint32_t pid)
{
	bool compat = w->flags & TEXT_COMPAT;

	p = put_hex_field(p, compat ? 0 : pc);
	*p++ = ' ';
	p = put_number(p, compat ? 0 : pid);
	*p++ = '\n';
	return p;
}

/* --- records --- */

static char *put_access_line(const struct text_writer *w, char *p,
			     const struct mmiobpf_rec_access *a, bool after, unsigned int width,
			     unsigned int offset, uint64_t value)
{
	p[0] = after ? 'W' : 'R';
	p[1] = ' ';
	p[2] = (char)('0' + width);
	p[3] = ' ';
	p = put_time(p + 4, a->hdr.time_ns);
	p = put_map_id(p, a->map_id);
	p = put_hex_field(p, a->phys + offset);
	p = put_hex_field(p, value);
	return put_origin(w, p, a->pc, a->hdr.pid);
}

/* The format has widths of 1, 2, 4 and 8 bytes: the largest that still fits. */
static unsigned int line_width(unsigned int left)
{
	unsigned int width = 8;

	while (width > left)
		width /= 2;
	return width;
}

static char *put_access_side(const struct text_writer *w, char *p,
			     const struct mmiobpf_rec_access *a, bool after)
{
	unsigned int width = line_width(a->width);

	/* Nearly all are of one line. */
	if (a->width == width && !record_is_wide(a))
		return put_access_line(w, p, a, after, width, 0, after ? a->after : a->before);
	for (unsigned int off = 0; off < a->width; off += width) {
		uint64_t value = record_word(a, after, off / 8) >> off % 8 * 8;

		width = line_width(a->width - off);
		if (width < 8 && width != a->width)
			value &= (1ull << 8 * width) - 1;
		p = put_access_line(w, p, a, after, width, off, value);
	}
	return p;
}

static char *put_access(const struct text_writer *w, char *p, const struct mmiobpf_rec_access *a)
{
	if (a->flags & MMIOBPF_ACC_BEFORE)
		p = put_access_side(w, p, a, false);
	if (a->flags & MMIOBPF_ACC_AFTER)
		p = put_access_side(w, p, a, true);
	return p;
}

static char *put_unknown(const struct text_writer *w, char *p, const struct mmiobpf_rec_unknown *u)
{
	/* The kernel has always three; bytes that could not be read are 0 there. */
	unsigned int n = w->flags & TEXT_COMPAT ? 3 : u->insn_len;

	p = put_string(p, "UNKNOWN ");
	p = put_time(p, u->hdr.time_ns);
	p = put_map_id(p, u->map_id);
	p = put_hex_field(p, u->phys);
	*p++ = ' ';
	if (!n)
		*p++ = '-';
	for (unsigned int i = 0; i < n; i++) {
		if (i)
			*p++ = ',';
		p = put_hex(p, i < u->insn_len ? u->insn[i] : 0, 2);
	}
	return put_origin(w, p, u->pc, u->hdr.pid);
}

static char *put_map(const struct text_writer *w, char *p, const struct mmiobpf_rec_map *m)
{
	p = put_string(p, "MAP ");
	p = put_time(p, m->hdr.time_ns);
	p = put_map_id(p, m->map_id);
	p = put_hex_field(p, m->phys);
	p = put_hex_field(p, m->virt);
	p = put_hex_field(p, m->len);
	return put_origin(w, p, m->pc, m->hdr.pid);
}

static char *put_unmap(const struct text_writer *w, char *p, const struct mmiobpf_rec_unmap *m)
{
	p = put_string(p, "UNMAP ");
	p = put_time(p, m->hdr.time_ns);
	p = put_map_id(p, m->map_id);
	return put_origin(w, p, m->pc, m->hdr.pid);
}

static char *put_mark_head(char *p, uint64_t time_ns)
{
	p = put_string(p, "MARK ");
	p = put_time(p, time_ns);
	*p++ = ' ';
	return p;
}

/* Would a reader take this line of a marker for something else? */
static bool line_is_taken(const char *s, size_t n)
{
	enum text_kind kind = text_line_kind(s, n, NULL);

	return kind != TEXT_LINE_OTHER && kind != TEXT_LINE_EMPTY;
}

/*
 * Text of a marker, its lines as they are: the format has no quoting. A line that a reader would
 * take for a record, a comment or a loss gets a blank in front, so that a marker can never forge
 * one.
 */
static char *put_mark(char *p, const struct mmiobpf_rec_mark *m)
{
	const char *s = m->text, *end = s + m->len;
	unsigned long long count;
	bool first = true;

	p = put_mark_head(p, m->hdr.time_ns);
	/* Empty lines at the end say nothing; one newline is what echo leaves. */
	while (s < end && end[-1] == '\n')
		end--;
	for (;;) {
		const char *nl = memchr(s, '\n', (size_t)(end - s));
		size_t n = (size_t)((nl ? nl : end) - s);

		if (first ? text_is_loss(s, n, &count) : line_is_taken(s, n))
			*p++ = ' ';
		p = put_text(p, s, n);
		*p++ = '\n';
		if (!nl)
			break;
		first = false;
		s = nl + 1;
	}
	return p;
}

static char *put_lost(char *p, const struct mmiobpf_rec_lost *l)
{
	p = put_mark_head(p, l->hdr.time_ns);
	p = put_string(p, "Lost ");
	p = put_number(p, l->count);
	return put_string(p, " events.\n");
}

/* --- what the format has no record for --- */

static char *put_irq(char *p, const struct mmiobpf_rec_irq *irq)
{
	p = put_mark_head(p, irq->hdr.time_ns);
	p = put_string(p, irq->exit ? "irq exit " : "irq entry ");
	p = put_number(p, irq->irq);
	p = put_string(p, " cpu ");
	p = put_number(p, irq->hdr.cpu);
	p = put_string(p, " ordinal ");
	p = put_number(p, irq->ordinal);
	if (irq->exit)
		p = put_string(p, irq->handled ? " handled " : " not-handled ");
	else
		*p++ = ' ';
	p = put_text(p, irq->name, strnlen(irq->name, sizeof(irq->name)));
	*p++ = '\n';
	return p;
}

static char *put_config(char *p, const struct mmiobpf_rec_config *c)
{
	p = put_mark_head(p, c->hdr.time_ns);
	p = put_string(p, c->dir & MMIOBPF_DIR_WRITE ? "config write " : "config read ");
	p = put_bdf(p, c->dev);
	p = put_hex_field(p, c->offset);
	*p++ = ' ';
	p = put_number(p, c->width);
	p = put_hex_field(p, c->value);
	p = put_hex_field(p, c->pc);
	if (c->result) {
		p = put_string(p, " error");
		p = put_hex_field(p, (uint32_t)c->result);
	}
	*p++ = '\n';
	return p;
}

static char *put_pmu(char *p, const struct mmiobpf_rec_pmu *s)
{
	p = put_mark_head(p, s->hdr.time_ns);
	p = put_string(p, s->overflow ? "pmu overflow event " : "pmu event ");
	p = put_number(p, s->event);
	p = put_string(p, " value ");
	p = put_number(p, s->value);
	p = put_string(p, " enabled ");
	p = put_number(p, s->enabled_ns);
	p = put_string(p, " running ");
	p = put_number(p, s->running_ns);
	p = put_hex_field(p, s->pc);
	*p++ = '\n';
	return p;
}

static char *put_record(const struct text_writer *w, char *p, const struct mmiobpf_rec_hdr *rec)
{
	const union mmiobpf_rec_any *any = (const void *)rec;

	switch (rec->type) {
	case MMIOBPF_REC_ACCESS:
		return put_access(w, p, &any->access);
	case MMIOBPF_REC_UNKNOWN:
		return put_unknown(w, p, &any->unknown);
	case MMIOBPF_REC_MAP:
		return put_map(w, p, &any->map);
	case MMIOBPF_REC_UNMAP:
		return put_unmap(w, p, &any->unmap);
	case MMIOBPF_REC_MARK:
		return put_mark(p, &any->mark);
	case MMIOBPF_REC_LOST:
		return put_lost(p, &any->lost);
	case MMIOBPF_REC_IRQ:
		return w->flags & TEXT_IRQ ? put_irq(p, &any->irq) : p;
	case MMIOBPF_REC_CONFIG:
		return w->flags & TEXT_CONFIG ? put_config(p, &any->config) : p;
	case MMIOBPF_REC_PMU:
		return w->flags & TEXT_PMU ? put_pmu(p, &any->pmu) : p;
	default:
		return p;
	}
}

/* --- header --- */

static char *put_pcidev(char *p, const struct pci_dev_info *d)
{
	p = put_string(p, "PCIDEV ");
	p = put_hex(p, d->dev & 0xffff, 4);
	*p++ = ' ';
	p = put_hex(p, d->vendor, 4);
	p = put_hex(p, d->device, 4);
	*p++ = ' ';
	p = put_hex(p, d->irq, 1);
	for (unsigned int i = 0; i < PCI_DEV_RESOURCES; i++) {
		*p++ = ' ';
		p = put_hex(p, d->start[i] | (d->flags[i] & 0xf), 1);
	}
	for (unsigned int i = 0; i < PCI_DEV_RESOURCES; i++) {
		*p++ = ' ';
		p = put_hex(p, d->size[i], 1);
	}
	*p++ = ' ';
	p = put_text(p, d->driver, strnlen(d->driver, sizeof(d->driver)));
	*p++ = '\n';
	return p;
}

static char *put_lspci(char *p, const char *line)
{
	p = put_string(p, "LSPCI ");
	p = put_text(p, line, strnlen(line, LSPCI_MAX));
	*p++ = '\n';
	return p;
}

/* --- operations --- */

static int text_flush(struct log_writer *writer)
{
	struct text_writer *w = (struct text_writer *)writer;

	return line_buffer_flush(&w->out);
}

static int text_begin(struct log_writer *writer, const struct log_header *header)
{
	struct text_writer *w = (struct text_writer *)writer;

	if (line_buffer_room(&w->out))
		return w->out.err;
	w->out.at = put_string(w->out.at, "VERSION " TEXT_VERSION "\n");
	for (size_t i = 0; i < header->ndevices; i++) {
		if (line_buffer_room(&w->out))
			return w->out.err;
		w->out.at = put_pcidev(w->out.at, &header->devices[i]);
	}
	for (size_t i = 0; i < header->nlspci; i++) {
		if (line_buffer_room(&w->out))
			return w->out.err;
		w->out.at = put_lspci(w->out.at, header->lspci[i]);
	}
	return text_flush(writer);
}

static int text_record(struct log_writer *writer, const struct mmiobpf_rec_hdr *rec)
{
	struct text_writer *w = (struct text_writer *)writer;

	if (line_buffer_room(&w->out))
		return w->out.err;
	w->out.at = put_record(w, w->out.at, rec);
	return 0;
}

/* The format has no record for the end: the verdict is told on stderr. */
static int text_end(struct log_writer *writer, const struct mmiobpf_rec_end *end)
{
	(void)end;
	return text_flush(writer);
}

static void text_free(struct log_writer *writer)
{
	free(writer);
}

static const struct log_writer_ops text_writer_ops = {
	.begin = text_begin,
	.record = text_record,
	.end = text_end,
	.flush = text_flush,
	.free = text_free,
};

int text_writer_new(struct log_sink *sink, unsigned int flags, struct log_writer **out)
{
	struct text_writer *w = malloc(sizeof(*w));

	if (!w)
		return -ENOMEM;
	w->writer.ops = &text_writer_ops;
	w->flags = flags;
	line_buffer_init(&w->out, sink);
	*out = &w->writer;
	return 0;
}
