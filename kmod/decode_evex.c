// SPDX-License-Identifier: GPL-2.0-only
/*
 * How EVEX scales disp8, which is also how much of a vector the operand is.
 *
 * Source: Intel SDM volume 2, section 2.7.5 (compressed disp8*N) and the tuple types in the
 * instructions' operand tables. What is not in the table is refused, because a wrong N is a wrong
 * address.
 */
#include "decode_table.h"

struct evex_row {
	u8 map;
	u8 pp;
	u8 first;
	u8 last;
	u8 tuple;
};

#define ROW(m, p, first, last, t)	{ MAP_##m, PP_##p, first, last, TUPLE_##t }

/* Not sorted by anything but the eye: a search is only done for EVEX code. */
static const struct evex_row evex_rows[] = {
	ROW(0F, NONE, 0x10, 0x11, MEM),
	ROW(0F, NONE, 0x12, 0x13, 8),
	ROW(0F, NONE, 0x14, 0x15, FULL),
	ROW(0F, NONE, 0x16, 0x17, 8),
	ROW(0F, NONE, 0x28, 0x29, MEM),
	ROW(0F, NONE, 0x2b, 0x2b, MEM),
	ROW(0F, NONE, 0x2e, 0x2f, 4),
	ROW(0F, NONE, 0x51, 0x51, FULL),
	ROW(0F, NONE, 0x54, 0x59, FULL),
	ROW(0F, NONE, 0x5a, 0x5a, HALF),
	ROW(0F, NONE, 0x5b, 0x5f, FULL),
	ROW(0F, NONE, 0x78, 0x79, FULL),
	ROW(0F, NONE, 0xc2, 0xc2, FULL),
	ROW(0F, NONE, 0xc6, 0xc6, FULL),

	ROW(0F, 66, 0x10, 0x11, MEM),
	ROW(0F, 66, 0x12, 0x13, 8),
	ROW(0F, 66, 0x14, 0x15, FULL),
	ROW(0F, 66, 0x16, 0x17, 8),
	ROW(0F, 66, 0x28, 0x29, MEM),
	ROW(0F, 66, 0x2b, 0x2b, MEM),
	ROW(0F, 66, 0x2e, 0x2f, 8),
	ROW(0F, 66, 0x51, 0x51, FULL),
	ROW(0F, 66, 0x54, 0x5f, FULL),
	ROW(0F, 66, 0x60, 0x61, MEM),
	ROW(0F, 66, 0x62, 0x62, FULL),
	ROW(0F, 66, 0x63, 0x65, MEM),
	ROW(0F, 66, 0x66, 0x66, FULL),
	ROW(0F, 66, 0x67, 0x69, MEM),
	ROW(0F, 66, 0x6a, 0x6d, FULL),
	ROW(0F, 66, 0x6e, 0x6e, ELEMENT),
	ROW(0F, 66, 0x6f, 0x6f, MEM),
	ROW(0F, 66, 0x70, 0x70, FULL),
	ROW(0F, 66, 0x71, 0x71, MEM),
	ROW(0F, 66, 0x72, 0x73, FULL),
	ROW(0F, 66, 0x74, 0x75, MEM),
	ROW(0F, 66, 0x76, 0x76, FULL),
	ROW(0F, 66, 0x78, 0x7b, HALF),
	ROW(0F, 66, 0x7e, 0x7e, ELEMENT),
	ROW(0F, 66, 0x7f, 0x7f, MEM),
	ROW(0F, 66, 0xc2, 0xc2, FULL),
	ROW(0F, 66, 0xc4, 0xc4, 2),
	ROW(0F, 66, 0xc6, 0xc6, FULL),
	ROW(0F, 66, 0xd1, 0xd3, 128),
	ROW(0F, 66, 0xd4, 0xd4, FULL),
	ROW(0F, 66, 0xd5, 0xd5, MEM),
	ROW(0F, 66, 0xd6, 0xd6, 8),
	ROW(0F, 66, 0xd8, 0xda, MEM),
	ROW(0F, 66, 0xdb, 0xdb, FULL),
	ROW(0F, 66, 0xdc, 0xde, MEM),
	ROW(0F, 66, 0xdf, 0xdf, FULL),
	ROW(0F, 66, 0xe0, 0xe0, MEM),
	ROW(0F, 66, 0xe1, 0xe2, 128),
	ROW(0F, 66, 0xe3, 0xe5, MEM),
	ROW(0F, 66, 0xe6, 0xe6, FULL),
	ROW(0F, 66, 0xe7, 0xea, MEM),
	ROW(0F, 66, 0xeb, 0xeb, FULL),
	ROW(0F, 66, 0xec, 0xee, MEM),
	ROW(0F, 66, 0xef, 0xef, FULL),
	ROW(0F, 66, 0xf1, 0xf3, 128),
	ROW(0F, 66, 0xf4, 0xf4, FULL),
	ROW(0F, 66, 0xf5, 0xf6, MEM),
	ROW(0F, 66, 0xf8, 0xf9, MEM),
	ROW(0F, 66, 0xfa, 0xfb, FULL),
	ROW(0F, 66, 0xfc, 0xfd, MEM),
	ROW(0F, 66, 0xfe, 0xfe, FULL),

	ROW(0F, F3, 0x10, 0x11, 4),
	ROW(0F, F3, 0x12, 0x12, MEM),
	ROW(0F, F3, 0x16, 0x16, MEM),
	ROW(0F, F3, 0x2a, 0x2a, ELEMENT),
	ROW(0F, F3, 0x2c, 0x2d, 4),
	ROW(0F, F3, 0x51, 0x51, 4),
	ROW(0F, F3, 0x58, 0x5a, 4),
	ROW(0F, F3, 0x5b, 0x5b, FULL),
	ROW(0F, F3, 0x5c, 0x5f, 4),
	ROW(0F, F3, 0x6f, 0x70, MEM),
	ROW(0F, F3, 0x78, 0x79, 4),
	ROW(0F, F3, 0x7a, 0x7a, HALF),
	ROW(0F, F3, 0x7b, 0x7b, ELEMENT),
	ROW(0F, F3, 0x7e, 0x7e, 8),
	ROW(0F, F3, 0x7f, 0x7f, MEM),
	ROW(0F, F3, 0xc2, 0xc2, 4),
	ROW(0F, F3, 0xe6, 0xe6, HALF),

	ROW(0F, F2, 0x10, 0x11, 8),
	ROW(0F, F2, 0x12, 0x12, DUP),
	ROW(0F, F2, 0x2a, 0x2a, ELEMENT),
	ROW(0F, F2, 0x2c, 0x2d, 8),
	ROW(0F, F2, 0x51, 0x51, 8),
	ROW(0F, F2, 0x58, 0x5a, 8),
	ROW(0F, F2, 0x5c, 0x5f, 8),
	ROW(0F, F2, 0x6f, 0x70, MEM),
	ROW(0F, F2, 0x78, 0x79, 8),
	ROW(0F, F2, 0x7a, 0x7a, FULL),
	ROW(0F, F2, 0x7b, 0x7b, ELEMENT),
	ROW(0F, F2, 0x7f, 0x7f, MEM),
	ROW(0F, F2, 0xc2, 0xc2, 8),
	ROW(0F, F2, 0xe6, 0xe6, FULL),

	ROW(0F38, 66, 0x00, 0x00, MEM),
	ROW(0F38, 66, 0x04, 0x04, MEM),
	ROW(0F38, 66, 0x0b, 0x0b, MEM),
	ROW(0F38, 66, 0x0c, 0x0d, FULL),
	ROW(0F38, 66, 0x10, 0x12, MEM),
	ROW(0F38, 66, 0x13, 0x13, HALF_MEM),
	ROW(0F38, 66, 0x14, 0x16, FULL),
	ROW(0F38, 66, 0x18, 0x18, 4),
	ROW(0F38, 66, 0x19, 0x19, 8),
	ROW(0F38, 66, 0x1a, 0x1a, 128),
	ROW(0F38, 66, 0x1b, 0x1b, 32),
	ROW(0F38, 66, 0x1c, 0x1d, MEM),
	ROW(0F38, 66, 0x1e, 0x1f, FULL),
	ROW(0F38, 66, 0x20, 0x20, HALF_MEM),
	ROW(0F38, 66, 0x21, 0x21, QUARTER_MEM),
	ROW(0F38, 66, 0x22, 0x22, EIGHTH_MEM),
	ROW(0F38, 66, 0x23, 0x23, HALF_MEM),
	ROW(0F38, 66, 0x24, 0x24, QUARTER_MEM),
	ROW(0F38, 66, 0x25, 0x25, HALF_MEM),
	ROW(0F38, 66, 0x26, 0x26, MEM),
	ROW(0F38, 66, 0x27, 0x29, FULL),
	ROW(0F38, 66, 0x2a, 0x2a, MEM),
	ROW(0F38, 66, 0x2b, 0x2c, FULL),
	ROW(0F38, 66, 0x2d, 0x2d, ELEMENT),
	ROW(0F38, 66, 0x30, 0x30, HALF_MEM),
	ROW(0F38, 66, 0x31, 0x31, QUARTER_MEM),
	ROW(0F38, 66, 0x32, 0x32, EIGHTH_MEM),
	ROW(0F38, 66, 0x33, 0x33, HALF_MEM),
	ROW(0F38, 66, 0x34, 0x34, QUARTER_MEM),
	ROW(0F38, 66, 0x35, 0x35, HALF_MEM),
	ROW(0F38, 66, 0x36, 0x37, FULL),
	ROW(0F38, 66, 0x38, 0x38, MEM),
	ROW(0F38, 66, 0x39, 0x39, FULL),
	ROW(0F38, 66, 0x3a, 0x3a, MEM),
	ROW(0F38, 66, 0x3b, 0x3b, FULL),
	ROW(0F38, 66, 0x3c, 0x3c, MEM),
	ROW(0F38, 66, 0x3d, 0x3d, FULL),
	ROW(0F38, 66, 0x3e, 0x3e, MEM),
	ROW(0F38, 66, 0x3f, 0x40, FULL),
	ROW(0F38, 66, 0x42, 0x42, FULL),
	ROW(0F38, 66, 0x43, 0x43, ELEMENT),
	ROW(0F38, 66, 0x44, 0x47, FULL),
	ROW(0F38, 66, 0x4c, 0x4c, FULL),
	ROW(0F38, 66, 0x4d, 0x4d, ELEMENT),
	ROW(0F38, 66, 0x4e, 0x4e, FULL),
	ROW(0F38, 66, 0x4f, 0x4f, ELEMENT),
	ROW(0F38, 66, 0x50, 0x53, FULL),
	ROW(0F38, 66, 0x54, 0x54, MEM),
	ROW(0F38, 66, 0x55, 0x55, FULL),
	ROW(0F38, 66, 0x58, 0x58, 4),
	ROW(0F38, 66, 0x59, 0x59, 8),
	ROW(0F38, 66, 0x5a, 0x5a, 128),
	ROW(0F38, 66, 0x5b, 0x5b, 32),
	ROW(0F38, 66, 0x62, 0x63, SMALL_ELEMENT),
	ROW(0F38, 66, 0x64, 0x65, FULL),
	ROW(0F38, 66, 0x66, 0x66, MEM),
	ROW(0F38, 66, 0x70, 0x70, MEM),
	ROW(0F38, 66, 0x71, 0x71, FULL),
	ROW(0F38, 66, 0x72, 0x72, MEM),
	ROW(0F38, 66, 0x73, 0x73, FULL),
	ROW(0F38, 66, 0x75, 0x75, MEM),
	ROW(0F38, 66, 0x76, 0x77, FULL),
	ROW(0F38, 66, 0x78, 0x78, 1),
	ROW(0F38, 66, 0x79, 0x79, 2),
	ROW(0F38, 66, 0x7d, 0x7d, MEM),
	ROW(0F38, 66, 0x7e, 0x7f, FULL),
	ROW(0F38, 66, 0x83, 0x83, FULL),
	ROW(0F38, 66, 0x88, 0x8b, ELEMENT),
	ROW(0F38, 66, 0x8d, 0x8d, MEM),
	ROW(0F38, 66, 0x8f, 0x8f, MEM),
	/* fused multiply-add: vectors and scalars in turn, in 9x, Ax and Bx */
	ROW(0F38, 66, 0x96, 0x98, FULL),
	ROW(0F38, 66, 0x99, 0x99, ELEMENT),
	ROW(0F38, 66, 0x9a, 0x9a, FULL),
	ROW(0F38, 66, 0x9b, 0x9b, ELEMENT),
	ROW(0F38, 66, 0x9c, 0x9c, FULL),
	ROW(0F38, 66, 0x9d, 0x9d, ELEMENT),
	ROW(0F38, 66, 0x9e, 0x9e, FULL),
	ROW(0F38, 66, 0x9f, 0x9f, ELEMENT),
	ROW(0F38, 66, 0xa6, 0xa8, FULL),
	ROW(0F38, 66, 0xa9, 0xa9, ELEMENT),
	ROW(0F38, 66, 0xaa, 0xaa, FULL),
	ROW(0F38, 66, 0xab, 0xab, ELEMENT),
	ROW(0F38, 66, 0xac, 0xac, FULL),
	ROW(0F38, 66, 0xad, 0xad, ELEMENT),
	ROW(0F38, 66, 0xae, 0xae, FULL),
	ROW(0F38, 66, 0xaf, 0xaf, ELEMENT),
	ROW(0F38, 66, 0xb4, 0xb8, FULL),
	ROW(0F38, 66, 0xb9, 0xb9, ELEMENT),
	ROW(0F38, 66, 0xba, 0xba, FULL),
	ROW(0F38, 66, 0xbb, 0xbb, ELEMENT),
	ROW(0F38, 66, 0xbc, 0xbc, FULL),
	ROW(0F38, 66, 0xbd, 0xbd, ELEMENT),
	ROW(0F38, 66, 0xbe, 0xbe, FULL),
	ROW(0F38, 66, 0xbf, 0xbf, ELEMENT),
	ROW(0F38, 66, 0xc4, 0xc4, FULL),
	ROW(0F38, 66, 0xc8, 0xc8, FULL),
	ROW(0F38, 66, 0xca, 0xca, FULL),
	ROW(0F38, 66, 0xcb, 0xcb, ELEMENT),
	ROW(0F38, 66, 0xcc, 0xcc, FULL),
	ROW(0F38, 66, 0xcd, 0xcd, ELEMENT),
	ROW(0F38, 66, 0xcf, 0xcf, MEM),
	ROW(0F38, 66, 0xdc, 0xdf, MEM),

	/* down conversions: signed and unsigned saturation, truncation */
	ROW(0F38, F3, 0x10, 0x10, HALF_MEM),
	ROW(0F38, F3, 0x11, 0x11, QUARTER_MEM),
	ROW(0F38, F3, 0x12, 0x12, EIGHTH_MEM),
	ROW(0F38, F3, 0x13, 0x13, HALF_MEM),
	ROW(0F38, F3, 0x14, 0x14, QUARTER_MEM),
	ROW(0F38, F3, 0x15, 0x15, HALF_MEM),
	ROW(0F38, F3, 0x20, 0x20, HALF_MEM),
	ROW(0F38, F3, 0x21, 0x21, QUARTER_MEM),
	ROW(0F38, F3, 0x22, 0x22, EIGHTH_MEM),
	ROW(0F38, F3, 0x23, 0x23, HALF_MEM),
	ROW(0F38, F3, 0x24, 0x24, QUARTER_MEM),
	ROW(0F38, F3, 0x25, 0x25, HALF_MEM),
	ROW(0F38, F3, 0x26, 0x26, MEM),
	ROW(0F38, F3, 0x27, 0x27, FULL),
	ROW(0F38, F3, 0x30, 0x30, HALF_MEM),
	ROW(0F38, F3, 0x31, 0x31, QUARTER_MEM),
	ROW(0F38, F3, 0x32, 0x32, EIGHTH_MEM),
	ROW(0F38, F3, 0x33, 0x33, HALF_MEM),
	ROW(0F38, F3, 0x34, 0x34, QUARTER_MEM),
	ROW(0F38, F3, 0x35, 0x35, HALF_MEM),
	ROW(0F38, F3, 0x52, 0x52, FULL),
	ROW(0F38, F3, 0x72, 0x72, FULL),

	ROW(0F38, F2, 0x52, 0x53, 128),
	ROW(0F38, F2, 0x68, 0x68, FULL),
	ROW(0F38, F2, 0x72, 0x72, FULL),
	ROW(0F38, F2, 0x9a, 0x9b, 128),
	ROW(0F38, F2, 0xaa, 0xab, 128),

	ROW(0F3A, 66, 0x00, 0x01, FULL),
	ROW(0F3A, 66, 0x03, 0x05, FULL),
	ROW(0F3A, 66, 0x08, 0x09, FULL),
	ROW(0F3A, 66, 0x0a, 0x0b, ELEMENT),
	ROW(0F3A, 66, 0x0f, 0x0f, MEM),
	ROW(0F3A, 66, 0x14, 0x14, 1),
	ROW(0F3A, 66, 0x15, 0x15, 2),
	ROW(0F3A, 66, 0x16, 0x16, ELEMENT),
	ROW(0F3A, 66, 0x17, 0x17, 4),
	ROW(0F3A, 66, 0x18, 0x19, 128),
	ROW(0F3A, 66, 0x1a, 0x1b, 32),
	ROW(0F3A, 66, 0x1d, 0x1d, HALF_MEM),
	ROW(0F3A, 66, 0x1e, 0x1f, FULL),
	ROW(0F3A, 66, 0x20, 0x20, 1),
	ROW(0F3A, 66, 0x21, 0x21, 4),
	ROW(0F3A, 66, 0x22, 0x22, ELEMENT),
	ROW(0F3A, 66, 0x23, 0x23, FULL),
	ROW(0F3A, 66, 0x25, 0x26, FULL),
	ROW(0F3A, 66, 0x27, 0x27, ELEMENT),
	ROW(0F3A, 66, 0x38, 0x39, 128),
	ROW(0F3A, 66, 0x3a, 0x3b, 32),
	ROW(0F3A, 66, 0x3e, 0x3f, MEM),
	ROW(0F3A, 66, 0x42, 0x42, MEM),
	ROW(0F3A, 66, 0x43, 0x43, FULL),
	ROW(0F3A, 66, 0x44, 0x44, MEM),
	ROW(0F3A, 66, 0x50, 0x50, FULL),
	ROW(0F3A, 66, 0x51, 0x51, ELEMENT),
	ROW(0F3A, 66, 0x54, 0x54, FULL),
	ROW(0F3A, 66, 0x55, 0x55, ELEMENT),
	ROW(0F3A, 66, 0x56, 0x56, FULL),
	ROW(0F3A, 66, 0x57, 0x57, ELEMENT),
	ROW(0F3A, 66, 0x66, 0x66, FULL),
	ROW(0F3A, 66, 0x67, 0x67, ELEMENT),
	ROW(0F3A, 66, 0x70, 0x70, MEM),
	ROW(0F3A, 66, 0x71, 0x71, FULL),
	ROW(0F3A, 66, 0x72, 0x72, MEM),
	ROW(0F3A, 66, 0x73, 0x73, FULL),
	ROW(0F3A, 66, 0xce, 0xcf, FULL),
};

