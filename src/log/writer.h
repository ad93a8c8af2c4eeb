/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every output format is: a table of operations on a sink. A writer knows records and nothing
 * of the kernel. Pure, but for log/sink_fd.c and log/source_fd.c.
 */
#ifndef MMIOBPF_LOG_WRITER_H
#define MMIOBPF_LOG_WRITER_H

#include <stddef.h>

#include "header.h"

/* Where bytes go. A file, a pipe, memory in tests; a compressor later. */
struct log_sink {
	/*
	 * Write @n bytes. Return: 0 or -errno; *@done is how many bytes went out, also on error.
	 */
	int (*write)(struct log_sink *sink, const void *bytes, size_t n, size_t *done);
	/*
	 * Take back the last @n bytes that went out, so that a log never ends in half a line.
	 * Return: 0, or -errno where that cannot be done (a pipe). May be NULL.
	 */
	int (*take_back)(struct log_sink *sink, size_t n);
	/* Close and free. Return: 0 or -errno of the close. */
	int (*close)(struct log_sink *sink);
};

/**
 * log_sink_open() - a sink that writes to a file
 * @path: created or emptied; "-" is stdout, which log_sink_close() leaves open
 * @out: the sink, closed with log_sink_close()
 *
 * Return: 0 or -errno.
 */
int log_sink_open(const char *path, struct log_sink **out);
int log_sink_close(struct log_sink *sink);

struct log_writer;

struct log_writer_ops {
	int (*begin)(struct log_writer *w, const struct log_header *header);
	int (*record)(struct log_writer *w, const struct mmiobpf_rec_hdr *rec);
	int (*end)(struct log_writer *w, const struct mmiobpf_rec_end *end);
	int (*flush)(struct log_writer *w);
	void (*free)(struct log_writer *w);
};

struct log_writer {
	const struct log_writer_ops *ops;
};

/*
 * All return 0 or -errno of the sink. After an error the writer writes nothing more and returns the
 * same error again; what went out until then is a valid log that ends with a whole line, except
 * into a pipe.
 */

/** log_writer_begin() - once, before the first record. @header: not needed any more afterwards */
static inline int log_writer_begin(struct log_writer *w, const struct log_header *header)
{
	return w->ops->begin(w, header);
}

/**
 * log_writer_record() - one checked record; a type that the format has no place for is left out, 0
 */
static inline int log_writer_record(struct log_writer *w, const struct mmiobpf_rec_hdr *rec)
{
	return w->ops->record(w, rec);
}

/**
 * log_writer_end() - once, after the last record. @end: NULL when the session did not end well.
 * Flushes
 */
static inline int log_writer_end(struct log_writer *w, const struct mmiobpf_rec_end *end)
{
	return w->ops->end(w, end);
}

/**
 * log_writer_flush() - what was handed over so far goes to the sink; call it when the ring is
 * empty
 */
static inline int log_writer_flush(struct log_writer *w)
{
	return w->ops->flush(w);
}

/** log_writer_free() - free the writer, not the sink. Does not flush. NULL is allowed */
static inline void log_writer_free(struct log_writer *w)
{
	if (w)
		w->ops->free(w);
}

#endif
