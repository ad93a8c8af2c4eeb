// SPDX-License-Identifier: GPL-2.0-only
/*
 * Instructions carried out on the value of their memory operand: where operands come from and
 * results go. The operations are in emulate_native.c.
 *
 * Source: Intel SDM volume 2, the instructions' pages.
 */
#include "emulate.h"
#include "emulate_native.h"

#define FLAG_CF	(1u << 0)
#define FLAG_PF	(1u << 2)
#define FLAG_ZF	(1u << 6)
#define FLAG_SF	(1u << 7)
#define FLAG_OF	(1u << 11)

static u64 register_operand(const struct insn *in, const struct emulate_cpu *cpu)
{
	return insn_value_cut(cpu->regs[in->reg] >> (in->high ? 8 : 0), in->opsize);
}

static void register_result(const struct insn *in, struct emulate_cpu *cpu, u64 value)
{
	insn_register_write(&cpu->regs[in->reg], in->opsize, in->high, value);
}

/* The second operand where it is not memory. */
static u64 source_operand(const struct insn *in, const struct emulate_cpu *cpu)
{
	switch (in->source) {
	case INSN_SRC_IMM:
		return insn_value_cut(in->imm, in->width);
	case INSN_SRC_CL:
		return (u8)cpu->regs[INSN_RCX];
	default:
		return register_operand(in, cpu);
	}
}

static void do_arithmetic(const struct insn *in, struct emulate_cpu *cpu, u64 value, u64 *after)
{
	u64 result;

	if (in->source != INSN_SRC_MEM) {
		*after = native_arithmetic(in->op, in->width, value, source_operand(in, cpu),
					   &cpu->flags);
		return;
	}
	result = native_arithmetic(in->op, in->width, register_operand(in, cpu), value,
				   &cpu->flags);
	if (in->op != INSN_CMP && in->op != INSN_TEST)
		register_result(in, cpu, result);
}

/* A failed comparison writes the old value, and is what loads the accumulator. */
static u64 do_cmpxchg(const struct insn *in, struct emulate_cpu *cpu, u64 value)
{
	u64 accumulator = insn_value_cut(cpu->regs[INSN_RAX], in->width);

	native_arithmetic(INSN_CMP, in->width, accumulator, value, &cpu->flags);
	if (accumulator == value)
		return register_operand(in, cpu);
	insn_register_write(&cpu->regs[INSN_RAX], in->width, false, value);
	return value;
}

/* cmpxchg8b and cmpxchg16b: rdx:rax with memory, which becomes rcx:rbx. Of the flags only ZF. */
static void do_cmpxchg_pair(const struct insn *in, struct emulate_cpu *cpu, const u64 before[2],
			    u64 after[2])
{
	u64 *regs = cpu->regs;
	u64 low = before[0], high = before[1];

	if (in->width == 8) {
		high = low >> 32;
		low = (u32)low;
	}
	if (insn_value_cut(regs[INSN_RAX], in->opsize) != low ||
	    insn_value_cut(regs[INSN_RDX], in->opsize) != high) {
		regs[INSN_RAX] = low;
		regs[INSN_RDX] = high;
		cpu->flags &= ~(u64)FLAG_ZF;
		after[0] = before[0];
		after[1] = before[1];
		return;
	}
	cpu->flags |= FLAG_ZF;
	after[0] = regs[INSN_RBX];
	after[1] = regs[INSN_RCX];
	if (in->width == 8)
		after[0] = (u32)regs[INSN_RBX] | regs[INSN_RCX] << 32;
}

static u64 byte_swapped(u64 value, u8 width)
{
	return __builtin_bswap64(value) >> (64 - 8 * width);
}

/* Jcc, SETcc and CMOVcc: SDM volume 1, appendix B. */
static bool condition_holds(u8 cond, u64 flags)
{
	bool less = !!(flags & FLAG_SF) != !!(flags & FLAG_OF);
	bool holds;

	switch (cond >> 1) {
	case 0:
		holds = flags & FLAG_OF;
		break;
	case 1:
		holds = flags & FLAG_CF;
		break;
	case 2:
		holds = flags & FLAG_ZF;
		break;
	case 3:
		holds = flags & (FLAG_CF | FLAG_ZF);
		break;
	case 4:
		holds = flags & FLAG_SF;
		break;
	case 5:
		holds = flags & FLAG_PF;
		break;
	case 6:
		holds = less;
		break;
	default:
		holds = less || (flags & FLAG_ZF);
		break;
	}
	return holds != (cond & 1);
}

