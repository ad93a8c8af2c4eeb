// SPDX-License-Identifier: GPL-2.0-or-later
#include "json_writer.h"

#include <errno.h>
#include <stdlib.h>

#include "json_put.h"
#include "line_buffer.h"
#include "places.h"
#include "record.h"

#define JSON_VERSION	1	/* grows when a member changes its meaning; new ones may come */
#define LSPCI_MAX	4096

struct json_writer {
	struct log_writer writer;
	struct places places;
	uint64_t records;		/* lines between header and end */
	uint64_t accesses, lost;	/* of these records */
	struct line_buffer out;
};

/* --- parts of lines --- */

static char *put_type(char *p, const char *type)
{
	p = put_string(p, "{\"type\":\"");
	p = put_string(p, type);
	*p++ = '"';
	return p;
}

static char *put_line_end(char *p)
{
	return put_text(p, "}\n", 2);
}

/* What every record begins with. */
static char *put_head(char *p, const struct mmiobpf_rec_hdr *hdr)
{
	p = put_type(p, record_type_name(hdr->type));
	p = put_json_number(p, "seq", hdr->seq);
	p = put_json_number(p, "time_ns", hdr->time_ns);
	p = put_json_number(p, "cpu", hdr->cpu);
	p = put_json_name(p, "context", record_context_name(hdr->context));
	p = put_json_bool(p, "irqs_on", hdr->irqs_on);
	p = put_json_number(p, "pid", hdr->pid);
	p = put_json_number(p, "tgid", hdr->tgid);
	return put_json_text(p, "comm", hdr->comm, strnlen(hdr->comm, sizeof(hdr->comm)));
}

static char *put_place_members(char *p, const struct place *at)
{
	if (at->kind == PLACE_BAR) {
		p = put_json_device(p, at->dev);
		p = put_json_number(p, "bar", at->bar);
	}
	return at->kind == PLACE_PHYS ? p : put_json_hex(p, "offset", at->offset);
}

/* --- records --- */

static char *put_access(const struct json_writer *w, char *p, const struct mmiobpf_rec_access *a)
{
	struct place at = places_find(&w->places, a->map_id, a->phys, a->bar, a->bar_off);

	p = put_json_name(p, "op", record_dir_name(a->dir));
	p = put_json_number(p, "width", a->width);
	p = put_json_number(p, "map_id", a->map_id);
	p = put_place_members(p, &at);
	p = put_json_hex(p, "phys", a->phys);
	/* A read-modify-write has two: the one that the device is left with is its value. */
	if (a->dir == MMIOBPF_DIR_RMW && (a->flags & MMIOBPF_ACC_BEFORE))
		p = put_json_value(p, "before", a, false);
	if (a->dir == MMIOBPF_DIR_READ)
		p = put_json_value(p, "value", a, false);
	else if (a->flags & MMIOBPF_ACC_AFTER)
		p = put_json_value(p, "value", a, true);
	if (a->flags & MMIOBPF_ACC_LOCKED)
		p = put_json_bool(p, "locked", true);
	p = put_json_hex(p, "pc", a->pc);
	p = put_json_number(p, "latency_ns", a->latency_ns);
	return put_json_name(p, "how", record_how_name(a->how));
}

static char *put_unknown(const struct json_writer *w, char *p, const struct mmiobpf_rec_unknown *u)
{
	struct place at = places_find(&w->places, u->map_id, u->phys, u->bar, u->bar_off);

	if (u->dir)
		p = put_json_name(p, "op", record_dir_name(u->dir));
	if (u->width)
		p = put_json_number(p, "width", u->width);
	p = put_json_number(p, "map_id", u->map_id);
	p = put_place_members(p, &at);
	p = put_json_hex(p, "phys", u->phys);
	p = put_json_hex(p, "pc", u->pc);
	p = put_json_insn(p, u);
	p = put_json_name(p, "reason", record_reason_name(u->reason));
	return put_json_name(p, "how", record_how_name(u->how));
}

