// SPDX-License-Identifier: GPL-2.0-or-later
#include "json_put.h"

#include "../json.h"

char *put_json_string(char *p, const char *text, size_t n)
{
	size_t used;

	*p++ = '"';
	for (; n; text += used, n -= used)
		p += json_escape(p, text, n, &used);
	*p++ = '"';
	return p;
}

char *put_json_text(char *p, const char *key, const char *text, size_t n)
{
	return put_json_string(put_json_key(p, key), text, n);
}
