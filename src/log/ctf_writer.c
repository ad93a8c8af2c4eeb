// SPDX-License-Identifier: GPL-2.0-or-later
#include "ctf_writer.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "ctf_layout.h"
#include "ctf_metadata.h"
#include "pc_set.h"

/* The stream of a CPU, or that of symbols. */
struct stream {
	struct log_sink *sink;
	uint32_t cpu;		/* or CTF_NO_CPU */
	uint8_t *packet;	/* CTF_PACKET_MAX bytes: what is not written yet */
	size_t used;		/* 0: no event is in it */
	uint64_t begin_ns;	/* of the packet's first event */
	uint64_t last_ns;	/* of the last event ever */
	uint64_t discarded;
	uint64_t packets;	/* written */
};

struct ctf_writer {
	struct log_writer writer;
	struct capture_dir *dir;
	struct stream **streams;	/* by CPU, NULL where there was no record */
	size_t nstreams;
	struct stream *symbols;		/* NULL until there is one */
	struct symbolizer *symbolizer;
	struct pc_set pcs;		/* unused without a symbolizer */
	uint64_t begin_ns;		/* time of the session, 0 when it is not known */
	uint64_t records;		/* handed over */
	int err;
};

/* --- streams --- */

static int streams_grow(struct ctf_writer *w, size_t n)
{
	struct stream **streams = reallocarray(w->streams, n, sizeof(struct stream *));

	if (!streams)
		return -ENOMEM;
	memset(streams + w->nstreams, 0, (n - w->nstreams) * sizeof(struct stream *));
	w->streams = streams;
	w->nstreams = n;
	return 0;
}

static void stream_free(struct stream *s)
{
	if (!s)
		return;
	free(s->packet);
	free(s);
}

static int stream_new(struct ctf_writer *w, int file, uint32_t cpu, struct stream **out)
{
	struct stream *s = calloc(1, sizeof(*s));
	int err;

	if (s)
		s->packet = malloc(CTF_PACKET_MAX);
	err = s && s->packet ? w->dir->create(w->dir, file, &s->sink) : -ENOMEM;
	if (err) {
		stream_free(s);
		return err;
	}
	s->cpu = cpu;
	*out = s;
	return 0;
}

static int stream_of_cpu(struct ctf_writer *w, unsigned int cpu, struct stream **out)
{
	int err = cpu < w->nstreams ? 0 : streams_grow(w, cpu + 1);

	if (!err && !w->streams[cpu])
		err = stream_new(w, (int)cpu, cpu, &w->streams[cpu]);
	if (!err)
		*out = w->streams[cpu];
	return err;
}

static int sink_write(struct log_sink *sink, const void *bytes, size_t n)
{
	size_t done = 0;
	int err = sink->write(sink, bytes, n, &done);

	if (err && done && sink->take_back)
		sink->take_back(sink, done);
	return err;
}

static int stream_flush(struct ctf_writer *w, struct stream *s)
{
	struct ctf_packet *p;
	int err;

	if (!s || !s->used)
		return 0;
	p = (struct ctf_packet *)s->packet;
	p->header.magic = CTF_MAGIC;
	memcpy(p->header.uuid, w->dir->uuid, sizeof(p->header.uuid));
	p->header.stream_id = 0;
	p->context = (struct ctf_packet_context){
		.begin_ns = s->begin_ns,
		.end_ns = s->last_ns,
		.content_bits = 8 * s->used,
		.packet_bits = 8 * s->used,
		.discarded = s->discarded,
		.number = s->packets,
		.cpu = s->cpu,
	};
	p->context.crc = (uint32_t)crc32(0, s->packet + sizeof(*p), (uInt)(s->used - sizeof(*p)));
	err = sink_write(s->sink, s->packet, s->used);
	s->used = 0;
	s->packets++;
	return err;
}

/* --- events --- */

/*
 * Readers of CTF tell a loss by comparing a packet with the one before it: a stream does not begin
 * with one that has a loss.
 */
static int packet_before_loss(struct ctf_writer *w, struct stream *s, uint64_t time_ns)
{
	if (s->packets)
		return 0;
	if (!s->used) {
		s->used = sizeof(struct ctf_packet);
		s->begin_ns = s->last_ns = time_ns;
	}
	return stream_flush(w, s);
}

