// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads the bytes of an instruction.
 *
 * Source: Intel SDM volume 2, chapter 2.
 */
#include "decode_bytes.h"
#include "decode_table.h"

bool cursor_byte(struct cursor *c, u8 *byte)
{
	if (c->pos >= c->n)
		return false;
	*byte = c->bytes[c->pos++];
	return true;
}

bool cursor_signed(struct cursor *c, unsigned int size, s64 *value)
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

/* A REX that is not the last of all is ignored, as the CPU does. */
bool cursor_prefixes(struct cursor *c, struct insn *in)
{
	u8 b;

	while (cursor_byte(c, &b)) {
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
	if (!cursor_byte(c, &b1))
		return false;
	c->rex = b1 & 0x80 ? 0 : REX_R;
	c->map = MAP_0F;
	b2 = b1 & 0x7f;
	if (c->opcode == 0xc4) {
		if (!cursor_byte(c, &b2))
			return false;
		c->rex |= (b1 & 0x40 ? 0 : REX_X) | (b1 & 0x20 ? 0 : REX_B);
		c->rex |= b2 & 0x80 ? REX_W : 0;
		c->map = b1 & 0x1f;
	}
	c->vvvv = ~(b2 >> 3) & 0xf;
	c->vl = b2 & 4 ? 32 : 16;
	c->pp = b2 & 3;
	return cursor_byte(c, &c->opcode);
}

/* 62. SDM volume 2, section 2.7.1. */
static bool take_evex(struct cursor *c)
{
	u8 p0, p1, p2;

	c->encoding = ENC_EVEX;
	if (!cursor_byte(c, &p0) || !cursor_byte(c, &p1) || !cursor_byte(c, &p2))
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
	return cursor_byte(c, &c->opcode);
}

static bool take_escape(struct cursor *c)
{
	c->map = MAP_0F;
	if (!cursor_byte(c, &c->opcode))
		return false;
	if (c->opcode != 0x38 && c->opcode != 0x3a)
		return true;
	c->map = c->opcode == 0x38 ? MAP_0F38 : MAP_0F3A;
	return cursor_byte(c, &c->opcode);
}

bool cursor_opcode(struct cursor *c, const struct insn *in)
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

/* SDM volume 2, table 2-3: SIB. A base of 5 with mod 0 is a displacement alone. */
static bool take_sib(struct cursor *c, struct insn *in, unsigned int *disp_size)
{
	u8 sib;

	if (!cursor_byte(c, &sib))
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
bool cursor_operand(struct cursor *c, struct insn *in)
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
	if (!cursor_signed(c, disp_size, &in->disp))
		return false;
	if (mod == 1)
		in->disp *= c->disp8_scale;
	return true;
}
