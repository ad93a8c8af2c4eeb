// SPDX-License-Identifier: GPL-2.0-or-later
#include "text_fast.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

#define LINE_MIN	32	/* bytes; "R 1 0.000000 0 0x0 0x0 0x0 0" is shorter, and rare */

/*
 * Every loop ends at the newline behind the line at the latest, as it is no digit. So no position is
 * compared with the end but the last one.
 */

/* One more than the value of a digit, 0 for other characters. */
static const unsigned char digit_of[256] = {
	['0'] = 1, ['1'] = 2, ['2'] = 3, ['3'] = 4, ['4'] = 5, ['5'] = 6, ['6'] = 7, ['7'] = 8,
	['8'] = 9, ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
};

#define NONE	UINT_MAX

/* Its value, or NONE. */
static inline unsigned int digit(char c)
{
	return digit_of[(unsigned char)c] - 1u;
}

/* Decimal, 1 to 9 digits. Return: where it ends, or NULL. */
static inline const char *take_decimal(const char *p, uint32_t *out)
{
	const char *start = p;
	uint32_t v = 0;

	for (unsigned int d; (d = digit(*p)) < 10; p++)
		v = 10 * v + d;
	*out = v;
	return p > start && p - start <= 9 ? p : NULL;
}

/*
 * Eight characters as hexadecimal digits in lower case, all at once: their bytes become values, then
 * pairs of them, then pairs of these. Return: false when one of them is something else.
 */
static inline bool take_eight(const char *p, uint32_t *out)
{
	const uint64_t ones = 0x0101010101010101;
	uint64_t x, letter, v;

	memcpy(&x, p, 8);
	/* Bit 6 is set in letters, bit 4 and 5 in digits. */
	letter = x >> 6 & ones;
	v = (x & 0x0f * ones) + 9 * letter;
	/* Right if it is the character of its own value: a letter from 10 to 15, a digit below 10. */
	if ((v + (uint64_t)'0' * ones + letter * ('a' - '0' - 10)) != x)
		return false;
	if ((v + 6 * ones) >> 4 & ones & ~letter || (~((v + 6 * ones) >> 4) & letter) ||
	    v & 0xf0 * ones)
		return false;
	v = __builtin_bswap64(v);
	v = (v | v >> 4) & 0x00ff00ff00ff00ff;
	v = (v | v >> 8) & 0x0000ffff0000ffff;
	*out = (uint32_t)(v | v >> 16);
	return true;
}

/* "0x" and 1 to 16 digits. Return: where they end, or NULL. */
static inline const char *take_hex(const char *p, const char *end, uint64_t *out)
{
	const char *start;
	uint64_t v = 0;
	uint32_t eight;

	if (p[0] != '0' || p[1] != 'x')
		return NULL;
	start = p += 2;
	while (end - p >= 8 && take_eight(p, &eight)) {
		v = v << 32 | eight;
		p += 8;
	}
	for (unsigned int d; (d = digit(*p)) != NONE; p++)
		v = v << 4 | d;
	*out = v;
	return p > start && p - start <= 16 ? p : NULL;
}

static inline const char *take_blank(const char *p)
{
	return p && *p == ' ' ? p + 1 : NULL;
}

/* "10.652821": six decimals, as both sides write it. */
static inline const char *take_time(const char *p, uint64_t *ns)
{
	const char *dot;
	uint32_t s, us;

	dot = take_decimal(p, &s);
	if (!dot || *dot != '.')
		return NULL;
	p = take_decimal(dot + 1, &us);
	if (!p || p - dot != 7)
		return NULL;
	*ns = s * 1000000000ull + us * 1000ull;
	return p;
}

bool text_fast_access(const char *line, size_t len, struct mmiobpf_rec_access *a)
{
	const char *p = line + 4, *end = line + len;
	bool write = line[0] == 'W';
	uint64_t value, phys, pc;

	if (len < LINE_MIN || line[1] != ' ' || line[3] != ' ' || digit(line[2]) > 8 ||
	    !(1u << digit(line[2]) & (1u << 1 | 1u << 2 | 1u << 4 | 1u << 8)))
		return false;
	a->width = (uint16_t)digit(line[2]);
	p = take_blank(take_time(p, (uint64_t *)&a->hdr.time_ns));
	p = p ? take_blank(take_decimal(p, &a->map_id)) : NULL;
	p = p ? take_blank(take_hex(p, end, &phys)) : NULL;
	p = p ? take_blank(take_hex(p, end, &value)) : NULL;
	p = p ? take_blank(take_hex(p, end, &pc)) : NULL;
	p = p ? take_decimal(p, &a->hdr.pid) : NULL;
	if (p != end)
		return false;
	a->phys = phys;
	a->pc = pc;
	a->bar = MMIOBPF_NO_BAR;
	a->dir = write ? MMIOBPF_DIR_WRITE : MMIOBPF_DIR_READ;
	a->flags = write ? MMIOBPF_ACC_AFTER : MMIOBPF_ACC_BEFORE;
	a->before = write ? 0 : value;
	a->after = write ? value : 0;
	return true;
}
