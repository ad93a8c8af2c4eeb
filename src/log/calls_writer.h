/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The readable view: one access a line, in the manner of strace. Polls are folded, interrupts, gaps
 * and losses stand in place. docs/calls.md says what each line means.
 */
#ifndef MMIOBPF_LOG_CALLS_WRITER_H
#define MMIOBPF_LOG_CALLS_WRITER_H

#include <stdbool.h>

#include "symbolizer.h"
#include "writer.h"

#define CALLS_GAP_NS	1000000u	/* the gap that commands ask for by default */

enum calls_times {
	CALLS_TIME_NONE,
	CALLS_TIME_CLOCK,	/* -t: 12:34:56 */
	CALLS_TIME_MICRO,	/* -tt: 12:34:56.123456 */
	CALLS_TIME_EPOCH,	/* -ttt: 1785542400.123456 */
	CALLS_TIME_RELATIVE,	/* -r: since the line before */
};

enum calls_names {
	CALLS_NAMES_SHORT,	/* a name instead of its number */
	CALLS_NAMES_RAW,	/* numbers only */
	CALLS_NAMES_VERBOSE,	/* both, and the task of each access */
};

struct calls_options {
	enum calls_times times;
	enum calls_names names;
	bool latency;		/* how long the device took */
	bool prefix;		/* device and CPU also when there is only one */
	bool no_fold;		/* each read of a poll on a line of its own */
	uint64_t gap_ns;	/* a time without a record that is shown; 0: none */
	struct symbolizer *symbols; /* borrowed until log_writer_free(); NULL: PCs stay numbers */
};

/**
 * calls_writer_new() - writer of the readable view
 * @sink: borrowed until log_writer_free()
 * @options: copied
 * @out: the writer, freed with log_writer_free()
 *
 * A poll is written when it ends, so log_writer_flush() may leave one back.
 *
 * Return: 0 or -ENOMEM.
 */
int calls_writer_new(struct log_sink *sink, const struct calls_options *options,
		     struct log_writer **out);

#endif
