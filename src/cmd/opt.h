/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one option parser. A command describes its options in a table; parsing, --help and the check
 * of the man pages come from that table.
 */
#ifndef MMIOBPF_CMD_OPT_H
#define MMIOBPF_CMD_OPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The C type of the member at @at, in the struct that the command hands over. */
enum opt_type {
	OPT_FLAG,		/* bool, set to true; takes no argument */
	OPT_COUNT,		/* unsigned int, one more each time; takes no argument */
	OPT_TEXT,		/* const char *, points into argv */
	OPT_NUMBER,		/* uint64_t, number_parse() */
	OPT_DURATION,		/* uint64_t nanoseconds, number_parse_duration() */
	OPT_LIST,		/* struct opt_list, one entry each time the option is given */
};

struct opt_list {
	const char **items;	/* strings point into argv */
	size_t n;
};

void opt_list_deinit(struct opt_list *list);

struct opt {
	const char *name;	/* without dashes */
	char letter;		/* 0 when there is no short form */
	const char *arg;	/* its name in --help, NULL for OPT_FLAG and OPT_COUNT */
	const char *help;	/* one line, no full stop */
	enum opt_type type;
	size_t at;		/* offsetof() the member */
	bool (*valid)(const char *value); /* optional: more than the type asks for */
	const char *expect;	/* what a right value looks like, for the message; with @valid */
};

/* Ends every table and stands for the options that every command has. */
#define OPT_END { .name = NULL }

/* What is left behind the options. */
struct opt_rest {
	int argc;
	char **argv;		/* argv[argc] is NULL, as in main() */
	bool dashes;		/* "--" came before it */
};

enum opt_result {
	OPT_OK,
	OPT_HELP,		/* --help or -h was given; nothing else counts */
	OPT_WRONG,		/* wrong usage, @why says what */
	OPT_NO_MEMORY,
};

/**
 * opt_parse() - parse the options of a command
 * @table: ends with OPT_END
 * @into: the struct that the table's offsets are for, holding the defaults; its lists are freed by
 *        the caller with opt_list_deinit(), also after an error
 * @argc, @argv: as main() has them: argv[0] is not looked at
 * @rest: set to what follows the options. Parsing stops at "--", at "-" and at the first word that
 *        is no option, so that words behind it are never taken for ours.
 * @why: on OPT_WRONG, what is wrong, without a full stop and without "mmiobpf:"
 * @why_size: bytes at @why
 *
 * Accepts --name VALUE, --name=VALUE, -x VALUE, -xVALUE and bundled flags (-ab).
 */
enum opt_result opt_parse(const struct opt *table, void *into, int argc, char **argv,
			  struct opt_rest *rest, char *why, size_t why_size);

/**
 * opt_print_help() - print the list of options, --help included, two columns, sorted as in the
 * table
 */
void opt_print_help(const struct opt *table, FILE *out);

#endif
