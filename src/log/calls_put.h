/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of a line of the readable view, appended as in text_put.h. Pure. */
#ifndef MMIOBPF_LOG_CALLS_PUT_H
#define MMIOBPF_LOG_CALLS_PUT_H

#include "../family/family.h"
#include "text_put.h"

/** put_duration() - "850ns", "3.1us", "412us", "12.4ms". @blank: a blank before the unit */
char *put_duration(char *p, uint64_t ns, int blank);

/** put_clock() - local time of day of @ns since 1970, TZ as for strftime(3): "12:34:56" */
char *put_clock(char *p, uint64_t ns);

/** put_seconds() - @ns as seconds with @digits decimals, 6 or 9 */
char *put_seconds(char *p, uint64_t ns, unsigned int digits);

/**
 * put_escaped() - a text from anywhere: control characters as \n, \t, \x1b
 * @p: with room for 4 * @n bytes
 * @text: not terminated
 */
char *put_escaped(char *p, const char *text, size_t n);

/** put_register() - "STATUS", "MTA[3]", "STATUS+2" */
char *put_register(char *p, const struct family_match *m);

/**
 * put_fields() - "FD|LU|SPEED=2|0x80080000": what no field covers comes last
 * @m: register, and the byte of it that the access began at
 * @value: what was moved
 *
 * Writes nothing for a register without fields, and for a value that has none of them.
 */
char *put_fields(char *p, const struct family_match *m, uint64_t value);

#endif
