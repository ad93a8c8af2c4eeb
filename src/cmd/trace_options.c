// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace_options.h"

#include <errno.h>

#include "../session/session.h"
#include "format_option.h"

#define BUFFER_NOT_GIVEN	UINT64_MAX

const struct opt trace_options_table[] = {
	{ "driver", 'd', "NAME", "trace this driver's mappings, now or when it is loaded", OPT_LIST,
	  offsetof(struct trace_options, drivers), NULL, NULL },
	{ "pci", 'p', "BDF", "trace mappings of this PCI device's BARs, as in 00:1f.2", OPT_LIST,
	  offsetof(struct trace_options, pci), NULL, NULL },
	{ "phys", 'P', "A-B",
	  "trace mappings that touch these physical addresses, A to B inclusive", OPT_LIST,
	  offsetof(struct trace_options, phys), NULL, NULL },
	{ "all", 'a', NULL, "trace every mapping but those that the kernel's core needs", OPT_FLAG,
	  offsetof(struct trace_options, all), NULL, NULL },
	{ "cached", 0, NULL, "also record accesses to write-combined and cached mappings", OPT_FLAG,
	  offsetof(struct trace_options, cached), NULL, NULL },
	{ "irq", 0, NULL, "also record where the devices' interrupt handlers begin and end", OPT_FLAG,
	  offsetof(struct trace_options, irqs), NULL, NULL },
	{ "config", 0, NULL, "also record accesses to the devices' PCI configuration space", OPT_FLAG,
	  offsetof(struct trace_options, config), NULL, NULL },
	{ "format", 'f', "NAME", "write the log in this format (default text); a wrong name lists them all",
	  OPT_TEXT, offsetof(struct trace_options, format), NULL, NULL },
	{ "output", 'o', "FILE", "write the log to FILE instead of standard output", OPT_TEXT,
	  offsetof(struct trace_options, output), NULL, NULL },
	{ "capture", 0, "DIR",
	  "write a capture, a CTF trace, into the new directory DIR; no log unless -o is given",
	  OPT_TEXT, offsetof(struct trace_options, capture), NULL, NULL },
	{ "buffer-size", 'b', "SIZE",
	  "buffer of each CPU, rounded up to a power of two (default 4M or less)", OPT_NUMBER,
	  offsetof(struct trace_options, buffer_size), NULL, NULL },
	{ "duration", 0, "TIME", "stop after TIME: 10, 1.5, 500ms, 2m", OPT_DURATION,
	  offsetof(struct trace_options, duration), NULL, NULL },
	{ "compat", 0, NULL, "text: write PC 0x0 and PID 0, as the kernel's mmiotrace does", OPT_FLAG,
	  offsetof(struct trace_options, compat), NULL, NULL },
	CALLS_OPTIONS(struct trace_options),
	OPT_END
};

void trace_options_init(struct trace_options *o)
{
	*o = (struct trace_options){
		.buffer_size = BUFFER_NOT_GIVEN,
		.calls.gap_ns = CALLS_GAP_NOT_GIVEN,
	};
}

void trace_options_deinit(struct trace_options *o)
{
	opt_list_deinit(&o->drivers);
	opt_list_deinit(&o->pci);
	opt_list_deinit(&o->phys);
}

/* To what the session takes: a power of two, or 0 to leave it to the session. */
static int buffer_size_check(uint64_t *size)
{
	uint64_t power = SESSION_BUFFER_MIN;

	if (*size == BUFFER_NOT_GIVEN) {
		*size = 0;
		return 0;
	}
	if (*size < SESSION_BUFFER_MIN || *size > SESSION_BUFFER_MAX)
		return -EINVAL;
	while (power < *size)
		power *= 2;
	*size = power;
	return 0;
}

int trace_options_check(struct trace_options *o, const struct opt_rest *rest,
			const struct log_format **format, struct format_options *heed)
{
	if (rest->argc && !rest->dashes)
		return command_usage_error(&cmd_trace,
					   "\"%s\" is no option; a command to run comes after --",
					   rest->argv[0]);
	if (rest->dashes && !rest->argc)
		return command_usage_error(&cmd_trace, "no command follows --");
	if (buffer_size_check(&o->buffer_size))
		return command_usage_error(&cmd_trace, "--buffer-size is from 4K to 1G");
	if (o->format && o->capture && !o->output)
		return command_usage_error(&cmd_trace,
					   "--format is for the log, and with --capture there is one "
					   "only with --output");
	heed->irqs = o->irqs;
	heed->config = o->config;
	return format_option_apply(&cmd_trace, o->format ? o->format : "text", o->compat, &o->calls,
				   format, heed);
}
