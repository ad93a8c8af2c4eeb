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

const u32 insn_table_reg[][8] = {
	/* add or adc sbb and sub xor cmp */
	[GRP1_B] = { [0 ... 6] = RMW_B | IMM_8, [7] = RD_B | IMM_8 },
	[GRP1_Z] = { [0 ... 6] = RMW_V | IMM_Z, [7] = RD_V | IMM_Z },
	[GRP1_8] = { [0 ... 6] = RMW_V | IMM_8, [7] = RD_V | IMM_8 },
	/* rol ror rcl rcr shl shr shl sar */
	[GRP2_B_I] = { [0 ... 7] = RMW_B | IMM_8 },
	[GRP2_V_I] = { [0 ... 7] = RMW_V | IMM_8 },
	[GRP2_B_1] = { [0 ... 7] = RMW_B },
	[GRP2_V_1] = { [0 ... 7] = RMW_V },
	[GRP2_B_C] = { [0 ... 7] = RMW_B | CX_R },
	[GRP2_V_C] = { [0 ... 7] = RMW_V | CX_R },
	/* test test not neg mul imul div idiv */
	[GRP3_B] = {
		[0 ... 1] = RD_B | IMM_8, [2 ... 3] = RMW_B, [4 ... 7] = RD_B | AX_R | AX_W,
	},
	[GRP3_V] = {
		[0 ... 1] = RD_V | IMM_Z, [2 ... 3] = RMW_V,
		[4 ... 5] = RD_V | AX_R | AX_W | DX_W,
		[6 ... 7] = RD_V | AX_R | AX_W | DX_R | DX_W,
	},
	/* inc dec; the calls, jumps and push of group 5 are refused */
	[GRP4] = { [0 ... 1] = RMW_B },
	[GRP5] = { [0 ... 1] = RMW_V },
	/* bt bts btr btc with an immediate bit number, which stays inside the operand */
	[GRP8] = { [4] = RD_V | IMM_8, [5 ... 7] = RMW_V | IMM_8 },
	/* cmpxchg8b, cmpxchg16b; xsavec, vmptrld and the like are refused */
	[GRP9] = { [1] = OP_OK | WIDTH_2Y | MEM_RW | REG_Y | AX_R | AX_W | DX_R | DX_W | BX_R |
		       CX_R },
	/* mov m, imm */
	[GRP11_B] = { [0] = OP_OK | WIDTH_B | MEM_W | IMM_8 | OP_CLASS(INSN_STORE_IMM) },
	[GRP11_V] = { [0] = OP_OK | WIDTH_V | MEM_W | IMM_Z | OP_CLASS(INSN_STORE_IMM) },
	/* ldmxcsr stmxcsr; the save and restore instructions and clflush are refused */
	[GRP15] = { [2] = OP_OK | WIDTH_D | MEM_R, [3] = OP_OK | WIDTH_D | MEM_W },
	/* DD has one free place */
	[FPU_DD] = { [0 ... 4] = OP_OK, [6 ... 7] = OP_OK },
	/* blsr blsmsk blsi */
	[VEX_GRP17] = { [1 ... 3] = OP_OK | WIDTH_Y | MEM_R | VVVV_W },
};

#define VEC		OP_OK
#define VEC_R(w)	(OP_OK | MEM_R | (w))
#define VEC_W(w)	(OP_OK | MEM_W | (w))
#define ADD_CARRY	(OP_OK | WIDTH_Y | MEM_R | REG_RW | REG_Y)
#define BIT_SCAN	(RD_V | REG_W)

