// SPDX-License-Identifier: GPL-2.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cmd/opt.h"

struct options {
	bool all;
	bool quiet;
	const char *output;
	uint64_t size;
	uint64_t duration;
	struct opt_list drivers;
	unsigned int times;
};

static bool is_even(const char *s)
{
	return strlen(s) % 2 == 0;
}

static const struct opt table[] = {
	{ "all", 'a', NULL, "everything", OPT_FLAG, offsetof(struct options, all), NULL, NULL },
	{ "quiet", 'q', NULL, "say less", OPT_FLAG, offsetof(struct options, quiet), NULL, NULL },
	{ "output", 'o', "FILE", "where to", OPT_TEXT, offsetof(struct options, output), is_even,
	  "an even number of letters" },
	{ "size", 0, "SIZE", "how much", OPT_NUMBER, offsetof(struct options, size), NULL, NULL },
	{ "duration", 0, "TIME", "how long", OPT_DURATION, offsetof(struct options, duration), NULL,
	  NULL },
	{ "driver", 'd', "NAME", "which", OPT_LIST, offsetof(struct options, drivers), NULL, NULL },
	{ "times", 't', NULL, "the more the longer", OPT_COUNT, offsetof(struct options, times), NULL,
	  NULL },
	OPT_END,
};

struct result {
	struct options o;
	struct opt_rest rest;
	enum opt_result r;
	char why[256];
};

static void parse(struct result *res, char **argv)
{
	int argc = 0;

	memset(res, 0, sizeof(*res));
	while (argv[argc])
		argc++;
	res->r = opt_parse(table, &res->o, argc, argv, &res->rest, res->why, sizeof(res->why));
}

#define PARSE(res, ...) \
	parse(res, (char *[]){ "command", ##__VA_ARGS__, NULL })

static void counted(void **state)
{
	struct result r;

	(void)state;
	PARSE(&r, "-q");
	assert_int_equal(r.o.times, 0);
	PARSE(&r, "-t", "-qtt", "--times", "-t");
	assert_int_equal(r.r, OPT_OK);
	assert_int_equal(r.o.times, 5);
	assert_true(r.o.quiet);
	PARSE(&r, "--times=3");
	assert_int_equal(r.r, OPT_WRONG);
	assert_string_equal(r.why, "no argument is allowed for --times");
}

static void every_form(void **state)
{
	struct result r;

	(void)state;
	PARSE(&r, "-aq", "-oab", "--size=64k", "--duration", "1.5", "-d", "e1000e", "--driver=nvme",
	      "word", "-a");
	assert_int_equal(r.r, OPT_OK);
	assert_true(r.o.all);
	assert_true(r.o.quiet);
	assert_string_equal(r.o.output, "ab");
	assert_int_equal(r.o.size, 65536);
	assert_int_equal(r.o.duration, 1500000000);
	assert_int_equal(r.o.drivers.n, 2);
	assert_string_equal(r.o.drivers.items[0], "e1000e");
	assert_string_equal(r.o.drivers.items[1], "nvme");
	assert_int_equal(r.rest.argc, 2);
	assert_string_equal(r.rest.argv[0], "word");
	assert_null(r.rest.argv[2]);
	assert_false(r.rest.dashes);
	opt_list_deinit(&r.o.drivers);
	assert_null(r.o.drivers.items);
}

static void stops_where_it_must(void **state)
{
	struct result r;

	(void)state;
	PARSE(&r, "-a", "--", "-q", "--nonsense");
	assert_int_equal(r.r, OPT_OK);
	assert_true(r.rest.dashes);
	assert_false(r.o.quiet);
	assert_int_equal(r.rest.argc, 2);
	assert_string_equal(r.rest.argv[0], "-q");

	PARSE(&r, "-", "-q");
	assert_int_equal(r.r, OPT_OK);
	assert_int_equal(r.rest.argc, 2);
	assert_false(r.o.quiet);

	PARSE(&r);
	assert_int_equal(r.r, OPT_OK);
	assert_int_equal(r.rest.argc, 0);

	PARSE(&r, "--");
	assert_int_equal(r.r, OPT_OK);
	assert_int_equal(r.rest.argc, 0);
	assert_true(r.rest.dashes);

	/* The argument of an option may look like one. */
	PARSE(&r, "--output", "--");
	assert_int_equal(r.r, OPT_OK);
	assert_string_equal(r.o.output, "--");
	assert_false(r.rest.dashes);
}

static void help(void **state)
{
	struct result r;

	(void)state;
	PARSE(&r, "--help");
	assert_int_equal(r.r, OPT_HELP);
	PARSE(&r, "-ah", "--nonsense");
	assert_int_equal(r.r, OPT_HELP);
	PARSE(&r, "--", "--help");
	assert_int_equal(r.r, OPT_OK);
}

static void wrong(struct result *r, const char *why)
{
	assert_int_equal(r->r, OPT_WRONG);
	assert_string_equal(r->why, why);
}

static void wrong_usage(void **state)
{
	struct result r;

	(void)state;
	PARSE(&r, "--nonsense=1");
	wrong(&r, "unknown option --nonsense");
	PARSE(&r, "--al");
	wrong(&r, "unknown option --al");
	PARSE(&r, "-az");
	wrong(&r, "unknown option -z");
	PARSE(&r, "--size");
	wrong(&r, "an argument is missing after --size");
	PARSE(&r, "-o");
	wrong(&r, "an argument is missing after -o");
	PARSE(&r, "--all=yes");
	wrong(&r, "no argument is allowed for --all");
	PARSE(&r, "--size", "many");
	wrong(&r, "\"many\" is not a right value for --size: it takes a number such as 4096, 0x1000, "
		  "64k or 1M");
	PARSE(&r, "--size", "99999999999G");
	wrong(&r, "\"99999999999G\" is not a right value for --size: it takes a smaller number");
	PARSE(&r, "--duration=soon");
	wrong(&r, "\"soon\" is not a right value for --duration: it takes a time such as 10, 1.5, "
		  "500ms or 2m");
	PARSE(&r, "--output", "abc");
	wrong(&r, "\"abc\" is not a right value for --output: it takes an even number of letters");
}

static void help_text(void **state)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	(void)state;
	opt_print_help(table, f);
	fclose(f);
	assert_string_equal(text, "  -a, --all            everything\n"
				  "  -q, --quiet          say less\n"
				  "  -o, --output FILE    where to\n"
				  "      --size SIZE      how much\n"
				  "      --duration TIME  how long\n"
				  "  -d, --driver NAME    which\n"
				  "  -t, --times          the more the longer\n"
				  "  -h, --help           show this help\n");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_form), cmocka_unit_test(counted),
		cmocka_unit_test(stops_where_it_must),
		cmocka_unit_test(help),	      cmocka_unit_test(wrong_usage),
		cmocka_unit_test(help_text),
	};

	return cmocka_run_group_tests_name("opt", tests, NULL, NULL);
}
