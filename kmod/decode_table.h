/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The opcode tables of the decoder: one attribute word for each opcode that may have a memory
 * operand.
 *
 * A word of 0 means "refused": it has no memory operand, or it is one that the trap must not touch.
 */
#ifndef MMIOBPF_DECODE_TABLE_H
#define MMIOBPF_DECODE_TABLE_H

#include "decode.h"

/* Bits 0-3: width of the memory operand. The letters are those of SDM volume 2, appendix A.2.2. */
#define WIDTH_MASK	0x0000000fu
enum insn_width_rule {
	WIDTH_NONE,		/* not known */
	WIDTH_B,		/* 1 */
	WIDTH_W,		/* 2 */
	WIDTH_D,		/* 4 */
	WIDTH_Q,		/* 8 */
	WIDTH_V,		/* 2, 4 or 8 by operand size */
	WIDTH_MOVSXD,		/* 4; with operand size 2 the vendors differ: not known */
	WIDTH_Y,		/* 8 with REX.W or VEX.W, else 4 */
	WIDTH_2Y,		/* 16 or 8: cmpxchg16b, cmpxchg8b */
	WIDTH_DQ,		/* 16 */
	WIDTH_QQ,		/* 32 */
	WIDTH_X,		/* the vector length */
	WIDTH_SS,		/* F3: 4, F2: 8, else the vector length */
	WIDTH_DUP,		/* movddup: 8, or the vector length when it is above 16 */
};

/* Bits 4-5: what is done to the memory operand; the values of enum mmiobpf_dir. */
#define MEM_SHIFT	4
#define MEM_R		(1u << MEM_SHIFT)
#define MEM_W		(2u << MEM_SHIFT)
#define MEM_RW		(3u << MEM_SHIFT)

/* Bits 6-7: immediate after the operand. */
#define IMM_8		(1u << 6)	/* one byte, sign-extended */
#define IMM_Z		(2u << 6)	/* 2 bytes with operand size 2, else 4, sign-extended */
#define IMM_MASK	(3u << 6)

/* Bits 8-10: enum insn_class; INSN_OTHER has to be the default of a word. */
#define CLASS_SHIFT	8
#define OP_CLASS(c)	((u32)(INSN_OTHER - (c)) << CLASS_SHIFT)
#define CLASS_MASK	(7u << CLASS_SHIFT)

/* Bits 11-14: ModRM.reg as a general register. None: an opcode extension or a vector register. */
#define REG_R		(1u << 11)	/* read */
#define REG_W		(1u << 12)	/* written */
#define REG_RW		(REG_R | REG_W)
#define REG_BYTE	(1u << 13)	/* a byte register, so AH to BH without REX */
#define REG_Y		(1u << 14)	/* 4 or 8 bytes whatever the 66 prefix says */

/* Bits 15-21: implicit general registers. */
#define AX_R		(1u << 15)
#define AX_W		(1u << 16)
#define DX_R		(1u << 17)
#define DX_W		(1u << 18)
#define CX_R		(1u << 19)
#define CX_W		(1u << 20)
#define BX_R		(1u << 21)
#define IMPLICIT_MASK	(AX_R | AX_W | DX_R | DX_W | CX_R | CX_W | BX_R)

/* Bits 22-23: VEX.vvvv as a general register. */
#define VVVV_R		(1u << 22)
#define VVVV_W		(1u << 23)

/* Bits 24-25: no ModRM byte. */
#define OP_MOFFS	(1u << 24)	/* A0 to A3: the address follows */
#define OP_STRING	(1u << 25)

/* Bits 26-28: the word is looked up once more, the low byte is the row. */
#define BY_REG(row)	(1u << 26 | (row))	/* by ModRM.reg in insn_table_reg */
#define BY_PREFIX(row)	(1u << 27 | (row))	/* by mandatory prefix in insn_table_prefix */
#define BY_MASK		(3u << 26)
#define ROW_MASK	0xffu

#define OP_OK		(1u << 31)	/* accepted; every other bit may be 0 */

/* Mandatory prefix, in the order of VEX.pp. */
enum insn_pp {
	PP_NONE, PP_66, PP_F3, PP_F2,
};

enum insn_map {
	MAP_ONE, MAP_0F, MAP_0F38, MAP_0F3A,
};

/* EVEX: what disp8 is multiplied by, SDM volume 2, 2.7.5. An element has 8 bytes with W, else 4. */
enum insn_tuple {
	TUPLE_REFUSED,
	TUPLE_FULL,		/* the vector length; one element with broadcast */
	TUPLE_HALF,		/* with W as FULL, else half of it */
	TUPLE_MEM,		/* the vector length, no broadcast */
	TUPLE_HALF_MEM,
	TUPLE_QUARTER_MEM,
	TUPLE_EIGHTH_MEM,
	TUPLE_ELEMENT,
	TUPLE_SMALL_ELEMENT,	/* 2 with W, else 1 */
	TUPLE_1,		/* a fixed number of bytes */
	TUPLE_2,
	TUPLE_4,
	TUPLE_8,
	TUPLE_32,
	TUPLE_128,		/* 16 bytes, in the manual's name */
	TUPLE_DUP,		/* movddup: 8, 32 or 64 */
};

/* Rows of insn_table_reg. */
enum {
	GRP1_B, GRP1_Z, GRP1_8, GRP2_B_I, GRP2_V_I, GRP2_B_1, GRP2_V_1, GRP2_B_C, GRP2_V_C,
	GRP3_B, GRP3_V, GRP4, GRP5, GRP8, GRP9, GRP11_B, GRP11_V, GRP15, FPU_DD, VEX_GRP17,
};

/* Rows of insn_table_prefix. */
enum {
	PFX_12, PFX_13, PFX_16, PFX_17, PFX_2B, PFX_CVT_FROM_INT, PFX_CVT_TO_INT,
	PFX_CVT_TO_UNSIGNED, PFX_6F, PFX_7E, PFX_7F, PFX_AE, PFX_B8, PFX_C3, PFX_D6, PFX_E6,
	PFX_E7, PFX_F0, PFX_PACKED, PFX_38_2A, PFX_38_F0, PFX_38_F1, PFX_38_F6, PFX_38_F9,
	PFX_38_VECTOR,
};

extern const u32 insn_table_one[256];
extern const u32 insn_table_0f[256];
extern const u32 insn_table_0f38[256];
extern const u32 insn_table_0f3a[256];
extern const u32 insn_table_reg[][8];
extern const u32 insn_table_prefix[][4];

/**
 * insn_table_vex() - attribute word of a VEX or EVEX opcode
 * @map: MAP_0F to MAP_0F3A; any other is refused
 * @evex: false for VEX
 */
u32 insn_table_vex(enum insn_map map, u8 opcode, bool evex);

/** insn_table_evex() - how disp8 is scaled; TUPLE_REFUSED for what is not in the table */
enum insn_tuple insn_table_evex(enum insn_map map, enum insn_pp pp, u8 opcode);

/**
 * insn_tuple_bytes() - what disp8 is multiplied by
 * @vl: vector length in bytes
 * @w: EVEX.W
 * @broadcast: EVEX.b
 *
 * Return: bytes, or 0 when the form is refused or has no broadcast.
 */
unsigned int insn_tuple_bytes(enum insn_tuple tuple, unsigned int vl, bool w, bool broadcast);

#endif