/* An event of the layout @l, with @body behind the common part; @hdr gives that. */
static int event_put(struct ctf_writer *w, struct stream *s, const struct ctf_layout *l,
		     const struct mmiobpf_rec_hdr *hdr, const void *body)
{
	struct ctf_event e = {
		.header = { .id = l->id },
		.context = { .position = w->records, .seq = hdr->seq, .time_ns = hdr->time_ns,
			     .pid = hdr->pid, .tgid = hdr->tgid, .context = hdr->context,
			     .irqs_on = hdr->irqs_on },
	};

	int err = 0;

	if (hdr->type == MMIOBPF_REC_LOST)
		err = packet_before_loss(w, s, hdr->time_ns);
	if (!err && s->used + sizeof(e) + l->size > CTF_PACKET_MAX)
		err = stream_flush(w, s);
	if (err)
		return err;
	memcpy(e.context.comm, hdr->comm, sizeof(e.context.comm));
	/*
	 * An event is numbered after its time was taken, and an NMI may come between: times may fall
	 * a little. A clock of CTF may not.
	 */
	if (hdr->time_ns > s->last_ns)
		s->last_ns = hdr->time_ns;
	e.header.timestamp = s->last_ns;
	if (!s->used) {
		s->used = sizeof(struct ctf_packet);
		s->begin_ns = s->last_ns;
	}
	memcpy(s->packet + s->used, &e, sizeof(e));
	s->used += sizeof(e);
	s->used += ctf_layout_put(l, body, s->packet + s->used);
	if (hdr->type == MMIOBPF_REC_LOST)
		s->discarded += ((const struct mmiobpf_rec_lost *)body)->count;
	return 0;
}

static int event_add(struct ctf_writer *w, const struct ctf_layout *l,
		     const struct mmiobpf_rec_hdr *hdr, const void *body)
{
	struct stream *s;
	int err = stream_of_cpu(w, hdr->cpu, &s);

	return err ? err : event_put(w, s, l, hdr, body);
}

static const struct ctf_layout *layout_of(const struct mmiobpf_rec_hdr *rec)
{
	if (rec->type == MMIOBPF_REC_ACCESS && record_is_wide((const void *)rec))
		return ctf_layout_find(CTF_ACCESS_WIDE);
	return rec->type <= MMIOBPF_REC_END ? ctf_layout_find(rec->type) : NULL;
}

/* --- symbols --- */

/* The address in the code that a record has, 0: none. */
static uint64_t record_pc(const struct mmiobpf_rec_hdr *rec)
{
	const union mmiobpf_rec_any *any = (const void *)rec;

	switch (rec->type) {
	case MMIOBPF_REC_ACCESS:
		return any->access.pc;
	case MMIOBPF_REC_UNKNOWN:
		return any->unknown.pc;
	case MMIOBPF_REC_MAP:
		return any->map.pc;
	case MMIOBPF_REC_UNMAP:
		return any->unmap.pc;
	case MMIOBPF_REC_CONFIG:
		return any->config.pc;
	case MMIOBPF_REC_PMU:
		return any->pmu.pc;
	default:
		return 0;
	}
}

/* The kernel's names are shorter than the fields; a longer one is cut. */
static int symbol_put(struct ctf_writer *w, uint64_t pc, uint64_t start, const char *name,
		      const char *module)
{
	const struct mmiobpf_rec_hdr hdr = { .time_ns = w->begin_ns };
	struct ctf_symbol c = { .pc = pc, .start = start };
	int err = w->symbols ? 0 : stream_new(w, CAPTURE_SYMBOLS, CTF_NO_CPU, &w->symbols);

	if (err)
		return err;
	c.len = (uint32_t)strnlen(name, sizeof(c.name));
	memcpy(c.name, name, c.len);
	memcpy(c.module, module, strnlen(module, sizeof(c.module)));
	return event_put(w, w->symbols, ctf_layout_find(CTF_SYMBOL), &hdr, &c);
}

static int symbols_find(struct ctf_writer *w)
{
	int err = 0;

	for (size_t i = w->pcs.nopen; i-- > 0 && !err;) {
		uint64_t pc = w->pcs.open[i];
		struct symbol_name found;

		if (symbolizer_find(w->symbolizer, pc, &found))
			continue;
		err = symbol_put(w, pc, pc - found.offset, found.name, found.module);
		pc_set_close(&w->pcs, i);
	}
	return err;
}

/* --- operations --- */

static int metadata_write(struct ctf_writer *w, const struct log_header *header)
{
	struct log_sink *sink = NULL;
	char *text;
	size_t len;
	int err = ctf_metadata_make(w->dir->uuid, header, &text, &len), closed;

	if (err)
		return err;
	err = w->dir->create(w->dir, CAPTURE_METADATA, &sink);
	if (!err)
		err = sink_write(sink, text, len);
	closed = log_sink_close(sink);
	free(text);
	return err ? err : closed;
}

