// SPDX-License-Identifier: GPL-2.0-or-later
/* mmiobpf convert: a log in, any format out. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../filter/stage.h"
#include "../log/ctf_writer.h"
#include "../log/format.h"
#include "../log/open.h"
#include "../log/record.h"
#include "cmd.h"
#include "error.h"
#include "filter_options.h"
#include "format_option.h"
#include "progress.h"

/* Records between two looks at the clock. */
#define PROGRESS_RECORDS	1024

struct convert_options {
	const char *format;
	const char *output;
	const char *capture;
	bool compat;
	struct calls_command_options calls;
	struct filter_options filter;
};

static const struct opt convert_table[] = {
	{ "format", 'f', "NAME", "write this format (default text); a wrong name lists them all",
	  OPT_TEXT, offsetof(struct convert_options, format), NULL, NULL },
	{ "output", 'o', "FILE", "write to FILE instead of standard output", OPT_TEXT,
	  offsetof(struct convert_options, output), NULL, NULL },
	{ "capture", 0, "DIR", "write a capture, a CTF trace, into the new directory DIR", OPT_TEXT,
	  offsetof(struct convert_options, capture), NULL, NULL },
	{ "compat", 0, NULL, "text: write PC 0x0 and PID 0, as the kernel's mmiotrace does", OPT_FLAG,
	  offsetof(struct convert_options, compat), NULL, NULL },
	CALLS_OPTIONS(struct convert_options),
	FILTER_OPTIONS(struct convert_options),
	OPT_END
};

/* The command while it runs. */
struct convert {
	const struct convert_options *opts;
	const struct log_format *format;
	struct format_options heed;
	struct header_symbolizer symbols;	/* what the input brings along */
	const char *input;		/* as the user named it */
	struct log_input in;
	struct log_sink *sink;
	struct capture_dir *dir;	/* instead of the sink, for a capture */
	struct log_writer *writer;
	bool begun;			/* the writer has the header */
	bool filtered;
	struct filter_stage filter;
	const struct mmiobpf_filter_range *missing;	/* a BAR that the log does not have */
	struct mmiobpf_rec_end end;	/* what was written, and the input's own end if it has one */
	uint64_t records;
	struct progress progress;
};

static const char *input_name(const struct convert *c)
{
	return strcmp(c->input, "-") ? c->input : "standard input";
}

static const char *output_name(const struct convert *c)
{
	if (c->opts->capture)
		return c->opts->capture;
	return c->opts->output && strcmp(c->opts->output, "-") ? c->opts->output
							       : "standard output";
}

/* --- records --- */

static void count(struct convert *c, const struct mmiobpf_rec_hdr *rec)
{
	switch (rec->type) {
	case MMIOBPF_REC_ACCESS:
		c->end.accesses++;
		break;
	case MMIOBPF_REC_UNKNOWN:
		c->end.undecoded++;
		break;
	case MMIOBPF_REC_LOST:
		c->end.lost += ((const struct mmiobpf_rec_lost *)rec)->count;
		break;
	default:
		break;
	}
}

/* The header is complete when the first record has come. Return: 0 or -errno of the output. */
static int begin(struct convert *c)
{
	if (c->begun)
		return 0;
	c->begun = true;
	if (c->filtered) {
		int err = filter_stage_begin(&c->filter, &c->in.reader->header, &c->missing);

		if (err)
			return err;
	}
	return log_writer_begin(c->writer, &c->in.reader->header);
}

/*
 * The end of the input's session says more than was counted here: what faulted, and what was lost
 * where no record tells.
 */
static void take_end(struct convert *c, const struct mmiobpf_rec_end *end)
{
	__u64 accesses = c->end.accesses, lost = c->end.lost, undecoded = c->end.undecoded;

	c->end = *end;
	c->end.accesses = accesses;
	c->end.undecoded = undecoded;
	if (c->end.lost < lost)
		c->end.lost = lost;
}

static int take_record(struct convert *c, const struct mmiobpf_rec_hdr *rec)
{
	bool pass = true;
	int err;

	if (rec->type == MMIOBPF_REC_END) {
		take_end(c, (const struct mmiobpf_rec_end *)rec);
		return 0;
	}
	err = begin(c);
	if (err)
		return err;
	if (++c->records % PROGRESS_RECORDS == 0)
		progress_update(&c->progress, log_input_taken(&c->in));
	c->end.hdr.seq = rec->seq + 1;
	c->end.hdr.time_ns = rec->time_ns;
	if (c->filtered)
		err = filter_stage_pass(&c->filter, rec, &pass);
	if (err || !pass)
		return err;
	count(c, rec);
	return log_writer_record(c->writer, rec);
}

