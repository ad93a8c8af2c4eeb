// SPDX-License-Identifier: GPL-2.0-or-later
#include "chrome_writer.h"

#include <errno.h>
#include <stdlib.h>

#include "json_put.h"
#include "line_buffer.h"
#include "places.h"
#include "record.h"
#include "record_put.h"
#include "reorder.h"

#define CPUS	65536		/* hdr.cpu has 16 bits */

struct chrome_writer {
	struct log_writer writer;
	struct places places;
	struct reorder reorder;
	struct mmiobpf_rec_session session; /* hdr.type is MMIOBPF_REC_NONE when there is none */
	bool started;
	uint64_t start;			/* of CLOCK_MONOTONIC: time 0 of the trace */
	uint64_t now;			/* time of the last event, from the start */
	uint8_t named[CPUS];		/* the CPU's track has its name */
	uint8_t handlers[CPUS];		/* interrupt handlers that run on it */
	struct line_buffer out;
};

/* --- parts of events --- */

/* Microseconds are the format's unit; three decimals make them nanoseconds. */
static char *put_us(char *p, uint64_t ns)
{
	p = put_number(p, ns / 1000);
	*p++ = '.';
	*p++ = (char)('0' + ns / 100 % 10);
	put_pair(p, ns % 100);
	return p + 2;
}

/*
 * An event up to its name, which the caller goes on with. A line begins with the comma: a file that
 * is cut off behind any line lacks only the bracket.
 */
static char *put_event(const struct chrome_writer *w, char *p, const char *phase,
		       const struct mmiobpf_rec_hdr *hdr, const char *category)
{
	p = put_string(p, ",{\"ph\":\"");
	p = put_string(p, phase);
	p = put_string(p, "\",\"pid\":1,\"tid\":");
	/* Track 0 would be taken for the idle task. */
	p = put_number(p, hdr->cpu + 1u);
	p = put_string(p, ",\"ts\":");
	p = put_us(p, w->now);
	p = put_json_name(p, "cat", category);
	return put_string(p, ",\"name\":\"");
}

/* A point: on the CPU's track, or across all of them. */
static char *put_instant(const struct chrome_writer *w, char *p, const struct mmiobpf_rec_hdr *hdr,
			 const char *category, bool global)
{
	return put_event(w, p, global ? "i\",\"s\":\"g" : "i\",\"s\":\"t", hdr, category);
}

/* The end of the name, and the arguments that every record has. */
static char *put_args(char *p, const struct mmiobpf_rec_hdr *hdr)
{
	p = put_string(p, "\",\"args\":{\"seq\":");
	p = put_number(p, hdr->seq);
	p = put_json_number(p, "pid", hdr->pid);
	p = put_json_text(p, "comm", hdr->comm, strnlen(hdr->comm, sizeof(hdr->comm)));
	return put_json_name(p, "context", record_context_name(hdr->context));
}

static char *put_event_end(char *p)
{
	return put_string(p, "}}\n");
}

/* --- records --- */

static const char *op_letters(unsigned int dir)
{
	static const char *const letters[] = { "? ", "R ", "W ", "RW " };

	return letters[dir & MMIOBPF_DIR_RMW];
}

/* A slice as long as the device took; a log without latencies has points instead. */
static char *put_access(const struct chrome_writer *w, char *p, const struct mmiobpf_rec_access *a)
{
	struct place at = places_find(&w->places, a->map_id, a->phys, a->bar, a->bar_off);
	const char *category = record_dir_name(a->dir);

	if (a->latency_ns)
		p = put_event(w, p, "X", &a->hdr, category);
	else
		p = put_instant(w, p, &a->hdr, category, false);
	p = put_place(put_string(p, op_letters(a->dir)), &at);
	p = put_args(p, &a->hdr);
	p = put_json_number(p, "width", a->width);
	if (a->flags & MMIOBPF_ACC_BEFORE)
		p = put_json_value(p, a->dir == MMIOBPF_DIR_RMW ? "before" : "value", a, false);
	if (a->flags & MMIOBPF_ACC_AFTER)
		p = put_json_value(p, "value", a, true);
	p = put_json_hex(p, "phys", a->phys);
	p = put_json_hex(p, "pc", a->pc);
	if (!a->latency_ns)
		return put_event_end(p);
	*p++ = '}';
	p = put_us(put_json_key(p, "dur"), a->latency_ns);
	return put_string(p, "}\n");
}

static char *put_unknown(const struct chrome_writer *w, char *p,
			 const struct mmiobpf_rec_unknown *u)
{
	struct place at = places_find(&w->places, u->map_id, u->phys, u->bar, u->bar_off);

	p = put_instant(w, p, &u->hdr, "unknown", false);
	p = put_place(put_string(p, "UNKNOWN "), &at);
	p = put_args(p, &u->hdr);
	p = put_json_hex(p, "phys", u->phys);
	p = put_json_hex(p, "pc", u->pc);
	p = put_json_insn(p, u);
	return put_event_end(put_json_name(p, "reason", record_reason_name(u->reason)));
}

