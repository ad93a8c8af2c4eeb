/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a decoded instruction does to registers, flags and the value of its memory operand. Pure,
 * like the decoder: the caller makes the device access.
 *
 * Registers are given as 16 words in the order of their hardware numbers (enum insn_reg).
 */
#ifndef MMIOBPF_EMULATE_H
#define MMIOBPF_EMULATE_H

#include "decode.h"

/* Carry, parity, adjust, zero, sign, overflow. SDM volume 1, section 3.4.3.1. */
#define EMULATE_FLAGS	0x8d5u

struct emulate_cpu {
	u64 regs[16];
	u64 flags;		/* RFLAGS */
};

/** insn_value_cut() - the low @width bytes of a value, zero-extended; @width above 8 is as 8 */
static inline u64 insn_value_cut(u64 value, unsigned int width)
{
	return width >= 8 ? value : value & ((1ULL << (8 * width)) - 1);
}

/**
 * insn_effective_address() - linear address of the memory operand
 * @in: decoded instruction; of the string instructions those with one operand: stos, lods, scas
 * @regs: registers before the instruction
 * @rip_next: address of the instruction that follows, for rip-relative operands
 * @segment_base: added to the address: base of fs or gs when @in->segment says so, else 0
 *
 * With addrsize 4 the offset is cut to 32 bits before the segment base is added. movs and cmps have
 * two operands and no @in->base; their addresses are the caller's to choose.
 *
 * Source: Intel SDM volume 1, section 3.7.5 (Specifying an Offset), and 3.3.7 (address size in
 * 64-bit mode). Bit strings: volume 2, BT.
 */
u64 insn_effective_address(const struct insn *in, const u64 regs[16], u64 rip_next,
			   u64 segment_base);

/**
 * insn_register_write() - put a result into a general register
 * @size: bytes of the result: 1 and 2 keep the rest of the register, 4 clear its upper half
 * @high: @size is 1 and the result goes to AH, CH, DH or BH
 *
 * Source: Intel SDM volume 1, section 3.4.1.1 (General-Purpose Registers in 64-Bit Mode).
 */
void insn_register_write(u64 *reg, unsigned int size, bool high, u64 value);

/**
 * emulate_load() - put a value that was read into the destination register
 * @in: of class INSN_LOAD, INSN_LOAD_ZX or INSN_LOAD_SX
 * @regs: changed
 * @value: what memory holds; only the low @in->width bytes count
 *
 * A destination of 1 or 2 bytes keeps the rest of the register, one of 4 clears its upper half.
 * Source: Intel SDM volume 1, section 3.4.1.1 (General-Purpose Registers in 64-Bit Mode).
 */
void emulate_load(const struct insn *in, u64 regs[16], u64 value);

/**
 * emulate_store_value() - value that a store writes
 * @in: of class INSN_STORE_REG or INSN_STORE_IMM
 * @regs: registers before the instruction
 *
 * Return: the value, zero-extended from @in->width bytes.
 */
u64 emulate_store_value(const struct insn *in, const u64 regs[16]);

/**
 * emulate_integer() - carry out an instruction on the value of its memory operand
 * @in: of class INSN_INTEGER
 * @cpu: registers and flags before; changed to what the CPU would leave. Of the flags only those of
 *	EMULATE_FLAGS change.
 * @before: what memory holds, zero-extended; [1] counts for 16 bytes only; both are ignored when
 *	@in->dir has no read bit
 * @after: what is to be written when @in->dir has the write bit, zero-extended; otherwise
 *	undefined. cmpxchg always writes, the old value when the comparison failed.
 *
 * The operation itself is done by the same instruction of this CPU on registers, so that flags and
 * results which the manual leaves undefined are those of the hardware. Takes a few CPU cycles, does
 * not fault, needs no vector registers. popcnt, crc32 and the like need a CPU that has them: it was
 * about to execute one.
 *
 * Source: Intel SDM volume 2, the instructions' pages.
 */
void emulate_integer(const struct insn *in, struct emulate_cpu *cpu, const u64 before[2],
		     u64 after[2]);

/**
 * emulate_compare() - the comparison of cmps and scas
 * @width: bytes of @a and @b that count: 1, 2, 4 or 8
 * @flags: before
 *
 * Return: @flags with those of EMULATE_FLAGS as @a - @b sets them.
 */
u64 emulate_compare(u8 width, u64 a, u64 b, u64 flags);

#endif
