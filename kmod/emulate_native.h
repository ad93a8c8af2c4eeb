/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Integer operations as this CPU does them: each is the instruction itself, on registers.
 *
 * Operands count with their low @width bytes, and results are zero-extended. @flags are the flags
 * before and after; only those of EMULATE_FLAGS are looked at and changed. What a manual calls
 * undefined is what the CPU makes of it.
 *
 * Pure but for the flags register, whose other bits (TF, IF, DF...) stay as they are. No vector
 * registers, no memory but two words below the stack pointer.
 */
#ifndef MMIOBPF_EMULATE_NATIVE_H
#define MMIOBPF_EMULATE_NATIVE_H

#include "decode.h"

/** native_arithmetic() - INSN_ADD to INSN_TEST of @a and @b; cmp and test return @a */
u64 native_arithmetic(enum insn_op op, u8 width, u64 a, u64 b, u64 *flags);

/** native_unary() - INSN_INC, INSN_DEC, INSN_NOT, INSN_NEG */
u64 native_unary(enum insn_op op, u8 width, u64 a, u64 *flags);

/** native_shift() - INSN_ROL to INSN_SAR of @a by @count, as cl would have it */
u64 native_shift(enum insn_op op, u8 width, u64 a, u8 count, u64 *flags);

/** native_double_shift() - INSN_SHLD, INSN_SHRD: @a takes its new bits from @b; 2, 4 or 8 bytes */
u64 native_double_shift(enum insn_op op, u8 width, u64 a, u64 b, u8 count, u64 *flags);

/** native_bit() - INSN_BT to INSN_BTC of bit @bit, taken modulo the width; 2, 4 or 8 bytes */
u64 native_bit(enum insn_op op, u8 width, u64 a, u64 bit, u64 *flags);

/** native_imul() - signed product of the width of @a and @b; 2, 4 or 8 bytes */
u64 native_imul(u8 width, u64 a, u64 b, u64 *flags);

/**
 * native_multiply() - INSN_MUL_WIDE, INSN_IMUL_WIDE
 * @ax: one factor; becomes the low half of the product, or all of it when @width is 1
 * @dx: becomes the high half; untouched when @width is 1
 */
void native_multiply(enum insn_op op, u8 width, u64 *ax, u64 *dx, u64 b, u64 *flags);

/**
 * native_scan() - INSN_POPCNT, bit scans and counts of @a; 2, 4 or 8 bytes
 * @old: the whole destination register before, of which something may remain
 *
 * Return: the whole register after.
 */
u64 native_scan(enum insn_op op, u8 width, u64 old, u64 a, u64 *flags);

/** native_crc32() - @width bytes of @a added to the 32 bits of @crc; needs SSE4.2 */
u64 native_crc32(u8 width, u64 crc, u64 a);

#endif
