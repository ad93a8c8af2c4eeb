/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `mmiobpf trace` can be told. */
#ifndef MMIOBPF_CMD_TRACE_OPTIONS_H
#define MMIOBPF_CMD_TRACE_OPTIONS_H

#include <stdint.h>

#include "../log/format.h"
#include "calls_options.h"
#include "cmd.h"

struct trace_options {
	struct opt_list drivers, pci, phys;
	bool all;
	bool compat;
	bool cached;
	bool irqs;
	bool config;
	const char *format;	/* NULL: not given */
	struct calls_command_options calls;
	const char *output;
	const char *capture;
	uint64_t buffer_size;	/* bytes; after the check a power of two, 0: the session's choice */
	uint64_t duration;	/* ns, 0: until a signal or the end of the command */
};

extern const struct opt trace_options_table[];

void trace_options_init(struct trace_options *o);
void trace_options_deinit(struct trace_options *o);

/**
 * trace_options_check() - what must fit together
 * @o: its buffer_size becomes what the session takes
 * @rest: words behind the options
 * @format: set to the log's format
 * @heed: set to what its writer heeds
 *
 * Return: STATUS_OK, or STATUS_USAGE, which was said.
 */
int trace_options_check(struct trace_options *o, const struct opt_rest *rest,
			const struct log_format **format, struct format_options *heed);

#endif
