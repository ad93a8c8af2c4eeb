// SPDX-License-Identifier: GPL-2.0-or-later
#include "csv_writer.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "line_buffer.h"
#include "places.h"
#include "record.h"
#include "record_put.h"

static const char columns[] = "type,seq,time_ns,cpu,context,irqs_on,pid,tgid,comm,op,width,map_id,"
			      "device,bar,offset,phys,value,before,pc,latency_ns,how,virt,length,"
			      "irq,count,text\n";

#define NONE	UINT64_MAX	/* of a number: the field stays empty */

/* The fields of one line behind the common ones. What is not set is empty. */
struct csv_row {
	const char *op, *how;
	uint64_t width, map_id, latency_ns, irq, count;
	uint32_t dev;			/* MMIOBPF_NO_DEV: none */
	uint8_t bar;			/* MMIOBPF_NO_BAR: none */
	bool has_offset, has_phys, has_pc, has_map;
	uint64_t offset, phys, pc, virt, length;
	char value[PUT_VALUE_MAX], before[PUT_VALUE_MAX];
	size_t value_len, before_len;
	const char *text;
	size_t text_len;
	char text_buf[512];
};

struct csv_writer {
	struct log_writer writer;
	struct places places;
	struct csv_row row;
	struct line_buffer out;
};

/* --- fields --- */

/*
 * A text in quotes where it needs them. Its control characters are escaped with a backslash, so that
 * a record stays on one line.
 */
static char *put_csv_text(char *p, const char *s, size_t n)
{
	char *start = p;
	bool quote = false;

	p++;
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];

		quote |= c == ',' || c == '"' || c == ' ';
		if (c == '\\' || c == '"') {
			*p++ = (char)c;
			*p++ = (char)c;
		} else if (c == '\n') {
			p = put_text(p, "\\n", 2);
		} else if (c == '\t') {
			p = put_text(p, "\\t", 2);
		} else if (c < 0x20 || c == 0x7f) {
			p = put_hex(put_text(p, "\\x", 2), c, 2);
		} else {
			*p++ = (char)c;
		}
	}
	if (!quote) {
		memmove(start, start + 1, (size_t)(p - start - 1));
		return p - 1;
	}
	*start = '"';
	*p++ = '"';
	return p;
}

static char *put_number_field(char *p, uint64_t v)
{
	if (v != NONE)
		p = put_number(p, v);
	*p++ = ',';
	return p;
}

static char *put_hex_field(char *p, bool has, uint64_t v)
{
	if (has)
		p = put_hex(put_text(p, "0x", 2), v, 1);
	*p++ = ',';
	return p;
}

static char *put_name_field(char *p, const char *name)
{
	if (name)
		p = put_string(p, name);
	*p++ = ',';
	return p;
}

/* --- lines --- */

/* type to comm */
static char *put_head(char *p, const struct mmiobpf_rec_hdr *hdr)
{
	p = put_name_field(p, record_type_name(hdr->type));
	p = put_number_field(p, hdr->seq);
	p = put_number_field(p, hdr->time_ns);
	p = put_number_field(p, hdr->cpu);
	p = put_name_field(p, record_context_name(hdr->context));
	p = put_number_field(p, hdr->irqs_on);
	p = put_number_field(p, hdr->pid);
	p = put_number_field(p, hdr->tgid);
	p = put_csv_text(p, hdr->comm, strnlen(hdr->comm, sizeof(hdr->comm)));
	*p++ = ',';
	return p;
}

/* op to text */
static char *put_row(char *p, const struct csv_row *r)
{
	p = put_name_field(p, r->op);
	p = put_number_field(p, r->width);
	p = put_number_field(p, r->map_id);
	if (r->dev != MMIOBPF_NO_DEV)
		p = put_bdf(p, r->dev);
	*p++ = ',';
	p = put_number_field(p, r->bar == MMIOBPF_NO_BAR ? NONE : r->bar);
	p = put_hex_field(p, r->has_offset, r->offset);
	p = put_hex_field(p, r->has_phys, r->phys);
	p = put_text(p, r->value, r->value_len);
	*p++ = ',';
	p = put_text(p, r->before, r->before_len);
	*p++ = ',';
	p = put_hex_field(p, r->has_pc, r->pc);
	p = put_number_field(p, r->latency_ns);
	p = put_name_field(p, r->how);
	p = put_hex_field(p, r->has_map, r->virt);
	p = put_hex_field(p, r->has_map, r->length);
	p = put_number_field(p, r->irq);
	p = put_number_field(p, r->count);
	p = put_csv_text(p, r->text, r->text_len);
	*p++ = '\n';
	return p;
}

