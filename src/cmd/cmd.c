// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "error.h"

static int print_help(const struct command *cmd)
{
	printf("Usage: mmiobpf %s%s%s\n\n%s\nOptions:\n", cmd->name, *cmd->usage ? " " : "",
	       cmd->usage, cmd->about);
	opt_print_help(cmd->options, stdout);
	return command_finish_stdout(STATUS_OK);
}

bool command_begin(const struct command *cmd, void *into, int argc, char **argv,
		   struct opt_rest *rest, int *status)
{
	char why[256];

	switch (opt_parse(cmd->options, into, argc, argv, rest, why, sizeof(why))) {
	case OPT_OK:
		return true;
	case OPT_HELP:
		*status = print_help(cmd);
		return false;
	case OPT_WRONG:
		*status = command_usage_error(cmd, "%s", why);
		return false;
	case OPT_NO_MEMORY:
		break;
	}
	*status = error_fail(ERROR_ANY, -ENOMEM, "read the options of %s", cmd->name);
	return false;
}

int command_usage_error(const struct command *cmd, const char *fmt, ...)
{
	char what[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	error_say("%s: %s; 'mmiobpf %s --help' shows how it is used", cmd->name, what, cmd->name);
	return STATUS_USAGE;
}

int command_finish_stdout(int status)
{
	errno = 0;
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	/* errno is from the flush, or 0 when an earlier write failed and the rest went out. */
	return error_fail(ERROR_OUTPUT, errno ? -errno : -EIO, "write to stdout");
}
