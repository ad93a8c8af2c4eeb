/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one place that formats JSON. Pure: it prints to a FILE, and never fails by itself. */
#ifndef MMIOBPF_JSON_H
#define MMIOBPF_JSON_H

#include <stdbool.h>
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
