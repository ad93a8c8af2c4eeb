// SPDX-License-Identifier: GPL-2.0-only
/*
 * VEX and EVEX: which words of the legacy tables hold, and what is different.
 *
 * Source: Intel SDM volume 2, appendix A (opcode maps), and the operand tables of the instructions.
 */
#include "decode_table.h"

#define BMI_READ	(OP_OK | WIDTH_Y | MEM_R | REG_Y)
#define EVEX_READ	(OP_OK | WIDTH_TUPLE | MEM_R)

static u64 vex_0f(u8 opcode, bool evex)
{
	if (opcode_in(opcode, 0x71, 0x73))
		return evex ? EVEX_READ | IMM_8 : 0;
	if (opcode_in(opcode, 0x78, 0x79))
		return evex ? BY_PREFIX(PFX_CVT_TO_UNSIGNED) : 0;
	if (opcode_in(opcode, 0x7a, 0x7b))
		return evex ? EVEX_READ : 0;
	if (opcode_in(opcode, 0x90, 0x91))	/* kmov */
		return evex ? 0 : OP_OK | WIDTH_KMOV | (opcode == 0x90 ? MEM_R : MEM_W);
	if (opcode_in(opcode, 0x10, 0x17) || opcode_in(opcode, 0x28, 0x2f) ||
	    opcode_in(opcode, 0x51, 0x7f) || opcode == 0xae || opcode == 0xc2 || opcode == 0xc4 ||
	    opcode == 0xc6 || opcode_in(opcode, 0xd0, 0xfe))
		return insn_table_0f[opcode];
	return 0;
}

static u64 vex_0f38_integer(u8 opcode)
{
	if (opcode_in(opcode, 0xe0, 0xef))	/* cmpccxadd */
		return OP_OK | WIDTH_Y | MEM_RW | REG_RW | REG_Y | VVVV_R;
	switch (opcode) {
	case 0xf2:	/* andn */
		return BMI_READ | REG_W | VVVV_R;
	case 0xf3:	/* blsr blsmsk blsi */
		return BY_REG(VEX_GRP17);
	case 0xf5:	/* bzhi - pext pdep */
	case 0xf7:	/* bextr shlx sarx shrx */
		return BMI_READ | REG_W | VVVV_R;
	case 0xf6:	/* mulx */
		return BMI_READ | REG_W | VVVV_W | DX_R;
	default:
		return 0;
	}
}

/* What AVX has and EVEX has not, or has as something else. */
static u64 vex_0f38_only(u8 opcode)
{
	/* vmaskmov, vpmaskmov: not all of the operand is accessed */
	if (opcode_in(opcode, 0x2c, 0x2f) || opcode == 0x8c || opcode == 0x8e)
		return OP_OK;
	/* horizontal additions and signs, vpermil, vtest, vphminposuw, vaesimc */
	if (opcode_in(opcode, 0x01, 0x03) || opcode_in(opcode, 0x05, 0x0a) ||
	    opcode_in(opcode, 0x0c, 0x0f) || opcode == 0x17 || opcode == 0x41 || opcode == 0xdb)
		return OP_OK | MEM_R | WIDTH_X;
	return EVEX_READ;
}

/* Compress and expand access as many elements as the mask has; the F3 down conversions write. */
static u64 evex_0f38_only(u8 opcode)
{
	if (opcode_in(opcode, 0x62, 0x63) || opcode_in(opcode, 0x88, 0x8b))
		return OP_OK;
	if (opcode_in(opcode, 0x10, 0x15) || opcode_in(opcode, 0x20, 0x25) ||
	    opcode_in(opcode, 0x30, 0x35))
		return BY_PREFIX(PFX_EVEX_DOWN);
	return EVEX_READ;
}

static u64 vex_0f38(u8 opcode, bool evex)
{
	/* Gathers, scatters and their prefetches have a vector of addresses. */
	if (opcode_in(opcode, 0x90, 0x93) || opcode_in(opcode, 0xa0, 0xa3) ||
	    opcode_in(opcode, 0xc6, 0xc7))
		return 0;
	/* AMX tile loads have a row stride in the index register. */
	if (!evex && opcode_in(opcode, 0x49, 0x4b))
		return 0;
	if (opcode >= 0xe0)
		return evex ? 0 : vex_0f38_integer(opcode);
	switch (opcode) {
	case 0x18:	/* broadcasts */
	case 0x58:
		return OP_OK | MEM_R | WIDTH_D;
	case 0x19:
	case 0x59:
		return OP_OK | MEM_R | WIDTH_Q;
	case 0x1a:
	case 0x5a:
		return OP_OK | MEM_R | WIDTH_DQ;
	case 0x1b:
	case 0x5b:
		return OP_OK | MEM_R | WIDTH_QQ;
	case 0x2a:	/* movntdqa */
		return OP_OK | MEM_R | WIDTH_X;
	case 0x78:
		return OP_OK | MEM_R | WIDTH_B;
	case 0x79:
		return OP_OK | MEM_R | WIDTH_W;
	default:
		return evex ? evex_0f38_only(opcode) : vex_0f38_only(opcode);
	}
}

/* Every instruction of this map has one byte of immediate. */
static u64 vex_0f3a(u8 opcode, bool evex)
{
	if (opcode_in(opcode, 0x0a, 0x0b) || opcode_in(opcode, 0x14, 0x17) ||
	    opcode_in(opcode, 0x20, 0x22) || opcode_in(opcode, 0x60, 0x63))
		return insn_table_0f3a[opcode];
	switch (opcode) {
	case 0x18:	/* insert and extract of 16 and 32 bytes */
	case 0x38:
		return OP_OK | IMM_8 | MEM_R | WIDTH_DQ;
	case 0x19:
	case 0x39:
		return OP_OK | IMM_8 | MEM_W | WIDTH_DQ;
	case 0x1a:
	case 0x3a:
		return OP_OK | IMM_8 | MEM_R | WIDTH_QQ;
	case 0x1b:
	case 0x3b:
		return OP_OK | IMM_8 | MEM_W | WIDTH_QQ;
	case 0x1d:	/* vcvtps2ph */
		return OP_OK | IMM_8 | MEM_W | WIDTH_HALF;
	case 0x02:	/* blends, vperm2, dot products, vaeskeygenassist */
	case 0x06:
	case 0x0c ... 0x0e:
	case 0x40 ... 0x41:
	case 0x46:
	case 0x4a ... 0x4c:
	case 0xdf:
		return evex ? OP_OK | IMM_8 : OP_OK | IMM_8 | MEM_R | WIDTH_X;
	case 0xf0:	/* rorx */
		return evex ? 0 : BMI_READ | REG_W | IMM_8;
	default:
		return EVEX_READ | IMM_8;
	}
}

u64 insn_table_vex(enum insn_map map, u8 opcode, bool evex)
{
	switch (map) {
	case MAP_0F:
		return vex_0f(opcode, evex);
	case MAP_0F38:
		return vex_0f38(opcode, evex);
	case MAP_0F3A:
		return vex_0f3a(opcode, evex);
	default:
		return 0;
	}
}
