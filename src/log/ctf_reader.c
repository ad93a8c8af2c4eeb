// SPDX-License-Identifier: GPL-2.0-or-later
#include "ctf_reader.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../array.h"
#include "ctf_metadata.h"
#include "ctf_stream.h"

/* No capture has so many records: what claims to is damaged. */
#define POSITION_MAX	(1ull << 62)

/* A stream, and the record of it that is to be yielded next. */
struct lane {
	struct ctf_stream stream;
	bool over;
	uint64_t position;		/* of rec */
	union mmiobpf_rec_any rec;
};

struct ctf_reader {
	struct log_reader reader;
	struct capture_dir *dir;
	uint8_t uuid[16];
	struct lane **lanes;
	size_t nlanes;
	struct lane *current;		/* whose record was yielded last */
	bool primed;
	bool closed;			/* the event that ends a capture was seen */
	uint64_t records;		/* what it says */
	uint64_t position;		/* of the next record */
	uint64_t seq;			/* that the next record has when none is missing */
	uint64_t time_ns;		/* of the last one */
	int over;			/* what next() returns from now on, or 1 */
	struct mmiobpf_rec_lost lost;
	struct ctf_text *text;		/* a line of lspci while it is read */
	char why[128];
};

/* Only the first damage has room in the answer. */
static void damaged(struct ctf_reader *r, const struct ctf_stream *s, const char *why)
{
	if (r->reader.damage.why)
		return;
	snprintf(r->why, sizeof(r->why), "in cpu%u, %s", s->cpu, why);
	r->reader.damage.offset = ctf_stream_offset(s);
	r->reader.damage.why = r->why;
}

static void lane_damaged(struct ctf_reader *r, struct lane *lane)
{
	damaged(r, &lane->stream, lane->stream.damage);
	lane->over = true;
}

/* --- events that are no records --- */

static int device_take(struct ctf_reader *r, struct ctf_stream *s, const struct ctf_event_at *e)
{
	struct pci_dev_info d;
	int err = ctf_stream_fields(s, e, &d);

	if (!err && !memchr(d.driver, '\0', sizeof(d.driver)))
		err = ctf_stream_damaged(s, "a name has no end");
	return err ? err : log_header_add_device(&r->reader.header, &d);
}

static int lspci_take(struct ctf_reader *r, struct ctf_stream *s, const struct ctf_event_at *e)
{
	int err = ctf_stream_fields(s, e, r->text);

	return err ? err : log_header_add_lspci(&r->reader.header, r->text->text, r->text->len);
}

static int closed_take(struct ctf_reader *r, struct ctf_stream *s, const struct ctf_event_at *e)
{
	struct ctf_closed c;
	int err = ctf_stream_fields(s, e, &c);

	if (!err && c.records > POSITION_MAX)
		err = ctf_stream_damaged(s, "a number that cannot be");
	if (err)
		return err;
	r->closed = true;
	r->records = c.records;
	return 0;
}

static int symbol_take(struct ctf_reader *r, struct ctf_stream *s, const struct ctf_event_at *e)
{
	struct ctf_symbol c;
	char name[CTF_SYMBOL_MAX + 1], module[sizeof(c.module) + 1];
	int err = ctf_stream_fields(s, e, &c);

	if (err)
		return err;
	snprintf(name, sizeof(name), "%.*s", (int)c.len, c.name);
	snprintf(module, sizeof(module), "%.*s", (int)sizeof(c.module), c.module);
	return log_header_add_symbol(&r->reader.header,
				     &(struct log_symbol){ c.pc, c.start, name, module });
}

/* --- records --- */

static void header_of(const struct ctf_event *e, unsigned int cpu, struct mmiobpf_rec_hdr *hdr,
		      const struct ctf_layout *l)
{
	bool wide = l->id == CTF_ACCESS_WIDE;

	hdr->seq = e->context.seq;
	hdr->time_ns = e->context.time_ns;
	hdr->type = wide ? MMIOBPF_REC_ACCESS : l->id;
	hdr->size = (uint16_t)l->size;
	hdr->cpu = (uint16_t)cpu;
	hdr->context = e->context.context;
	hdr->irqs_on = e->context.irqs_on;
	hdr->pid = e->context.pid;
	hdr->tgid = e->context.tgid;
	memcpy(hdr->comm, e->context.comm, sizeof(hdr->comm));
}

