// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes an instance of an opcode: operands, addressing mode, prefixes, and the state before it.
 *
 * Two rules keep the result independent of where the area is: a register that holds its address is
 * not read as data, and the address is aligned where the instruction wants it so.
 *
 * Source: Intel SDM volume 2, chapter 2 (instruction format, REX, VEX).
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "forms.h"
#include "random.h"

u64 random_next(struct random_state *s)
{
	u64 z = s->x += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

/* While an instance is made. */
struct make {
	const struct random_op *op;
	struct random_state *s;
	struct instance *i;
	u8 opcode;
	u8 ext; /* ModRM.reg */
	u8 opsize; /* 2, 4 or 8 */
	u8 vvvv;
	bool vex, wide, lock, rex_w, rex;
	bool has_ext;
	u16 not_base; /* registers that are read as data */
};

static void put(struct instance *i, u8 byte)
{
	i->code[i->len++] = byte;
}

static void put_bytes(struct instance *i, u64 value, unsigned int n)
{
	while (n--) {
		put(i, value);
		value >>= 8;
	}
}

/* Any register but rsp. */
static u8 register_pick(struct random_state *s)
{
	u8 reg = random_below(s, 15);

	return reg < RSP ? reg : reg + 1;
}

static void state_pick(struct instance *i, struct random_state *s)
{
	unsigned int n, k;

	for (n = 0; n < 16; n++) {
		i->in.r[n] = random_next(s);
		/* Small ones are met as well: counts, quotients, carries. */
		if (random_one_in(s, 4))
			i->in.r[n] &= 0xff;
		for (k = 0; k < 4; k++)
			i->in.vector[n][k] = random_next(s);
	}
	i->in.flags = random_next(s) & ARITHMETIC_FLAGS;
	i->irqs_on = random_one_in(s, 2);
}

static void operation_pick(struct make *m)
{
	const struct random_op *op = m->op;
	struct instance *i = m->i;
	u32 flags = op->flags;
	unsigned int which = random_below(m->s, 8);

	i->dir = op->dir;
	m->has_ext = op->ext >= 0;
	m->ext = m->has_ext ? op->ext : 0;
	if (flags & (OP_ALU | OP_GROUP1)) {
		if (flags & OP_ALU)
			m->opcode |= which << 3;
		else
			m->ext = which;
		if (which == 7)
			i->dir = RANDOM_READ; /* cmp */
	}
	if (flags & OP_EXT_ANY)
		m->ext = which;
	if (flags & OP_COND)
		m->opcode |= random_below(m->s, 16);
	m->lock = (flags & OP_LOCK) && i->dir == RANDOM_RMW && random_one_in(m->s, 4);
	m->not_base = op->sources;
}

static void width_pick(struct make *m)
{
	static const u8 sizes[] = { 2, 4, 4, 8 };
	const struct random_op *op = m->op;
	struct instance *i = m->i;
	u32 flags = op->flags;

	m->vex = (flags & OP_VEX_ONLY) || ((flags & OP_VEX) && random_one_in(m->s, 2));
	m->wide = (flags & OP_L1_ONLY) || (m->vex && (flags & OP_L1) && random_one_in(m->s, 2));
	m->opsize = sizes[random_below(m->s, 4)];
	if (op->width == WIDTH_Y || m->vex || (flags & OP_VECTOR))
		m->opsize = random_one_in(m->s, 2) ? 8 : 4;
	if (flags & OP_W1)
		m->opsize = 8;
	/* A REX prefix would turn ah to bh into others. */
	if (flags & OP_BYTE)
		m->opsize = 4;
	if (op->mandatory && op->width != WIDTH_V && m->opsize == 2)
		m->opsize = 4;
	if ((flags & OP_SAME_W) || ((flags & OP_VECTOR) && op->width != WIDTH_Y))
		m->opsize = 4;
	i->width = op->width == WIDTH_V || op->width == WIDTH_Y ? m->opsize : op->width;
	if (m->wide && (flags & OP_L1))
		i->width *= 2;
	m->rex_w = m->opsize == 8;
}

/* ModRM.reg, and vvvv. */
static void registers_pick(struct make *m)
{
	u32 flags = m->op->flags;

	if (flags & OP_VECTOR) {
		m->ext = random_below(m->s, 16);
		m->vvvv = flags & OP_VVVV ? random_below(m->s, 16) : 0;
		return;
	}
	if (flags & OP_VVVV) {
		m->vvvv = register_pick(m->s);
		m->not_base |= 1 << m->vvvv;
	}
	if (m->has_ext)
		return;
	m->ext = register_pick(m->s);
	if (flags & OP_BYTE) {
		/* Without REX, 4 to 7 are ah, ch, dh and bh. */
		m->rex = m->ext >= 8 || random_one_in(m->s, 2);
		if (!m->rex && random_one_in(m->s, 2))
			m->ext = 4 + random_below(m->s, 4);
		else if (m->ext > 4)
			m->rex = true;
	}
	if (flags & OP_SRC)
		m->not_base |= 1 << ((flags & OP_BYTE) && !m->rex ? m->ext & 3 : m->ext);
}

/*
 * mmiobpf single-steps these with the base register redirected: they have one, and no segment.
 * With an index alone, or in gs, they do not exist in kernels, and are UNKNOWN.
 */
static bool is_stepped(const struct random_op *op)
{
	return op->flags & (OP_VECTOR | OP_VEX_ONLY | OP_DIV);
}

/* Where the operand is, and by which registers its address is made. */
static void address_pick(struct make *m)
{
	struct instance *i = m->i;
	unsigned int room = RANDOM_AREA - 2 * RANDOM_MARGIN;
	unsigned int mode = random_below(m->s, 8);

	i->offset = RANDOM_MARGIN + random_below(m->s, room);
	if (random_one_in(m->s, 16))
		i->offset = PAGE_SIZE - 1 - random_below(m->s, i->width);
	if ((m->op->flags & OP_ALIGN) || ((m->op->flags & OP_ALIGN_OLD) && !m->vex) || i->edu)
		i->offset &= ~(u32)((i->edu ? 8 : i->width) - 1);
	do {
		i->base = register_pick(m->s);
	} while (m->not_base & (1 << i->base));
	i->index = INSTANCE_NO_REG;
	i->disp = mode & 1 ? (s8)random_next(m->s) : (s32)random_next(m->s);
	if (mode < 2)
		i->disp = 0;
	if (mode >= 4) {
		do {
			i->index = register_pick(m->s);
		} while (i->index == i->base);
		i->scale = random_below(m->s, 4);
	}
	/* An index alone: what is left of the address must be a multiple of its factor. */
	if (mode == 7 && !is_stepped(m->op)) {
		i->index = i->base;
		i->base = INSTANCE_NO_REG;
		i->disp = (s64)(s32)(random_next(m->s) & 0x7ffffff8) + (i->offset & 7);
	}
	i->gs = !is_stepped(m->op) && random_one_in(m->s, 32);
	i->address_regs = 1 << (i->base == INSTANCE_NO_REG ? i->index : i->base);
}

static bool disp_fits_byte(const struct instance *i)
{
	return i->disp == (s8)i->disp && i->base != INSTANCE_NO_REG;
}

static void put_modrm(struct instance *i, u8 reg)
{
	u8 index = i->index == INSTANCE_NO_REG ? 4 : i->index & 7;
	u8 base = i->base == INSTANCE_NO_REG ? 5 : i->base & 7;
	bool sib = i->index != INSTANCE_NO_REG || base == 4;
	u8 mod;

	/* Base 5 without a displacement means another thing. */
	if (i->base == INSTANCE_NO_REG || (!i->disp && base != 5))
		mod = 0;
	else
		mod = disp_fits_byte(i) ? 1 : 2;
	put(i, mod << 6 | (reg & 7) << 3 | (sib ? 4 : base));
	if (sib)
		put(i, i->scale << 6 | index << 3 | base);
	if (mod == 1)
		put(i, i->disp);
	else if (mod == 2 || i->base == INSTANCE_NO_REG)
		put_bytes(i, i->disp, 4);
}

static bool high_register(u8 reg)
{
	return reg != INSTANCE_NO_REG && reg >= 8;
}

static void put_vex(struct make *m)
{
	struct instance *i = m->i;
	u8 mandatory = m->op->mandatory;
	u8 simd = mandatory == 0xf2 ? 3 : mandatory == 0xf3 ? 2 : mandatory ? 1 : 0;
	bool r = m->ext >= 8, x = high_register(i->index), b = high_register(i->base);
	u8 last = (~m->vvvv & 15) << 3 | m->wide << 2 | simd;

	if (!x && !b && m->op->map == 1 && !m->rex_w && random_one_in(m->s, 2)) {
		put(i, 0xc5);
		put(i, !r << 7 | last);
		return;
	}
	put(i, 0xc4);
	put(i, !r << 7 | !x << 6 | !b << 5 | m->op->map);
	put(i, m->rex_w << 7 | last);
}

static void put_legacy(struct make *m)
{
	struct instance *i = m->i;
	bool r = m->ext >= 8, x = high_register(i->index), b = high_register(i->base);

	if (m->lock)
		put(i, 0xf0);
	if (m->opsize == 2)
		put(i, 0x66);
	if (m->op->mandatory)
		put(i, m->op->mandatory);
	if (r || x || b || m->rex_w || m->rex)
		put(i, 0x40 | m->rex_w << 3 | r << 2 | x << 1 | b);
	if (m->op->map)
		put(i, 0x0f);
	if (m->op->map >= 2)
		put(i, m->op->map == 2 ? 0x38 : 0x3a);
}

static void encode(struct make *m)
{
	struct instance *i = m->i;

	if (i->gs)
		put(i, 0x65);
	if (m->vex)
		put_vex(m);
	else
		put_legacy(m);
	put(i, m->opcode);
	put_modrm(i, m->ext);
	if (m->op->flags & OP_IMM8)
		put(i, random_next(m->s));
	else if (m->op->flags & OP_IMMZ)
		put_bytes(i, random_next(m->s), m->opsize == 2 ? 2 : 4);
}

/* A number of a bit is signed, and may lie in another operand: SDM volume 2, BT. */
static void bit_pick(struct make *m)
{
	struct instance *i = m->i;
	s64 bit = (s64)random_below(m->s, 2 * 8 * 256) - 8 * 256;
	u64 *reg = &i->in.r[m->ext];
	u64 mask = i->width >= 8 ? ~0ull : (1ull << (8 * i->width)) - 1;

	if (i->edu || i->base == INSTANCE_NO_REG)
		bit &= 8 * i->width - 1;
	*reg = (*reg & ~mask) | (bit & mask);
	/* The address is less by as much: offset is that of the access. */
	i->disp += (bit >> (i->width == 2 ? 4 : i->width == 4 ? 5 : 6)) * i->width;
}

/* No divide error: the dividend is not negative, and smaller than its low half allows. */
static void division_pick(struct make *m)
{
	struct instance *i = m->i;

	i->in.r[RDX] = 0;
	i->in.r[RAX] &= i->width == 8 ? ~0ull >> 1 : (1ull << (8 * i->width - 1)) - 1;
	i->compare[0] = random_next(m->s) | 1;
	i->compare_len = i->width;
}

/* Every other comparison succeeds. */
static void comparison_pick(struct make *m)
{
	struct instance *i = m->i;
	unsigned int half = i->width / 2;
	bool pair = m->opcode == 0xc7;

	if (m->op->map != 1 || !(m->op->sources & (1 << RAX)) || random_one_in(m->s, 2))
		return;
	i->compare_len = i->width;
	i->compare[0] = i->in.r[RAX];
	if (!pair)
		return;
	if (half == 4)
		i->compare[0] = (u32)i->in.r[RAX] | i->in.r[RDX] << 32;
	else
		i->compare[1] = i->in.r[RDX];
}

static bool fits_edu(const struct instance *i, const struct make *m)
{
	return (i->width == 4 || i->width == 8) && !(m->op->flags & OP_ALIGN);
}

void instance_make(struct instance *i, struct random_state *s, bool edu)
{
	struct make m;

	do {
		memset(i, 0, sizeof(*i));
		memset(&m, 0, sizeof(m));
		m.op = &random_ops[random_below(s, random_op_count)];
		m.s = s;
		m.i = i;
		m.opcode = m.op->opcode;
		i->edu = edu;
		state_pick(i, s);
		operation_pick(&m);
		width_pick(&m);
		registers_pick(&m);
	} while (edu && !fits_edu(i, &m));
	/*
	 * Without REX, ah to bh: an address by r8 to r15 would need one. registers_pick() knows
	 * only the operand.
	 */
	do {
		address_pick(&m);
	} while ((m.op->flags & OP_BYTE) && !m.rex && m.ext >= 4 &&
		 (high_register(i->base) || high_register(i->index)));
	if (m.op->flags & OP_DIV)
		division_pick(&m);
	comparison_pick(&m);
	encode(&m);
	if (m.op->flags & OP_BITS)
		bit_pick(&m);
}

static u32 string_room(struct random_state *s, u32 bytes)
{
	return RANDOM_MARGIN + random_below(s, RANDOM_AREA - 2 * RANDOM_MARGIN) / bytes * bytes;
}

void instance_make_string(struct instance *i, struct random_state *s)
{
	static const u8 opcodes[] = { 0xa4, 0xa6, 0xaa, 0xac, 0xae };
	struct random_string *str = &i->string;
	bool compares;

	memset(i, 0, sizeof(*i));
	state_pick(i, s);
	i->is_string = true;
	i->base = INSTANCE_NO_REG;
	i->index = INSTANCE_NO_REG;
	str->opcode = opcodes[random_below(s, ARRAY_SIZE(opcodes))];
	compares = str->opcode == 0xa6 || str->opcode == 0xae;
	i->width = 1 << random_below(s, 4);
	switch (str->opcode) {
	case 0xa4:
	case 0xa6: str->sides = 1 + random_below(s, 3); break;
	case 0xac: str->sides = SIDE_SOURCE; break;
	default: str->sides = SIDE_DESTINATION;
	}
	if (!random_one_in(s, 3))
		str->rep = compares && random_one_in(s, 2) ? 0xf2 : 0xf3;
	/* Few elements as a rule, none at times, and at times more than one fault carries out. */
	str->count = random_one_in(s, 16) ? random_below(s, RANDOM_MARGIN / 8) : random_below(s, 8);
	if (str->rep)
		i->in.r[RCX] = str->count;
	if (random_one_in(s, 2))
		i->in.flags |= X86_EFLAGS_DF;
	str->source = string_room(s, random_one_in(s, 4) ? 1 : i->width);
	str->destination = string_room(s, random_one_in(s, 4) ? 1 : i->width);
	/* Next to each other, so that they overlap. */
	if (str->sides == 3 && random_one_in(s, 2))
		str->destination = clamp(str->source + random_below(s, 64) - 32, (u32)RANDOM_MARGIN,
					 (u32)(RANDOM_AREA - RANDOM_MARGIN));
	i->address_regs = 1 << RSI | 1 << RDI;
	if (i->width == 2)
		put(i, 0x66);
	if (str->rep)
		put(i, str->rep);
	if (i->width == 8)
		put(i, 0x48);
	put(i, str->opcode | (i->width > 1));
}
