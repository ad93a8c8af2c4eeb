/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines from a log source, one looked at before it is taken. For every format that has lines. */
#ifndef MMIOBPF_LOG_LINES_H
#define MMIOBPF_LOG_LINES_H

#include <stdbool.h>

#include "reader.h"

#define LINES_MAX	(64 * 1024)	/* bytes of a line; a longer one is damage */

struct lines {
	struct log_source *src;
	uint64_t consumed;		/* bytes before the line at the front */
	uint64_t count;			/* lines consumed */
	size_t start;			/* of the line at the front */
	size_t filled;			/* bytes in buf */
	bool at_end;			/* the source has no more */
	int err;			/* of the source: it stays, whatever a further read would give */
	const char *damage;		/* why lines_peek() returned -EBADMSG; static text */
	char buf[4 * LINES_MAX];
};

struct line {
	const char *at;			/* valid until the next lines_peek() */
	size_t len;			/* without the newline */
};

/** lines_init() - @src is borrowed; all else is set to the start */
void lines_init(struct lines *b, struct log_source *src);

/**
 * lines_peek() - the line at the front, which stays there
 *
 * Return: 1, 0 at the end, -EBADMSG: too long, without its newline, or damage of the source; or
 * -errno of the source.
 */
int lines_peek(struct lines *b, struct line *l);

/** lines_take() - step over the line that lines_peek() gave */
void lines_take(struct lines *b, const struct line *l);

#endif
