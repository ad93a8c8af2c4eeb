// SPDX-License-Identifier: GPL-2.0-or-later
#include "format.h"

#include <string.h>

#include "calls_writer.h"
#include "chrome_writer.h"
#include "csv_writer.h"
#include "json_writer.h"
#include "text_writer.h"
#include "vcd_writer.h"

static int text_new(struct log_sink *sink, const struct format_options *options,
		    struct log_writer **out)
{
	unsigned int flags = (options->compat ? TEXT_COMPAT : 0) | (options->irqs ? TEXT_IRQ : 0) |
			     (options->config ? TEXT_CONFIG : 0);

	return text_writer_new(sink, flags, out);
}

static int calls_new(struct log_sink *sink, const struct format_options *options,
		     struct log_writer **out)
{
	return calls_writer_new(sink, &options->calls, out);
}

static int json_new(struct log_sink *sink, const struct format_options *options,
		    struct log_writer **out)
{
	(void)options;
	return json_writer_new(sink, out);
}

static int csv_new(struct log_sink *sink, const struct format_options *options,
		   struct log_writer **out)
{
	(void)options;
	return csv_writer_new(sink, out);
}

static int vcd_new(struct log_sink *sink, const struct format_options *options,
		   struct log_writer **out)
{
	(void)options;
	return vcd_writer_new(sink, out);
}

static int chrome_new(struct log_sink *sink, const struct format_options *options,
		      struct log_writer **out)
{
	(void)options;
	return chrome_writer_new(sink, out);
}

static const struct log_format formats[] = {
	{ "text", "mmiotrace's text format", text_new },
	{ "calls", "one access a line for reading, as strace shows calls", calls_new },
	{ "json", "JSON lines, one object for each record", json_new },
	{ "csv", "comma-separated values for spreadsheets", csv_new },
	{ "vcd", "a value change dump for waveform viewers", vcd_new },
	{ "chrome", "Chrome's trace events for the Perfetto UI", chrome_new },
};

#define FORMATS (sizeof(formats) / sizeof(formats[0]))

const struct log_format *log_format_find(const char *name)
{
	for (size_t i = 0; i < FORMATS; i++)
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	return NULL;
}

void log_format_print_names(FILE *out)
{
	for (size_t i = 0; i < FORMATS; i++)
		fprintf(out, "%s%s", i ? ", " : "", formats[i].name);
}