static void row_clear(struct csv_row *r)
{
	r->op = r->how = NULL;
	r->width = r->map_id = r->latency_ns = r->irq = r->count = NONE;
	r->dev = MMIOBPF_NO_DEV;
	r->bar = MMIOBPF_NO_BAR;
	r->has_offset = r->has_phys = r->has_pc = r->has_map = false;
	r->value_len = r->before_len = 0;
	r->text = r->text_buf;
	r->text_len = 0;
}

/* --- what each record fills in --- */

static void row_place(struct csv_row *r, const struct place *at)
{
	r->dev = at->dev;
	r->bar = at->bar;
	r->has_offset = at->kind != PLACE_PHYS;
	r->offset = at->offset;
}

static void row_pc(struct csv_row *r, uint64_t pc)
{
	r->has_pc = true;
	r->pc = pc;
}

static void row_value(struct csv_row *r, uint64_t value)
{
	r->value_len = (size_t)(put_hex(put_text(r->value, "0x", 2), value, 1) - r->value);
}

static void row_text(struct csv_row *r, const char *text, size_t max)
{
	r->text = text;
	r->text_len = strnlen(text, max);
}

static void row_text_end(struct csv_row *r, const char *end)
{
	r->text_len = (size_t)(end - r->text_buf);
}

static void row_access(struct csv_row *r, const struct csv_writer *w,
		       const struct mmiobpf_rec_access *a)
{
	struct place at = places_find(&w->places, a->map_id, a->phys, a->bar, a->bar_off);

	r->op = record_dir_name(a->dir);
	r->how = record_how_name(a->how);
	r->width = a->width;
	r->map_id = a->map_id;
	row_place(r, &at);
	r->has_phys = true;
	r->phys = a->phys;
	if (a->dir == MMIOBPF_DIR_READ)
		r->value_len = (size_t)(put_value(r->value, a, false) - r->value);
	else if (a->flags & MMIOBPF_ACC_AFTER)
		r->value_len = (size_t)(put_value(r->value, a, true) - r->value);
	if (a->dir == MMIOBPF_DIR_RMW && (a->flags & MMIOBPF_ACC_BEFORE))
		r->before_len = (size_t)(put_value(r->before, a, false) - r->before);
	row_pc(r, a->pc);
	r->latency_ns = a->latency_ns;
	if (a->flags & MMIOBPF_ACC_LOCKED)
		row_text(r, "locked", 6);
}

static void row_unknown(struct csv_row *r, const struct csv_writer *w,
			const struct mmiobpf_rec_unknown *u)
{
	struct place at = places_find(&w->places, u->map_id, u->phys, u->bar, u->bar_off);
	char *p = r->text_buf;

	if (u->dir)
		r->op = record_dir_name(u->dir);
	if (u->width)
		r->width = u->width;
	r->how = record_how_name(u->how);
	r->map_id = u->map_id;
	row_place(r, &at);
	r->has_phys = true;
	r->phys = u->phys;
	row_pc(r, u->pc);
	p = put_string(p, record_reason_name(u->reason));
	p = put_insn(put_string(p, ": "), u);
	row_text_end(r, p);
}

static void row_map(struct csv_row *r, const struct csv_writer *w, const struct mmiobpf_rec_map *m)
{
	struct place at = places_find_map(&w->places, m);
	char *p = r->text_buf;

	r->map_id = m->map_id;
	row_place(r, &at);
	r->has_phys = r->has_map = true;
	r->phys = m->phys;
	r->virt = m->virt;
	r->length = m->len;
	row_pc(r, m->pc);
	p = put_string(p, record_map_kind_name(m->kind));
	*p++ = ' ';
	p = put_string(p, record_cache_name(m->cache));
	p = put_string(p, m->armed ? " armed " : " not-armed ");
	p = put_text(p, m->driver, strnlen(m->driver, sizeof(m->driver)));
	row_text_end(r, p);
}

static void row_irq(struct csv_row *r, const struct mmiobpf_rec_irq *irq)
{
	r->op = irq->exit ? "exit" : "entry";
	r->irq = irq->irq;
	r->count = irq->ordinal;
	if (irq->exit)
		row_value(r, irq->handled);
	row_text(r, irq->name, sizeof(irq->name));
}

