// SPDX-License-Identifier: GPL-2.0-or-later
#include "number.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 99;
}

/* Digits at *@s, at least one; *@s moves behind them. */
static int parse_digits(const char **s, unsigned int base, uint64_t *out)
{
	const char *p = *s;
	bool too_large = false;
	uint64_t v = 0;

	if (digit_value(*p) >= (int)base)
		return -EINVAL;
	for (; digit_value(*p) < (int)base; p++) {
		if (__builtin_mul_overflow(v, base, &v) ||
		    __builtin_add_overflow(v, (uint64_t)digit_value(*p), &v))
			too_large = true;
	}
	*s = p;
	*out = v;
	return too_large ? -ERANGE : 0;
}

static unsigned int factor_shift(char c)
{
	switch (c) {
	case 'k': case 'K': return 10;
	case 'm': case 'M': return 20;
	case 'g': case 'G': return 30;
	default: return 0;
	}
}

/* A number that ends at @end, which is '\0' or a separator. *@s is left there. */
static int parse_part(const char **s, char end, uint64_t *out)
{
	const char *p = *s;
	unsigned int base = 10, shift;
	uint64_t v;
	int err;

	if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
		base = 16;
		p += 2;
	}
	err = parse_digits(&p, base, &v);
	if (err == -EINVAL)
		return err;
	shift = factor_shift(*p);
	if (shift)
		p++;
	if (*p != end)
		return -EINVAL;
	if (err || v > UINT64_MAX >> shift)
		return -ERANGE;
	*s = p;
	*out = v << shift;
	return 0;
}

int number_parse(const char *s, uint64_t *out)
{
	return parse_part(&s, '\0', out);
}

static const struct {
	const char *name;
	uint64_t ns;
} time_units[] = {
	{ "", 1000000000 },	{ "s", 1000000000 },	{ "ms", 1000000 },
	{ "us", 1000 },		{ "ns", 1 },		{ "m", 60000000000 },
	{ "min", 60000000000 }, { "h", 3600000000000 },
};

static uint64_t time_unit(const char *name)
{
	for (size_t i = 0; i < sizeof(time_units) / sizeof(time_units[0]); i++) {
		if (!strcmp(time_units[i].name, name))
			return time_units[i].ns;
	}
	return 0;
}

int number_parse_duration(const char *s, uint64_t *ns)
{
	uint64_t whole, part = 0, scale = 1, unit;
	int err = parse_digits(&s, 10, &whole);

	if (err == -EINVAL)
		return err;
	if (*s == '.') {
		const char *digits = ++s;

		/* A nanosecond is the smallest that counts; digits behind it are only checked. */
		for (; *s >= '0' && *s <= '9'; s++) {
			if (s - digits >= 9)
				continue;
			part = part * 10 + (uint64_t)(*s - '0');
			scale *= 10;
		}
		if (s == digits)
			return -EINVAL;
	}
	unit = time_unit(s);
	if (!unit)
		return -EINVAL;
	if (err || __builtin_mul_overflow(whole, unit, &whole))
		return -ERANGE;
	/* part < 1e9 and unit <= 3.6e12: the product needs more than 64 bits. */
	part = (uint64_t)((unsigned __int128)part * unit / scale);
	if (__builtin_add_overflow(whole, part, &whole))
		return -ERANGE;
	*ns = whole;
	return 0;
}

int number_parse_range(const char *s, uint64_t *start, uint64_t *end)
{
	char sep = s[strcspn(s, "-+")];
	uint64_t from, to;
	int err;

	if (!sep)
		return -EINVAL;
	err = parse_part(&s, sep, &from);
	if (err)
		return err;
	s++;
	err = parse_part(&s, '\0', &to);
	if (err)
		return err;
	if (sep == '-') {
		if (to < from)
			return -EINVAL;
		if (__builtin_add_overflow(to, 1, &to))
			return -ERANGE;
	} else {
		if (!to)
			return -EINVAL;
		if (__builtin_add_overflow(from, to, &to))
			return -ERANGE;
	}
	*start = from;
	*end = to;
	return 0;
}
