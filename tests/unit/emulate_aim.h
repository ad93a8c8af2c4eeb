/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes an instruction that is to be run hit the memory that is there for it. */
#ifndef EMULATE_AIM_H
#define EMULATE_AIM_H

#include "emulate_jit.h"

/** random_seed() - the numbers that follow depend on @seed alone */
void random_seed(u64 seed);
u64 random_word(void);

/** aim_segment_base() - base of the instruction's segment; 0 without one */
u64 aim_segment_base(const struct jit *j, const struct insn *in);

/** aim_window() - the data as the instruction sees it: with gs above 4 GiB, out of reach of 67 */
u8 *aim_window(const struct jit *j, const struct insn *in);

/**
 * aim_registers() - choose base or index so that the operand is at @target
 *
 * With an index that is scaled, and no other register, within a few bytes of it.
 */
void aim_registers(const struct jit *j, const struct insn *in, u64 regs[16], u64 target);

/**
 * aim_displacement() - the same for an operand without a register
 * @at: where the displacement is in @bytes, which change
 * @moffs: the displacement has the address size
 *
 * Return: false when it does not reach.
 */
bool aim_displacement(const struct jit *j, const struct insn *in, u8 *bytes, size_t at, bool moffs,
		      u64 target);

/** aim_fill_memory() - the data becomes random */
void aim_fill_memory(struct jit *j);

/** aim_print() - bytes as a TAP comment */
void aim_print(const char *what, const u8 *bytes, size_t n);

#endif
