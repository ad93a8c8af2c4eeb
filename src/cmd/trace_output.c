// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace_output.h"

#include <errno.h>
#include <string.h>

#include "../log/tee_writer.h"
#include "error.h"
#include "trace_symbols.h"

static int writers_new(struct trace_output *out, const struct log_format *format,
		       struct format_options heed)
{
	struct log_writer *log = NULL, *capture = NULL;
	int err = 0;

	heed.calls.symbols = out->symbols;
	if (out->dir)
		err = ctf_writer_new(out->dir, out->symbols, &capture);
	if (!err && out->sink)
		err = format->writer_new(out->sink, &heed, &log);
	if (err) {
		log_writer_free(capture);
		return err;
	}
	if (log && capture)
		return tee_writer_new(log, capture, &out->writer);
	out->writer = log ? log : capture;
	return 0;
}

/* The capture first: where its directory is not empty, the file of the log should not be emptied. */
int trace_output_open(struct trace_output *out, const char *log, const char *capture,
		      const struct log_format *format, const struct format_options *heed)
{
	bool named = capture || (!strcmp(format->name, "calls") &&
				 heed->calls.names != CALLS_NAMES_RAW);
	int err = 0;

	out->capture = capture;
	out->log = log || capture ? log : "-";
	if (capture)
		err = capture_dir_create(capture, &out->dir);
	/* Without names a capture is a capture all the same. */
	if (!err && named && trace_symbols_new(sys_root_live(), &out->symbols))
		warning_say("there will be no names of functions: the symbol table of the kernel cannot be read");
	if (!err && out->log)
		err = log_sink_open(out->log, &out->sink);
	return err ? err : writers_new(out, format, *heed);
}

int trace_output_close(struct trace_output *out)
{
	int err;

	log_writer_free(out->writer);
	err = log_sink_close(out->sink);
	capture_dir_close(out->dir);
	symbolizer_free(out->symbols);
	out->symbols = NULL;
	out->writer = NULL;
	out->sink = NULL;
	out->dir = NULL;
	return err;
}

int trace_output_fail(const struct trace_output *out, int err)
{
	const char *log = out->log && strcmp(out->log, "-") ? out->log : "standard output";

	if (!out->capture)
		return error_fail(ERROR_OUTPUT, err, "write the log to %s", log);
	/* Without its directory nothing was begun. */
	if (!out->log || !out->dir)
		return error_fail(ERROR_OUTPUT, err, "write the capture to %s", out->capture);
	return error_fail(ERROR_OUTPUT, err, "write the log to %s and the capture to %s", log,
			  out->capture);
}
