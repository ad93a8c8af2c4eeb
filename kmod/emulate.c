// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a decoded move does to the registers.
 *
 * Source: Intel SDM volume 1, section 3.4.1.1, and volume 2, MOV, MOVSX, MOVSXD and MOVZX.
 */
#include "emulate.h"

static u64 sign_extend(u64 value, unsigned int bytes)
{
	u64 sign = 1ULL << (8 * bytes - 1);

	return (insn_value_cut(value, bytes) ^ sign) - sign;
}

/* bt, bts, btr, btc with a register: whole operands from the one at the address. */
static u64 bit_string_offset(const struct insn *in, const u64 regs[16])
{
	s64 bit = (s64)sign_extend(regs[in->reg], in->opsize);

	return (u64)(bit >> 3) & ~(u64)(in->opsize - 1);
}

u64 insn_effective_address(const struct insn *in, const u64 regs[16], u64 rip_next,
			   u64 segment_base)
{
	u64 offset = (u64)in->disp;

	if (in->rip_relative)
		offset += rip_next;
	if (in->base != INSN_NO_REG)
		offset += regs[in->base];
	if (in->index != INSN_NO_REG)
		offset += regs[in->index] << in->scale;
	if (in->bit_string)
		offset += bit_string_offset(in, regs);
	return insn_value_cut(offset, in->addrsize) + segment_base;
}

void insn_register_write(u64 *reg, unsigned int size, bool high, u64 value)
{
	unsigned int shift = high ? 8 : 0;
	/* Only results of 1 and 2 bytes leave the rest of the register as it was. */
	u64 kept = size < 4 ? *reg & ~(insn_value_cut(~0ULL, size) << shift) : 0;

	*reg = kept | insn_value_cut(value, size) << shift;
}

void emulate_load(const struct insn *in, u64 regs[16], u64 value)
{
	if (in->class == INSN_LOAD_SX)
		value = sign_extend(value, in->width);
	else
		value = insn_value_cut(value, in->width);
	insn_register_write(&regs[in->reg], in->opsize, in->high, value);
}

u64 emulate_store_value(const struct insn *in, const u64 regs[16])
{
	if (in->class == INSN_STORE_IMM)
		return insn_value_cut(in->imm, in->width);
	return insn_value_cut(regs[in->reg] >> (in->high ? 8 : 0), in->width);
}
