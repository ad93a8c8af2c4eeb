// SPDX-License-Identifier: GPL-2.0-only
/*
 * x86-64 instruction decoder for the trap.
 *
 * In the order of the bytes: prefixes, opcode (or VEX, EVEX), ModRM with SIB and displacement,
 * immediate. What an opcode means is in decode_table.c; this file only reads the bytes.
 *
 * Source: Intel SDM volume 2, chapter 2.
 */
#include "decode_table.h"

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

static bool take_byte(struct cursor *c, u8 *byte)
{
	if (c->pos >= c->n)
		return false;
	*byte = c->bytes[c->pos++];
	return true;
}

/* Little-endian, sign-extended. */
static bool take_signed(struct cursor *c, unsigned int size, s64 *value)
{
	u64 v = 0;
	unsigned int i;

	if (size > c->n - c->pos)
		return false;
	for (i = 0; i < size; i++)
		v |= (u64)c->bytes[c->pos++] << (8 * i);
	if (size > 0 && size < 8 && v >> (8 * size - 1))
		v |= ~0ULL << (8 * size);
	*value = (s64)v;
	return true;
}

/* Legacy prefixes in any order; a REX that is not the last of all is ignored, as the CPU does. */
static bool take_prefixes(struct cursor *c, struct insn *in)
{
	u8 b;

	while (take_byte(c, &b)) {
		if ((b & 0xf0) == 0x40) {
			c->rex = b & 0xf;
			c->has_rex = 1;
			continue;
		}
		switch (b) {
		case 0x26:	/* es, cs, ss and ds mean nothing in 64-bit mode */
		case 0x2e:
		case 0x36:
		case 0x3e:
			break;
		case 0x64:
		case 0x65:
			in->segment = b;
			break;
		case 0x66:
			c->has_66 = 1;
			break;
		case 0x67:
			in->addrsize = 4;
			break;
		case 0xf0:
			in->lock = 1;
			break;
		case 0xf2:
		case 0xf3:
			c->rep = b;
			break;
		default:
			c->opcode = b;
			return true;
		}
		c->rex = 0;
		c->has_rex = 0;
	}
	return false;
}

/* C5 (two bytes) and C4 (three bytes). SDM volume 2, section 2.3.5. */
static bool take_vex(struct cursor *c)
{
	u8 b1, b2;

	c->encoding = ENC_VEX;
	if (!take_byte(c, &b1))
		return false;
	c->rex = b1 & 0x80 ? 0 : REX_R;
	c->map = MAP_0F;
	b2 = b1 & 0x7f;
	if (c->opcode == 0xc4) {
		if (!take_byte(c, &b2))
			return false;
		c->rex |= (b1 & 0x40 ? 0 : REX_X) | (b1 & 0x20 ? 0 : REX_B);
		c->rex |= b2 & 0x80 ? REX_W : 0;
		c->map = b1 & 0x1f;
	}
	c->vvvv = ~(b2 >> 3) & 0xf;
	c->vl = b2 & 4 ? 32 : 16;
	c->pp = b2 & 3;
	return take_byte(c, &c->opcode);
}

/* 62. SDM volume 2, section 2.7.1. */
static bool take_evex(struct cursor *c)
{
	u8 p0, p1, p2;

	c->encoding = ENC_EVEX;
	if (!take_byte(c, &p0) || !take_byte(c, &p1) || !take_byte(c, &p2))
		return false;
	if ((p0 & 8) || !(p1 & 4) || (p2 & 0x60) == 0x60)
		return false;
	c->rex = (~p0 >> 5) & (REX_R | REX_X | REX_B);
	c->rex |= p1 & 0x80 ? REX_W : 0;
	c->reg_high = !(p0 & 0x10);
	c->map = p0 & 7;
	c->vvvv = ~(p1 >> 3) & 0xf;
	c->pp = p1 & 3;
	c->vl = 16 << (p2 >> 5 & 3);
	c->broadcast = p2 >> 4 & 1;
	c->mask = p2 & 7;
	return take_byte(c, &c->opcode);
}

static bool take_escape(struct cursor *c)
{
	c->map = MAP_0F;
	if (!take_byte(c, &c->opcode))
		return false;
	if (c->opcode != 0x38 && c->opcode != 0x3a)
		return true;
	c->map = c->opcode == 0x38 ? MAP_0F38 : MAP_0F3A;
	return take_byte(c, &c->opcode);
}

static bool take_opcode(struct cursor *c, const struct insn *in)
{
	bool extended = c->opcode == 0xc4 || c->opcode == 0xc5 || c->opcode == 0x62;

	if (!extended) {
		/* F2 and F3 go before 66 where they choose the instruction. */
		c->pp = c->rep == 0xf3 ? PP_F3 :
			c->rep == 0xf2 ? PP_F2 :
			c->has_66      ? PP_66 : PP_NONE;
		return c->opcode == 0x0f ? take_escape(c) : true;
	}
	/* #UD: SDM volume 2, sections 2.3.2 to 2.3.4 */
	if (c->has_rex || c->has_66 || c->rep || in->lock)
		return false;
	if (!(c->opcode == 0x62 ? take_evex(c) : take_vex(c)))
		return false;
	return c->map >= MAP_0F && c->map <= MAP_0F3A;
}