static char *put_map(const struct json_writer *w, char *p, const struct mmiobpf_rec_map *m)
{
	struct place at = places_find_map(&w->places, m);

	p = put_json_number(p, "map_id", m->map_id);
	p = put_place_members(p, &at);
	p = put_json_hex(p, "phys", m->phys);
	p = put_json_hex(p, "virt", m->virt);
	p = put_json_hex(p, "length", m->len);
	p = put_json_hex(p, "pc", m->pc);
	p = put_json_name(p, "kind", record_map_kind_name(m->kind));
	p = put_json_name(p, "cache", record_cache_name(m->cache));
	p = put_json_bool(p, "armed", m->armed);
	return put_json_text(p, "driver", m->driver, strnlen(m->driver, sizeof(m->driver)));
}

static char *put_unmap(char *p, const struct mmiobpf_rec_unmap *m)
{
	p = put_json_number(p, "map_id", m->map_id);
	return put_json_hex(p, "pc", m->pc);
}

static char *put_irq(char *p, const struct mmiobpf_rec_irq *irq)
{
	p = put_json_number(p, "irq", irq->irq);
	p = put_json_name(p, "event", irq->exit ? "exit" : "entry");
	if (irq->exit)
		p = put_json_number(p, "handled", irq->handled);
	p = put_json_number(p, "ordinal", irq->ordinal);
	return put_json_text(p, "name", irq->name, strnlen(irq->name, sizeof(irq->name)));
}

static char *put_config(char *p, const struct mmiobpf_rec_config *c)
{
	p = put_json_name(p, "op", record_dir_name(c->dir));
	p = put_json_number(p, "width", c->width);
	p = put_json_device(p, c->dev);
	p = put_json_hex(p, "offset", c->offset);
	p = put_json_hex(p, "value", c->value);
	p = put_json_number(p, "result", (uint32_t)c->result);
	return put_json_hex(p, "pc", c->pc);
}

static char *put_pmu(char *p, const struct mmiobpf_rec_pmu *s)
{
	p = put_json_number(p, "event", s->event);
	p = put_json_bool(p, "overflow", s->overflow);
	p = put_json_hex(p, "value", s->value);
	p = put_json_number(p, "enabled_ns", s->enabled_ns);
	p = put_json_number(p, "running_ns", s->running_ns);
	return put_json_hex(p, "pc", s->pc);
}

static char *put_body(const struct json_writer *w, char *p, const struct mmiobpf_rec_hdr *rec)
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
		return put_unmap(p, &any->unmap);
	case MMIOBPF_REC_MARK:
		return put_json_text(p, "text", any->mark.text, any->mark.len);
	case MMIOBPF_REC_IRQ:
		return put_irq(p, &any->irq);
	case MMIOBPF_REC_CONFIG:
		return put_config(p, &any->config);
	case MMIOBPF_REC_PMU:
		return put_pmu(p, &any->pmu);
	case MMIOBPF_REC_LOST:
		return put_json_number(p, "count", any->lost.count);
	default:
		return NULL;
	}
}

/* --- header --- */

static char *put_session(char *p, const struct mmiobpf_rec_session *s)
{
	p = put_json_number(p, "time_ns", s->hdr.time_ns);
	p = put_json_realtime(p, s);
	p = put_json_number(p, "cpus", s->cpus);
	return put_json_machine(p, s);
}

static char *put_device(char *p, const struct pci_dev_info *d)
{
	p = put_type(p, "device");
	p = put_json_device(p, d->dev);
	p = put_json_hex(p, "vendor_id", d->vendor);
	p = put_json_hex(p, "device_id", d->device);
	p = put_json_number(p, "irq", d->irq);
	p = put_json_text(p, "driver", d->driver, strnlen(d->driver, sizeof(d->driver)));
	p = put_string(put_json_key(p, "resources"), "[");
	for (unsigned int i = 0; i < PCI_DEV_RESOURCES; i++) {
		if (i)
			*p++ = ',';
		p = put_string(p, "{\"bar\":");
		p = put_number(p, i);
		p = put_json_hex(p, "start", d->start[i]);
		p = put_json_hex(p, "size", d->size[i]);
		p = put_json_hex(p, "flags", d->flags[i]);
		*p++ = '}';
	}
	return put_line_end(put_text(p, "]", 1));
}