enum insn_tuple insn_table_evex(enum insn_map map, enum insn_pp pp, u8 opcode)
{
	const struct evex_row *row = evex_rows;
	const struct evex_row *end = row + sizeof(evex_rows) / sizeof(evex_rows[0]);

	for (; row < end; row++)
		if (row->map == map && row->pp == pp && opcode_in(opcode, row->first, row->last))
			return row->tuple;
	return TUPLE_REFUSED;
}

unsigned int insn_tuple_bytes(enum insn_tuple tuple, unsigned int vl, bool w, bool broadcast)
{
	unsigned int element = w ? 8 : 4;

	if (broadcast)
		return tuple == TUPLE_FULL || tuple == TUPLE_HALF ? element : 0;
	switch (tuple) {
	case TUPLE_FULL:
	case TUPLE_MEM:
		return vl;
	case TUPLE_HALF:
		return w ? vl : vl / 2;
	case TUPLE_HALF_MEM:
		return vl / 2;
	case TUPLE_QUARTER_MEM:
		return vl / 4;
	case TUPLE_EIGHTH_MEM:
		return vl / 8;
	case TUPLE_ELEMENT:
		return element;
	case TUPLE_SMALL_ELEMENT:
		return w ? 2 : 1;
	case TUPLE_1:
		return 1;
	case TUPLE_2:
		return 2;
	case TUPLE_4:
		return 4;
	case TUPLE_8:
		return 8;
	case TUPLE_32:
		return 32;
	case TUPLE_128:
		return 16;
	case TUPLE_DUP:
		return vl == 16 ? 8 : vl;
	default:
		return 0;
	}
}
