// SPDX-License-Identifier: GPL-2.0-or-later
#include "calls_put.h"

#include <stdbool.h>
#include <time.h>

#define NS_PER_SECOND	1000000000ull

char *put_duration(char *p, uint64_t ns, int blank)
{
	static const struct {
		uint64_t ns;
		const char *name;
	} units[] = { { 1, "ns" }, { 1000, "us" }, { 1000000, "ms" }, { NS_PER_SECOND, "s" } };
	unsigned int u = 0;

	while (u < 3 && ns >= units[u + 1].ns)
		u++;
	p = put_number(p, ns / units[u].ns);
	/* Three digits say enough, but seconds keep their decimal. */
	if (u == 3 || (u && ns / units[u].ns < 100)) {
		*p++ = '.';
		*p++ = (char)('0' + ns % units[u].ns * 10 / units[u].ns);
	}
	if (blank)
		*p++ = ' ';
	return put_string(p, units[u].name);
}

char *put_clock(char *p, uint64_t ns)
{
	time_t seconds = (time_t)(ns / NS_PER_SECOND);
	struct tm tm;

	if (!localtime_r(&seconds, &tm))
		return put_string(p, "??:??:??");
	return p + strftime(p, 16, "%H:%M:%S", &tm);
}

char *put_seconds(char *p, uint64_t ns, unsigned int digits)
{
	uint32_t rest = (uint32_t)(ns % NS_PER_SECOND);

	p = put_number(p, ns / NS_PER_SECOND);
	*p++ = '.';
	p = put_six_digits(p, rest / 1000);
	if (digits == 9) {
		*p++ = (char)('0' + rest / 100 % 10);
		put_pair(p, rest % 100);
		p += 2;
	}
	return p;
}

char *put_escaped(char *p, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c == '\n')
			p = put_text(p, "\\n", 2);
		else if (c == '\t')
			p = put_text(p, "\\t", 2);
		else if (c == '\\')
			p = put_text(p, "\\\\", 2);
		else if (c < 0x20 || c == 0x7f)
			p = put_hex(put_text(p, "\\x", 2), c, 2);
		else
			*p++ = (char)c;
	}
	return p;
}

char *put_register(char *p, const struct family_match *m)
{
	p = put_string(p, m->reg->name);
	if (m->reg->count) {
		*p++ = '[';
		p = put_number(p, m->index);
		*p++ = ']';
	}
	if (m->byte) {
		*p++ = '+';
		p = put_number(p, m->byte);
	}
	return p;
}

static char *put_field(char *p, const struct family_field *f, uint64_t value)
{
	uint64_t number = (value & f->mask) >> __builtin_ctzll(f->mask);

	p = put_string(p, f->name);
	if (!(f->mask & (f->mask - 1)))
		return p;
	*p++ = '=';
	if (f->values && f->values[number])
		return put_string(p, f->values[number]);
	return number < 10 ? put_number(p, number) : put_hex(put_text(p, "0x", 2), number, 1);
}

char *put_fields(char *p, const struct family_match *m, uint64_t value)
{
	const struct family_field *f = m->reg->fields;
	uint64_t rest = value <<= 8 * m->byte;
	char *start = p;

	for (; f && f->mask; f++) {
		if (!(value & f->mask))
			continue;
		if (p > start)
			*p++ = '|';
		p = put_field(p, f, value);
		rest &= ~f->mask;
	}
	if (p > start && rest)
		p = put_hex(put_text(p, "|0x", 3), rest, 1);
	return p;
}
