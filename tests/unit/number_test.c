// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "number.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static void numbers(void **state)
{
	static const struct {
		const char *text;
		int err;
		uint64_t value;
	} cases[] = {
		{ "0", 0, 0 },
		{ "4096", 0, 4096 },
		{ "0x1000", 0, 4096 },
		{ "0XfF", 0, 255 },
		{ "64k", 0, 65536 },
		{ "64K", 0, 65536 },
		{ "1M", 0, 1 << 20 },
		{ "2G", 0, 2ull << 30 },
		{ "0x10k", 0, 16384 },
		{ "18446744073709551615", 0, UINT64_MAX },
		{ "0xffffffffffffffff", 0, UINT64_MAX },
		{ "17179869183G", 0, 17179869183ull << 30 },
		{ "18446744073709551616", -ERANGE, 0 },
		{ "0x10000000000000000", -ERANGE, 0 },
		{ "17179869184G", -ERANGE, 0 },
		{ "99999999999999999999999k", -ERANGE, 0 },
		{ "", -EINVAL, 0 },
		{ "0x", -EINVAL, 0 },
		{ "k", -EINVAL, 0 },
		{ "-1", -EINVAL, 0 },
		{ "+1", -EINVAL, 0 },
		{ " 1", -EINVAL, 0 },
		{ "1 ", -EINVAL, 0 },
		{ "1kk", -EINVAL, 0 },
		{ "1T", -EINVAL, 0 },
		{ "12a", -EINVAL, 0 },
		{ "1.5k", -EINVAL, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint64_t v = 0;
		int err = number_parse(cases[i].text, &v);

		if (err != cases[i].err || v != cases[i].value)
			fail_msg("\"%s\": error %d, value %llu", cases[i].text, err,
				 (unsigned long long)v);
	}
}

static void durations(void **state)
{
	static const struct {
		const char *text;
		int err;
		uint64_t ns;
	} cases[] = {
		{ "10", 0, 10000000000 },
		{ "1.5", 0, 1500000000 },
		{ "1.5s", 0, 1500000000 },
		{ "500ms", 0, 500000000 },
		{ "0.5ms", 0, 500000 },
		{ "20us", 0, 20000 },
		{ "7ns", 0, 7 },
		{ "2m", 0, 120000000000 },
		{ "1.25min", 0, 75000000000 },
		{ "1h", 0, 3600000000000 },
		{ "0", 0, 0 },
		{ "0.0000000019", 0, 1 },
		{ "0.999999999h", 0, 3599999996400 },
		{ "18446744073", 0, 18446744073000000000ull },
		{ "18446744074", -ERANGE, 0 },
		{ "18446744073.8", -ERANGE, 0 },
		{ "99999999999999999999", -ERANGE, 0 },
		{ "", -EINVAL, 0 },
		{ ".5", -EINVAL, 0 },
		{ "1.", -EINVAL, 0 },
		{ "1.s", -EINVAL, 0 },
		{ "1d", -EINVAL, 0 },
		{ "-1", -EINVAL, 0 },
		{ "1 s", -EINVAL, 0 },
		{ "0x10", -EINVAL, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint64_t ns = 0;
		int err = number_parse_duration(cases[i].text, &ns);

		if (err != cases[i].err || ns != cases[i].ns)
			fail_msg("\"%s\": error %d, %llu ns", cases[i].text, err,
				 (unsigned long long)ns);
	}
}

static void ranges(void **state)
{
	static const struct {
		const char *text;
		int err;
		uint64_t start, end;
	} cases[] = {
		{ "0xfebc0000-0xfebdffff", 0, 0xfebc0000, 0xfebe0000 },
		{ "0xfebc0000+128k", 0, 0xfebc0000, 0xfebe0000 },
		{ "4096-4096", 0, 4096, 4097 },
		{ "1M+1", 0, 1 << 20, (1 << 20) + 1 },
		{ "0xffffffffffffff00+0xff", 0, 0xffffffffffffff00, UINT64_MAX },
		{ "0-0xffffffffffffffff", -ERANGE, 0, 0 },
		{ "0xffffffffffffff00+0x100", -ERANGE, 0, 0 },
		{ "0x2000-0x1000", -EINVAL, 0, 0 },
		{ "0x1000+0", -EINVAL, 0, 0 },
		{ "0x1000", -EINVAL, 0, 0 },
		{ "0x1000-", -EINVAL, 0, 0 },
		{ "-0x1000", -EINVAL, 0, 0 },
		{ "0x1000-0x2000-0x3000", -EINVAL, 0, 0 },
		{ "febc0000-febdffff", -EINVAL, 0, 0 },
		{ "", -EINVAL, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint64_t start = 0, end = 0;
		int err = number_parse_range(cases[i].text, &start, &end);

		if (err != cases[i].err || start != cases[i].start || end != cases[i].end)
			fail_msg("\"%s\": error %d, %llx to %llx", cases[i].text, err,
				 (unsigned long long)start, (unsigned long long)end);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),
		cmocka_unit_test(durations),
		cmocka_unit_test(ranges),
	};

	return cmocka_run_group_tests_name("number", tests, NULL, NULL);
}
