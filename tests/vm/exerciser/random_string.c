// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a string instruction does to memory, element by element, and which accesses to the area
 * that makes. Source: Intel SDM volume 2, CMPS, LODS, MOVS, SCAS, STOS and REP.
 *
 * Of the two reads of a cmps whose operands are both in the area, that of the source comes first;
 * the manual does not say.
 */
#include <linux/string.h>

#include "forms.h"
#include "random.h"

static u64 element(const u8 *p, u8 width)
{
	u64 value = 0;

	memcpy(&value, p, width);
	return value;
}

static u64 cut(u64 value, u8 width)
{
	return width == 8 ? value : value & ((1ull << (8 * width)) - 1);
}

/* Returns false when the repetition ends here. */
static bool element_do(const struct instance *i, u8 *source, u8 *destination, u32 from, u32 to)
{
	const struct random_string *str = &i->string;
	u8 width = i->width;
	u64 a = cut(i->in.r[RAX], width), b;

	if (str->opcode == 0xa4 || str->opcode == 0xa6 || str->opcode == 0xac) {
		a = element(source + from, width);
		if (str->sides & SIDE_SOURCE)
			expect_add(false, from, &a, width);
	}
	switch (str->opcode) {
	case 0xa4:
	case 0xaa:
		memcpy(destination + to, &a, width);
		if (str->sides & SIDE_DESTINATION)
			expect_add(true, to, &a, width);
		return true;
	case 0xa6:
	case 0xae:
		b = element(destination + to, width);
		if (str->sides & SIDE_DESTINATION)
			expect_add(false, to, &b, width);
		return str->rep == 0xf2 ? a != b : a == b;
	}
	return true;
}

u32 string_expect(const struct instance *i, u8 *area, u8 *other)
{
	const struct random_string *str = &i->string;
	u8 *source = str->sides & SIDE_SOURCE ? area : other;
	u8 *destination = str->sides & SIDE_DESTINATION ? area : other;
	s32 step = i->in.flags & X86_EFLAGS_DF ? -(s32)i->width : i->width;
	u32 count = str->rep ? str->count : 1, n;
	u32 from = str->source, to = str->destination;

	for (n = 0; n < count; from += step, to += step) {
		n++;
		if (!element_do(i, source, destination, from, to))
			break;
	}
	return n;
}