static int record_take(struct lane *lane, const struct ctf_event_at *e)
{
	struct ctf_stream *s = &lane->stream;
	uint64_t position = e->event.context.position;
	int err = ctf_stream_fields(s, e, &lane->rec);

	if (err)
		return err;
	header_of(&e->event, s->cpu, &lane->rec.hdr, e->layout);
	if (record_check(&lane->rec, sizeof(lane->rec)) < 0)
		return ctf_stream_damaged(s, "a record has a field that cannot be");
	if (position >= POSITION_MAX)
		return ctf_stream_damaged(s, "a number that cannot be");
	lane->position = position;
	return 0;
}

/* Return: 1: the lane has a record, 0: the event was none, or -errno. */
static int event_take(struct ctf_reader *r, struct lane *lane, const struct ctf_event_at *e)
{
	struct ctf_stream *s = &lane->stream;
	int err;

	switch (e->layout->id) {
	case CTF_DEVICE:
		return device_take(r, s, e);
	case CTF_LSPCI:
		return lspci_take(r, s, e);
	case CTF_SYMBOL:
		return ctf_stream_damaged(s, "a symbol is not in the stream of symbols");
	case CTF_CLOSED:
		return closed_take(r, s, e);
	default:
		err = record_take(lane, e);
	}
	if (err)
		return err;
	if (lane->rec.hdr.type != MMIOBPF_REC_SESSION)
		return 1;
	r->reader.header.session = lane->rec.session;
	return 0;
}

/* Up to the lane's next record, or its end. Damage is an end. Return: 0 or -errno. */
static int lane_advance(struct ctf_reader *r, struct lane *lane)
{
	struct ctf_event_at e;
	int ret = 0;

	while (!ret && !lane->over) {
		ret = ctf_stream_next(&lane->stream, &e);
		if (ret == 1)
			ret = event_take(r, lane, &e);
		else if (!ret)
			lane->over = true;
		if (ret == -EBADMSG)
			lane_damaged(r, lane);
	}
	return ret == 1 || ret == -EBADMSG ? 0 : ret;
}

/* Mostly a CPU's records follow each other. */
static struct lane *lane_lowest(struct ctf_reader *r)
{
	struct lane *lowest = NULL;

	if (r->current && !r->current->over && r->current->position == r->position)
		return r->current;
	for (size_t i = 0; i < r->nlanes; i++) {
		struct lane *lane = r->lanes[i];

		if (!lane->over && lane->position < r->position) {
			ctf_stream_damaged(&lane->stream, "a record comes after a later one");
			lane_damaged(r, lane);
		}
		if (!lane->over && (!lowest || lane->position < lowest->position))
			lowest = lane;
	}
	return lowest;
}

/* --- operations --- */

static int lanes_prime(struct ctf_reader *r)
{
	for (size_t i = 0; i < r->nlanes; i++) {
		int err = lane_advance(r, r->lanes[i]);

		if (err)
			return err;
	}
	r->primed = true;
	return 0;
}

/* The records below @until are missing. */
static const struct mmiobpf_rec_hdr *yield_lost(struct ctf_reader *r, uint64_t until,
						uint64_t time_ns)
{
	r->lost = (struct mmiobpf_rec_lost){
		.hdr = { .type = MMIOBPF_REC_LOST, .size = sizeof(r->lost), .seq = r->seq,
			 .time_ns = time_ns },
		.count = until - r->position,
	};
	r->seq += r->lost.count;
	r->position = until;
	return &r->lost.hdr;
}

static const struct mmiobpf_rec_hdr *yield(struct ctf_reader *r, struct lane *lane)
{
	const struct mmiobpf_rec_hdr *rec = &lane->rec.hdr;

	r->current = lane;
	r->position++;
	r->seq = rec->seq + 1;
	if (rec->type == MMIOBPF_REC_LOST)
		r->seq = rec->seq + lane->rec.lost.count;
	r->time_ns = rec->time_ns;
	return rec;
}

/* What there is to say when all lanes are over. Return: 0 or -EBADMSG. */
static int verdict(struct ctf_reader *r)
{
	static const struct ctf_stream none;

	if (!r->closed)
		damaged(r, r->nlanes ? &r->lanes[0]->stream : &none,
			"the capture was not closed: what came after its last packet is lost");
	return r->reader.damage.why ? -EBADMSG : 0;
}