/* Columns: none, 66, F3, F2. */
const u32 insn_table_prefix[][4] = {
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
		VEC, VEC, VEC_R(WIDTH_D) | REG_W | REG_Y, VEC_R(WIDTH_Q) | REG_W | REG_Y,
	},
	/* movq movdqa movdqu; F2 only in EVEX, vmovdqu8 and 16 */
	[PFX_6F] = { VEC_R(WIDTH_Q), VEC_R(WIDTH_X), VEC_R(WIDTH_X), VEC_R(WIDTH_X) },
	[PFX_7F] = { VEC_W(WIDTH_Q), VEC_W(WIDTH_X), VEC_W(WIDTH_X), VEC_W(WIDTH_X) },
	/* vcvt*2usi, EVEX only: a general register with F3 and F2 */
	[PFX_CVT_TO_UNSIGNED] = { VEC, VEC, VEC | REG_W | REG_Y, VEC | REG_W | REG_Y },
	/* movd movd movq */
	[PFX_7E] = { VEC_W(WIDTH_Y), VEC_W(WIDTH_Y), VEC_R(WIDTH_Q), 0 },
	[PFX_D6] = { 0, VEC_W(WIDTH_Q), 0, 0 },
	[PFX_E6] = { 0, VEC, VEC, VEC },
	[PFX_E7] = { VEC_W(WIDTH_Q), VEC_W(WIDTH_X), 0, 0 },
	[PFX_F0] = { 0, 0, 0, VEC_R(WIDTH_X) },
	[PFX_PACKED] = { VEC, VEC, 0, 0 },
	[PFX_AE] = { BY_REG(GRP15), 0, 0, 0 },
	/* popcnt; without F3 it is the jmpe of another machine */
	[PFX_B8] = { 0, 0, RD_V | REG_W, 0 },
	[PFX_C3] = { OP_OK | WIDTH_Y | MEM_W | REG_R | REG_Y, 0, 0, 0 },
	/* movbe movbe - crc32 */
	[PFX_38_F0] = { RD_V | REG_W, RD_V | REG_W, 0, RD_B | REG_RW | REG_Y },
	[PFX_38_F1] = {
		OP_OK | WIDTH_V | MEM_W | REG_R, OP_OK | WIDTH_V | MEM_W | REG_R, 0,
		RD_V | REG_RW | REG_Y,
	},
	/* - adcx adox -; wrss is refused */
	[PFX_38_F6] = { 0, ADD_CARRY, ADD_CARRY, 0 },
	/* movdiri */
	[PFX_38_F9] = { OP_OK | WIDTH_Y | MEM_W | REG_R | REG_Y, 0, 0, 0 },
	/* F3 and F2 are key locker and enqcmd */
	[PFX_38_VECTOR] = { VEC, VEC, 0, 0 },
	[PFX_38_2A] = { 0, VEC_R(WIDTH_X), 0, 0 },
};

/* 00 to 3B: eight operations of four forms: m,r byte; m,r; r,m byte; r,m. */
#define ALU(op) \
	[(op)] = RMW_B | REG_R | REG_BYTE, \
	[(op) + 1] = RMW_V | REG_R, \
	[(op) + 2] = RD_B | REG_RW | REG_BYTE, \
	[(op) + 3] = RD_V | REG_RW

#define STRING(op, access) \
	[(op)] = OP_OK | OP_STRING | WIDTH_B | OP_CLASS(INSN_STRING) | (access), \
	[(op) + 1] = OP_OK | OP_STRING | WIDTH_V | OP_CLASS(INSN_STRING) | (access)