/* The attribute word, before the rows that depend on ModRM. */
static u32 opcode_word(const struct cursor *c)
{
	if (c->encoding != ENC_LEGACY)
		return insn_table_vex(c->map, c->opcode, c->encoding == ENC_EVEX);
	switch (c->map) {
	case MAP_0F:
		return insn_table_0f[c->opcode];
	case MAP_0F38:
		return insn_table_0f38[c->opcode];
	case MAP_0F3A:
		return insn_table_0f3a[c->opcode];
	default:
		return insn_table_one[c->opcode];
	}
}

static u32 resolve_word(const struct cursor *c, u32 word)
{
	if ((word & BY_MASK) == BY_PREFIX(0))
		word = insn_table_prefix[word & ROW_MASK][c->pp];
	if ((word & BY_MASK) == BY_REG(0))
		word = insn_table_reg[word & ROW_MASK][c->modrm >> 3 & 7];
	return word;
}

static unsigned int operand_size(const struct cursor *c, u32 word)
{
	if ((word & REG_BYTE) || (!(word & REG_RW) && (word & WIDTH_MASK) == WIDTH_B))
		return 1;
	if (c->rex & REX_W)
		return 8;
	return c->has_66 && !(word & REG_Y) ? 2 : 4;
}

static unsigned int vector_width(const struct cursor *c, enum insn_width_rule rule)
{
	switch (rule) {
	case WIDTH_SS:
		return c->pp == PP_F3 ? 4 : c->pp == PP_F2 ? 8 : c->vl;
	case WIDTH_DUP:
		return c->vl == 16 ? 8 : c->vl;
	default:
		return c->vl;
	}
}

static unsigned int memory_width(const struct cursor *c, u32 word)
{
	unsigned int y = c->rex & REX_W ? 8 : 4;
	unsigned int v = y == 4 && c->has_66 ? 2 : y;

	switch (word & WIDTH_MASK) {
	case WIDTH_NONE:
		return 0;
	case WIDTH_B:
		return 1;
	case WIDTH_W:
		return 2;
	case WIDTH_D:
		return 4;
	case WIDTH_Q:
		return 8;
	case WIDTH_V:
		return v;
	case WIDTH_MOVSXD:
		return v == 2 ? 0 : 4;
	case WIDTH_Y:
		return y;
	case WIDTH_2Y:
		return 2 * y;
	case WIDTH_DQ:
		return 16;
	case WIDTH_QQ:
		return 32;
	default:
		return vector_width(c, word & WIDTH_MASK);
	}
}

/* SDM volume 2, table 2-3: SIB. A base of 5 with mod 0 is a displacement alone. */
static bool take_sib(struct cursor *c, struct insn *in, unsigned int *disp_size)
{
	u8 sib;

	if (!take_byte(c, &sib))
		return false;
	in->scale = sib >> 6;
	in->index = (sib >> 3 & 7) | (c->rex & REX_X ? 8 : 0);
	if (in->index == INSN_RSP) {
		in->index = INSN_NO_REG;
		in->scale = 0;
	}
	if ((sib & 7) == 5 && c->modrm >> 6 == 0)
		*disp_size = 4;
	else
		in->base = (sib & 7) | (c->rex & REX_B ? 8 : 0);
	return true;
}

/* SDM volume 2, tables 2-2 and 2-5. */
static bool take_operand(struct cursor *c, struct insn *in)
{
	unsigned int mod = c->modrm >> 6, rm = c->modrm & 7;
	unsigned int disp_size = mod == 1 ? 1 : mod == 2 ? 4 : 0;

	if (rm == 4) {
		if (!take_sib(c, in, &disp_size))
			return false;
	} else if (rm == 5 && mod == 0) {
		in->rip_relative = 1;
		disp_size = 4;
	} else {
		in->base = rm | (c->rex & REX_B ? 8 : 0);
	}
	if (!take_signed(c, disp_size, &in->disp))
		return false;
	if (mod == 1)
		in->disp *= c->disp8_scale;
	return true;
}

static bool take_immediate(struct cursor *c, struct insn *in, u32 word)
{
	unsigned int size = 0;
	s64 value = 0;

	if (word & IMM_8)
		size = 1;
	else if (word & IMM_Z)
		size = in->opsize == 2 ? 2 : 4;
	if (!take_signed(c, size, &value))
		return false;
	in->imm = (u64)value;
	return true;
}

/* What EVEX adds: disp8 is scaled by the operand; a mask or broadcast leaves the width open. */
static bool scale_evex(struct cursor *c, struct insn *in, u32 word)
{
	bool w = c->rex & REX_W;
	enum insn_tuple tuple = insn_table_evex(c->map, c->pp, c->opcode);
	unsigned int bytes = insn_tuple_bytes(tuple, c->vl, w, c->broadcast);

	if (!bytes)
		return false;
	if ((word & REG_RW) && c->reg_high)
		return false;
	c->disp8_scale = bytes;
	if (in->width)
		in->width = bytes;
	if (c->mask || c->broadcast) {
		in->width = 0;
		in->dir = 0;
	}
	return true;
}