/* What came so far is shown before more is waited for. An error comes again with the next record. */
static void show(void *ctx)
{
	struct convert *c = ctx;

	if (c->begun)
		log_writer_flush(c->writer);
}

/*
 * Everything up to the end or damage. Return: 0 or -errno of the output; *@read_error: 0 or -errno
 * of the input.
 */
static int copy(struct convert *c, int *read_error)
{
	const struct mmiobpf_rec_hdr *rec;
	int ret, err = 0;

	log_input_before_wait(&c->in, show, c);
	while ((ret = log_reader_next(c->in.reader, &rec)) == 1) {
		err = take_record(c, rec);
		if (err)
			break;
	}
	*read_error = err ? 0 : ret;
	if (!err)
		err = begin(c);
	if (!err)
		err = log_writer_end(c->writer, ret ? NULL : &c->end);
	return err;
}

/* --- verdict --- */

static int say_damage(const struct convert *c)
{
	const struct log_damage *d = &c->in.reader->damage;
	char line[40] = "";

	if (d->line)
		snprintf(line, sizeof(line), " (line %" PRIu64 ")", d->line);
	return error_say("cannot read %s from byte %" PRIu64 "%s on: %s; the %" PRIu64
			 " records before it are used", input_name(c), d->offset, line, d->why,
			 c->records);
}

static int say_missing(const struct convert *c)
{
	uint32_t dev = c->missing->dev;

	return error_say("cannot filter %s by BAR %d of device %04x:%02x:%02x.%x: the log has no such device, "
			 "or it has no such memory there; see the PCIDEV lines", input_name(c),
			 c->missing->bar, dev >> 16, dev >> 8 & 0xff, dev >> 3 & 0x1f, dev & 7);
}

static int verdict(const struct convert *c, int read_error, int write_error)
{
	const struct mmiobpf_rec_end *e = &c->end;

	/* Whoever closed the pipe has what it wanted: head, or a pager that was left. */
	if (write_error == -EPIPE)
		return STATUS_OK;
	if (c->missing)
		return say_missing(c);
	if (write_error)
		return error_fail(ERROR_OUTPUT, write_error, "write to %s", output_name(c));
	if (read_error == -EBADMSG)
		return say_damage(c);
	if (read_error)
		return error_fail(ERROR_INPUT, read_error, "read %s", input_name(c));
	if (!c->records)
		warning_say("there is no record in %s", input_name(c));
	if (!e->lost && !e->undecoded)
		return STATUS_OK;
	warning_say("the record in %s is incomplete: %llu events were lost, %llu accesses were not "
		    "decoded", input_name(c), e->lost, e->undecoded);
	return STATUS_INCOMPLETE;
}

/* --- setting up --- */

/* Opened for writing, the input would be empty before it was read. */
static bool output_is_input(const struct convert *c)
{
	struct stat in, out;
	bool is_stdin = !strcmp(c->input, "-");

	if (!c->opts->output || !strcmp(c->opts->output, "-") || stat(c->opts->output, &out))
		return false;
	if (is_stdin ? fstat(0, &in) : stat(c->input, &in))
		return false;
	return S_ISREG(in.st_mode) && in.st_dev == out.st_dev && in.st_ino == out.st_ino;
}

static int output_open(struct convert *c)
{
	int err;

	if (c->opts->capture) {
		err = capture_dir_create(c->opts->capture, &c->dir);
		return err ? err : ctf_writer_new(c->dir, NULL, &c->writer);
	}
	err = log_sink_open(c->opts->output ? c->opts->output : "-", &c->sink);

	if (!err)
		err = c->format->writer_new(c->sink, &c->heed, &c->writer);
	return err;
}

/* Asked for what no record of the input can say, nothing would pass, without a word. */
static bool lacks_field(const struct convert *c)
{
	const struct filter_options *f = &c->opts->filter;
	const char *name = f->cpu.n ? "cpu" : f->context.n ? "context" : f->comm.n ? "comm" : NULL;

	if (!name || c->in.has_origin)
		return false;
	error_say("cannot filter %s by --%s: logs in its format do not say it; a capture does",
		  input_name(c), name);
	return true;
}