/* A register that is not loaded is still written: 4 bytes clear the upper half. */
static void do_cmov(const struct insn *in, struct emulate_cpu *cpu, u64 value)
{
	if (!condition_holds(in->cond, cpu->flags))
		value = register_operand(in, cpu);
	register_result(in, cpu, value);
}

static void do_multiply(const struct insn *in, struct emulate_cpu *cpu, u64 value)
{
	u64 ax = cpu->regs[INSN_RAX], dx = 0;

	native_multiply(in->op, in->width, &ax, &dx, value, &cpu->flags);
	if (in->width == 1) {
		insn_register_write(&cpu->regs[INSN_RAX], 2, false, ax);
		return;
	}
	insn_register_write(&cpu->regs[INSN_RAX], in->width, false, ax);
	insn_register_write(&cpu->regs[INSN_RDX], in->width, false, dx);
}

static void do_imul(const struct insn *in, struct emulate_cpu *cpu, u64 value)
{
	u64 factor = in->source == INSN_SRC_IMM ? in->imm : register_operand(in, cpu);

	register_result(in, cpu, native_imul(in->width, value, factor, &cpu->flags));
}

static void do_xadd(const struct insn *in, struct emulate_cpu *cpu, u64 value, u64 *after)
{
	*after = native_arithmetic(INSN_ADD, in->width, value, register_operand(in, cpu),
				   &cpu->flags);
	register_result(in, cpu, value);
}

void emulate_integer(const struct insn *in, struct emulate_cpu *cpu, const u64 before[2],
		     u64 after[2])
{
	u64 *flags = &cpu->flags;
	u64 *reg = &cpu->regs[in->reg & 15];
	u64 value = in->dir & 1 ? before[0] : 0;

	switch ((enum insn_op)in->op) {
	case INSN_ADD ... INSN_TEST:
		do_arithmetic(in, cpu, value, after);
		break;
	case INSN_INC ... INSN_NEG:
		after[0] = native_unary(in->op, in->width, value, flags);
		break;
	case INSN_ROL ... INSN_SAR:
		after[0] = native_shift(in->op, in->width, value, source_operand(in, cpu), flags);
		break;
	case INSN_SHLD ... INSN_SHRD:
		after[0] = native_double_shift(in->op, in->width, value, register_operand(in, cpu),
					       source_operand(in, cpu), flags);
		break;
	case INSN_BT ... INSN_BTC:
		after[0] = native_bit(in->op, in->width, value, source_operand(in, cpu), flags);
		break;
	case INSN_XCHG:
		after[0] = register_operand(in, cpu);
		register_result(in, cpu, value);
		break;
	case INSN_XADD:
		do_xadd(in, cpu, value, after);
		break;
	case INSN_CMPXCHG:
		after[0] = do_cmpxchg(in, cpu, value);
		break;
	case INSN_CMPXCHG_PAIR:
		do_cmpxchg_pair(in, cpu, before, after);
		break;
	case INSN_MOVBE:
		if (in->source == INSN_SRC_MEM)
			register_result(in, cpu, byte_swapped(value, in->width));
		else
			after[0] = byte_swapped(register_operand(in, cpu), in->width);
		break;
	case INSN_CMOV:
		do_cmov(in, cpu, value);
		break;
	case INSN_SET:
		after[0] = condition_holds(in->cond, *flags);
		break;
	case INSN_IMUL:
		do_imul(in, cpu, value);
		break;
	case INSN_MUL_WIDE ... INSN_IMUL_WIDE:
		do_multiply(in, cpu, value);
		break;
	case INSN_POPCNT ... INSN_LZCNT:
		*reg = native_scan(in->op, in->width, *reg, value, flags);
		break;
	case INSN_CRC32:
		*reg = native_crc32(in->width, *reg, value);
		break;
	default:
		break;
	}
}

u64 emulate_compare(u8 width, u64 a, u64 b, u64 flags)
{
	native_arithmetic(INSN_CMP, width, a, b, &flags);
	return flags;
}
