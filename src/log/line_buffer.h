/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines on their way to a sink, for every format that has lines. When the sink fails, what went out
 * ends with a whole line.
 */
#ifndef MMIOBPF_LOG_LINE_BUFFER_H
#define MMIOBPF_LOG_LINE_BUFFER_H

#include <stddef.h>

#include "writer.h"

#define LINE_BUFFER_SIZE	(256 * 1024)
/* What line_buffer_room() makes room for: no record and no line of a header needs more. */
#define LINE_BUFFER_ROOM	(32 * 1024)

struct line_buffer {
	struct log_sink *sink;
	int err;		/* of the sink, once; nothing is written after it */
	char *at;		/* first free byte of buf; whole lines lie before it */
	char buf[LINE_BUFFER_SIZE];
};

/** line_buffer_init() - empty. @sink is borrowed */
void line_buffer_init(struct line_buffer *b, struct log_sink *sink);

/** line_buffer_flush() - all that is there goes to the sink. Return: 0 or -errno, which stays */
int line_buffer_flush(struct line_buffer *b);

/** line_buffer_fail() - write what is there, and nothing after it. Return: @err, which stays */
int line_buffer_fail(struct line_buffer *b, int err);

/** line_buffer_room() - make LINE_BUFFER_ROOM bytes at @b->at. Return: 0 or -errno, which stays */
static inline int line_buffer_room(struct line_buffer *b)
{
	if (b->err || b->at + LINE_BUFFER_ROOM <= b->buf + sizeof(b->buf))
		return b->err;
	return line_buffer_flush(b);
}

#endif
