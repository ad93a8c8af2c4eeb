/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one place that formats JSON: a document for a FILE here, the lines of a log in
 * log/json_put.h. Pure, and never fails by itself.
 */
#ifndef MMIOBPF_JSON_H
#define MMIOBPF_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define JSON_MAX_DEPTH 32

/*
 * Nested values are opened and closed in pairs; commas, newlines and escapes are put in here. @key
 * is NULL inside an array and at the outside.
 */
struct json {
	FILE *out;
	unsigned int depth;
	bool filled[JSON_MAX_DEPTH];
};

#define JSON_ESCAPE_MAX	6	/* bytes that one character may become */

/**
 * json_escape() - the next character of a text as it stands in a string
 * @out: set to @used's bytes in JSON: itself, an escape, or U+FFFD for a byte that is not UTF-8
 * @s: not terminated
 * @n: bytes there, at least 1
 * @used: set to how many of them were taken, 1 to 4
 *
 * Return: bytes put into @out.
 */
size_t json_escape(char out[JSON_ESCAPE_MAX], const char *s, size_t n, size_t *used);

void json_init(struct json *j, FILE *out);
/** json_deinit() - end the text with a newline; everything must be closed */
void json_deinit(struct json *j);

void json_open_object(struct json *j, const char *key);
void json_close_object(struct json *j);
void json_open_array(struct json *j, const char *key);
void json_close_array(struct json *j);

/** json_string() - bytes that are not UTF-8 become U+FFFD. @value NULL: null */
void json_string(struct json *j, const char *key, const char *value);
void json_number(struct json *j, const char *key, uint64_t value);
void json_bool(struct json *j, const char *key, bool value);

#endif