const u32 insn_table_one[256] = {
	ALU(0x00), ALU(0x08), ALU(0x10), ALU(0x18), ALU(0x20), ALU(0x28), ALU(0x30),
	/* cmp */
	[0x38] = RD_B | REG_R | REG_BYTE,
	[0x39] = RD_V | REG_R,
	[0x3a] = RD_B | REG_R | REG_BYTE,
	[0x3b] = RD_V | REG_R,
	/* movsxd */
	[0x63] = OP_OK | WIDTH_MOVSXD | MEM_R | REG_W | OP_CLASS(INSN_LOAD_SX),
	/* imul r, m, imm */
	[0x69] = RD_V | REG_W | IMM_Z,
	[0x6b] = RD_V | REG_W | IMM_8,
	[0x80] = BY_REG(GRP1_B),
	[0x81] = BY_REG(GRP1_Z),
	[0x83] = BY_REG(GRP1_8),
	/* test, xchg */
	[0x84] = RD_B | REG_R | REG_BYTE,
	[0x85] = RD_V | REG_R,
	[0x86] = RMW_B | REG_RW | REG_BYTE,
	[0x87] = RMW_V | REG_RW,
	/* mov */
	[0x88] = OP_OK | WIDTH_B | MEM_W | REG_R | REG_BYTE | OP_CLASS(INSN_STORE_REG),
	[0x89] = OP_OK | WIDTH_V | MEM_W | REG_R | OP_CLASS(INSN_STORE_REG),
	[0x8a] = RD_B | REG_W | REG_BYTE | OP_CLASS(INSN_LOAD),
	[0x8b] = RD_V | REG_W | OP_CLASS(INSN_LOAD),
	/* mov m, sreg */
	[0x8c] = OP_OK | WIDTH_W | MEM_W,
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
 * 0F 18 to 1F are prefetch, bound and nop forms, 0F 0D prefetchw: they do not access, or never
 * fault. 0F A3, AB, B3 and BB reach memory by a bit number in a register, so the address is not
 * that of the operand.
 */
const u32 insn_table_0f[256] = {
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
	[0x2e ... 0x2f] = BY_PREFIX(PFX_PACKED),
	/* cmov: the load is done whatever the condition says */
	[0x40 ... 0x4f] = RD_V | REG_W,
	[0x51 ... 0x53] = VEC,
	[0x54 ... 0x57] = BY_PREFIX(PFX_PACKED),
	[0x58 ... 0x5f] = VEC,
	[0x60 ... 0x6d] = BY_PREFIX(PFX_PACKED),
	[0x6e] = VEC_R(WIDTH_Y),
	[0x6f] = BY_PREFIX(PFX_6F),
	[0x70] = VEC | IMM_8,
	[0x74 ... 0x76] = BY_PREFIX(PFX_PACKED),
	[0x7c ... 0x7d] = VEC,
	[0x7e] = BY_PREFIX(PFX_7E),
	[0x7f] = BY_PREFIX(PFX_7F),
	[0x90 ... 0x9f] = OP_OK | WIDTH_B | MEM_W,
	[0xa4] = RMW_V | REG_R | IMM_8,
	[0xa5] = RMW_V | REG_R | CX_R,
	[0xac] = RMW_V | REG_R | IMM_8,
	[0xad] = RMW_V | REG_R | CX_R,
	[0xae] = BY_PREFIX(PFX_AE),
	[0xaf] = RD_V | REG_RW,
	[0xb0] = RMW_B | REG_R | REG_BYTE | AX_R | AX_W,
	[0xb1] = RMW_V | REG_R | AX_R | AX_W,
	[0xb6] = RD_B | REG_W | OP_CLASS(INSN_LOAD_ZX),
	[0xb7] = OP_OK | WIDTH_W | MEM_R | REG_W | OP_CLASS(INSN_LOAD_ZX),
	[0xb8] = BY_PREFIX(PFX_B8),
	[0xba] = BY_REG(GRP8),
	/* bsf, bsr, with F3 tzcnt, lzcnt: 0 keeps the register, on old CPUs also with F3 */
	[0xbc ... 0xbd] = BIT_SCAN,
	[0xbe] = RD_B | REG_W | OP_CLASS(INSN_LOAD_SX),
	[0xbf] = OP_OK | WIDTH_W | MEM_R | REG_W | OP_CLASS(INSN_LOAD_SX),
	[0xc0] = RMW_B | REG_RW | REG_BYTE,
	[0xc1] = RMW_V | REG_RW,
	[0xc2] = VEC | IMM_8,
	[0xc3] = BY_PREFIX(PFX_C3),
	[0xc4] = VEC_R(WIDTH_W) | IMM_8,
	[0xc6] = VEC | IMM_8,
	[0xc7] = BY_REG(GRP9),
	[0xd0] = VEC,
	[0xd1 ... 0xd5] = BY_PREFIX(PFX_PACKED),
	[0xd6] = BY_PREFIX(PFX_D6),
	[0xd8 ... 0xe5] = BY_PREFIX(PFX_PACKED),
	[0xe6] = BY_PREFIX(PFX_E6),
	[0xe7] = BY_PREFIX(PFX_E7),
	[0xe8 ... 0xef] = BY_PREFIX(PFX_PACKED),
	[0xf0] = BY_PREFIX(PFX_F0),
	[0xf1 ... 0xf6] = BY_PREFIX(PFX_PACKED),
	[0xf8 ... 0xfe] = BY_PREFIX(PFX_PACKED),
};

/* 80 to 82 are virtualisation, F5 writes shadow stacks, F8 64 bytes at an address in a register. */
const u32 insn_table_0f38[256] = {
	[0x00 ... 0x29] = BY_PREFIX(PFX_38_VECTOR),
	[0x2a] = BY_PREFIX(PFX_38_2A),
	[0x2b ... 0x7f] = BY_PREFIX(PFX_38_VECTOR),
	[0xc8 ... 0xcf] = BY_PREFIX(PFX_38_VECTOR),
	[0xdb ... 0xdf] = BY_PREFIX(PFX_38_VECTOR),
	[0xf0] = BY_PREFIX(PFX_38_F0),
	[0xf1] = BY_PREFIX(PFX_38_F1),
	[0xf6] = BY_PREFIX(PFX_38_F6),
	[0xf9] = BY_PREFIX(PFX_38_F9),
};

const u32 insn_table_0f3a[256] = {
	[0x08 ... 0x0f] = VEC | IMM_8,
	[0x14] = VEC_W(WIDTH_B) | IMM_8,
	[0x15] = VEC_W(WIDTH_W) | IMM_8,
	[0x16] = VEC_W(WIDTH_Y) | IMM_8,
	[0x17] = VEC_W(WIDTH_D) | IMM_8,
	[0x20] = VEC_R(WIDTH_B) | IMM_8,
	[0x21] = VEC_R(WIDTH_D) | IMM_8,
	[0x22] = VEC_R(WIDTH_Y) | IMM_8,
	[0x40 ... 0x44] = VEC | IMM_8,
	/* pcmpestrm pcmpestri pcmpistrm pcmpistri: their 66 is no operand size */
	[0x60] = VEC | IMM_8 | REG_Y | AX_R | DX_R,
	[0x61] = VEC | IMM_8 | REG_Y | AX_R | DX_R | CX_W,
	[0x62] = VEC | IMM_8,
	[0x63] = VEC | IMM_8 | REG_Y | CX_W,
	[0xcc] = VEC | IMM_8,
	[0xce ... 0xcf] = VEC | IMM_8,
	[0xdf] = VEC | IMM_8,
};
