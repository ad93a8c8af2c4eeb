// SPDX-License-Identifier: GPL-2.0-or-later
#include "filter_options.h"

#include <errno.h>

#include "../filter/filter.h"

static const struct {
	const char *name;
	enum filter_field field;
	size_t at;
} lists[] = {
	{ "range", FILTER_RANGE, offsetof(struct filter_options, range) },
	{ "op", FILTER_OP, offsetof(struct filter_options, op) },
	{ "width", FILTER_WIDTH, offsetof(struct filter_options, width) },
	{ "value", FILTER_VALUE, offsetof(struct filter_options, value) },
	{ "function", FILTER_FUNCTION, offsetof(struct filter_options, function) },
	{ "pid", FILTER_PID, offsetof(struct filter_options, pid) },
	{ "comm", FILTER_COMM, offsetof(struct filter_options, comm) },
	{ "cpu", FILTER_CPU, offsetof(struct filter_options, cpu) },
	{ "context", FILTER_CONTEXT, offsetof(struct filter_options, context) },
};

#define LISTS (sizeof(lists) / sizeof(lists[0]))

static struct opt_list *list_of(const struct filter_options *o, size_t i)
{
	return (struct opt_list *)((char *)o + lists[i].at);
}

void filter_options_deinit(struct filter_options *o)
{
	for (size_t i = 0; i < LISTS; i++)
		opt_list_deinit(list_of(o, i));
}

int filter_options_apply(const struct filter_options *o, const struct command *cmd,
			 struct mmiobpf_filter *f)
{
	filter_init(f);
	for (size_t i = 0; i < LISTS; i++) {
		const struct opt_list *list = list_of(o, i);

		for (size_t k = 0; k < list->n; k++) {
			const char *why;
			int err = filter_add(f, lists[i].field, list->items[k], &why);

			if (err == -E2BIG)
				return command_usage_error(cmd, "--%s takes %d items at most",
							   lists[i].name, MMIOBPF_FILTER_ITEMS);
			if (err)
				return command_usage_error(
					cmd,
					"\"%s\" is not a right value for --%s: it takes %s, with ! in "
					"front for not",
					list->items[k], lists[i].name, why);
		}
	}
	if (o->changed && o->unchanged)
		return command_usage_error(cmd, "--changed and --unchanged exclude each other");
	return STATUS_OK;
}

bool filter_options_given(const struct filter_options *o)
{
	for (size_t i = 0; i < LISTS; i++)
		if (list_of(o, i)->n)
			return true;
	return o->changed || o->unchanged;
}
