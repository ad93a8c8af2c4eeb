/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a command is. main.c has the table of them. */
#ifndef MMIOBPF_CMD_CMD_H
#define MMIOBPF_CMD_CMD_H

#include "opt.h"

enum exit_status {
	STATUS_OK		= 0,
	STATUS_FAILURE		= 1,
	STATUS_USAGE		= 2,
	STATUS_INCOMPLETE	= 3,	/* events lost or undecoded */
};

struct command {
	const char *name;
	const char *summary;		/* half a line, for the list of commands */
	const char *usage;		/* what follows the name: "[OPTION...] TEXT..." */
	const char *about;		/* paragraph for --help, ends with a newline */
	const struct opt *options;	/* ends with OPT_END */
	/* argv[0] is the command's name; returns the exit status */
	int (*run)(int argc, char **argv);
};

extern const struct command cmd_trace;
extern const struct command cmd_convert;
extern const struct command cmd_mark;
extern const struct command cmd_info;

/**
 * command_begin() - what every run() starts with: parse the options, print --help or what was wrong
 * @cmd: the command
 * @into, @argc, @argv, @rest: as for opt_parse()
 * @status: set when the command is over already: 0 after --help, 2 after wrong usage
 *
 * Return: true when the command goes on. The lists in @into are the caller's to free in both cases.
 *
 *	if (!command_begin(&cmd_mark, &o, argc, argv, &rest, &status))
 *		return status;
 */
bool command_begin(const struct command *cmd, void *into, int argc, char **argv,
		   struct opt_rest *rest, int *status);

/**
 * command_usage_error() - say what was wrong with the words, and where help is
 * @cmd: the command
 * @fmt: what is wrong, without a full stop: "no text to write"
 *
 * Return: STATUS_USAGE
 */
int command_usage_error(const struct command *cmd, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * command_finish_stdout() - end the command's output on stdout
 * @status: the command's status so far
 *
 * Output that did not reach stdout (full disk, closed pipe) is a failure, and is said.
 * Return: @status or STATUS_FAILURE
 */
int command_finish_stdout(int status);

#endif
