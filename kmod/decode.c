// SPDX-License-Identifier: GPL-2.0-only
/*
 * x86-64 instruction decoder for the trap: puts together what decode_bytes.c reads and what the
 * opcode means by decode_table.c.
 *
 * Source: Intel SDM volume 2, chapter 2.
 */
#include "decode_bytes.h"
#include "decode_table.h"

/* The attribute word, before the rows that depend on ModRM. */
static u64 opcode_word(const struct cursor *c)
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

static u64 resolve_word(const struct cursor *c, u64 word)
{
	if ((word & BY_MASK) == BY_PREFIX(0))
		word = insn_table_prefix[word & ROW_MASK][c->pp];
	if ((word & BY_MASK) == BY_REG(0))
		word = insn_table_reg[word & ROW_MASK][c->modrm >> 3 & 7];
	return word;
}

static unsigned int operand_size(const struct cursor *c, u8 addrsize, u64 word)
{
	if ((word & REG_BYTE) || (!(word & REG_RW) && (word & WIDTH_MASK) == WIDTH_B))
		return 1;
	if (word & REG_ADDRESS)
		return addrsize;
	if (c->rex & REX_W)
		return 8;
	if ((word & WIDTH_MASK) == WIDTH_STACK)
		return c->has_66 ? 2 : 8;
	return c->has_66 && !(word & REG_Y) ? 2 : 4;
}

/* The EVEX form's tuple says what part of a vector is in memory, for legacy and VEX code too. */
static unsigned int tuple_width(const struct cursor *c)
{
	enum insn_tuple tuple = insn_table_evex(c->map, c->pp, c->opcode);

	return insn_tuple_bytes(tuple, c->vl, c->rex & REX_W, false);
}

static unsigned int vector_width(const struct cursor *c, enum insn_width_rule rule)
{
	bool w = c->rex & REX_W;

	switch (rule) {
	case WIDTH_HALF:
		return c->vl / 2;
	case WIDTH_SS:
		return c->pp == PP_F3 ? 4 : c->pp == PP_F2 ? 8 : c->vl;
	case WIDTH_DUP:
		return c->vl == 16 ? 8 : c->vl;
	case WIDTH_MMX:
		return c->pp == PP_NONE ? 8 : c->vl;
	case WIDTH_KMOV:
		return (c->pp == PP_66 ? 1 : 2) << (w ? 2 : 0);
	case WIDTH_TUPLE:
		return tuple_width(c);
	case WIDTH_TUPLE_X:
		return tuple_width(c) ?: c->vl;
	default:
		return c->vl;
	}
}

static unsigned int memory_width(const struct cursor *c, u64 word)
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
	case WIDTH_STACK:
		return v == 2 ? 2 : 8;
	case WIDTH_Y:
		return y;
	case WIDTH_2Y:
		return 2 * y;
	case WIDTH_DQ:
		return 16;
	case WIDTH_QQ:
		return 32;
	case WIDTH_LINE:
		return 64;
	default:
		return vector_width(c, word & WIDTH_MASK);
	}
}

static bool take_immediate(struct cursor *c, struct insn *in, u64 word)
{
	unsigned int size = 0;
	s64 value = 0;

	if (word & IMM_8)
		size = 1;
	else if (word & IMM_Z)
		size = in->opsize == 2 ? 2 : 4;
	if (!cursor_signed(c, size, &value))
		return false;
	in->imm = (u64)value;
	return true;
}

/* What EVEX adds: disp8 is scaled by the operand; a mask or broadcast leaves the width open. */
static bool scale_evex(struct cursor *c, struct insn *in, u64 word)
{
	bool w = c->rex & REX_W;
	enum insn_tuple tuple = insn_table_evex(c->map, c->pp, c->opcode);
	unsigned int bytes = insn_tuple_bytes(tuple, c->vl, w, c->broadcast);

	if (!bytes)
		return false;
	if ((word & REG_RW) && c->reg_high)
		return false;
	c->disp8_scale = bytes;
	if ((word & WIDTH_MASK) != WIDTH_NONE)
		in->width = bytes;
	if (c->mask || c->broadcast) {
		in->width = 0;
		in->dir = 0;
	}
	return true;
}