static char *put_map(const struct chrome_writer *w, char *p, const struct mmiobpf_rec_map *m)
{
	struct place at = places_find_map(&w->places, m);

	p = put_instant(w, p, &m->hdr, "map", false);
	p = put_place(put_string(p, "MAP "), &at);
	p = put_args(p, &m->hdr);
	p = put_json_number(p, "map_id", m->map_id);
	p = put_json_hex(p, "phys", m->phys);
	p = put_json_hex(p, "length", m->len);
	p = put_json_hex(p, "pc", m->pc);
	p = put_json_name(p, "cache", record_cache_name(m->cache));
	p = put_json_text(p, "driver", m->driver, strnlen(m->driver, sizeof(m->driver)));
	return put_event_end(p);
}

static char *put_unmap(const struct chrome_writer *w, char *p, const struct mmiobpf_rec_unmap *m)
{
	p = put_instant(w, p, &m->hdr, "map", false);
	p = put_args(put_string(p, "UNMAP"), &m->hdr);
	p = put_json_number(p, "map_id", m->map_id);
	return put_event_end(put_json_hex(p, "pc", m->pc));
}

/*
 * A handler is a slice that begins and ends, with its accesses in it. One that ends without having
 * begun, as at the start of a log, is a point: an end would close whatever slice is open.
 */
static char *put_irq(struct chrome_writer *w, char *p, const struct mmiobpf_rec_irq *irq)
{
	uint8_t *running = &w->handlers[irq->hdr.cpu];

	if (!irq->exit && *running < UINT8_MAX) {
		(*running)++;
		p = put_event(w, p, "B", &irq->hdr, "irq");
	} else if (irq->exit && *running) {
		(*running)--;
		p = put_event(w, p, "E", &irq->hdr, "irq");
	} else {
		p = put_instant(w, p, &irq->hdr, "irq", false);
	}
	p = put_number(put_string(p, "IRQ "), irq->irq);
	p = put_args(p, &irq->hdr);
	p = put_json_text(p, "name", irq->name, strnlen(irq->name, sizeof(irq->name)));
	p = put_json_number(p, irq->exit ? "ordinal_after" : "ordinal", irq->ordinal);
	if (irq->exit)
		p = put_json_number(p, "handled", irq->handled);
	return put_event_end(p);
}

static char *put_config(const struct chrome_writer *w, char *p, const struct mmiobpf_rec_config *c)
{
	p = put_instant(w, p, &c->hdr, "config", false);
	p = put_string(put_string(p, "config "), op_letters(c->dir));
	p = put_hex(put_string(put_bdf(p, c->dev), "+0x"), c->offset, 1);
	p = put_args(p, &c->hdr);
	p = put_json_number(p, "width", c->width);
	p = put_json_hex(p, "value", c->value);
	p = put_json_number(p, "result", (uint32_t)c->result);
	return put_event_end(put_json_hex(p, "pc", c->pc));
}

static char *put_pmu(const struct chrome_writer *w, char *p, const struct mmiobpf_rec_pmu *s)
{
	p = put_event(w, p, "C", &s->hdr, "pmu");
	p = put_number(put_string(p, "PMU event "), s->event);
	p = put_number(put_string(p, "\",\"args\":{\"value\":"), s->value);
	return put_event_end(p);
}

/* A marker's text is its name, which is what the viewer shows. */
static char *put_mark(const struct chrome_writer *w, char *p, const struct mmiobpf_rec_mark *m)
{
	p = put_instant(w, p, &m->hdr, "mark", true);
	/* Both quotes are put by others as well. */
	p = put_json_string(p - 1, m->text, m->len) - 1;
	return put_event_end(put_args(p, &m->hdr));
}

static char *put_lost(const struct chrome_writer *w, char *p, const struct mmiobpf_rec_lost *l)
{
	p = put_instant(w, p, &l->hdr, "lost", true);
	p = put_string(put_number(put_string(p, "Lost "), l->count), " events");
	p = put_args(p, &l->hdr);
	return put_event_end(put_json_number(p, "count", l->count));
}

static char *put_record(struct chrome_writer *w, char *p, const struct mmiobpf_rec_hdr *rec)
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
		return put_mark(w, p, &any->mark);
	case MMIOBPF_REC_IRQ:
		return put_irq(w, p, &any->irq);
	case MMIOBPF_REC_CONFIG:
		return put_config(w, p, &any->config);
	case MMIOBPF_REC_PMU:
		return put_pmu(w, p, &any->pmu);
	case MMIOBPF_REC_LOST:
		return put_lost(w, p, &any->lost);
	default:
		return p;
	}
}

