/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random instances of instructions: random_ops.c has the table of opcodes, random_make.c encodes
 * an instance, random_string.c says what a string instruction does to memory, random.c carries
 * instances out and compares.
 */
#ifndef MMIOBPF_RANDOM_H
#define MMIOBPF_RANDOM_H

#define RANDOM_CODE_LEN 32 /* bytes of room in the stub */

#ifndef __ASSEMBLY__

#include <linux/types.h>
#include <asm/page.h>

#include "exerciser.h"
#include "state.h"

/* What an instance may touch: two pages, so that there is a boundary to cross. */
#define RANDOM_AREA   (2 * PAGE_SIZE)
#define RANDOM_MARGIN 512 /* bytes at both ends that no address is in; longer than any string */

enum random_dir {
	RANDOM_READ = 1,
	RANDOM_WRITE = 2,
	RANDOM_RMW = 3
};

/* Of an opcode: what its row in the table says. */
enum random_op_flags {
	OP_BYTE = 1 << 0, /* the register operand is a byte register */
	OP_SRC = 1 << 1, /* the register operand is read */
	OP_DST = 1 << 2, /* the register operand is written */
	OP_LOCK = 1 << 3, /* may have a lock prefix */
	OP_IMM8 = 1 << 4,
	OP_IMMZ = 1 << 5, /* 2 or 4 bytes, by the operand size */
	OP_ALU = 1 << 6, /* one of the eight of the arithmetic group, by opcode */
	OP_GROUP1 = 1 << 7, /* the same, by ModRM.reg */
	OP_EXT_ANY = 1 << 8, /* ModRM.reg chooses among eight of one kind */
	OP_COND = 1 << 9, /* sixteen opcodes, one for each condition */
	OP_W1 = 1 << 10, /* REX.W is set */
	OP_BITS = 1 << 11, /* the register operand is the number of a bit */
	OP_DIV = 1 << 12,
	OP_VECTOR = 1 << 13, /* the register operand is a vector register */
	OP_VEX = 1 << 14, /* has a VEX encoding */
	OP_VEX_ONLY = 1 << 15, /* has no other */
	OP_VVVV = 1 << 16, /* its VEX encoding has one more source */
	OP_L1 = 1 << 17, /* may be 256 bits wide; the operand is twice as wide then */
	OP_L1_ONLY = 1 << 18, /* is; the width is as it says */
	OP_ALIGN = 1 << 19, /* the operand is aligned */
	OP_ALIGN_OLD = 1 << 20, /* without VEX */
	OP_SAME_W = 1 << 21, /* VEX.W or REX.W makes no difference: stays clear */
};

/* Widths that depend on the operand size. */
#define WIDTH_V 0 /* 2, 4 or 8 */
#define WIDTH_Y 255 /* 4 or 8 */

struct random_op {
	u8 map; /* 0: one byte; 1: 0F; 2: 0F 38; 3: 0F 3A */
	u8 opcode;
	s8 ext; /* ModRM.reg, or -1 */
	u8 mandatory; /* prefix that belongs to the opcode: 66, F2, F3 or 0 */
	u8 width; /* of the memory operand in bytes, or WIDTH_V, WIDTH_Y */
	u8 dir; /* enum random_dir */
	u16 sources; /* general registers that it reads without naming them */
	u32 flags;
};

extern const struct random_op random_ops[];
extern const unsigned int random_op_count;

/* A generator of its own for each instance, so that one can be made again alone. */
struct random_state {
	u64 x;
};

u64 random_next(struct random_state *s);

static inline u32 random_below(struct random_state *s, u32 n)
{
	return (random_next(s) >> 32) * n >> 32;
}

static inline bool random_one_in(struct random_state *s, u32 n)
{
	return !random_below(s, n);
}

/* The memory operands of movs and cmps: which of the two is the device. */
enum random_sides {
	SIDE_SOURCE = 1,
	SIDE_DESTINATION = 2
};

struct random_string {
	u8 opcode; /* with bit 0 cleared */
	u8 rep; /* prefix or 0 */
	u8 sides; /* enum random_sides: those in the area; the others in ordinary memory */
	u32 count;
	u32 source, destination; /* offsets in the area or in the ordinary memory */
};

struct instance {
	u8 code[RANDOM_CODE_LEN];
	u8 len;
	u8 width; /* bytes, up to 32 */
	u8 dir;
	bool irqs_on;
	bool gs;
	bool edu; /* for edu's register: 4 or 8 bytes, aligned */
	u8 base; /* register that holds the address, or INSTANCE_NO_REG */
	u8 index;
	u8 scale;
	s64 disp;
	u32 offset; /* of the operand in the area */
	u16 address_regs; /* those whose content depends on where the area is */
	bool is_string;
	struct random_string string;
	struct form_regs in; /* but for what depends on where the area is */
	u64 compare[2]; /* what the operand holds, when compare_len is not 0 */
	u8 compare_len;
};

#define INSTANCE_NO_REG 0xff

/**
 * instance_make() - make an instance
 * @i: filled
 * @s: decides everything
 * @edu: one for a register of edu
 */
void instance_make(struct instance *i, struct random_state *s, bool edu);
void instance_make_string(struct instance *i, struct random_state *s);

/**
 * expect_add() - say what the log must have
 * @write: a write
 * @offset: in the area
 * @value: the bytes, at most 8 of them; wider accesses are several lines
 */
void expect_add(bool write, u32 offset, const void *value, u8 width);

/**
 * string_expect() - carry a string instruction out on copies of the memory, and say each access
 * @area: RANDOM_AREA bytes, as before; changed
 * @other: the ordinary memory, the same
 *
 * Return: elements.
 */
u32 string_expect(const struct instance *i, u8 *area, u8 *other);

#endif
#endif
