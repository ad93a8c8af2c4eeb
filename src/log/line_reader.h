/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the readers of formats that have lines share: one line after the other becomes records. */
#ifndef MMIOBPF_LOG_LINE_READER_H
#define MMIOBPF_LOG_LINE_READER_H

#include "lines.h"
#include "record.h"

struct line_reader;

/*
 * Look at the line at the front, and take it when it is used up. Return: 1: there is a record in
 * @r->rec; 0: the line was none; -EBADMSG by line_reader_damaged(), or -errno.
 */
typedef int (*line_read_fn)(struct line_reader *r, const struct line *l);

/* The first member of a reader. */
struct line_reader {
	struct log_reader reader;
	line_read_fn read_line;
	int over;			/* what next() returns from now on, or 1 */
	union mmiobpf_rec_any rec;
	struct lines lines;
};

/**
 * line_reader_new() - a reader whose first member is a struct line_reader
 * @size: bytes of all of it; behind the first member it is zeroed
 * @src: borrowed until log_reader_free()
 * @read_line: as above
 * @out: freed with log_reader_free()
 *
 * Return: 0 or -ENOMEM.
 */
int line_reader_new(size_t size, struct log_source *src, line_read_fn read_line,
		    struct log_reader **out);

/** line_reader_damaged() - the line at the front is damaged. Return: -EBADMSG */
int line_reader_damaged(struct line_reader *r, const char *why);

#endif