static int lspci_add(struct ctf_writer *w, const struct mmiobpf_rec_hdr *hdr, const char *line)
{
	struct ctf_text *t = calloc(1, sizeof(*t));
	int err;

	if (!t)
		return -ENOMEM;
	t->len = (uint32_t)strnlen(line, sizeof(t->text));
	memcpy(t->text, line, t->len);
	err = event_add(w, ctf_layout_find(CTF_LSPCI), hdr, t);
	free(t);
	return err;
}

static int header_write(struct ctf_writer *w, const struct log_header *h)
{
	/* The header's events are at the session's start. */
	struct mmiobpf_rec_hdr hdr = { .time_ns = h->session.hdr.time_ns };
	int err = 0;

	w->begin_ns = hdr.time_ns;
	if (h->session.hdr.type == MMIOBPF_REC_SESSION) {
		struct mmiobpf_rec_hdr session = h->session.hdr;

		session.cpu = 0;
		err = event_add(w, ctf_layout_find(MMIOBPF_REC_SESSION), &session, &h->session);
	}
	for (size_t i = 0; i < h->ndevices && !err; i++)
		err = event_add(w, ctf_layout_find(CTF_DEVICE), &hdr, &h->devices[i]);
	for (size_t i = 0; i < h->nlspci && !err; i++)
		err = lspci_add(w, &hdr, h->lspci[i]);
	for (size_t i = 0; i < h->nsymbols && !err; i++) {
		const struct log_symbol *sym = &h->symbols[i];

		err = symbol_put(w, sym->pc, sym->start, sym->name, sym->module);
	}
	return err;
}

static int ctf_flush(struct log_writer *writer)
{
	struct ctf_writer *w = (struct ctf_writer *)writer;

	if (!w->err)
		w->err = symbols_find(w);
	for (size_t i = 0; i < w->nstreams && !w->err; i++)
		w->err = stream_flush(w, w->streams[i]);
	if (!w->err)
		w->err = stream_flush(w, w->symbols);
	return w->err;
}

static int ctf_begin(struct log_writer *writer, const struct log_header *header)
{
	struct ctf_writer *w = (struct ctf_writer *)writer;

	w->err = metadata_write(w, header);
	if (!w->err)
		w->err = header_write(w, header);
	return ctf_flush(writer);
}

static int ctf_record(struct log_writer *writer, const struct mmiobpf_rec_hdr *rec)
{
	struct ctf_writer *w = (struct ctf_writer *)writer;
	const struct ctf_layout *l = layout_of(rec);

	if (w->err || !l)
		return w->err;
	if (w->symbolizer)
		w->err = pc_set_add(&w->pcs, record_pc(rec));
	if (!w->err)
		w->err = event_add(w, l, rec, rec);
	w->records++;
	return w->err;
}

/* A file system may tell only here that it has no room. */
static int stream_close(struct stream **stream)
{
	struct stream *s = *stream;
	int err = s ? log_sink_close(s->sink) : 0;

	stream_free(s);
	*stream = NULL;
	return err;
}

static int streams_close(struct ctf_writer *w)
{
	int err = stream_close(&w->symbols);

	for (size_t i = 0; i < w->nstreams; i++) {
		int closed = stream_close(&w->streams[i]);

		if (!err)
			err = closed;
	}
	return err;
}

/* The last event of all says that nothing is missing behind the last record. */
static int ctf_end(struct log_writer *writer, const struct mmiobpf_rec_end *end)
{
	struct ctf_writer *w = (struct ctf_writer *)writer;
	struct mmiobpf_rec_hdr hdr = { 0 };
	struct ctf_closed closed;

	if (end)
		ctf_record(writer, &end->hdr);
	ctf_flush(writer);
	closed.records = w->records;
	if (!w->err)
		w->err = event_add(w, ctf_layout_find(CTF_CLOSED), &hdr, &closed);
	if (!ctf_flush(writer))
		w->err = streams_close(w);
	return w->err;
}

static void ctf_free(struct log_writer *writer)
{
	struct ctf_writer *w = (struct ctf_writer *)writer;

	streams_close(w);
	free(w->streams);
	pc_set_deinit(&w->pcs);
	free(w);
}

static const struct log_writer_ops ctf_writer_ops = {
	.begin = ctf_begin,
	.record = ctf_record,
	.end = ctf_end,
	.flush = ctf_flush,
	.free = ctf_free,
};

int ctf_writer_new(struct capture_dir *dir, struct symbolizer *symbolizer,
		   struct log_writer **out)
{
	struct ctf_writer *w = calloc(1, sizeof(*w));

	if (!w)
		return -ENOMEM;
	w->writer.ops = &ctf_writer_ops;
	w->dir = dir;
	w->symbolizer = symbolizer;
	pc_set_init(&w->pcs);
	*out = &w->writer;
	return 0;
}