/* --- operations --- */

static int json_begin(struct log_writer *writer, const struct log_header *header)
{
	struct json_writer *w = (struct json_writer *)writer;
	struct line_buffer *out = &w->out;

	if (places_add_header(&w->places, header))
		return line_buffer_fail(out, -ENOMEM);
	if (line_buffer_room(out))
		return out->err;
	out->at = put_type(out->at, "header");
	out->at = put_json_name(out->at, "format", "mmiobpf");
	out->at = put_json_number(out->at, "version", JSON_VERSION);
	if (header->session.hdr.type == MMIOBPF_REC_SESSION)
		out->at = put_session(out->at, &header->session);
	out->at = put_line_end(out->at);
	for (size_t i = 0; i < header->ndevices; i++) {
		if (line_buffer_room(out))
			return out->err;
		out->at = put_device(out->at, &header->devices[i]);
	}
	for (size_t i = 0; i < header->nlspci; i++) {
		const char *line = header->lspci[i];

		if (line_buffer_room(out))
			return out->err;
		out->at = put_type(out->at, "lspci");
		out->at = put_json_text(out->at, "text", line, strnlen(line, LSPCI_MAX));
		out->at = put_line_end(out->at);
	}
	return line_buffer_flush(out);
}

static int json_record(struct log_writer *writer, const struct mmiobpf_rec_hdr *rec)
{
	struct json_writer *w = (struct json_writer *)writer;
	char *p;

	if (line_buffer_room(&w->out))
		return w->out.err;
	p = put_body(w, put_head(w->out.at, rec), rec);
	if (!p)
		return 0;
	w->out.at = put_line_end(p);
	w->records++;
	if (rec->type == MMIOBPF_REC_ACCESS)
		w->accesses++;
	if (rec->type == MMIOBPF_REC_LOST)
		w->lost += ((const struct mmiobpf_rec_lost *)rec)->count;
	if (rec->type == MMIOBPF_REC_MAP &&
	    places_add_map(&w->places, (const struct mmiobpf_rec_map *)rec))
		return line_buffer_fail(&w->out, -ENOMEM);
	return 0;
}

/* The session's own counts are there only when it ended well. */
static int json_end(struct log_writer *writer, const struct mmiobpf_rec_end *end)
{
	struct json_writer *w = (struct json_writer *)writer;
	char *p;

	if (line_buffer_room(&w->out))
		return w->out.err;
	p = put_type(w->out.at, "end");
	p = put_json_number(p, "records", w->records);
	p = put_json_number(p, "accesses", w->accesses);
	p = put_json_number(p, "lost", end && end->lost > w->lost ? end->lost : w->lost);
	if (end) {
		p = put_json_key(p, "session");
		p = put_string(p, "{\"accesses\":");
		p = put_number(p, end->accesses);
		p = put_json_number(p, "faults", end->faults);
		p = put_json_number(p, "lost", end->lost);
		p = put_json_number(p, "undecoded", end->undecoded);
		p = put_json_number(p, "retried", end->retried);
		*p++ = '}';
	}
	w->out.at = put_line_end(p);
	return line_buffer_flush(&w->out);
}

static int json_flush(struct log_writer *writer)
{
	return line_buffer_flush(&((struct json_writer *)writer)->out);
}

static void json_free(struct log_writer *writer)
{
	places_deinit(&((struct json_writer *)writer)->places);
	free(writer);
}

static const struct log_writer_ops json_writer_ops = {
	.begin = json_begin,
	.record = json_record,
	.end = json_end,
	.flush = json_flush,
	.free = json_free,
};

int json_writer_new(struct log_sink *sink, struct log_writer **out)
{
	struct json_writer *w = malloc(sizeof(*w));

	if (!w)
		return -ENOMEM;
	w->writer.ops = &json_writer_ops;
	places_init(&w->places);
	w->records = w->accesses = w->lost = 0;
	line_buffer_init(&w->out, sink);
	*out = &w->writer;
	return 0;
}
