/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a trace goes: a log, a capture, or both. */
#ifndef MMIOBPF_CMD_TRACE_OUTPUT_H
#define MMIOBPF_CMD_TRACE_OUTPUT_H

#include "../log/capture_dir.h"
#include "../log/ctf_writer.h"
#include "../log/format.h"

struct trace_output {
	const char *log;	/* file of the log, "-": standard output, NULL: no log */
	const char *capture;	/* directory of the capture, NULL: none */
	struct log_sink *sink;
	struct capture_dir *dir;
	struct symbolizer *symbols;	/* NULL: not wanted, or the kernel hides its addresses */
	struct log_writer *writer;
};

/**
 * trace_output_open() - open what was asked for
 * @out: zeroed
 * @log: file of the log, or NULL: none with a capture, else standard output. Kept, not copied
 * @capture: directory that is made for the capture, or NULL
 * @format: of the log
 * @heed: what its writer heeds
 *
 * Return: 0 or -errno; trace_output_close() is due in both cases.
 */
int trace_output_open(struct trace_output *out, const char *log, const char *capture,
		      const struct log_format *format, const struct format_options *heed);

/** trace_output_close() - frees the writer too. Return: 0 or -errno */
int trace_output_close(struct trace_output *out);

/**
 * trace_output_fail() - say that the output cannot be written. Return: STATUS_FAILURE
 * @err: -errno
 */
int trace_output_fail(const struct trace_output *out, int err);

#endif