/* --- what is not a record --- */

/* The first event, at time 0: what the session was, and when. */
static char *put_session(const struct chrome_writer *w, char *p)
{
	const struct mmiobpf_rec_session *s = &w->session;

	p = put_string(p, ",{\"ph\":\"i\",\"s\":\"g\",\"pid\":1,\"tid\":1,\"ts\":0.000,\"cat\":\"session\","
			  "\"name\":\"session\",\"args\":{\"start_ns\":");
	p = put_number(p, w->start);
	if (s->hdr.type != MMIOBPF_REC_SESSION)
		return put_event_end(p);
	p = put_json_realtime(p, s);
	p = put_json_machine(p, s);
	return put_event_end(p);
}

static char *put_track_name(char *p, unsigned int cpu)
{
	p = put_string(p, ",{\"ph\":\"M\",\"pid\":1,\"tid\":");
	p = put_number(p, cpu + 1u);
	p = put_string(p, ",\"name\":\"thread_name\",\"args\":{\"name\":\"CPU ");
	return put_string(put_number(p, cpu), "\"}}\n");
}

/* Records come here in the order of their times. */
static int write_event(struct chrome_writer *w, const struct mmiobpf_rec_hdr *rec)
{
	struct line_buffer *out = &w->out;
	uint64_t t;

	if (line_buffer_room(out))
		return out->err;
	if (!w->started) {
		w->started = true;
		if (w->session.hdr.type != MMIOBPF_REC_SESSION)
			w->start = rec->time_ns;
		out->at = put_session(w, out->at);
	}
	/* A log that goes back further than the window does not pull the trace back. */
	t = rec->time_ns > w->start ? rec->time_ns - w->start : 0;
	if (t > w->now)
		w->now = t;
	if (!w->named[rec->cpu]) {
		w->named[rec->cpu] = 1;
		out->at = put_track_name(out->at, rec->cpu);
	}
	out->at = put_record(w, out->at, rec);
	if (rec->type == MMIOBPF_REC_MAP &&
	    places_add_map(&w->places, (const struct mmiobpf_rec_map *)rec))
		return line_buffer_fail(out, -ENOMEM);
	return 0;
}

/* --- operations --- */

static int chrome_begin(struct log_writer *writer, const struct log_header *header)
{
	struct chrome_writer *w = (struct chrome_writer *)writer;

	w->session = header->session;
	w->start = header->session.hdr.time_ns;
	if (places_add_header(&w->places, header))
		return line_buffer_fail(&w->out, -ENOMEM);
	if (line_buffer_room(&w->out))
		return w->out.err;
	w->out.at = put_string(w->out.at, "[\n{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\","
					  "\"args\":{\"name\":\"mmiobpf\"}}\n");
	return line_buffer_flush(&w->out);
}

static int chrome_record(struct log_writer *writer, const struct mmiobpf_rec_hdr *rec)
{
	struct chrome_writer *w = (struct chrome_writer *)writer;
	const struct mmiobpf_rec_hdr *earliest;

	if (w->out.err)
		return w->out.err;
	earliest = reorder_push(&w->reorder, rec);
	return earliest ? write_event(w, earliest) : 0;
}

static int chrome_end(struct log_writer *writer, const struct mmiobpf_rec_end *end)
{
	struct chrome_writer *w = (struct chrome_writer *)writer;
	const struct mmiobpf_rec_hdr *rec;

	(void)end;
	while ((rec = reorder_pop(&w->reorder)))
		write_event(w, rec);
	if (line_buffer_room(&w->out))
		return w->out.err;
	w->out.at = put_string(w->out.at, "]\n");
	return line_buffer_flush(&w->out);
}

/* What is in the window stays there: an earlier one may still come. */
static int chrome_flush(struct log_writer *writer)
{
	return line_buffer_flush(&((struct chrome_writer *)writer)->out);
}

static void chrome_free(struct log_writer *writer)
{
	struct chrome_writer *w = (struct chrome_writer *)writer;

	places_deinit(&w->places);
	reorder_deinit(&w->reorder);
	free(w);
}

static const struct log_writer_ops chrome_writer_ops = {
	.begin = chrome_begin,
	.record = chrome_record,
	.end = chrome_end,
	.flush = chrome_flush,
	.free = chrome_free,
};

int chrome_writer_new(struct log_sink *sink, struct log_writer **out)
{
	struct chrome_writer *w = malloc(sizeof(*w));

	if (!w)
		return -ENOMEM;
	memset(w, 0, offsetof(struct chrome_writer, out));
	if (reorder_init(&w->reorder)) {
		free(w);
		return -ENOMEM;
	}
	w->writer.ops = &chrome_writer_ops;
	line_buffer_init(&w->out, sink);
	*out = &w->writer;
	return 0;
}
