// SPDX-License-Identifier: GPL-2.0-or-later
#include "calls_options.h"

#include <string.h>

/* One of the options that was given, for a message; NULL when there is none. */
static const char *given(const struct calls_command_options *o)
{
	return o->times				    ? "--times"
	       : o->relative			    ? "--relative"
	       : o->latency			    ? "--latency"
	       : o->prefix			    ? "--prefix"
	       : o->no_fold			    ? "--no-fold"
	       : o->names			    ? "--names"
	       : o->gap_ns != CALLS_GAP_NOT_GIVEN ? "--gap"
						    : NULL;
}

static bool apply_names(const char *names, enum calls_names *out)
{
	static const char *const all[] = {
		[CALLS_NAMES_SHORT] = "short",
		[CALLS_NAMES_RAW] = "raw",
		[CALLS_NAMES_VERBOSE] = "verbose",
	};

	for (unsigned int i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (!strcmp(names, all[i])) {
			*out = i;
			return true;
		}
	return false;
}

int calls_options_apply(const struct calls_command_options *o, const struct command *cmd,
			const char *format, struct calls_options *out)
{
	static const enum calls_times times[] = { CALLS_TIME_NONE, CALLS_TIME_CLOCK,
						  CALLS_TIME_MICRO, CALLS_TIME_EPOCH };

	if (given(o) && strcmp(format, "calls"))
		return command_usage_error(cmd, "%s is for --format calls, not for %s", given(o), format);
	if (o->times && o->relative)
		return command_usage_error(cmd, "a line has one time: give --times or --relative");
	memset(out, 0, sizeof(*out));
	if (o->names && !apply_names(o->names, &out->names))
		return command_usage_error(cmd, "\"%s\" is not a right value for --names: it takes short, raw or verbose",
					   o->names);
	out->times = o->relative ? CALLS_TIME_RELATIVE : times[o->times < 3 ? o->times : 3];
	out->latency = o->latency;
	out->prefix = o->prefix;
	out->no_fold = o->no_fold;
	out->gap_ns = o->gap_ns == CALLS_GAP_NOT_GIVEN ? CALLS_GAP_NS : o->gap_ns;
	return STATUS_OK;
}
