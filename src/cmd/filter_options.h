/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options that filter records, the same for every command that has records. */
#ifndef MMIOBPF_CMD_FILTER_OPTIONS_H
#define MMIOBPF_CMD_FILTER_OPTIONS_H

#include "../../include/mmiobpf/filter.h"
#include "cmd.h"

struct filter_options {
	struct opt_list range, op, width, value, function, pid, comm, cpu, context;
	bool changed, unchanged;
};

#define FILTER_OPTION_LIST(type, name, arg, help) \
	{ #name, 0, arg, help, OPT_LIST, offsetof(type, filter.name), NULL, NULL }
#define FILTER_OPTION_FLAG(type, name, help) \
	{ #name, 0, NULL, help, OPT_FLAG, offsetof(type, filter.name), NULL, NULL }

/* Entries of an option table for @type, which has a struct filter_options named filter. */
#define FILTER_OPTIONS(type) \
	FILTER_OPTION_LIST(type, range, "RANGE", \
			   "pass accesses to addresses A-B or A+SIZE, or BARn[:A-B], or BDF/BARn[:A-B]"), \
	FILTER_OPTION_LIST(type, op, "LIST", \
			   "pass read, write, rmw, unknown, map, unmap, mark, irq, config, pmu"), \
	FILTER_OPTION_LIST(type, width, "LIST", "pass accesses of so many bytes"), \
	FILTER_OPTION_LIST(type, value, "VALUE[/MASK]", "pass accesses with this value, bits in MASK compared"), \
	FILTER_OPTION_LIST(type, function, "RANGE", "pass accesses by the code at addresses A-B or A+SIZE"), \
	FILTER_OPTION_LIST(type, pid, "LIST", "pass accesses of these threads or processes"), \
	FILTER_OPTION_LIST(type, comm, "NAME", "pass accesses of tasks with this name"), \
	FILTER_OPTION_LIST(type, cpu, "LIST", "pass accesses of these CPUs, as in 0,2-5"), \
	FILTER_OPTION_LIST(type, context, "LIST", "pass accesses in task, softirq, hardirq, nmi"), \
	FILTER_OPTION_FLAG(type, changed, \
			   "of what passes, only accesses with another value than the one before"), \
	FILTER_OPTION_FLAG(type, unchanged, "of what passes, only accesses with the same value again")

void filter_options_deinit(struct filter_options *o);

/**
 * filter_options_apply() - make a filter of what was given
 * @cmd: for the message
 * @f: set
 *
 * Return: STATUS_OK, or STATUS_USAGE, which was said.
 */
int filter_options_apply(const struct filter_options *o, const struct command *cmd,
			 struct mmiobpf_filter *f);

/** filter_options_given() - was any of them given? */
bool filter_options_given(const struct filter_options *o);

#endif
