// SPDX-License-Identifier: GPL-2.0-or-later
#include "ctf_stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

void ctf_stream_init(struct ctf_stream *s, struct log_source *src, const uint8_t uuid[16],
		     unsigned int cpu)
{
	memset(s, 0, sizeof(*s));
	s->src = src;
	s->uuid = uuid;
	s->cpu = cpu;
}

void ctf_stream_deinit(struct ctf_stream *s)
{
	log_source_close(s->src);
	free(s->packet);
	memset(s, 0, sizeof(*s));
}

int ctf_stream_damaged(struct ctf_stream *s, const char *why)
{
	s->damage = why;
	return -EBADMSG;
}

uint64_t ctf_stream_offset(const struct ctf_stream *s)
{
	return s->offset + s->at;
}

/* --- packets --- */

/* Return: 0, -ENODATA: the file ends before, with *done bytes read, or -errno. */
static int read_whole(struct log_source *src, uint8_t *to, size_t n, size_t *done)
{
	*done = 0;
	while (*done < n) {
		size_t part = 0;
		int err = src->read(src, to + *done, n - *done, &part);

		if (err)
			return err;
		if (!part)
			return -ENODATA;
		*done += part;
	}
	return 0;
}

static int packet_room(struct ctf_stream *s, size_t n)
{
	uint8_t *grown;

	if (n <= s->room)
		return 0;
	grown = realloc(s->packet, n);
	if (!grown)
		return -ENOMEM;
	s->packet = grown;
	s->room = n;
	return 0;
}

static int packet_check(struct ctf_stream *s, const struct ctf_packet *p)
{
	if (p->header.magic != CTF_MAGIC)
		return ctf_stream_damaged(s, "no packet begins here");
	if (memcmp(p->header.uuid, s->uuid, sizeof(p->header.uuid)))
		return ctf_stream_damaged(s, "the packet is of another capture");
	if (p->header.stream_id || p->context.cpu != s->cpu || p->context.number != s->packets)
		return ctf_stream_damaged(s, "the packet is not the next of this stream");
	if (p->context.packet_bits % 8 || p->context.packet_bits / 8 < sizeof(*p) ||
	    p->context.packet_bits / 8 > CTF_PACKET_MAX ||
	    p->context.content_bits != p->context.packet_bits)
		return ctf_stream_damaged(s, "the packet has a size that cannot be");
	return 0;
}

static int packet_body(struct ctf_stream *s, const struct ctf_packet *p)
{
	size_t n = p->context.packet_bits / 8 - sizeof(*p), done;
	int err = packet_room(s, sizeof(*p) + n);

	if (!err)
		err = read_whole(s->src, s->packet + sizeof(*p), n, &done);
	if (err == -ENODATA)
		return ctf_stream_damaged(s, "the packet is cut off");
	if (!err && p->context.crc != crc32(0, s->packet + sizeof(*p), (uInt)n))
		return ctf_stream_damaged(s, "the packet's check sum is wrong");
	if (!err) {
		s->filled = sizeof(*p) + n;
		s->at = sizeof(*p);
		s->packets++;
	}
	return err;
}

/* Return: 1, 0 at the end, or -errno. */
static int packet_read(struct ctf_stream *s)
{
	struct ctf_packet p;
	size_t done;
	int err;

	s->offset += s->filled;
	s->filled = s->at = 0;
	err = read_whole(s->src, (uint8_t *)&p, sizeof(p), &done);
	if (err == -ENODATA)
		return done ? ctf_stream_damaged(s, "the packet is cut off") : 0;
	if (!err)
		err = packet_check(s, &p);
	if (!err)
		err = packet_body(s, &p);
	return err ? err : 1;
}

/* --- events --- */

int ctf_stream_next(struct ctf_stream *s, struct ctf_event_at *e)
{
	while (s->at == s->filled) {
		int ret = packet_read(s);

		if (ret != 1)
			return ret;
	}
	if (s->filled - s->at < sizeof(e->event))
		return ctf_stream_damaged(s, "the event is cut off");
	memcpy(&e->event, s->packet + s->at, sizeof(e->event));
	e->layout = ctf_layout_find(e->event.header.id);
	if (!e->layout)
		return ctf_stream_damaged(s, "no event has this number");
	e->fields = s->packet + s->at + sizeof(e->event);
	e->left = s->filled - s->at - sizeof(e->event);
	return 1;
}

int ctf_stream_fields(struct ctf_stream *s, const struct ctf_event_at *e, void *to)
{
	long n;

	memset(to, 0, e->layout->size);
	n = ctf_layout_get(e->layout, e->fields, e->left, to);
	if (n < 0)
		return ctf_stream_damaged(s, "the event does not fit into its packet");
	s->at += sizeof(e->event) + (size_t)n;
	return 0;
}
