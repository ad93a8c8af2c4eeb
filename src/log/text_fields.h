/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fields of one line of a text log, taken from left to right. A field ends at one blank or at
 * the end of the line; the first that is not what was asked for sets @why, and every later one is
 * then 0.
 */
#ifndef MMIOBPF_LOG_TEXT_FIELDS_H
#define MMIOBPF_LOG_TEXT_FIELDS_H

#include <stddef.h>
#include <stdint.h>

struct text_fields {
	const char *at;
	const char *end;	/* of the line, its newline not included */
	const char *why;	/* NULL as long as all is well; static text */
};

/** text_decimal() - unsigned, at most @max */
uint64_t text_decimal(struct text_fields *f, uint64_t max);
/** text_hex() - hexadecimal with 0x */
uint64_t text_hex(struct text_fields *f);
/** text_bare_hex() - hexadecimal without 0x */
uint64_t text_bare_hex(struct text_fields *f);
/** text_time() - seconds with a fraction of up to nine digits. Return: nanoseconds */
uint64_t text_time(struct text_fields *f);
/** text_map_id() - decimal; -1 is 0xffffffff */
uint32_t text_map_id(struct text_fields *f);
/**
 * text_bytes() - "8b,45,fc", or "-" for none. Return: how many were put into @out, at most @size
 */
size_t text_bytes(struct text_fields *f, uint8_t *out, size_t size);
/** text_end() - nothing but blanks may follow */
void text_end(struct text_fields *f);

#endif
