/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one parser for the numbers, sizes, durations and address ranges that a user types.
 *
 * Pure: no system call, no message. Every function takes the whole string or nothing: blanks, signs
 * and trailing characters are errors, and @out is set only on success.
 *
 * Return of all: 0, -EINVAL when it is not such a number, -ERANGE when it does not fit.
 */
#ifndef MMIOBPF_NUMBER_H
#define MMIOBPF_NUMBER_H

#include <stdint.h>

/**
 * number_parse() - decimal or 0x number, with an optional factor
 * @s: "4096", "0x1000", "64k", "1M", "2G": k, K, M and G are powers of 1024
 * @out: the number
 */
int number_parse(const char *s, uint64_t *out);

/**
 * number_parse_duration() - a time span
 * @s: "10", "1.5", "2m", "500ms", "20us", "1h"; a number alone is in seconds
 * @ns: nanoseconds
 */
int number_parse_duration(const char *s, uint64_t *ns);

/**
 * number_parse_range() - an address range
 * @s: "A-B" where B is the last address, as /proc/iomem prints it, or "A+SIZE". In A-B, both are
 *     taken as number_parse() does; a hexadecimal number needs its 0x.
 * @start: first address
 * @end: the address after the last one
 *
 * -EINVAL also when the range is empty or ends before it starts; -ERANGE when @end would not fit.
 */
int number_parse_range(const char *s, uint64_t *start, uint64_t *end);

#endif
