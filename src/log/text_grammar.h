/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What reader and writer of the text format must agree on. */
#ifndef MMIOBPF_LOG_TEXT_GRAMMAR_H
#define MMIOBPF_LOG_TEXT_GRAMMAR_H

#include <stddef.h>

#define TEXT_VERSION	"20070824"

enum text_kind {
	TEXT_LINE_OTHER,	/* no keyword: belongs to the marker before it, or is damage */
	TEXT_LINE_EMPTY,
	TEXT_LINE_COMMENT,	/* "#..." */
	TEXT_LINE_LOST,		/* "CPU:n [LOST n EVENTS]" */
	TEXT_LINE_TOO_BIG,	/* "[LINE TOO BIG]": the kernel dropped a line */
	TEXT_LINE_VERSION,
	TEXT_LINE_PCIDEV,
	TEXT_LINE_LSPCI,
	TEXT_LINE_READ,
	TEXT_LINE_WRITE,
	TEXT_LINE_MAP,
	TEXT_LINE_UNMAP,
	TEXT_LINE_MARK,
	TEXT_LINE_UNKNOWN,
};

/**
 * text_line_kind() - what a line is, by its first word
 * @line: not terminated
 * @len: bytes without the newline
 * @rest: set to where the first field begins; may be NULL
 */
enum text_kind text_line_kind(const char *line, size_t len, const char **rest);

/**
 * text_is_loss() - is the text of a marker "Lost N events."?
 * @text: not terminated
 * @len: bytes
 * @count: set to N
 *
 * Return: 1 or 0.
 */
int text_is_loss(const char *text, size_t len, unsigned long long *count);

#endif
