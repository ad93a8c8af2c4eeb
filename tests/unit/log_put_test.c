// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers as text: the same as printf() makes of them, at every length. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "log/text_put.h"

/* Everything around the places where a number grows by a digit. */
static void for_each_edge(void (*check)(uint64_t v))
{
	uint64_t ten = 1;

	for (int bit = 0; bit < 64; bit++) {
		for (uint64_t d = 0; d < 7; d++)
			check((UINT64_C(1) << bit) + d - 3);
	}
	for (int i = 0; i < 20; i++, ten *= 10) {
		for (uint64_t d = 0; d < 7; d++)
			check(ten + d - 3);
	}
	for (uint64_t v = 0; v < 70000; v++)
		check(v);
}

static void check_number(uint64_t v)
{
	char text[20 + PUT_SLACK + 1], expect[32];

	*put_number(text, v) = '\0';
	snprintf(expect, sizeof(expect), "%" PRIu64, v);
	assert_string_equal(text, expect);
}

static void check_hex(uint64_t v)
{
	char text[16 + PUT_SLACK + 1], expect[32];

	for (int min = 1; min <= 8; min++) {
		*put_hex(text, v, (unsigned int)min) = '\0';
		snprintf(expect, sizeof(expect), "%0*" PRIx64, min, v);
		assert_string_equal(text, expect);
	}
}

static void numbers(void **state)
{
	(void)state;
	for_each_edge(check_number);
}

static void hexadecimal(void **state)
{
	(void)state;
	for_each_edge(check_hex);
}

static void six_digits(void **state)
{
	char text[8 + PUT_SLACK], expect[16];

	(void)state;
	for (unsigned int v = 0; v < 1000000; v += v < 1000 ? 1 : 37) {
		*put_six_digits(text, v) = '\0';
		snprintf(expect, sizeof(expect), "%06u", v);
		assert_string_equal(text, expect);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),
		cmocka_unit_test(hexadecimal),
		cmocka_unit_test(six_digits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
