/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text of numbers, appended: each takes the place of the first free byte and returns the next one.
 *
 * They are called some ten times for every record, on a CPU that a traced driver may want, so they
 * have few branches: digits come from a table or from a whole word at once. They may write up to
 * PUT_SLACK bytes behind what they append; the caller has room for that.
 */
#ifndef MMIOBPF_LOG_TEXT_PUT_H
#define MMIOBPF_LOG_TEXT_PUT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PUT_SLACK	16

static inline char *put_text(char *p, const char *s, size_t n)
{
	memcpy(p, s, n);
	return p + n;
}

static inline char *put_string(char *p, const char *s)
{
	return put_text(p, s, strlen(s));
}

/* The two digits of @v, below 100. */
static inline void put_pair(char *p, unsigned int v)
{
	static const char pairs[] = "00010203040506070809"
				    "10111213141516171819"
				    "20212223242526272829"
				    "30313233343536373839"
				    "40414243444546474849"
				    "50515253545556575859"
				    "60616263646566676869"
				    "70717273747576777879"
				    "80818283848586878889"
				    "90919293949596979899";

	memcpy(p, pairs + 2 * v, 2);
}

/* Decimal digits of @v, from 10 on. */
static inline unsigned int decimal_length(uint64_t v)
{
	/* All of them are exact as a double, too. */
	static const uint64_t powers[] = { 1e0,	 1e1,  1e2,  1e3,  1e4,	 1e5,  1e6,
					   1e7,	 1e8,  1e9,  1e10, 1e11, 1e12, 1e13,
					   1e14, 1e15, 1e16, 1e17, 1e18, 1e19 };
	/* Its binary digits by those of ten, 1233 / 4096 being log10(2): too low by one at most. */
	unsigned int n = (64u - (unsigned int)__builtin_clzll(v)) * 1233 / 4096;

	return n + (v >= powers[n]);
}

/* Decimal. */
static inline char *put_number(char *p, uint64_t v)
{
	char *end, *at;

	/* Most are small: the number of a mapping, or the pid in a log for comparison. */
	if (v < 10) {
		*p = (char)('0' + v);
		return p + 1;
	}
	end = p + decimal_length(v);
	for (at = end; at - p > 1; v /= 100)
		put_pair(at -= 2, v % 100);
	if (at > p)
		*p = (char)('0' + v);
	return end;
}

/* Six digits of @v, below 1,000,000. */
static inline char *put_six_digits(char *p, uint32_t v)
{
	put_pair(p, v / 10000);
	put_pair(p + 2, v / 100 % 100);
	put_pair(p + 4, v % 100);
	return p + 6;
}

/*
 * The eight hexadecimal digits of @v, in the order of memory on a little-endian machine: the first
 * one in the lowest byte.
 */
static inline uint64_t hex_digits(uint32_t v)
{
	const uint64_t ones = 0x0101010101010101;
	uint64_t x = v, letters;

	/* A digit to each byte, the last one to the lowest. */
	x = (x << 16 | x) & 0x0000ffff0000ffff;
	x = (x << 8 | x) & 0x00ff00ff00ff00ff;
	x = (x << 4 | x) & 0x0f0f0f0f0f0f0f0f;
	/* 1 in the bytes from 10 on: these alone reach 16 when 6 is added. */
	letters = (x + 6 * ones) >> 4 & ones;
	return __builtin_bswap64(x + '0' * ones + letters * ('a' - '0' - 10));
}

/* Hexadecimal without 0x, at least @min digits, from 1 to 8. */
static inline char *put_hex(char *p, uint64_t v, unsigned int min)
{
	unsigned int n = (67u - (unsigned int)__builtin_clzll(v | 1)) / 4;
	uint64_t digits;

	if (n < min)
		n = min;
	/* Without leading zeros: shifted up until the first digit is the highest. */
	v <<= 4 * (16 - n);
	digits = hex_digits((uint32_t)(v >> 32));
	memcpy(p, &digits, 8);
	if (n > 8) {
		digits = hex_digits((uint32_t)v);
		memcpy(p + 8, &digits, 8);
	}
	return p + n;
}

/* A PCI device: 0000:00:1f.2 */
static inline char *put_bdf(char *p, uint32_t dev)
{
	p = put_hex(p, dev >> 16, 4);
	*p++ = ':';
	p = put_hex(p, dev >> 8 & 0xff, 2);
	*p++ = ':';
	p = put_hex(p, dev >> 3 & 0x1f, 2);
	*p++ = '.';
	return put_hex(p, dev & 7, 1);
}

#endif
