// SPDX-License-Identifier: GPL-2.0-or-later
#include "text_grammar.h"

#include <limits.h>
#include <string.h>

static const struct {
	const char *word;
	enum text_kind kind;
} keywords[] = {
	/* the two that there are most of first */
	{ "R ", TEXT_LINE_READ },	{ "W ", TEXT_LINE_WRITE },
	{ "MAP ", TEXT_LINE_MAP },	{ "UNMAP ", TEXT_LINE_UNMAP },
	{ "MARK ", TEXT_LINE_MARK },	{ "UNKNOWN ", TEXT_LINE_UNKNOWN },
	{ "#", TEXT_LINE_COMMENT },	{ "CPU:", TEXT_LINE_LOST },
	{ "VERSION ", TEXT_LINE_VERSION }, { "PCIDEV ", TEXT_LINE_PCIDEV },
	{ "LSPCI", TEXT_LINE_LSPCI },	{ "[LINE TOO BIG]", TEXT_LINE_TOO_BIG },
};

enum text_kind text_line_kind(const char *line, size_t len, const char **rest)
{
	if (!len)
		return TEXT_LINE_EMPTY;
	for (size_t i = 0; i < sizeof(keywords) / sizeof(keywords[0]); i++) {
		size_t n = strlen(keywords[i].word);

		if (line[0] != keywords[i].word[0] || len < n || memcmp(line, keywords[i].word, n))
			continue;
		if (rest)
			*rest = line + n;
		return keywords[i].kind;
	}
	return TEXT_LINE_OTHER;
}

int text_is_loss(const char *text, size_t len, unsigned long long *count)
{
	static const char before[] = "Lost ", after[] = " events.";
	const size_t nb = sizeof(before) - 1, na = sizeof(after) - 1;
	unsigned long long n = 0;

	if (len < nb + 1 + na || memcmp(text, before, nb) || memcmp(text + len - na, after, na))
		return 0;
	for (size_t i = nb; i < len - na; i++) {
		if (text[i] < '0' || text[i] > '9' || n > (ULLONG_MAX - 9) / 10)
			return 0;
		n = 10 * n + (unsigned int)(text[i] - '0');
	}
	*count = n;
	return 1;
}