static int convert(struct convert *c)
{
	int read_error, err = log_input_open(&c->in, c->input);
	int status;

	if (err)
		return error_fail(ERROR_INPUT, err, "read %s", input_name(c));
	header_symbolizer_init(&c->symbols, &c->in.reader->header);
	c->heed.calls.symbols = &c->symbols.symbolizer;
	if (lacks_field(c)) {
		log_input_close(&c->in);
		return STATUS_FAILURE;
	}
	if (output_is_input(c)) {
		log_input_close(&c->in);
		return error_say("cannot write to %s: it is the input; choose another file",
				 output_name(c));
	}
	err = output_open(c);
	if (err) {
		status = error_fail(ERROR_OUTPUT, err, "write to %s", output_name(c));
	} else {
		progress_init(&c->progress, c->in.size, !c->opts->output && !c->opts->capture);
		err = copy(c, &read_error);
		progress_clear(&c->progress);
		status = verdict(c, read_error, err);
	}
	log_writer_free(c->writer);
	capture_dir_close(c->dir);
	err = log_sink_close(c->sink);
	if (err && status != STATUS_FAILURE)
		status = error_fail(ERROR_OUTPUT, err, "write to %s", output_name(c));
	log_input_close(&c->in);
	return status;
}

/* The words behind the options, and what must fit together. Return: STATUS_OK or STATUS_USAGE. */
static int take_words(struct convert *c, const struct opt_rest *rest)
{
	const struct filter_options *f = &c->opts->filter;
	struct mmiobpf_filter filter;

	if (rest->argc > 1 && rest->argv[1][0] == '-' && rest->argv[1][1])
		return command_usage_error(&cmd_convert,
					   "\"%s\" stands behind the input; options come before it",
					   rest->argv[1]);
	if (rest->argc > 1)
		return command_usage_error(&cmd_convert,
					   "there can be one input only, and \"%s\" follows it",
					   rest->argv[1]);
	if (c->opts->capture && c->opts->output)
		return command_usage_error(&cmd_convert,
					   "--capture names the output, and so does --output");
	if (format_option_apply(&cmd_convert, c->opts->format, c->opts->compat, &c->opts->calls,
				&c->format, &c->heed) != STATUS_OK)
		return STATUS_USAGE;
	if (rest->argc)
		c->input = rest->argv[0];
	c->filtered = filter_options_given(f);
	if (!c->filtered)
		return STATUS_OK;
	if (filter_options_apply(f, &cmd_convert, &filter) != STATUS_OK)
		return STATUS_USAGE;
	filter_stage_init(&c->filter, &filter,
			  f->changed	 ? FILTER_CHANGES_ONLY
			  : f->unchanged ? FILTER_CHANGES_NOT
					 : FILTER_CHANGES_ALL);
	return STATUS_OK;
}

static int convert_run(int argc, char **argv)
{
	struct convert_options o = { .format = "text", .calls.gap_ns = CALLS_GAP_NOT_GIVEN };
	struct convert c = { .opts = &o, .input = "-" };
	struct opt_rest rest;
	int status;

	c.end.hdr.type = MMIOBPF_REC_END;
	c.end.hdr.size = sizeof(c.end);
	if (command_begin(&cmd_convert, &o, argc, argv, &rest, &status))
		status = take_words(&c, &rest);
	else
		c.format = NULL;
	if (c.format && status == STATUS_OK)
		status = convert(&c);
	filter_stage_deinit(&c.filter);
	filter_options_deinit(&o.filter);
	return status;
}

const struct command cmd_convert = {
	.name = "convert",
	.summary = "read a log, write it in another format",
	.usage = "[OPTION...] [INPUT]",
	.about =
		"Reads a log and writes it in another format. INPUT is a file, or standard input when it is - or\n"
		"left out: a text log of mmiobpf or of the kernel's mmiotrace, or the vfio_region events in a log of\n"
		"QEMU, packed with gzip, xz or zstd or not; or the directory of a capture. Of a damaged log all\n"
		"records before the damage are written, and the exit status is 1; it is 3 when the log says itself\n"
		"that it is incomplete.\n",
	.options = convert_table,
	.run = convert_run,
};
