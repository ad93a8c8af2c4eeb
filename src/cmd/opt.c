// SPDX-License-Identifier: GPL-2.0-or-later
#include "opt.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../number.h"

struct parser {
	const struct opt *table;
	void *into;
	char *why;
	size_t why_size;
};

static const struct opt opt_help = {
	.name = "help", .letter = 'h', .help = "show this help", .type = OPT_FLAG
};

void opt_list_deinit(struct opt_list *list)
{
	free(list->items);
	list->items = NULL;
	list->n = 0;
}

static enum opt_result list_add(struct opt_list *list, const char *value)
{
	const char **items = reallocarray(list->items, list->n + 1, sizeof(*items));

	if (!items)
		return OPT_NO_MEMORY;
	items[list->n++] = value;
	list->items = items;
	return OPT_OK;
}

static const struct opt *find_name(const struct opt *table, const char *name, size_t len)
{
	for (; table->name; table++) {
		if (strlen(table->name) == len && !memcmp(table->name, name, len))
			return table;
	}
	return strlen(opt_help.name) == len && !memcmp(opt_help.name, name, len) ? &opt_help : NULL;
}

static const struct opt *find_letter(const struct opt *table, char letter)
{
	for (; table->name; table++) {
		if (table->letter == letter)
			return table;
	}
	return letter == opt_help.letter ? &opt_help : NULL;
}

static enum opt_result wrong_value(struct parser *p, const struct opt *o, const char *value,
				   const char *expect)
{
	snprintf(p->why, p->why_size, "\"%s\" is not a right value for --%s: it takes %s", value,
		 o->name, expect);
	return OPT_WRONG;
}

static enum opt_result set_number(struct parser *p, const struct opt *o, const char *value)
{
	bool duration = o->type == OPT_DURATION;
	uint64_t v;
	int err = duration ? number_parse_duration(value, &v) : number_parse(value, &v);

	if (err == -ERANGE)
		return wrong_value(p, o, value, "a smaller number");
	if (err)
		return wrong_value(p, o, value,
				   duration ? "a time such as 10, 1.5, 500ms or 2m" :
					      "a number such as 4096, 0x1000, 64k or 1M");
	memcpy((char *)p->into + o->at, &v, sizeof(v));
	return OPT_OK;
}

static enum opt_result set_value(struct parser *p, const struct opt *o, const char *value)
{
	void *at = (char *)p->into + o->at;

	if (o->valid && !o->valid(value))
		return wrong_value(p, o, value, o->expect);
	switch (o->type) {
	case OPT_FLAG:
		*(bool *)at = true;
		return OPT_OK;
	case OPT_COUNT:
		++*(unsigned int *)at;
		return OPT_OK;
	case OPT_TEXT:
		*(const char **)at = value;
		return OPT_OK;
	case OPT_NUMBER:
	case OPT_DURATION:
		return set_number(p, o, value);
	case OPT_LIST:
		return list_add(at, value);
	}
	return OPT_OK;
}

static bool takes_value(const struct opt *o)
{
	return o->type != OPT_FLAG && o->type != OPT_COUNT;
}

static enum opt_result wrong(struct parser *p, const char *what, const char *name, int len)
{
	snprintf(p->why, p->why_size, "%s %.*s", what, len, name);
	return OPT_WRONG;
}

static enum opt_result set_flag(struct parser *p, const struct opt *o)
{
	return o == &opt_help ? OPT_HELP : set_value(p, o, NULL);
}

/* --name, --name=VALUE, --name VALUE; *@argv is moved on when the value is a word of its own. */
static enum opt_result parse_long(struct parser *p, char ***argv)
{
	const char *word = **argv + 2;
	size_t len = strcspn(word, "=");
	const struct opt *o = find_name(p->table, word, len);
	const char *value = word[len] ? word + len + 1 : NULL;

	if (!o)
		return wrong(p, "unknown option", **argv, (int)len + 2);
	if (!takes_value(o))
		return value ? wrong(p, "no argument is allowed for", **argv, (int)len + 2) :
			       set_flag(p, o);
	if (!value)
		value = *++*argv;
	if (!value)
		return wrong(p, "an argument is missing after", word - 2, (int)len + 2);
	return set_value(p, o, value);
}

/* -x, -xyz, -oVALUE, -o VALUE. */
static enum opt_result parse_short(struct parser *p, char ***argv)
{
	const char *word = **argv;

	for (const char *c = word + 1; *c; c++) {
		const struct opt *o = find_letter(p->table, *c);
		const char letter[] = { '-', *c };
		const char *value = c + 1;
		enum opt_result r;

		if (!o)
			return wrong(p, "unknown option", letter, 2);
		if (!takes_value(o)) {
			r = set_flag(p, o);
			if (r != OPT_OK)
				return r;
			continue;
		}
		if (!*value)
			value = *++*argv;
		if (!value)
			return wrong(p, "an argument is missing after", letter, 2);
		return set_value(p, o, value);
	}
	return OPT_OK;
}

enum opt_result opt_parse(const struct opt *table, void *into, int argc, char **argv,
			  struct opt_rest *rest, char *why, size_t why_size)
{
	struct parser p = { .table = table, .into = into, .why = why, .why_size = why_size };
	char **end = argv + argc;
	enum opt_result r;

	rest->dashes = false;
	for (argv++; argv < end; argv++) {
		const char *word = *argv;

		if (!strcmp(word, "--")) {
			rest->dashes = true;
			argv++;
			break;
		}
		if (word[0] != '-' || !word[1])
			break;
		r = word[1] == '-' ? parse_long(&p, &argv) : parse_short(&p, &argv);
		if (r != OPT_OK)
			return r;
	}
	rest->argv = argv < end ? argv : end;
	rest->argc = (int)(end - rest->argv);
	return OPT_OK;
}

static int left_column(const struct opt *o, char *buf, size_t size)
{
	char letter[] = "    ";

	if (o->letter)
		snprintf(letter, sizeof(letter), "-%c, ", o->letter);
	return snprintf(buf, size, "  %s--%s%s%s", letter, o->name, o->arg ? " " : "",
			o->arg ? o->arg : "");
}

void opt_print_help(const struct opt *table, FILE *out)
{
	char buf[80];
	int width = left_column(&opt_help, buf, sizeof(buf));

	for (const struct opt *o = table; o->name; o++) {
		int n = left_column(o, buf, sizeof(buf));

		width = n > width ? n : width;
	}
	for (const struct opt *o = table; o->name; o++) {
		left_column(o, buf, sizeof(buf));
		fprintf(out, "%-*s  %s\n", width, buf, o->help);
	}
	left_column(&opt_help, buf, sizeof(buf));
	fprintf(out, "%-*s  %s\n", width, buf, opt_help.help);
}
