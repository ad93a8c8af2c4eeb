/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads the bytes of an instruction, in their order: prefixes, opcode (or VEX, EVEX), ModRM with
 * SIB and displacement, immediate. Knows nothing of what an opcode means.
 *
 * Every function returns false when the bytes end, or cannot be an instruction.
 */
#ifndef MMIOBPF_DECODE_BYTES_H
#define MMIOBPF_DECODE_BYTES_H

#include "decode.h"

#define REX_W	8
#define REX_R	4
#define REX_X	2
#define REX_B	1

#define ENC_LEGACY	0
#define ENC_VEX		1
#define ENC_EVEX	2

/* An instruction half read. */
struct cursor {
	const u8 *bytes;
	size_t n;		/* readable, at most INSN_MAX_LEN */
	size_t pos;
	u8 encoding;		/* ENC_* */
	u8 map;			/* enum insn_map */
	u8 opcode;
	u8 rex;			/* REX_* bits, from VEX and EVEX as well */
	u8 has_rex;		/* SPL to DIL instead of AH to BH */
	u8 has_66;
	u8 rep;			/* the last of F2 and F3, or 0 */
	u8 pp;			/* enum insn_pp */
	u8 vvvv;		/* not inverted; 0 in legacy code */
	u8 vl;			/* vector length in bytes */
	u8 mask;		/* EVEX.aaa */
	u8 broadcast;		/* EVEX.b */
	u8 reg_high;		/* EVEX.R': vector registers 16 to 31 */
	u8 disp8_scale;
	u8 modrm;
};

/** cursor_byte() - the next byte */
bool cursor_byte(struct cursor *c, u8 *byte);

/** cursor_signed() - the next @size bytes, 0 to 8, little-endian, sign-extended */
bool cursor_signed(struct cursor *c, unsigned int size, s64 *value);

/** cursor_prefixes() - legacy prefixes and REX in any order, and the byte that follows them */
bool cursor_prefixes(struct cursor *c, struct insn *in);

/** cursor_opcode() - VEX or EVEX and the opcode; sets map and mandatory prefix */
bool cursor_opcode(struct cursor *c, const struct insn *in);

/** cursor_operand() - the memory operand of @c->modrm, with disp8 scaled by @c->disp8_scale */
bool cursor_operand(struct cursor *c, struct insn *in);

#endif
