/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of the readable view, the same for every command that writes it. */
#ifndef MMIOBPF_CMD_CALLS_OPTIONS_H
#define MMIOBPF_CMD_CALLS_OPTIONS_H

#include "../log/calls_writer.h"
#include "cmd.h"

struct calls_command_options {
	unsigned int times;	/* how often -t was given */
	bool relative, latency, prefix, no_fold;
	const char *names;	/* NULL: not given */
	uint64_t gap_ns;	/* CALLS_GAP_NOT_GIVEN, or 0: none */
};

#define CALLS_GAP_NOT_GIVEN	UINT64_MAX

#define CALLS_OPTION(type, name, letter, arg, help, kind, member) \
	{ name, letter, arg, help, kind, offsetof(type, calls.member), NULL, NULL }

/*
 * Entries of an option table for @type, which has a struct calls_command_options named calls; its
 * gap_ns is CALLS_GAP_NOT_GIVEN at first.
 */
#define CALLS_OPTIONS(type) \
	CALLS_OPTION(type, "times", 't', NULL, "calls: the time of day; -tt with microseconds, -ttt since 1970", \
		     OPT_COUNT, times), \
	CALLS_OPTION(type, "relative", 'r', NULL, "calls: the time since the line before", OPT_FLAG, relative), \
	CALLS_OPTION(type, "latency", 'T', NULL, "calls: how long the device took", OPT_FLAG, latency), \
	CALLS_OPTION(type, "names", 'X', "HOW", "calls: short names (default), raw numbers, or verbose: both", \
		     OPT_TEXT, names), \
	CALLS_OPTION(type, "prefix", 0, NULL, "calls: say CPU and device also when there is only one", \
		     OPT_FLAG, prefix), \
	CALLS_OPTION(type, "no-fold", 0, NULL, "calls: write each read of a poll on a line of its own", \
		     OPT_FLAG, no_fold), \
	CALLS_OPTION(type, "gap", 0, "TIME", "calls: show a time without records from TIME on (default 1ms; 0: none)", \
		     OPT_DURATION, gap_ns)

/**
 * calls_options_apply() - what the writer needs, of what was given
 * @cmd: for the message
 * @format: name of the format that was chosen
 * @out: set, but for symbols
 *
 * Return: STATUS_OK, or STATUS_USAGE, which was said.
 */
int calls_options_apply(const struct calls_command_options *o, const struct command *cmd,
			const char *format, struct calls_options *out);

#endif
