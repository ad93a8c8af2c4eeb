// SPDX-License-Identifier: GPL-2.0-or-later
#include "source_peek.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct source_peek {
	struct log_source src;
	struct log_source *lower;
	size_t at; /* of the first byte that was not read yet */
	size_t filled;
	int err; /* what came behind the bytes in buf */
	char buf[PEEK_MAX];
};

static int peek_read(struct log_source *src, void *bytes, size_t n, size_t *done)
{
	struct source_peek *p = (struct source_peek *)src;
	int err;

	*done = p->filled - p->at;
	if (*done) {
		if (*done > n)
			*done = n;
		memcpy(bytes, p->buf + p->at, *done);
		p->at += *done;
		return 0;
	}
	err = p->err ? p->err : p->lower->read(p->lower, bytes, n, done);
	src->taken = p->lower->taken;
	src->damage = p->lower->damage;
	return err;
}

static void peek_close(struct log_source *src)
{
	struct source_peek *p = (struct source_peek *)src;

	log_source_close(p->lower);
	free(p);
}

int source_peek_open(struct log_source *lower, struct log_source **out)
{
	struct source_peek *p = calloc(1, sizeof(*p));

	if (!p)
		return -ENOMEM;
	p->src.read = peek_read;
	p->src.close = peek_close;
	p->lower = lower;
	*out = &p->src;
	return 0;
}

void source_peek(struct log_source *src, size_t n, const char **bytes, size_t *have)
{
	struct source_peek *p = (struct source_peek *)src;
	size_t done = 1;

	while (p->filled < n && done && !p->err) {
		p->err = p->lower->read(p->lower, p->buf + p->filled, sizeof(p->buf) - p->filled,
					&done);
		p->filled += done;
	}
	*bytes = p->buf;
	*have = p->filled;
}
