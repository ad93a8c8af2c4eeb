/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a decoded move does to the registers. Pure, like the decoder: the caller makes the device
 * access.
 *
 * Registers are given as 16 words in the order of their hardware numbers (enum insn_reg).
 */
#ifndef MMIOBPF_EMULATE_H
#define MMIOBPF_EMULATE_H

#include "decode.h"

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
 * 64-bit mode).
 */
u64 insn_effective_address(const struct insn *in, const u64 regs[16], u64 rip_next,
			   u64 segment_base);

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

#endif
