// SPDX-License-Identifier: GPL-2.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "json.h"

static char *text;
static size_t size;

static FILE *begin(struct json *j)
{
	FILE *f = open_memstream(&text, &size);

	json_init(j, f);
	return f;
}

static void nested(void **state)
{
	struct json j;
	FILE *f = begin(&j);

	(void)state;
	json_open_object(&j, NULL);
	json_string(&j, "name", "a");
	json_open_array(&j, "list");
	json_number(&j, NULL, UINT64_MAX);
	json_bool(&j, NULL, false);
	json_open_object(&j, NULL);
	json_close_object(&j);
	json_close_array(&j);
	json_open_array(&j, "empty");
	json_close_array(&j);
	json_string(&j, "none", NULL);
	json_close_object(&j);
	json_deinit(&j);
	fclose(f);
	assert_string_equal(text, "{\n  \"name\": \"a\",\n  \"list\": [\n    18446744073709551615,\n"
				  "    false,\n    {}\n  ],\n  \"empty\": [],\n  \"none\": null\n}\n");
	free(text);
}

static void strings(void **state)
{
	static const struct {
		const char *in, *out;
	} cases[] = {
		{ "plain", "\"plain\"\n" },
		{ "a\"b\\c", "\"a\\\"b\\\\c\"\n" },
		{ "\n\t\x01\x7f", "\"\\u000a\\u0009\\u0001\\u007f\"\n" },
		{ "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"\n" },
		{ "\xff", "\"\\ufffd\"\n" },
		{ "\xc3", "\"\\ufffd\"\n" },			/* ends too early */
		{ "\xe2\x82", "\"\\ufffd\\ufffd\"\n" },
		{ "\xc0\xaf", "\"\\ufffd\\ufffd\"\n" },		/* overlong */
		{ "\xe0\x80\x80", "\"\\ufffd\\ufffd\\ufffd\"\n" },
		{ "\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"\n" }, /* surrogate */
		{ "\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct json j;
		FILE *f = begin(&j);

		json_string(&j, NULL, cases[i].in);
		json_deinit(&j);
		fclose(f);
		assert_string_equal(text, cases[i].out);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nested),
		cmocka_unit_test(strings),
	};

	return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
