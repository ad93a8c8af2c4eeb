/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sink and a source in memory, which can be told to fail. For the tests of log formats. */
#ifndef LOG_MEMORY_H
#define LOG_MEMORY_H

#include <stdlib.h>
#include <string.h>

#include "log/reader.h"
#include "log/writer.h"

struct memory_sink {
	struct log_sink sink;
	char *text;		/* terminated */
	size_t len;
	size_t limit;		/* bytes after which @err comes; 0: never */
	int err;
};

static int memory_write(struct log_sink *sink, const void *bytes, size_t n, size_t *done)
{
	struct memory_sink *m = (struct memory_sink *)sink;
	int err = 0;

	if (m->limit && m->len + n > m->limit) {
		n = m->limit - m->len;
		err = m->err;
	}
	m->text = realloc(m->text, m->len + n + 1);
	memcpy(m->text + m->len, bytes, n);
	m->len += n;
	m->text[m->len] = '\0';
	*done = n;
	return err;
}

static int memory_take_back(struct log_sink *sink, size_t n)
{
	struct memory_sink *m = (struct memory_sink *)sink;

	m->len -= n;
	m->text[m->len] = '\0';
	return 0;
}

static inline void memory_sink_init(struct memory_sink *m)
{
	memset(m, 0, sizeof(*m));
	m->sink.write = memory_write;
	m->sink.take_back = memory_take_back;
}

static inline void memory_sink_deinit(struct memory_sink *m)
{
	free(m->text);
}

struct memory_source {
	struct log_source src;
	const char *text;
	size_t len;
	size_t at;
	size_t chunk;		/* bytes of one read at most; 0: all that is asked for */
	int err;		/* what comes once before the end */
};

static int memory_read(struct log_source *src, void *bytes, size_t n, size_t *done)
{
	struct memory_source *m = (struct memory_source *)src;
	size_t left = m->len - m->at;
	int err = 0;

	if (m->chunk && n > m->chunk)
		n = m->chunk;
	if (n > left)
		n = left;
	if (n)
		memcpy(bytes, m->text + m->at, n);
	m->at += n;
	*done = n;
	if (!n) {
		err = m->err;
		m->err = 0;
	}
	return err;
}

static inline void memory_source_init(struct memory_source *m, const char *text, size_t len)
{
	memset(m, 0, sizeof(*m));
	m->src.read = memory_read;
	m->text = text;
	m->len = len;
}

#endif