static void row_config(struct csv_row *r, const struct mmiobpf_rec_config *c)
{
	r->op = record_dir_name(c->dir);
	r->width = c->width;
	r->dev = c->dev;
	r->has_offset = true;
	r->offset = c->offset;
	row_value(r, c->value);
	row_pc(r, c->pc);
	if (c->result)
		row_text_end(r, put_hex(put_string(r->text_buf, "error 0x"), (uint32_t)c->result, 1));
}

static void row_pmu(struct csv_row *r, const struct mmiobpf_rec_pmu *s)
{
	char *p = r->text_buf;

	r->op = s->overflow ? "overflow" : "sample";
	row_value(r, s->value);
	row_pc(r, s->pc);
	p = put_number(put_string(p, "event "), s->event);
	p = put_number(put_string(p, " enabled "), s->enabled_ns);
	p = put_number(put_string(p, " running "), s->running_ns);
	row_text_end(r, p);
}

/* Return: does the format have a line for it? */
static bool row_fill(struct csv_writer *w, const struct mmiobpf_rec_hdr *rec)
{
	const union mmiobpf_rec_any *any = (const void *)rec;
	struct csv_row *r = &w->row;

	row_clear(r);
	switch (rec->type) {
	case MMIOBPF_REC_ACCESS:
		row_access(r, w, &any->access);
		return true;
	case MMIOBPF_REC_UNKNOWN:
		row_unknown(r, w, &any->unknown);
		return true;
	case MMIOBPF_REC_MAP:
		row_map(r, w, &any->map);
		return true;
	case MMIOBPF_REC_UNMAP:
		r->map_id = any->unmap.map_id;
		row_pc(r, any->unmap.pc);
		return true;
	case MMIOBPF_REC_MARK:
		r->text = any->mark.text;
		r->text_len = any->mark.len;
		return true;
	case MMIOBPF_REC_IRQ:
		row_irq(r, &any->irq);
		return true;
	case MMIOBPF_REC_CONFIG:
		row_config(r, &any->config);
		return true;
	case MMIOBPF_REC_PMU:
		row_pmu(r, &any->pmu);
		return true;
	case MMIOBPF_REC_LOST:
		r->count = any->lost.count;
		return true;
	default:
		return false;
	}
}

/* --- operations --- */

static int csv_begin(struct log_writer *writer, const struct log_header *header)
{
	struct csv_writer *w = (struct csv_writer *)writer;

	if (places_add_header(&w->places, header))
		return line_buffer_fail(&w->out, -ENOMEM);
	if (line_buffer_room(&w->out))
		return w->out.err;
	w->out.at = put_string(w->out.at, columns);
	return line_buffer_flush(&w->out);
}

static int csv_record(struct log_writer *writer, const struct mmiobpf_rec_hdr *rec)
{
	struct csv_writer *w = (struct csv_writer *)writer;

	if (line_buffer_room(&w->out))
		return w->out.err;
	if (!row_fill(w, rec))
		return 0;
	w->out.at = put_row(put_head(w->out.at, rec), &w->row);
	if (rec->type == MMIOBPF_REC_MAP &&
	    places_add_map(&w->places, (const struct mmiobpf_rec_map *)rec))
		return line_buffer_fail(&w->out, -ENOMEM);
	return 0;
}

/* No line for the end: a table has rows of one meaning, and losses have theirs in place. */
static int csv_end(struct log_writer *writer, const struct mmiobpf_rec_end *end)
{
	(void)end;
	return line_buffer_flush(&((struct csv_writer *)writer)->out);
}

static int csv_flush(struct log_writer *writer)
{
	return line_buffer_flush(&((struct csv_writer *)writer)->out);
}

static void csv_free(struct log_writer *writer)
{
	places_deinit(&((struct csv_writer *)writer)->places);
	free(writer);
}

static const struct log_writer_ops csv_writer_ops = {
	.begin = csv_begin,
	.record = csv_record,
	.end = csv_end,
	.flush = csv_flush,
	.free = csv_free,
};

int csv_writer_new(struct log_sink *sink, struct log_writer **out)
{
	struct csv_writer *w = malloc(sizeof(*w));

	if (!w)
		return -ENOMEM;
	w->writer.ops = &csv_writer_ops;
	places_init(&w->places);
	line_buffer_init(&w->out, sink);
	*out = &w->writer;
	return 0;
}
