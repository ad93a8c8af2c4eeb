// SPDX-License-Identifier: GPL-2.0-only
/*
 * The opcode tables of the decoder. One line is one opcode or one range of them.
 *
 * Source: Intel SDM volume 2, appendix A (opcode maps), and the operand tables of the instructions.
 */
#include "decode_table.h"

#define RMW_B	(OP_OK | WIDTH_B | MEM_RW)
#define RMW_V	(OP_OK | WIDTH_V | MEM_RW)
#define RD_B	(OP_OK | WIDTH_B | MEM_R)
#define RD_V	(OP_OK | WIDTH_V | MEM_R)

/* Group 1. */
#define ARITHMETIC(rmw, rd, source) { \
	(rmw) | INTEGER(ADD, source), (rmw) | INTEGER(OR, source), \
	(rmw) | INTEGER(ADC, source), (rmw) | INTEGER(SBB, source), \
	(rmw) | INTEGER(AND, source), (rmw) | INTEGER(SUB, source), \
	(rmw) | INTEGER(XOR, source), (rd) | INTEGER(CMP, source), \
}

/* Group 2. */
#define SHIFTS(rmw, source) { \
	(rmw) | INTEGER(ROL, source), (rmw) | INTEGER(ROR, source), \
	(rmw) | INTEGER(RCL, source), (rmw) | INTEGER(RCR, source), \
	(rmw) | INTEGER(SHL, source), (rmw) | INTEGER(SHR, source), \
	(rmw) | INTEGER(SAL, source), (rmw) | INTEGER(SAR, source), \
}

/* Group 3, without div and idiv: they may raise an exception of their own. */
#define UNARY(rmw, rd, imm, wide) \
	[0 ... 1] = (rd) | (imm) | INTEGER(TEST, IMM), \
	[2] = (rmw) | INTEGER(NOT, NONE), \
	[3] = (rmw) | INTEGER(NEG, NONE), \
	[4] = (rd) | (wide) | INTEGER(MUL_WIDE, NONE), \
	[5] = (rd) | (wide) | INTEGER(IMUL_WIDE, NONE)

const u64 insn_table_reg[][8] = {
	[GRP1_B] = ARITHMETIC(RMW_B | IMM_8, RD_B | IMM_8, IMM),
	[GRP1_Z] = ARITHMETIC(RMW_V | IMM_Z, RD_V | IMM_Z, IMM),
	[GRP1_8] = ARITHMETIC(RMW_V | IMM_8, RD_V | IMM_8, IMM),
	[GRP2_B_I] = SHIFTS(RMW_B | IMM_8, IMM),
	[GRP2_V_I] = SHIFTS(RMW_V | IMM_8, IMM),
	[GRP2_B_1] = SHIFTS(RMW_B, IMM),
	[GRP2_V_1] = SHIFTS(RMW_V, IMM),
	[GRP2_B_C] = SHIFTS(RMW_B | CX_R, CL),
	[GRP2_V_C] = SHIFTS(RMW_V | CX_R, CL),
	[GRP3_B] = {
		UNARY(RMW_B, RD_B, IMM_8, AX_R | AX_W),
		[6 ... 7] = RD_B | AX_R | AX_W,
	},
	[GRP3_V] = {
		UNARY(RMW_V, RD_V, IMM_Z, AX_R | AX_W | DX_W),
		[6 ... 7] = RD_V | AX_R | AX_W | DX_R | DX_W,
	},
	[GRP4] = { RMW_B | INTEGER(INC, NONE), RMW_B | INTEGER(DEC, NONE) },
	/* the calls and jumps are refused */
	[GRP5] = {
		[0] = RMW_V | INTEGER(INC, NONE), [1] = RMW_V | INTEGER(DEC, NONE),
		[6] = OP_OK | WIDTH_STACK | MEM_R | SP_RW,
	},
	/* with an immediate bit number, which stays inside the operand */
	[GRP8] = {
		[4] = RD_V | IMM_8 | INTEGER(BT, IMM), [5] = RMW_V | IMM_8 | INTEGER(BTS, IMM),
		[6] = RMW_V | IMM_8 | INTEGER(BTR, IMM), [7] = RMW_V | IMM_8 | INTEGER(BTC, IMM),
	},
	/* cmpxchg8b, cmpxchg16b; xsavec, vmptrld and the like are refused */
	[GRP9] = {
		[1] = OP_OK | WIDTH_2Y | MEM_RW | REG_Y | AX_R | AX_W | DX_R | DX_W | BX_R | CX_R |
		      INTEGER(CMPXCHG_PAIR, NONE),
	},
	/* pop m */
	[GRP8F] = { [0] = OP_OK | WIDTH_STACK | MEM_W | SP_RW },
	/* mov m, imm */
	[GRP11_B] = { [0] = OP_OK | WIDTH_B | MEM_W | IMM_8 | OP_CLASS(INSN_STORE_IMM) },
	[GRP11_V] = { [0] = OP_OK | WIDTH_V | MEM_W | IMM_Z | OP_CLASS(INSN_STORE_IMM) },
	/* ldmxcsr stmxcsr clflush; the save and restore instructions are refused */
	[GRP15] = {
		[2] = OP_OK | WIDTH_D | MEM_R, [3] = OP_OK | WIDTH_D | MEM_W,
		[7] = OP_OK | OP_CLASS(INSN_CACHE_LINE),
	},
	/* clwb clflushopt */
	[GRP15_66] = { [6 ... 7] = OP_OK | OP_CLASS(INSN_CACHE_LINE) },
	/* DD has one free place */
	[FPU_DD] = { [0 ... 4] = OP_OK, [6 ... 7] = OP_OK },
	/* blsr blsmsk blsi */
	[VEX_GRP17] = { [1 ... 3] = OP_OK | WIDTH_Y | MEM_R | VVVV_W },
};

