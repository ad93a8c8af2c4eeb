// SPDX-License-Identifier: GPL-2.0-or-later
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/error.h"

static const struct command *const commands[] = {
	&cmd_trace,
	&cmd_convert,
	&cmd_mark,
	&cmd_info,
};

#define NCOMMANDS (sizeof(commands) / sizeof(commands[0]))

static int print_help(void)
{
	printf("Usage: mmiobpf COMMAND [OPTION...]\n\n"
	       "Record every memory-mapped I/O access that Linux drivers make.\n\n"
	       "Commands:\n");
	for (size_t i = 0; i < NCOMMANDS; i++)
		printf("  %-10s%s\n", commands[i]->name, commands[i]->summary);
	printf("\nOptions:\n"
	       "  -h, --help     show this help; 'mmiobpf COMMAND --help' shows a command's\n"
	       "  -V, --version  show the version\n\n"
	       "Exit status: 0 success, 1 failure, 2 wrong usage, 3 the record is incomplete.\n");
	return command_finish_stdout(STATUS_OK);
}

static int print_version(void)
{
	printf("mmiobpf %s\n", MMIOBPF_VERSION);
	return command_finish_stdout(STATUS_OK);
}

/* One line an option, for the test that compares the tables with the manual pages. */
static int dump_options(void)
{
	for (size_t i = 0; i < NCOMMANDS; i++) {
		for (const struct opt *o = commands[i]->options; o->name; o++)
			printf("%s --%s %s %c\n", commands[i]->name, o->name, o->arg ? o->arg : "-",
			       o->letter ? o->letter : '-');
	}
	return command_finish_stdout(STATUS_OK);
}

static int run(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : "";

	if (!strcmp(word, "--help") || !strcmp(word, "-h"))
		return print_help();
	if (!strcmp(word, "--version") || !strcmp(word, "-V"))
		return print_version();
	if (!strcmp(word, "--dump-options"))
		return dump_options();
	for (size_t i = 0; i < NCOMMANDS; i++) {
		if (!strcmp(word, commands[i]->name))
			return commands[i]->run(argc - 1, argv + 1);
	}
	if (!*word)
		error_say("no command was given; 'mmiobpf --help' lists them");
	else
		error_say("there is no %s \"%s\"; 'mmiobpf --help' lists what there is",
			  *word == '-' ? "option" : "command", word);
	return STATUS_USAGE;
}

int main(int argc, char **argv)
{
	/* A closed pipe or a full file is an error to report, not a reason to die in a session. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	return run(argc, argv);
}
