// SPDX-License-Identifier: GPL-2.0-or-later
#include "vcd_writer.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "line_buffer.h"
#include "places.h"
#include "record.h"
#include "record_put.h"
#include "vcd_vars.h"

#define CHANGES_FIRST	(64 * 1024)
#define VALUE_MAX	(8 * MMIOBPF_WIDE_WORDS)
#define CHANGE_MAX	(10 + 5 + VALUE_MAX)	/* two numbers of 7 bits a byte, and a value */

struct vcd_writer {
	struct log_writer writer;
	struct places places;
	struct vcd_vars vars;
	bool started;
	uint64_t start;			/* of CLOCK_MONOTONIC: time 0 of the dump */
	uint64_t realtime;		/* of the start, 0: not known */
	uint64_t now;			/* time of the last change, from the start */
	uint64_t written;		/* up to where the changes already have it */
	uint64_t lost;
	/*
	 * Each change: time since the one before, number of the variable, its value in as many
	 * bytes as the variable has, lowest first.
	 */
	uint8_t *changes;
	size_t n, capacity;
	struct line_buffer out;
};

/* --- the changes --- */

static uint8_t *pack_number(uint8_t *p, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		*p++ = (uint8_t)(v | 0x80);
	*p++ = (uint8_t)v;
	return p;
}

static const uint8_t *unpack_number(const uint8_t *p, uint64_t *v)
{
	unsigned int shift = 0;

	for (*v = 0; *p & 0x80; shift += 7)
		*v |= (uint64_t)(*p++ & 0x7f) << shift;
	*v |= (uint64_t)*p++ << shift;
	return p;
}

/* Bytes of the value that a change of this variable carries. */
static unsigned int value_bytes(const struct vcd_var *var)
{
	if (vcd_var_is_event(var))
		return 0;
	return vcd_var_is_vector(var) ? var->width : 1;
}

/* A change now. @value: as many bytes as the variable has, lowest first. */
static int change(struct vcd_writer *w, const struct vcd_var *var, const void *value)
{
	uint32_t number;
	uint8_t *p;

	if (vcd_vars_find(&w->vars, var, &number))
		return -ENOMEM;
	if (w->n + CHANGE_MAX > w->capacity) {
		size_t capacity = w->capacity ? 2 * w->capacity : CHANGES_FIRST;
		uint8_t *changes = realloc(w->changes, capacity);

		if (!changes)
			return -ENOMEM;
		w->changes = changes;
		w->capacity = capacity;
	}
	p = pack_number(w->changes + w->n, w->now - w->written);
	p = pack_number(p, number);
	if (value_bytes(var))
		memcpy(p, value, value_bytes(var));
	w->n = (size_t)(p + value_bytes(var) - w->changes);
	w->written = w->now;
	return 0;
}

/*
 * The time of the next event. Two events never have the same, as of two values at one time a viewer
 * shows the last: where the log has them so, or goes back, the later one is moved up to the next
 * nanosecond.
 */
static void advance(struct vcd_writer *w, uint64_t time_ns)
{
	uint64_t t = time_ns > w->start ? time_ns - w->start : 0;

	w->now = t > w->now ? t : w->now + 1;
}

/* --- records --- */

static int access_side(struct vcd_writer *w, const struct mmiobpf_rec_access *a,
		       const struct place *at, bool after)
{
	struct vcd_var event = { .kind = after ? VCD_WRITE : VCD_READ, .at = *at };
	struct vcd_var reg = { .kind = VCD_REGISTER, .at = *at, .width = a->width };
	uint64_t words[MMIOBPF_WIDE_WORDS];

	event.at.offset = 0;
	advance(w, a->hdr.time_ns);
	if (change(w, &event, NULL))
		return -ENOMEM;
	if (!(a->flags & (after ? MMIOBPF_ACC_AFTER : MMIOBPF_ACC_BEFORE)))
		return 0;
	for (unsigned int i = 0; i < record_words(a); i++)
		words[i] = record_word(a, after, i);
	return change(w, &reg, words);
}

static int access_changes(struct vcd_writer *w, const struct mmiobpf_rec_access *a)
{
	struct place at = places_find(&w->places, a->map_id, a->phys, a->bar, a->bar_off);
	int err = 0;

	if (a->dir & MMIOBPF_DIR_READ)
		err = access_side(w, a, &at, false);
	if (!err && (a->dir & MMIOBPF_DIR_WRITE))
		err = access_side(w, a, &at, true);
	return err;
}

static int irq_change(struct vcd_writer *w, const struct mmiobpf_rec_irq *irq)
{
	struct vcd_var var = { .kind = VCD_IRQ };
	uint8_t on = !irq->exit;

	var.at.dev = irq->irq;
	var.at.offset = irq->hdr.cpu;
	advance(w, irq->hdr.time_ns);
	return change(w, &var, &on);
}

static int lost_change(struct vcd_writer *w, const struct mmiobpf_rec_lost *l)
{
	struct vcd_var var = { .kind = VCD_LOST, .width = sizeof(w->lost) };

	w->lost += l->count;
	advance(w, l->hdr.time_ns);
	return change(w, &var, &w->lost);
}