#define VEC_R(w)	(OP_OK | MEM_R | (w))
#define VEC_W(w)	(OP_OK | MEM_W | (w))
#define ADD_CARRY	(OP_OK | WIDTH_Y | MEM_R | REG_RW | REG_Y)
#define COUNT_BITS(op)	(RD_V | REG_W | INTEGER(op, MEM))
#define MOVBE_LOAD	(RD_V | REG_W | INTEGER(MOVBE, MEM))
#define MOVBE_STORE	(OP_OK | WIDTH_V | MEM_W | REG_R | INTEGER(MOVBE, REG))
#define STORE_Y		(OP_OK | WIDTH_Y | MEM_W | REG_R | REG_Y | OP_CLASS(INSN_STORE_REG))
#define DIRECT(op)	(OP_OK | WIDTH_LINE | MEM_R | REG_R | REG_ADDRESS | \
			 OP_CLASS(INSN_DIRECT64) | OP(op))

/* Columns: none, 66, F3, F2. */
const u64 insn_table_prefix[][4] = {
	[PFX_12] = { VEC_R(WIDTH_Q), VEC_R(WIDTH_Q), VEC_R(WIDTH_X), VEC_R(WIDTH_DUP) },
	[PFX_13] = { VEC_W(WIDTH_Q), VEC_W(WIDTH_Q), 0, 0 },
	[PFX_16] = { VEC_R(WIDTH_Q), VEC_R(WIDTH_Q), VEC_R(WIDTH_X), 0 },
	[PFX_17] = { VEC_W(WIDTH_Q), VEC_W(WIDTH_Q), 0, 0 },
	/* movntps movntpd; with F3 and F2 those of SSE4a */
	[PFX_2B] = { VEC_W(WIDTH_X), VEC_W(WIDTH_X), VEC_W(WIDTH_D), VEC_W(WIDTH_Q) },
	/* cvtpi2ps cvtpi2pd cvtsi2ss cvtsi2sd */
	[PFX_CVT_FROM_INT] = { VEC_R(WIDTH_Q), VEC_R(WIDTH_Q), VEC_R(WIDTH_Y), VEC_R(WIDTH_Y) },
	/* cvtps2pi cvtpd2pi write MMX; cvtss2si cvtsd2si a general register */
	[PFX_CVT_TO_INT] = {
		VEC_R(WIDTH_Q), VEC_R(WIDTH_X), VEC_R(WIDTH_D) | REG_W | REG_Y,
		VEC_R(WIDTH_Q) | REG_W | REG_Y,
	},
	/* vcvt*2usi, EVEX only: a general register with F3 and F2 */
	[PFX_CVT_TO_UNSIGNED] = {
		VEC_R(WIDTH_TUPLE), VEC_R(WIDTH_TUPLE), VEC_R(WIDTH_TUPLE) | REG_W | REG_Y,
		VEC_R(WIDTH_TUPLE) | REG_W | REG_Y,
	},
	[PFX_COMIS] = { VEC_R(WIDTH_D), VEC_R(WIDTH_Q), 0, 0 },
	/* cvtps2pd cvtpd2ps cvtss2sd cvtsd2ss */
	[PFX_5A] = { VEC_R(WIDTH_HALF), VEC_R(WIDTH_X), VEC_R(WIDTH_D), VEC_R(WIDTH_Q) },
	[PFX_5B] = { VEC_R(WIDTH_X), VEC_R(WIDTH_X), VEC_R(WIDTH_X), 0 },
	/* movq movdqa movdqu; F2 only in EVEX, vmovdqu8 and 16 */
	[PFX_6F] = { VEC_R(WIDTH_Q), VEC_R(WIDTH_X), VEC_R(WIDTH_X), VEC_R(WIDTH_X) },
	[PFX_7F] = { VEC_W(WIDTH_Q), VEC_W(WIDTH_X), VEC_W(WIDTH_X), VEC_W(WIDTH_X) },
	[PFX_70] = {
		VEC_R(WIDTH_Q) | IMM_8, VEC_R(WIDTH_X) | IMM_8, VEC_R(WIDTH_X) | IMM_8,
		VEC_R(WIDTH_X) | IMM_8,
	},
	/* movd movd movq */
	[PFX_7E] = { VEC_W(WIDTH_Y), VEC_W(WIDTH_Y), VEC_R(WIDTH_Q), 0 },
	[PFX_D6] = { 0, VEC_W(WIDTH_Q), 0, 0 },
	/* cvttpd2dq cvtdq2pd cvtpd2dq */
	[PFX_E6] = { 0, VEC_R(WIDTH_X), VEC_R(WIDTH_HALF), VEC_R(WIDTH_X) },
	[PFX_E7] = { VEC_W(WIDTH_Q), VEC_W(WIDTH_X), 0, 0 },
	[PFX_F0] = { 0, 0, 0, VEC_R(WIDTH_X) },
	[PFX_PACKED] = { VEC_R(WIDTH_X), VEC_R(WIDTH_X), 0, 0 },
	[PFX_PACKED_F2] = { 0, VEC_R(WIDTH_X), 0, VEC_R(WIDTH_X) },
	[PFX_MMX] = { VEC_R(WIDTH_Q), VEC_R(WIDTH_X), 0, 0 },
	/* the count of a shift is 16 bytes whatever the vector length */
	[PFX_SHIFT] = { VEC_R(WIDTH_Q), VEC_R(WIDTH_DQ), 0, 0 },
	/* punpcklbw and others read no more of MMX than they use */
	[PFX_UNPACK] = { VEC_R(WIDTH_D), VEC_R(WIDTH_X), 0, 0 },
	[PFX_AE] = { BY_REG(GRP15), BY_REG(GRP15_66), 0, 0 },
	/* popcnt; without F3 it is the jmpe of another machine */
	[PFX_B8] = { 0, 0, COUNT_BITS(POPCNT), 0 },
	[PFX_BC] = { COUNT_BITS(BSF), COUNT_BITS(BSF), COUNT_BITS(TZCNT), COUNT_BITS(BSF) },
	[PFX_BD] = { COUNT_BITS(BSR), COUNT_BITS(BSR), COUNT_BITS(LZCNT), COUNT_BITS(BSR) },
	/* movnti */
	[PFX_C3] = { STORE_Y, 0, 0, 0 },
	/* movbe movbe - crc32 */
	[PFX_38_F0] = {
		MOVBE_LOAD, MOVBE_LOAD, 0, RD_B | REG_RW | REG_Y | INTEGER(CRC32, MEM),
	},
	[PFX_38_F1] = {
		MOVBE_STORE, MOVBE_STORE, 0, RD_V | REG_RW | REG_Y | INTEGER(CRC32, MEM),
	},
	/* - adcx adox -; wrss is refused */
	[PFX_38_F6] = { 0, ADD_CARRY, ADD_CARRY, 0 },
	/* - movdir64b enqcmds enqcmd */
	[PFX_38_F8] = { 0, DIRECT(INSN_MOVDIR64B), DIRECT(INSN_ENQCMDS), DIRECT(INSN_ENQCMD) },
	/* movdiri */
	[PFX_38_F9] = { STORE_Y, 0, 0, 0 },
	[PFX_38_2A] = { 0, VEC_R(WIDTH_X), 0, 0 },
	[PFX_38_MMX] = { VEC_R(WIDTH_Q), VEC_R(WIDTH_X), 0, 0 },
	/* F3 and F2 are key locker */
	[PFX_38_VECTOR] = { 0, VEC_R(WIDTH_TUPLE_X), 0, 0 },
	[PFX_38_SHA] = { VEC_R(WIDTH_X), 0, 0, 0 },
	/* signed and unsigned saturation and truncation of elements with F3 */
	[PFX_EVEX_DOWN] = { 0, VEC_R(WIDTH_TUPLE), VEC_W(WIDTH_TUPLE), VEC_R(WIDTH_TUPLE) },
	/* palignr */
	[PFX_3A_MMX] = { VEC_R(WIDTH_Q) | IMM_8, VEC_R(WIDTH_X) | IMM_8, 0, 0 },
};

