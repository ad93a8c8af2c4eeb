// SPDX-License-Identifier: GPL-2.0-or-later
#include "record_put.h"

#include <time.h>

#include "record.h"

#define NS_PER_SECOND	1000000000ull

/* The words from the highest that is not 0, and no more of the last one than its width. */
char *put_value(char *p, const struct mmiobpf_rec_access *a, bool after)
{
	unsigned int words = record_words(a), rest = a->width % 8;
	bool begun = false;

	p = put_text(p, "0x", 2);
	if (words == 1)
		return put_hex(p, record_word(a, after, 0), 1);
	for (unsigned int i = words; i-- > 0;) {
		uint64_t word = record_word(a, after, i);

		if (rest && i == words - 1)
			word &= (1ull << 8 * rest) - 1;
		if (!begun && !word && i)
			continue;
		if (!begun) {
			p = put_hex(p, word, 1);
		} else {
			p = put_hex(p, word >> 32, 8);
			p = put_hex(p, (uint32_t)word, 8);
		}
		begun = true;
	}
	return p;
}

char *put_insn(char *p, const struct mmiobpf_rec_unknown *u)
{
	for (unsigned int i = 0; i < u->insn_len; i++) {
		if (i)
			*p++ = ' ';
		p = put_hex(p, u->insn[i], 2);
	}
	return p;
}

char *put_realtime(char *p, uint64_t ns)
{
	time_t seconds = (time_t)(ns / NS_PER_SECOND);
	uint32_t rest = (uint32_t)(ns % NS_PER_SECOND);
	struct tm tm;

	gmtime_r(&seconds, &tm);
	p += strftime(p, 32, "%Y-%m-%dT%H:%M:%S.", &tm);
	p = put_six_digits(p, rest / 1000);
	*p++ = (char)('0' + rest / 100 % 10);
	put_pair(p, rest % 100);
	p += 2;
	*p++ = 'Z';
	return p;
}

char *put_bar(char *p, uint8_t bar)
{
	if (bar == PCI_DEV_ROM)
		return put_string(p, "ROM");
	return put_number(put_string(p, "BAR"), bar);
}

char *put_place(char *p, const struct place *at)
{
	if (at->kind == PLACE_BAR) {
		p = put_bdf(p, at->dev);
		*p++ = ' ';
		p = put_bar(p, at->bar);
		*p++ = '+';
	} else if (at->kind == PLACE_MAPPING) {
		p = put_text(p, "0x", 2);
		p = put_hex(p, at->base, 1);
		*p++ = '+';
	}
	p = put_text(p, "0x", 2);
	return put_hex(p, at->offset, 1);
}
