/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One stream of a capture, read event by event. */
#ifndef MMIOBPF_LOG_CTF_STREAM_H
#define MMIOBPF_LOG_CTF_STREAM_H

#include <stdbool.h>

#include "ctf_layout.h"
#include "reader.h"

struct ctf_stream {
	struct log_source *src;
	const uint8_t *uuid;		/* of the capture */
	unsigned int cpu;
	uint8_t *packet;		/* the one that is read, and its events */
	size_t room;			/* bytes that @packet has */
	size_t filled;
	size_t at;			/* of the next event */
	uint64_t offset;		/* of the packet in the file */
	uint64_t packets;		/* read */
	const char *damage;		/* why ctf_stream_next() gave -EBADMSG; static text */
};

/* An event as it is in the stream. */
struct ctf_event_at {
	struct ctf_event event;
	const struct ctf_layout *layout;
	const uint8_t *fields;		/* valid until the next ctf_stream_next() */
	size_t left;			/* bytes from there to the packet's end */
};

/**
 * ctf_stream_init() - @src is taken over, and closed by ctf_stream_deinit(); @uuid is borrowed
 */
void ctf_stream_init(struct ctf_stream *s, struct log_source *src, const uint8_t uuid[16],
		     unsigned int cpu);
void ctf_stream_deinit(struct ctf_stream *s);

/**
 * ctf_stream_next() - the next event, whose fields are still to be taken
 *
 * Return: 1, 0 at the end, -EBADMSG: damage at ctf_stream_offset(), or -errno of the source.
 */
int ctf_stream_next(struct ctf_stream *s, struct ctf_event_at *e);

/**
 * ctf_stream_fields() - take the fields of the event that ctf_stream_next() gave
 * @to: struct of the layout's size; is zeroed first
 *
 * Return: 0 or -EBADMSG.
 */
int ctf_stream_fields(struct ctf_stream *s, const struct ctf_event_at *e, void *to);

/** ctf_stream_damaged() - sets why. Return: -EBADMSG */
int ctf_stream_damaged(struct ctf_stream *s, const char *why);

/** ctf_stream_offset() - bytes from the start of the file to the event that is next, or is wrong */
uint64_t ctf_stream_offset(const struct ctf_stream *s);

#endif
