// SPDX-License-Identifier: GPL-2.0-or-later
#include "format_option.h"

#include <stdlib.h>
#include <string.h>

static int wrong_format(const struct command *cmd, const char *name)
{
	char *names = NULL;
	size_t n;
	FILE *f = open_memstream(&names, &n);
	int status;

	if (f) {
		log_format_print_names(f);
		fclose(f);
	}
	status = command_usage_error(cmd, "there is no format \"%s\"; there is %s", name,
				     names ? names : "text");
	free(names);
	return status;
}

int format_option_apply(const struct command *cmd, const char *name, bool compat,
			const struct calls_command_options *calls, const struct log_format **format,
			struct format_options *options)
{
	*format = log_format_find(name);
	if (!*format)
		return wrong_format(cmd, name);
	if (compat && strcmp(name, "text"))
		return command_usage_error(cmd, "--compat is for --format text, not for %s", name);
	options->compat = compat;
	return calls_options_apply(calls, cmd, name, &options->calls);
}
