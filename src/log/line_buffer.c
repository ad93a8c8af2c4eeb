// SPDX-License-Identifier: GPL-2.0-or-later
#include "line_buffer.h"

void line_buffer_init(struct line_buffer *b, struct log_sink *sink)
{
	b->sink = sink;
	b->err = 0;
	b->at = b->buf;
}

/* The first @done bytes of the buffer went out, and no more will: do not end in half a line. */
static void take_back_half_line(struct line_buffer *b, size_t done)
{
	size_t whole = done;

	while (whole && b->buf[whole - 1] != '\n')
		whole--;
	if (whole < done && b->sink->take_back)
		b->sink->take_back(b->sink, done - whole);
}

int line_buffer_flush(struct line_buffer *b)
{
	size_t n = (size_t)(b->at - b->buf), done = 0;

	if (b->err || !n)
		return b->err;
	b->err = b->sink->write(b->sink, b->buf, n, &done);
	if (b->err)
		take_back_half_line(b, done);
	b->at = b->buf;
	return b->err;
}

int line_buffer_fail(struct line_buffer *b, int err)
{
	if (!line_buffer_flush(b))
		b->err = err;
	return b->err;
}
