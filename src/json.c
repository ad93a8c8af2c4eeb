// SPDX-License-Identifier: GPL-2.0-or-later
#include "json.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

void json_init(struct json *j, FILE *out)
{
	memset(j, 0, sizeof(*j));
	j->out = out;
}

void json_deinit(struct json *j)
{
	assert(j->depth == 0);
	fputc('\n', j->out);
}

/* Length of the UTF-8 sequence at @s, of @left bytes, 0 when it is not one. RFC 3629 section 4. */
static size_t utf8_length(const unsigned char *s, size_t left)
{
	unsigned char lo = 0x80, hi = 0xbf;
	size_t n;

	if (s[0] < 0x80)
		return 1;
	if (s[0] >= 0xc2 && s[0] <= 0xdf)
		n = 2;
	else if (s[0] >= 0xe0 && s[0] <= 0xef)
		n = 3;
	else if (s[0] >= 0xf0 && s[0] <= 0xf4)
		n = 4;
	else
		return 0;
	if (n > left)
		return 0;
	if (s[0] == 0xe0)
		lo = 0xa0;	/* overlong */
	if (s[0] == 0xed)
		hi = 0x9f;	/* surrogates */
	if (s[0] == 0xf0)
		lo = 0x90;	/* overlong */
	if (s[0] == 0xf4)
		hi = 0x8f;	/* beyond U+10FFFF */
	if (s[1] < lo || s[1] > hi)
		return 0;
	for (size_t i = 2; i < n; i++) {
		if (s[i] < 0x80 || s[i] > 0xbf)
			return 0;
	}
	return n;
}

size_t json_escape(char out[JSON_ESCAPE_MAX], const char *s, size_t n, size_t *used)
{
	static const char digits[] = "0123456789abcdef";
	unsigned char c = (unsigned char)*s;

	*used = utf8_length((const unsigned char *)s, n);
	if (!*used) {
		*used = 1;
		memcpy(out, "\\ufffd", 6);
		return 6;
	}
	if (c == '"' || c == '\\') {
		out[0] = '\\';
		out[1] = *s;
		return 2;
	}
	if (c < 0x20 || c == 0x7f) {
		memcpy(out, "\\u00", 4);
		out[4] = digits[c >> 4];
		out[5] = digits[c & 0xf];
		return 6;
	}
	memcpy(out, s, *used);
	return *used;
}

static void put_string(struct json *j, const char *text)
{
	size_t left = strlen(text), used;
	char out[JSON_ESCAPE_MAX];

	fputc('"', j->out);
	for (; left; text += used, left -= used)
		fwrite(out, 1, json_escape(out, text, left, &used), j->out);
	fputc('"', j->out);
}

static void put_newline(struct json *j)
{
	fprintf(j->out, "\n%*s", (int)j->depth * 2, "");
}

/* What comes before every value. */
static void put_key(struct json *j, const char *key)
{
	if (j->filled[j->depth])
		fputc(',', j->out);
	if (j->depth)
		put_newline(j);
	j->filled[j->depth] = true;
	if (key) {
		put_string(j, key);
		fputs(": ", j->out);
	}
}

static void open_nested(struct json *j, const char *key, char c)
{
	put_key(j, key);
	fputc(c, j->out);
	assert(j->depth + 1 < JSON_MAX_DEPTH);
	j->filled[++j->depth] = false;
}

static void close_nested(struct json *j, char c)
{
	assert(j->depth > 0);
	if (j->filled[j->depth--])
		put_newline(j);
	fputc(c, j->out);
}

void json_open_object(struct json *j, const char *key)
{
	open_nested(j, key, '{');
}

void json_close_object(struct json *j)
{
	close_nested(j, '}');
}

void json_open_array(struct json *j, const char *key)
{
	open_nested(j, key, '[');
}

void json_close_array(struct json *j)
{
	close_nested(j, ']');
}

void json_string(struct json *j, const char *key, const char *value)
{
	put_key(j, key);
	if (value)
		put_string(j, value);
	else
		fputs("null", j->out);
}

void json_number(struct json *j, const char *key, uint64_t value)
{
	put_key(j, key);
	fprintf(j->out, "%" PRIu64, value);
}

void json_bool(struct json *j, const char *key, bool value)
{
	put_key(j, key);
	fputs(value ? "true" : "false", j->out);
}
