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

/* Bits 0-4: width of the memory operand. The letters are those of SDM volume 2, appendix A.2.2. */
#define WIDTH_MASK	0x1fu
enum insn_width_rule {
	WIDTH_NONE,		/* not known */
	WIDTH_B,		/* 1 */
	WIDTH_W,		/* 2 */
	WIDTH_D,		/* 4 */
	WIDTH_Q,		/* 8 */
	WIDTH_V,		/* 2, 4 or 8 by operand size */
	WIDTH_MOVSXD,		/* 4; with operand size 2 the vendors differ: not known */
	WIDTH_STACK,		/* push, pop: 8, or 2 with operand size 2 */
	WIDTH_Y,		/* 8 with REX.W or VEX.W, else 4 */
	WIDTH_2Y,		/* 16 or 8: cmpxchg16b, cmpxchg8b */
	WIDTH_DQ,		/* 16 */
	WIDTH_QQ,		/* 32 */
	WIDTH_LINE,		/* 64 */
	WIDTH_X,		/* the vector length */
	WIDTH_HALF,		/* half of it */
	WIDTH_SS,		/* F3: 4, F2: 8, else the vector length */
	WIDTH_DUP,		/* movddup: 8, or the vector length when it is above 16 */
	WIDTH_MMX,		/* 8 without prefix, else the vector length */
	WIDTH_KMOV,		/* 1, 2, 4 or 8 by W and 66 */
	WIDTH_TUPLE,		/* as the EVEX form has it; not known when there is none */
	WIDTH_TUPLE_X,		/* the same, or the vector length */
};

/* Bits 5-6: what is done to the memory operand; the values of enum mmiobpf_dir. */
#define MEM_SHIFT	5
#define MEM_R		(1u << MEM_SHIFT)
#define MEM_W		(2u << MEM_SHIFT)
#define MEM_RW		(3u << MEM_SHIFT)

/* Bits 7-8: immediate after the operand. */
#define IMM_8		(1u << 7)	/* one byte, sign-extended */
#define IMM_Z		(2u << 7)	/* 2 bytes with operand size 2, else 4, sign-extended */
#define IMM_MASK	(3u << 7)

/* Bits 9-12: enum insn_class; INSN_OTHER has to be the default of a word. */
#define CLASS_SHIFT	9
#define OP_CLASS(c)	((u32)(INSN_OTHER ^ (c)) << CLASS_SHIFT)
#define CLASS_MASK	(15u << CLASS_SHIFT)

/* Bits 13-17: ModRM.reg as a general register. None: an opcode extension or a vector register. */
#define REG_R		(1u << 13)	/* read */
#define REG_W		(1u << 14)	/* written */
#define REG_RW		(REG_R | REG_W)
#define REG_BYTE	(1u << 15)	/* a byte register, so AH to BH without REX */
#define REG_Y		(1u << 16)	/* 4 or 8 bytes whatever the 66 prefix says */
#define REG_ADDRESS	(1u << 17)	/* of the address size */

/* Bits 18-25: implicit general registers. */
#define AX_R		(1u << 18)
#define AX_W		(1u << 19)
#define DX_R		(1u << 20)
#define DX_W		(1u << 21)
#define CX_R		(1u << 22)
#define CX_W		(1u << 23)
#define BX_R		(1u << 24)
#define SP_RW		(1u << 25)
#define IMPLICIT_MASK	(AX_R | AX_W | DX_R | DX_W | CX_R | CX_W | BX_R | SP_RW)

/* Bits 26-27: VEX.vvvv as a general register. */
#define VVVV_R		(1u << 26)
#define VVVV_W		(1u << 27)

/* Bits 28-29: no ModRM byte. */
#define OP_MOFFS	(1u << 28)	/* A0 to A3: the address follows */
#define OP_STRING	(1u << 29)

#define BIT_STRING	(1u << 30)	/* the bit number in ModRM.reg moves the operand */

#define OP_OK		(1u << 31)	/* accepted; every other bit may be 0 */

/* Bits 32-39 and 40-42: enum insn_op and enum insn_source. */
#define OP_SHIFT	32
#define OP(op)		((u64)(op) << OP_SHIFT)
#define SOURCE_SHIFT	40
#define SOURCE_MASK	(7ULL << SOURCE_SHIFT)
#define INTEGER(op, source) \
	(OP_CLASS(INSN_INTEGER) | OP(INSN_##op) | (u64)(INSN_SRC_##source) << SOURCE_SHIFT)

/* Bits 48-49: the word is looked up once more, the low byte is the row. */
#define BY_REG(row)	(1ULL << 48 | (row))	/* by ModRM.reg in insn_table_reg */
#define BY_PREFIX(row)	(1ULL << 49 | (row))	/* by mandatory prefix in insn_table_prefix */
#define BY_MASK		(3ULL << 48)
#define ROW_MASK	0xffu

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
	GRP3_B, GRP3_V, GRP4, GRP5, GRP8, GRP9, GRP8F, GRP11_B, GRP11_V, GRP15, GRP15_66,
	FPU_DD, VEX_GRP17,
};

/* Rows of insn_table_prefix. */
enum {
	PFX_12, PFX_13, PFX_16, PFX_17, PFX_2B, PFX_CVT_FROM_INT, PFX_CVT_TO_INT,
	PFX_CVT_TO_UNSIGNED, PFX_COMIS, PFX_5A, PFX_5B, PFX_6F, PFX_70, PFX_7E, PFX_7F, PFX_AE,
	PFX_B8, PFX_BC, PFX_BD, PFX_C3, PFX_D6, PFX_E6, PFX_E7, PFX_F0, PFX_PACKED, PFX_PACKED_F2,
	PFX_MMX, PFX_SHIFT, PFX_UNPACK, PFX_38_2A, PFX_38_F0, PFX_38_F1, PFX_38_F6, PFX_38_F8,
	PFX_38_F9, PFX_38_MMX, PFX_38_VECTOR, PFX_38_SHA, PFX_3A_MMX, PFX_EVEX_DOWN,
};

extern const u64 insn_table_one[256];
extern const u64 insn_table_0f[256];
extern const u64 insn_table_0f38[256];
extern const u64 insn_table_0f3a[256];
extern const u64 insn_table_reg[][8];
extern const u64 insn_table_prefix[][4];

static inline bool opcode_in(u8 opcode, u8 first, u8 last)
{
	return opcode >= first && opcode <= last;
}

/**
 * insn_table_vex() - attribute word of a VEX or EVEX opcode
 * @map: MAP_0F to MAP_0F3A; any other is refused
 * @evex: false for VEX
 */
u64 insn_table_vex(enum insn_map map, u8 opcode, bool evex);

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