/* A record that was yielded stays where it is until the next call: only then its lane goes on. */
static int ctf_next(struct log_reader *reader, const struct mmiobpf_rec_hdr **rec)
{
	struct ctf_reader *r = (struct ctf_reader *)reader;
	struct lane *lane;
	int err = 0;

	if (r->over != 1)
		return r->over;
	if (!r->primed)
		err = lanes_prime(r);
	else if (r->current && r->lost.hdr.type == MMIOBPF_REC_NONE)
		err = lane_advance(r, r->current);
	r->lost.hdr.type = MMIOBPF_REC_NONE;
	lane = err ? NULL : lane_lowest(r);
	if (lane) {
		*rec = lane->position > r->position ?
			       yield_lost(r, lane->position, lane->rec.hdr.time_ns) :
			       yield(r, lane);
		return 1;
	}
	if (!err && r->closed && r->records > r->position) {
		*rec = yield_lost(r, r->records, r->time_ns);
		return 1;
	}
	r->over = err ? err : verdict(r);
	return r->over;
}

static void ctf_free(struct log_reader *reader)
{
	struct ctf_reader *r = (struct ctf_reader *)reader;

	for (size_t i = 0; i < r->nlanes; i++) {
		ctf_stream_deinit(&r->lanes[i]->stream);
		free(r->lanes[i]);
	}
	free(r->lanes);
	free(r->text);
	log_header_deinit(&r->reader.header);
	free(r);
}

static const struct log_reader_ops ctf_reader_ops = {
	.next = ctf_next,
	.free = ctf_free,
};

/* --- opening --- */

static int metadata_read(struct ctf_reader *r)
{
	char start[256];
	struct log_source *src;
	size_t len = 0, part = 1;
	int err = r->dir->open(r->dir, CAPTURE_METADATA, &src);

	if (err)
		return err;
	while (!err && part && len < sizeof(start)) {
		err = src->read(src, start + len, sizeof(start) - len, &part);
		len += err ? 0 : part;
	}
	log_source_close(src);
	return err ? err : ctf_metadata_check(start, len, r->uuid);
}

/*
 * The stream of symbols is read at once, so that they are known before the records that want them.
 * One that is damaged, or not there, costs symbols and no record.
 */
static int symbols_read(struct ctf_reader *r)
{
	struct ctf_stream s;
	struct log_source *src;
	struct ctf_event_at e;
	int ret = r->dir->open(r->dir, CAPTURE_SYMBOLS, &src);

	if (ret)
		return ret == -ENOENT ? 0 : ret;
	ctf_stream_init(&s, src, r->uuid, CTF_NO_CPU);
	while ((ret = ctf_stream_next(&s, &e)) == 1) {
		if (e.layout->id != CTF_SYMBOL)
			ret = ctf_stream_damaged(&s, "an event that is no symbol");
		else
			ret = symbol_take(r, &s, &e);
		if (ret)
			break;
	}
	ctf_stream_deinit(&s);
	log_header_sort_symbols(&r->reader.header);
	return ret == -EBADMSG ? 0 : ret;
}

static int lane_open(struct ctf_reader *r, int cpu)
{
	struct lane *lane = calloc(1, sizeof(*lane));
	struct lane **added = lane ? array_push(r->lanes, r->nlanes) : NULL;
	struct log_source *src;
	int err;

	if (!added) {
		free(lane);
		return -ENOMEM;
	}
	*added = lane;
	err = r->dir->open(r->dir, cpu, &src);
	if (!err)
		ctf_stream_init(&lane->stream, src, r->uuid, (unsigned int)cpu);
	return err;
}

static int lanes_open(struct ctf_reader *r)
{
	int cpu = -1, err = 0;

	while (!err && (cpu = r->dir->next_cpu(r->dir, cpu + 1)) >= 0)
		err = lane_open(r, cpu);
	return err;
}

int ctf_reader_new(struct capture_dir *dir, struct log_reader **out)
{
	struct ctf_reader *r = calloc(1, sizeof(*r));
	int err;

	if (!r)
		return -ENOMEM;
	r->reader.ops = &ctf_reader_ops;
	r->dir = dir;
	r->over = 1;
	log_header_init(&r->reader.header);
	r->text = malloc(sizeof(*r->text));
	err = r->text ? metadata_read(r) : -ENOMEM;
	if (!err)
		err = symbols_read(r);
	if (!err)
		err = lanes_open(r);
	if (err) {
		ctf_free(&r->reader);
		return err;
	}
	*out = &r->reader;
	return 0;
}