/* 00 to 3B: eight operations of four forms: m,r byte; m,r; r,m byte; r,m. */
#define ALU(opcode, op) \
	[opcode] = RMW_B | REG_R | REG_BYTE | INTEGER(op, REG), \
	[(opcode) + 1] = RMW_V | REG_R | INTEGER(op, REG), \
	[(opcode) + 2] = RD_B | REG_RW | REG_BYTE | INTEGER(op, MEM), \
	[(opcode) + 3] = RD_V | REG_RW | INTEGER(op, MEM)

#define STRING(op, access) \
	[(op)] = OP_OK | OP_STRING | WIDTH_B | OP_CLASS(INSN_STRING) | (access), \
	[(op) + 1] = OP_OK | OP_STRING | WIDTH_V | OP_CLASS(INSN_STRING) | (access)

const u64 insn_table_one[256] = {
	ALU(0x00, ADD), ALU(0x08, OR), ALU(0x10, ADC), ALU(0x18, SBB),
	ALU(0x20, AND), ALU(0x28, SUB), ALU(0x30, XOR),
	[0x38] = RD_B | REG_R | REG_BYTE | INTEGER(CMP, REG),
	[0x39] = RD_V | REG_R | INTEGER(CMP, REG),
	[0x3a] = RD_B | REG_R | REG_BYTE | INTEGER(CMP, MEM),
	[0x3b] = RD_V | REG_R | INTEGER(CMP, MEM),
	/* movsxd */
	[0x63] = OP_OK | WIDTH_MOVSXD | MEM_R | REG_W | OP_CLASS(INSN_LOAD_SX),
	/* imul r, m, imm */
	[0x69] = RD_V | REG_W | IMM_Z | INTEGER(IMUL, IMM),
	[0x6b] = RD_V | REG_W | IMM_8 | INTEGER(IMUL, IMM),
	[0x80] = BY_REG(GRP1_B),
	[0x81] = BY_REG(GRP1_Z),
	[0x83] = BY_REG(GRP1_8),
	[0x84] = RD_B | REG_R | REG_BYTE | INTEGER(TEST, REG),
	[0x85] = RD_V | REG_R | INTEGER(TEST, REG),
	[0x86] = RMW_B | REG_RW | REG_BYTE | INTEGER(XCHG, REG),
	[0x87] = RMW_V | REG_RW | INTEGER(XCHG, REG),
	/* mov */
	[0x88] = OP_OK | WIDTH_B | MEM_W | REG_R | REG_BYTE | OP_CLASS(INSN_STORE_REG),
	[0x89] = OP_OK | WIDTH_V | MEM_W | REG_R | OP_CLASS(INSN_STORE_REG),
	[0x8a] = RD_B | REG_W | REG_BYTE | OP_CLASS(INSN_LOAD),
	[0x8b] = RD_V | REG_W | OP_CLASS(INSN_LOAD),
	/* mov m, sreg */
	[0x8c] = OP_OK | WIDTH_W | MEM_W,
	[0x8f] = BY_REG(GRP8F),
	[0xa0] = RD_B | OP_MOFFS | AX_W | OP_CLASS(INSN_LOAD),
	[0xa1] = RD_V | OP_MOFFS | AX_W | OP_CLASS(INSN_LOAD),
	[0xa2] = OP_OK | WIDTH_B | MEM_W | OP_MOFFS | AX_R | OP_CLASS(INSN_STORE_REG),
	[0xa3] = OP_OK | WIDTH_V | MEM_W | OP_MOFFS | AX_R | OP_CLASS(INSN_STORE_REG),
	STRING(0xa4, 0),		/* movs */
	STRING(0xa6, 0),		/* cmps */
	STRING(0xaa, MEM_W | AX_R),	/* stos */
	STRING(0xac, MEM_R | AX_W),	/* lods */
	STRING(0xae, MEM_R | AX_R),	/* scas */
	[0xc0] = BY_REG(GRP2_B_I),
	[0xc1] = BY_REG(GRP2_V_I),
	[0xc6] = BY_REG(GRP11_B),
	[0xc7] = BY_REG(GRP11_V),
	[0xd0] = BY_REG(GRP2_B_1),
	[0xd1] = BY_REG(GRP2_V_1),
	[0xd2] = BY_REG(GRP2_B_C),
	[0xd3] = BY_REG(GRP2_V_C),
	/* x87 */
	[0xd8 ... 0xdc] = OP_OK,
	[0xdd] = BY_REG(FPU_DD),
	[0xde ... 0xdf] = OP_OK,
	[0xf6] = BY_REG(GRP3_B),
	[0xf7] = BY_REG(GRP3_V),
	[0xfe] = BY_REG(GRP4),
	[0xff] = BY_REG(GRP5),
};