static int vcd_record(struct log_writer *writer, const struct mmiobpf_rec_hdr *rec)
{
	struct vcd_writer *w = (struct vcd_writer *)writer;
	const union mmiobpf_rec_any *any = (const void *)rec;
	int err = w->out.err;

	if (err)
		return err;
	if (!w->started) {
		w->started = true;
		w->start = rec->time_ns;
	}
	if (rec->type == MMIOBPF_REC_ACCESS)
		err = access_changes(w, &any->access);
	else if (rec->type == MMIOBPF_REC_IRQ)
		err = irq_change(w, &any->irq);
	else if (rec->type == MMIOBPF_REC_LOST)
		err = lost_change(w, &any->lost);
	else if (rec->type == MMIOBPF_REC_MAP)
		err = places_add_map(&w->places, &any->map);
	return err ? line_buffer_fail(&w->out, err) : 0;
}

/* --- the file --- */

/* Binary, from the highest bit that is set. IEEE 1364-2005, 18.2.2: zeros in front are implied. */
static char *put_bits(char *p, const uint8_t *value, unsigned int bytes)
{
	unsigned int bit = 8 * bytes;

	*p++ = 'b';
	while (bit > 1 && !(value[(bit - 1) / 8] >> (bit - 1) % 8 & 1))
		bit--;
	while (bit-- > 0)
		*p++ = (char)('0' + (value[bit / 8] >> bit % 8 & 1));
	*p++ = ' ';
	return p;
}

static char *put_preamble(char *p, const struct vcd_writer *w)
{
	if (w->realtime)
		p = put_string(put_realtime(put_string(p, "$date "), w->realtime), " $end\n");
	p = put_string(p, "$version mmiobpf $end\n$comment time 0 is ");
	p = put_number(p, w->start);
	return put_string(p, " ns of CLOCK_MONOTONIC $end\n$timescale 1 ns $end\n");
}

/* Nothing is known of any register before its first access. */
static int write_first_values(struct vcd_writer *w)
{
	struct line_buffer *out = &w->out;

	if (line_buffer_room(out))
		return out->err;
	out->at = put_string(out->at, "$enddefinitions $end\n#0\n$dumpvars\n");
	for (size_t i = 0; i < w->vars.n && !line_buffer_room(out); i++) {
		const struct vcd_var *var = &w->vars.vars[i];

		if (vcd_var_is_event(var))
			continue;
		if (var->kind == VCD_LOST)
			out->at = put_string(out->at, "b0 ");
		else
			out->at = put_string(out->at, vcd_var_is_vector(var) ? "bx " : "x");
		out->at = put_vcd_code(out->at, (uint32_t)i);
		*out->at++ = '\n';
	}
	if (line_buffer_room(out))
		return out->err;
	out->at = put_string(out->at, "$end\n");
	return 0;
}

static int write_changes(struct vcd_writer *w)
{
	const uint8_t *at = w->changes, *end = w->changes + w->n;
	struct line_buffer *out = &w->out;
	uint64_t now = 0, step, number;

	while (at < end && !line_buffer_room(out)) {
		const struct vcd_var *var;

		at = unpack_number(unpack_number(at, &step), &number);
		var = &w->vars.vars[number];
		if (step) {
			now += step;
			*out->at++ = '#';
			out->at = put_number(out->at, now);
			*out->at++ = '\n';
		}
		if (vcd_var_is_event(var))
			*out->at++ = '1';
		else if (vcd_var_is_vector(var))
			out->at = put_bits(out->at, at, var->width);
		else
			*out->at++ = (char)('0' + *at);
		out->at = put_vcd_code(out->at, (uint32_t)number);
		*out->at++ = '\n';
		at += value_bytes(var);
	}
	return out->err;
}

/* --- operations --- */

static int vcd_begin(struct log_writer *writer, const struct log_header *header)
{
	struct vcd_writer *w = (struct vcd_writer *)writer;

	if (header->session.hdr.type == MMIOBPF_REC_SESSION) {
		w->started = true;
		w->start = header->session.hdr.time_ns;
		w->realtime = header->session.realtime_ns;
	}
	if (places_add_header(&w->places, header))
		return line_buffer_fail(&w->out, -ENOMEM);
	return 0;
}

static int vcd_end(struct log_writer *writer, const struct mmiobpf_rec_end *end)
{
	struct vcd_writer *w = (struct vcd_writer *)writer;
	int err;

	(void)end;
	if (line_buffer_room(&w->out))
		return w->out.err;
	w->out.at = put_preamble(w->out.at, w);
	err = vcd_vars_declare(&w->vars, &w->out);
	if (!err)
		err = write_first_values(w);
	if (!err)
		err = write_changes(w);
	return err ? line_buffer_fail(&w->out, err) : line_buffer_flush(&w->out);
}

/* Nothing goes out before the end. */
static int vcd_flush(struct log_writer *writer)
{
	return ((struct vcd_writer *)writer)->out.err;
}

static void vcd_free(struct log_writer *writer)
{
	struct vcd_writer *w = (struct vcd_writer *)writer;

	places_deinit(&w->places);
	vcd_vars_deinit(&w->vars);
	free(w->changes);
	free(w);
}

static const struct log_writer_ops vcd_writer_ops = {
	.begin = vcd_begin,
	.record = vcd_record,
	.end = vcd_end,
	.flush = vcd_flush,
	.free = vcd_free,
};

int vcd_writer_new(struct log_sink *sink, struct log_writer **out)
{
	struct vcd_writer *w = malloc(sizeof(*w));

	if (!w)
		return -ENOMEM;
	memset(w, 0, offsetof(struct vcd_writer, out));
	w->writer.ops = &vcd_writer_ops;
	line_buffer_init(&w->out, sink);
	*out = &w->writer;
	return 0;
}
