// SPDX-License-Identifier: GPL-2.0-or-later
#include "lines.h"

#include <errno.h>
#include <string.h>

void lines_init(struct lines *b, struct log_source *src)
{
	b->src = src;
	b->consumed = 0;
	b->count = 0;
	b->start = 0;
	b->filled = 0;
	b->at_end = false;
	b->err = 0;
	b->damage = NULL;
}

static int fill(struct lines *b)
{
	size_t done = 0;

	if (b->err)
		return b->err;
	if (b->start) {
		memmove(b->buf, b->buf + b->start, b->filled - b->start);
		b->filled -= b->start;
		b->start = 0;
	}
	b->err = b->src->read(b->src, b->buf + b->filled, sizeof(b->buf) - b->filled, &done);
	if (b->err == -EBADMSG)
		b->damage = b->src->damage;
	if (b->err)
		return b->err;
	b->filled += done;
	b->at_end = done == 0;
	return 0;
}

static int damaged(struct lines *b, const char *why)
{
	b->damage = why;
	return -EBADMSG;
}

int lines_peek(struct lines *b, struct line *l)
{
	for (;;) {
		size_t n = b->filled - b->start;
		const char *nl = memchr(b->buf + b->start, '\n', n);
		int err;

		if (nl) {
			l->at = b->buf + b->start;
			l->len = (size_t)(nl - l->at);
			return l->len > LINES_MAX ? damaged(b, "the line is too long") : 1;
		}
		if (n > LINES_MAX)
			return damaged(b, "the line is too long");
		if (b->at_end)
			return n ? damaged(b, "the last line has no end") : 0;
		err = fill(b);
		if (err)
			return err;
	}
}

void lines_take(struct lines *b, const struct line *l)
{
	b->start += l->len + 1;
	b->consumed += l->len + 1;
	b->count++;
}