/*
 * 0F 18 to 1F are prefetch, cldemote, bound and nop forms, 0F 0D prefetchw: they do not access, or
 * never fault.
 */
const u64 insn_table_0f[256] = {
	[0x10] = VEC_R(WIDTH_SS),
	[0x11] = VEC_W(WIDTH_SS),
	[0x12] = BY_PREFIX(PFX_12),
	[0x13] = BY_PREFIX(PFX_13),
	[0x14 ... 0x15] = BY_PREFIX(PFX_PACKED),
	[0x16] = BY_PREFIX(PFX_16),
	[0x17] = BY_PREFIX(PFX_17),
	[0x28] = VEC_R(WIDTH_X),
	[0x29] = VEC_W(WIDTH_X),
	[0x2a] = BY_PREFIX(PFX_CVT_FROM_INT),
	[0x2b] = BY_PREFIX(PFX_2B),
	[0x2c ... 0x2d] = BY_PREFIX(PFX_CVT_TO_INT),
	[0x2e ... 0x2f] = BY_PREFIX(PFX_COMIS),
	/* the load is done whatever the condition says */
	[0x40 ... 0x4f] = RD_V | REG_W | INTEGER(CMOV, MEM),
	[0x51 ... 0x53] = VEC_R(WIDTH_SS),
	[0x54 ... 0x57] = BY_PREFIX(PFX_PACKED),
	[0x58 ... 0x59] = VEC_R(WIDTH_SS),
	[0x5a] = BY_PREFIX(PFX_5A),
	[0x5b] = BY_PREFIX(PFX_5B),
	[0x5c ... 0x5f] = VEC_R(WIDTH_SS),
	[0x60 ... 0x62] = BY_PREFIX(PFX_UNPACK),
	[0x63 ... 0x6d] = BY_PREFIX(PFX_MMX),
	[0x6e] = VEC_R(WIDTH_Y),
	[0x6f] = BY_PREFIX(PFX_6F),
	[0x70] = BY_PREFIX(PFX_70),
	[0x74 ... 0x76] = BY_PREFIX(PFX_MMX),
	[0x7c ... 0x7d] = BY_PREFIX(PFX_PACKED_F2),
	[0x7e] = BY_PREFIX(PFX_7E),
	[0x7f] = BY_PREFIX(PFX_7F),
	[0x90 ... 0x9f] = OP_OK | WIDTH_B | MEM_W | INTEGER(SET, NONE),
	[0xa3] = RD_V | REG_R | BIT_STRING | INTEGER(BT, REG),
	[0xa4] = RMW_V | REG_R | IMM_8 | INTEGER(SHLD, IMM),
	[0xa5] = RMW_V | REG_R | CX_R | INTEGER(SHLD, CL),
	[0xab] = RMW_V | REG_R | BIT_STRING | INTEGER(BTS, REG),
	[0xac] = RMW_V | REG_R | IMM_8 | INTEGER(SHRD, IMM),
	[0xad] = RMW_V | REG_R | CX_R | INTEGER(SHRD, CL),
	[0xae] = BY_PREFIX(PFX_AE),
	[0xaf] = RD_V | REG_RW | INTEGER(IMUL, MEM),
	[0xb0] = RMW_B | REG_R | REG_BYTE | AX_R | AX_W | INTEGER(CMPXCHG, REG),
	[0xb1] = RMW_V | REG_R | AX_R | AX_W | INTEGER(CMPXCHG, REG),
	[0xb3] = RMW_V | REG_R | BIT_STRING | INTEGER(BTR, REG),
	[0xb6] = RD_B | REG_W | OP_CLASS(INSN_LOAD_ZX),
	[0xb7] = OP_OK | WIDTH_W | MEM_R | REG_W | OP_CLASS(INSN_LOAD_ZX),
	[0xb8] = BY_PREFIX(PFX_B8),
	[0xba] = BY_REG(GRP8),
	[0xbb] = RMW_V | REG_R | BIT_STRING | INTEGER(BTC, REG),
	/* a scan of 0 keeps the register, on old CPUs also with F3 */
	[0xbc] = BY_PREFIX(PFX_BC),
	[0xbd] = BY_PREFIX(PFX_BD),
	[0xbe] = RD_B | REG_W | OP_CLASS(INSN_LOAD_SX),
	[0xbf] = OP_OK | WIDTH_W | MEM_R | REG_W | OP_CLASS(INSN_LOAD_SX),
	[0xc0] = RMW_B | REG_RW | REG_BYTE | INTEGER(XADD, REG),
	[0xc1] = RMW_V | REG_RW | INTEGER(XADD, REG),
	[0xc2] = VEC_R(WIDTH_SS) | IMM_8,
	[0xc3] = BY_PREFIX(PFX_C3),
	[0xc4] = VEC_R(WIDTH_W) | IMM_8,
	[0xc6] = VEC_R(WIDTH_X) | IMM_8,
	[0xc7] = BY_REG(GRP9),
	[0xd0] = BY_PREFIX(PFX_PACKED_F2),
	[0xd1 ... 0xd3] = BY_PREFIX(PFX_SHIFT),
	[0xd4 ... 0xd5] = BY_PREFIX(PFX_MMX),
	[0xd6] = BY_PREFIX(PFX_D6),
	[0xd8 ... 0xe0] = BY_PREFIX(PFX_MMX),
	[0xe1 ... 0xe2] = BY_PREFIX(PFX_SHIFT),
	[0xe3 ... 0xe5] = BY_PREFIX(PFX_MMX),
	[0xe6] = BY_PREFIX(PFX_E6),
	[0xe7] = BY_PREFIX(PFX_E7),
	[0xe8 ... 0xef] = BY_PREFIX(PFX_MMX),
	[0xf0] = BY_PREFIX(PFX_F0),
	[0xf1 ... 0xf3] = BY_PREFIX(PFX_SHIFT),
	[0xf4 ... 0xf6] = BY_PREFIX(PFX_MMX),
	[0xf8 ... 0xfe] = BY_PREFIX(PFX_MMX),
};

