/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What every input format is: a table of operations on a source. The mirror of log/writer.h. */
#ifndef MMIOBPF_LOG_READER_H
#define MMIOBPF_LOG_READER_H

#include <stddef.h>
#include <stdint.h>

#include "header.h"

/*
 * Where bytes come from. A file, a pipe, memory in tests, or a decompressor on top of another source.
 * A new one starts as zeros.
 */
struct log_source {
	/*
	 * Read up to @n bytes. Return: 0 or -errno; *@done is how many came, 0 at the end. -EBADMSG is
	 * damage that the source itself has found; @damage says why, and everything before it came.
	 */
	int (*read)(struct log_source *src, void *bytes, size_t n, size_t *done);
	void (*close)(struct log_source *src);
	uint64_t taken;		/* bytes of the file that were read so far, packed as they are there */
	const char *damage;	/* static text */
	/* Called by a file before it waits for bytes that are not there yet; may be NULL. */
	void (*before_wait)(void *ctx);
	void *before_wait_ctx;
};

/**
 * log_source_open() - a source that reads a file
 * @path: "-" is stdin, which log_source_close() leaves open
 * @out: closed with log_source_close()
 *
 * Return: 0 or -errno.
 */
int log_source_open(const char *path, struct log_source **out);
void log_source_close(struct log_source *src);

/* Where and why a reader stopped. */
struct log_damage {
	uint64_t offset;	/* bytes from the start, of the first thing not used */
	uint64_t line;		/* counted from 1, 0 where the format has no lines */
	const char *why;	/* static text: "the line ends too early" */
};

struct log_reader;

struct log_reader_ops {
	int (*next)(struct log_reader *r, const struct mmiobpf_rec_hdr **rec);
	void (*free)(struct log_reader *r);
};

struct log_reader {
	const struct log_reader_ops *ops;
	struct log_header header;	/* grows while records are read */
	struct log_damage damage;	/* valid after -EBADMSG */
};

/**
 * log_reader_next() - next record
 * @r: reader
 * @rec: the record, checked, valid until the next call
 *
 * Return: 1 and a record, 0 at the end, -EBADMSG at damage (@r->damage says where; every record
 * before it was yielded), or -errno of the source. An end or error stays.
 */
static inline int log_reader_next(struct log_reader *r, const struct mmiobpf_rec_hdr **rec)
{
	return r->ops->next(r, rec);
}

/** log_reader_free() - free the reader, not the source. NULL is allowed */
static inline void log_reader_free(struct log_reader *r)
{
	if (r)
		r->ops->free(r);
}

#endif
