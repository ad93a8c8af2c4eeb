/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --format and what depends on it, for every command that writes a log. */
#ifndef MMIOBPF_CMD_FORMAT_OPTION_H
#define MMIOBPF_CMD_FORMAT_OPTION_H

#include "../log/format.h"
#include "calls_options.h"
#include "cmd.h"

/**
 * format_option_apply() - the format of that name, and what its writer heeds
 * @cmd: for the message
 * @name: as the user gave it
 * @compat: --compat was given
 * @calls: what was given for the readable view
 * @format: set to the format
 * @options: its compat and calls are set, but for calls.symbols
 *
 * Return: STATUS_OK, or STATUS_USAGE, which was said: there is no such format, or an option that
 * belongs to another one was given.
 */
int format_option_apply(const struct command *cmd, const char *name, bool compat,
			const struct calls_command_options *calls, const struct log_format **format,
			struct format_options *options);

#endif