static void note_register(const struct cursor *c, struct insn *in, u64 word)
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

static void note_implicit(const struct cursor *c, struct insn *in, u64 word)
{
	static const struct {
		u32 flag;
		u8 reg;
		u8 written;
	} implicit[] = {
		{ AX_R, INSN_RAX, 0 }, { AX_W, INSN_RAX, 1 }, { DX_R, INSN_RDX, 0 },
		{ DX_W, INSN_RDX, 1 }, { CX_R, INSN_RCX, 0 }, { CX_W, INSN_RCX, 1 },
		{ BX_R, INSN_RBX, 0 }, { SP_RW, INSN_RSP, 0 }, { SP_RW, INSN_RSP, 1 },
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
	if (!cursor_signed(c, in->addrsize, &in->disp))
		return -1;
	if (in->addrsize == 4)
		in->disp = (u32)in->disp;
	in->reg = INSN_RAX;
	return 0;
}

/* What emulate_integer() has to know besides the registers. */
static void note_operation(const struct cursor *c, struct insn *in, u64 word)
{
	in->op = word >> OP_SHIFT & 0xff;
	in->source = (word & SOURCE_MASK) >> SOURCE_SHIFT;
	if (in->op == INSN_CMOV || in->op == INSN_SET)
		in->cond = c->opcode & 0xf;
	/* The shifts by 1 have no byte for it. */
	if (in->source == INSN_SRC_IMM && !(word & IMM_MASK))
		in->imm = 1;
	in->bit_string = !!(word & BIT_STRING);
}

static int decode_modrm(struct cursor *c, struct insn *in, u64 word)
{
	if (c->encoding == ENC_EVEX && !scale_evex(c, in, word))
		return -1;
	if (!cursor_operand(c, in) || !take_immediate(c, in, word))
		return -1;
	/* pop: the address is that after the increment of rsp. */
	if (in->base == INSN_RSP && (word & SP_RW) && (word & MEM_W))
		return -1;
	note_register(c, in, word);
	note_operation(c, in, word);
	return 0;
}

static bool class_is_possible(const struct cursor *c, const struct insn *in)
{
	if (in->class == INSN_OTHER)
		return true;
	/* The tables are read for VEX too. */
	if (c->encoding != ENC_LEGACY)
		return false;
	/* What is emulated needs its width. */
	return in->width || in->class == INSN_CACHE_LINE;
}

int insn_decode(struct insn *in, const u8 *bytes, size_t n)
{
	struct cursor c = {
		.bytes = bytes,
		.n = n < INSN_MAX_LEN ? n : INSN_MAX_LEN,
		.vl = 16,
		.disp8_scale = 1,
	};
	u64 word;
	int err;

	*in = (struct insn){
		.addrsize = 8, .reg = INSN_NO_REG, .base = INSN_NO_REG, .index = INSN_NO_REG,
	};
	if (!cursor_prefixes(&c, in) || !cursor_opcode(&c, in))
		return -1;
	word = opcode_word(&c);
	if (!word)
		return -1;
	if (!(word & (OP_MOFFS | OP_STRING)) && (!cursor_byte(&c, &c.modrm) || c.modrm >= 0xc0))
		return -1;
	word = resolve_word(&c, word);
	if (!word)
		return -1;

	/* xchg with memory locks the bus without being told to. */
	if (c.map == MAP_ONE && (c.opcode & 0xfe) == 0x86)
		in->lock = 1;
	in->class = INSN_OTHER ^ (word & CLASS_MASK) >> CLASS_SHIFT;
	in->opsize = operand_size(&c, in->addrsize, word);
	in->width = memory_width(&c, word);
	in->dir = word >> MEM_SHIFT & 3;
	if (!class_is_possible(&c, in))
		return -1;
	if (!in->width)
		in->dir = 0;
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