/* 80 to 82 are virtualisation, F5 writes shadow stacks. */
const u64 insn_table_0f38[256] = {
	[0x00 ... 0x0b] = BY_PREFIX(PFX_38_MMX),
	[0x10 ... 0x1b] = BY_PREFIX(PFX_38_VECTOR),
	[0x1c ... 0x1e] = BY_PREFIX(PFX_38_MMX),
	[0x20 ... 0x29] = BY_PREFIX(PFX_38_VECTOR),
	[0x2a] = BY_PREFIX(PFX_38_2A),
	[0x2b ... 0x41] = BY_PREFIX(PFX_38_VECTOR),
	[0xc8 ... 0xcd] = BY_PREFIX(PFX_38_SHA),
	[0xcf] = BY_PREFIX(PFX_38_VECTOR),
	[0xdb ... 0xdf] = BY_PREFIX(PFX_38_VECTOR),
	[0xf0] = BY_PREFIX(PFX_38_F0),
	[0xf1] = BY_PREFIX(PFX_38_F1),
	[0xf6] = BY_PREFIX(PFX_38_F6),
	[0xf8] = BY_PREFIX(PFX_38_F8),
	[0xf9] = BY_PREFIX(PFX_38_F9),
};

const u64 insn_table_0f3a[256] = {
	[0x08 ... 0x09] = VEC_R(WIDTH_X) | IMM_8,
	[0x0a] = VEC_R(WIDTH_D) | IMM_8,
	[0x0b] = VEC_R(WIDTH_Q) | IMM_8,
	[0x0c ... 0x0e] = VEC_R(WIDTH_X) | IMM_8,
	[0x0f] = BY_PREFIX(PFX_3A_MMX),
	[0x14] = VEC_W(WIDTH_B) | IMM_8,
	[0x15] = VEC_W(WIDTH_W) | IMM_8,
	[0x16] = VEC_W(WIDTH_Y) | IMM_8,
	[0x17] = VEC_W(WIDTH_D) | IMM_8,
	[0x20] = VEC_R(WIDTH_B) | IMM_8,
	[0x21] = VEC_R(WIDTH_D) | IMM_8,
	[0x22] = VEC_R(WIDTH_Y) | IMM_8,
	[0x40 ... 0x44] = VEC_R(WIDTH_X) | IMM_8,
	/* pcmpestrm pcmpestri pcmpistrm pcmpistri: their 66 is no operand size */
	[0x60] = VEC_R(WIDTH_X) | IMM_8 | REG_Y | AX_R | DX_R,
	[0x61] = VEC_R(WIDTH_X) | IMM_8 | REG_Y | AX_R | DX_R | CX_W,
	[0x62] = VEC_R(WIDTH_X) | IMM_8,
	[0x63] = VEC_R(WIDTH_X) | IMM_8 | REG_Y | CX_W,
	[0xcc] = VEC_R(WIDTH_X) | IMM_8,
	[0xce ... 0xcf] = VEC_R(WIDTH_X) | IMM_8,
	[0xdf] = VEC_R(WIDTH_X) | IMM_8,
};
