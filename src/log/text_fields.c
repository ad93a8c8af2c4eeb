// SPDX-License-Identifier: GPL-2.0-or-later
#include "text_fields.h"

#include <limits.h>
#include <stdbool.h>

static uint64_t fail(struct text_fields *f, const char *why)
{
	if (!f->why)
		f->why = why;
	return 0;
}

static int digit(const struct text_fields *f)
{
	char c = f->at < f->end ? *f->at : ' ';

	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return INT_MAX;
}

/* Digits in @base up to something else. */
static uint64_t digits(struct text_fields *f, unsigned int base)
{
	uint64_t v = 0;

	if (f->at >= f->end)
		return fail(f, "the line ends too early");
	if (digit(f) >= (int)base)
		return fail(f, "a number was expected");
	for (; digit(f) < (int)base; f->at++) {
		if (__builtin_mul_overflow(v, base, &v) ||
		    __builtin_add_overflow(v, (uint64_t)digit(f), &v))
			return fail(f, "a number is too large");
	}
	return v;
}

/* The field must end here; step over its blank. */
static void field_end(struct text_fields *f)
{
	if (f->why || f->at == f->end)
		return;
	if (*f->at != ' ')
		fail(f, "a field has a character that does not belong there");
	else
		f->at++;
}

uint64_t text_decimal(struct text_fields *f, uint64_t max)
{
	uint64_t v;

	if (f->why)
		return 0;
	v = digits(f, 10);
	field_end(f);
	if (f->why)
		return 0;
	return v > max ? fail(f, "a number is too large") : v;
}

uint64_t text_bare_hex(struct text_fields *f)
{
	uint64_t v;

	if (f->why)
		return 0;
	v = digits(f, 16);
	field_end(f);
	return f->why ? 0 : v;
}

uint64_t text_hex(struct text_fields *f)
{
	if (f->why)
		return 0;
	if (f->end - f->at < 3)
		return fail(f, "the line ends too early");
	if (f->at[0] != '0' || f->at[1] != 'x')
		return fail(f, "a hexadecimal number was expected");
	f->at += 2;
	return text_bare_hex(f);
}

uint64_t text_time(struct text_fields *f)
{
	uint64_t s, ns = 0, unit = 1000000000;

	if (f->why)
		return 0;
	s = digits(f, 10);
	if (f->why)
		return 0;
	if (f->at == f->end || *f->at != '.')
		return fail(f, "a time was expected");
	f->at++;
	if (digit(f) > 9)
		return fail(f, "a time was expected");
	for (; digit(f) <= 9; f->at++) {
		unit /= 10;
		ns += unit * (unsigned int)digit(f);
		if (!unit)
			return fail(f, "a time has too many digits");
	}
	field_end(f);
	if (f->why)
		return 0;
	if (s > UINT64_MAX / 1000000000 - 1)
		return fail(f, "a number is too large");
	return s * 1000000000 + ns;
}

uint32_t text_map_id(struct text_fields *f)
{
	bool negative = !f->why && f->at < f->end && *f->at == '-';
	uint64_t v;

	if (negative)
		f->at++;
	v = text_decimal(f, negative ? 0x80000000u : INT_MAX);
	return (uint32_t)(negative ? -v : v);
}

size_t text_bytes(struct text_fields *f, uint8_t *out, size_t size)
{
	size_t n = 0;

	if (f->why)
		return 0;
	if (f->at < f->end && *f->at == '-') {
		f->at++;
		field_end(f);
		return 0;
	}
	for (;;) {
		uint64_t v = digits(f, 16);

		if (f->why)
			return 0;
		if (v > 0xff)
			return fail(f, "a byte was expected");
		if (n == size)
			return fail(f, "an instruction has too many bytes");
		out[n++] = (uint8_t)v;
		if (f->at == f->end || *f->at != ',')
			break;
		f->at++;
	}
	field_end(f);
	return f->why ? 0 : n;
}

void text_end(struct text_fields *f)
{
	while (!f->why && f->at < f->end && *f->at == ' ')
		f->at++;
	if (!f->why && f->at != f->end)
		fail(f, "the line is longer than its record");
}