static void note_register(const struct cursor *c, struct insn *in, u32 word)
{
	u8 reg = (c->modrm >> 3 & 7) | (c->rex & REX_R ? 8 : 0);

	if (!(word & REG_RW))
		return;
	if ((word & REG_BYTE) && !c->has_rex && reg >= 4) {
		in->high = 1;
		reg -= 4;
	}
	in->reg = reg;
	if (word & REG_R)
		in->src_regs |= 1u << reg;
	if (word & REG_W)
		in->dst_regs |= 1u << reg;
}

static void note_implicit(const struct cursor *c, struct insn *in, u32 word)
{
	static const struct {
		u32 flag;
		u8 reg;
		u8 written;
	} implicit[] = {
		{ AX_R, INSN_RAX, 0 }, { AX_W, INSN_RAX, 1 }, { DX_R, INSN_RDX, 0 },
		{ DX_W, INSN_RDX, 1 }, { CX_R, INSN_RCX, 0 }, { CX_W, INSN_RCX, 1 },
		{ BX_R, INSN_RBX, 0 },
	};
	unsigned int i;

	if (word & IMPLICIT_MASK) {
		for (i = 0; i < sizeof(implicit) / sizeof(implicit[0]); i++) {
			if (!(word & implicit[i].flag))
				continue;
			if (implicit[i].written)
				in->dst_regs |= 1u << implicit[i].reg;
			else
				in->src_regs |= 1u << implicit[i].reg;
		}
	}
	if (word & VVVV_R)
		in->src_regs |= 1u << c->vvvv;
	if (word & VVVV_W)
		in->dst_regs |= 1u << c->vvvv;
}

static int decode_string(const struct cursor *c, struct insn *in)
{
	u16 pointers = 0;

	in->string_op = c->opcode & 0xfe;
	switch (in->string_op) {
	case 0xaa:
	case 0xae:
		pointers = 1u << INSN_RDI;
		in->base = INSN_RDI;
		in->segment = 0;	/* es, which cannot be overridden */
		break;
	case 0xac:
		pointers = 1u << INSN_RSI;
		in->base = INSN_RSI;
		break;
	default:
		pointers = 1u << INSN_RSI | 1u << INSN_RDI;
		break;
	}
	in->dst_regs |= pointers;
	if (c->rep) {
		in->rep = c->rep == 0xf3 ? INSN_REP : INSN_REPNE;
		in->src_regs |= 1u << INSN_RCX;
		in->dst_regs |= 1u << INSN_RCX;
	}
	return 0;
}

/* The address is an immediate of the address size, zero-extended. */
static int decode_moffs(struct cursor *c, struct insn *in)
{
	if (!take_signed(c, in->addrsize, &in->disp))
		return -1;
	if (in->addrsize == 4)
		in->disp = (u32)in->disp;
	in->reg = INSN_RAX;
	return 0;
}

static int decode_modrm(struct cursor *c, struct insn *in, u32 word)
{
	if (c->encoding == ENC_EVEX && !scale_evex(c, in, word))
		return -1;
	if (!take_operand(c, in) || !take_immediate(c, in, word))
		return -1;
	note_register(c, in, word);
	return 0;
}

int insn_decode(struct insn *in, const u8 *bytes, size_t n)
{
	struct cursor c = {
		.bytes = bytes,
		.n = n < INSN_MAX_LEN ? n : INSN_MAX_LEN,
		.vl = 16,
		.disp8_scale = 1,
	};
	u32 word;
	int err;

	*in = (struct insn){
		.addrsize = 8, .reg = INSN_NO_REG, .base = INSN_NO_REG, .index = INSN_NO_REG,
	};
	if (!take_prefixes(&c, in) || !take_opcode(&c, in))
		return -1;
	word = opcode_word(&c);
	if (!word)
		return -1;
	if (!(word & (OP_MOFFS | OP_STRING)) && (!take_byte(&c, &c.modrm) || c.modrm >= 0xc0))
		return -1;
	word = resolve_word(&c, word);
	if (!word)
		return -1;

	/* xchg with memory locks the bus without being told to. */
	if (c.map == MAP_ONE && (c.opcode & 0xfe) == 0x86)
		in->lock = 1;
	in->class = INSN_OTHER - ((word & CLASS_MASK) >> CLASS_SHIFT);
	in->opsize = operand_size(&c, word);
	in->width = memory_width(&c, word);
	in->dir = word >> MEM_SHIFT & 3;
	/* A move is there to be emulated, which needs its width. */
	if (in->class != INSN_OTHER && !in->width)
		return -1;
	note_implicit(&c, in, word);
	if (word & OP_STRING)
		err = decode_string(&c, in);
	else if (word & OP_MOFFS)
		err = decode_moffs(&c, in);
	else
		err = decode_modrm(&c, in, word);
	if (err)
		return -1;
	in->len = c.pos;
	return 0;
}
