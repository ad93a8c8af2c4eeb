// SPDX-License-Identifier: GPL-2.0-only
/*
 * Integer operations as this CPU does them.
 *
 * The switches are over few values and with direct calls, since the kernel's build turns indirect
 * jumps into slow ones.
 *
 * Source: Intel SDM volume 2; which flags an instruction reads, writes and leaves undefined is in
 * volume 1, appendix A (EFLAGS cross-reference). That flags are loaded and saved around the one
 * instruction is also how arch/x86/kvm/emulate.c does it.
 */
#include "emulate.h"
#include "emulate_native.h"

/* User space may keep data in the 128 bytes below the stack pointer; lea changes no flags. */
#ifdef __KERNEL__
#define STACK_DOWN	""
#define STACK_UP	""
#else
#define STACK_DOWN	"lea -128(%%rsp), %%rsp\n\t"
#define STACK_UP	"lea 128(%%rsp), %%rsp\n\t"
#endif

/* For asm with the operand [f], a 64-bit register. No operand may be on the stack. */
#define SAVE_FLAGS \
	"\n\t" STACK_DOWN "pushf\n\tpop %[f]\n\t" STACK_UP

/* For asm with [f] as "=&r" and the operands of FLAGS_IN. */
#define LOAD_FLAGS \
	STACK_DOWN "pushf\n\tpop %[f]\n\tand %[keep], %[f]\n\tor %[in], %[f]\n\t" \
	"push %[f]\n\tpopf\n\t" STACK_UP
#define FLAGS_IN(flags) \
	[keep] "i"(~(s64)EMULATE_FLAGS), [in] "r"((flags) & EMULATE_FLAGS)

static void flags_set(u64 *flags, u64 now, u64 which)
{
	*flags = (*flags & ~which) | (now & which);
}

/* The same for each width: EXEC is a macro for an instruction and a type. */
#define EACH_WIDTH(EXEC, op) \
	switch (width) { \
	case 1: EXEC(op, u8); break; \
	case 2: EXEC(op, u16); break; \
	case 4: EXEC(op, u32); break; \
	default: EXEC(op, u64); break; \
	}

#define EACH_WIDTH_BUT_BYTE(EXEC, op) \
	switch (width) { \
	case 2: EXEC(op, u16); break; \
	case 4: EXEC(op, u32); break; \
	default: EXEC(op, u64); break; \
	}

/* Instructions that set all flags whatever they were: nothing to load. */
#define EXEC_BINARY(op, type) do { \
	type r_ = a; \
	asm(op " %[b], %[r]" SAVE_FLAGS \
	    : [r] "+r"(r_), [f] "=r"(f) : [b] "r"((type)b) : "cc"); \
	result = r_; \
} while (0)

/* Those that also read CF. */
#define EXEC_CARRY(op, type) do { \
	type r_ = a; \
	asm("bt $0, %k[in]\n\t" op " %[b], %[r]" SAVE_FLAGS \
	    : [r] "+&r"(r_), [f] "=&r"(f) : [b] "r"((type)b), [in] "r"(*flags) : "cc"); \
	result = r_; \
} while (0)

#define EXEC_UNARY(op, type) do { \
	type r_ = a; \
	asm(op " %[r]" SAVE_FLAGS : [r] "+r"(r_), [f] "=r"(f) : : "cc"); \
	result = r_; \
} while (0)

#define EXEC_SHIFT(op, type) do { \
	type r_ = a; \
	asm(LOAD_FLAGS op " %%cl, %[r]" SAVE_FLAGS \
	    : [r] "+&r"(r_), [f] "=&r"(f) : FLAGS_IN(*flags), "c"(count) : "cc"); \
	result = r_; \
} while (0)

#define EXEC_DOUBLE_SHIFT(op, type) do { \
	type r_ = a; \
	asm(LOAD_FLAGS op " %%cl, %[b], %[r]" SAVE_FLAGS \
	    : [r] "+&r"(r_), [f] "=&r"(f) \
	    : FLAGS_IN(*flags), [b] "r"((type)b), "c"(count) : "cc"); \
	result = r_; \
} while (0)

/* Those that leave some flags alone or undefined. */
#define EXEC_LOADED(op, type) do { \
	type r_ = a; \
	asm(LOAD_FLAGS op " %[b], %[r]" SAVE_FLAGS \
	    : [r] "+&r"(r_), [f] "=&r"(f) : FLAGS_IN(*flags), [b] "r"((type)b) : "cc"); \
	result = r_; \
} while (0)

#define DEFINE_BINARY(name, op, EXEC) \
static u64 name(u8 width, u64 a, u64 b, u64 *flags) \
{ \
	u64 f, result; \
	EACH_WIDTH(EXEC, op) \
	flags_set(flags, f, EMULATE_FLAGS); \
	return result; \
}

DEFINE_BINARY(exec_add, "add", EXEC_BINARY)
DEFINE_BINARY(exec_or, "or", EXEC_BINARY)
DEFINE_BINARY(exec_adc, "adc", EXEC_CARRY)
DEFINE_BINARY(exec_sbb, "sbb", EXEC_CARRY)
DEFINE_BINARY(exec_and, "and", EXEC_BINARY)
DEFINE_BINARY(exec_sub, "sub", EXEC_BINARY)
DEFINE_BINARY(exec_xor, "xor", EXEC_BINARY)
DEFINE_BINARY(exec_cmp, "cmp", EXEC_BINARY)
DEFINE_BINARY(exec_test, "test", EXEC_BINARY)

u64 native_arithmetic(enum insn_op op, u8 width, u64 a, u64 b, u64 *flags)
{
	switch (op) {
	case INSN_ADD:
		return exec_add(width, a, b, flags);
	case INSN_OR:
		return exec_or(width, a, b, flags);
	case INSN_ADC:
		return exec_adc(width, a, b, flags);
	case INSN_SBB:
		return exec_sbb(width, a, b, flags);
	case INSN_AND:
		return exec_and(width, a, b, flags);
	case INSN_SUB:
		return exec_sub(width, a, b, flags);
	case INSN_XOR:
		return exec_xor(width, a, b, flags);
	case INSN_CMP:
		return exec_cmp(width, a, b, flags);
	default:
		return exec_test(width, a, b, flags);
	}
}

#define DEFINE_UNARY(name, op, which) \
static u64 name(u8 width, u64 a, u64 *flags) \
{ \
	u64 f, result; \
	EACH_WIDTH(EXEC_UNARY, op) \
	flags_set(flags, f, which); \
	return result; \
}

/* inc and dec keep CF. */
DEFINE_UNARY(exec_inc, "inc", EMULATE_FLAGS & ~1ULL)
DEFINE_UNARY(exec_dec, "dec", EMULATE_FLAGS & ~1ULL)
DEFINE_UNARY(exec_neg, "neg", EMULATE_FLAGS)

u64 native_unary(enum insn_op op, u8 width, u64 a, u64 *flags)
{
	switch (op) {
	case INSN_INC:
		return exec_inc(width, a, flags);
	case INSN_DEC:
		return exec_dec(width, a, flags);
	case INSN_NEG:
		return exec_neg(width, a, flags);
	default:
		return insn_value_cut(~a, width);
	}
}

#define DEFINE_SHIFT(name, op) \
static u64 name(u8 width, u64 a, u8 count, u64 *flags) \
{ \
	u64 f, result; \
	EACH_WIDTH(EXEC_SHIFT, op) \
	flags_set(flags, f, EMULATE_FLAGS); \
	return result; \
}

DEFINE_SHIFT(exec_rol, "rol")
DEFINE_SHIFT(exec_ror, "ror")
DEFINE_SHIFT(exec_rcl, "rcl")
DEFINE_SHIFT(exec_rcr, "rcr")
DEFINE_SHIFT(exec_shl, "shl")
DEFINE_SHIFT(exec_shr, "shr")
DEFINE_SHIFT(exec_sar, "sar")

u64 native_shift(enum insn_op op, u8 width, u64 a, u8 count, u64 *flags)
{
	switch (op) {
	case INSN_ROL:
		return exec_rol(width, a, count, flags);
	case INSN_ROR:
		return exec_ror(width, a, count, flags);
	case INSN_RCL:
		return exec_rcl(width, a, count, flags);
	case INSN_RCR:
		return exec_rcr(width, a, count, flags);
	case INSN_SHR:
		return exec_shr(width, a, count, flags);
	case INSN_SAR:
		return exec_sar(width, a, count, flags);
	default:
		return exec_shl(width, a, count, flags);
	}
}

u64 native_double_shift(enum insn_op op, u8 width, u64 a, u64 b, u8 count, u64 *flags)
{
	u64 f, result;

	if (op == INSN_SHLD)
		EACH_WIDTH_BUT_BYTE(EXEC_DOUBLE_SHIFT, "shld")
	else
		EACH_WIDTH_BUT_BYTE(EXEC_DOUBLE_SHIFT, "shrd")
	flags_set(flags, f, EMULATE_FLAGS);
	return result;
}

#define DEFINE_LOADED(name, op) \
static u64 name(u8 width, u64 a, u64 b, u64 *flags) \
{ \
	u64 f, result; \
	EACH_WIDTH_BUT_BYTE(EXEC_LOADED, op) \
	flags_set(flags, f, EMULATE_FLAGS); \
	return result; \
}

DEFINE_LOADED(exec_bt, "bt")
DEFINE_LOADED(exec_bts, "bts")
DEFINE_LOADED(exec_btr, "btr")
DEFINE_LOADED(exec_btc, "btc")
DEFINE_LOADED(exec_imul, "imul")

u64 native_bit(enum insn_op op, u8 width, u64 a, u64 bit, u64 *flags)
{
	switch (op) {
	case INSN_BTS:
		return exec_bts(width, a, bit, flags);
	case INSN_BTR:
		return exec_btr(width, a, bit, flags);
	case INSN_BTC:
		return exec_btc(width, a, bit, flags);
	default:
		return exec_bt(width, a, bit, flags);
	}
}

u64 native_imul(u8 width, u64 a, u64 b, u64 *flags)
{
	return exec_imul(width, a, b, flags);
}

/* Of bytes the product is in ax. */
#define EXEC_MULTIPLY_BYTE(op) do { \
	u16 a_ = (u8)*ax; \
	asm(LOAD_FLAGS op " %[b]" SAVE_FLAGS \
	    : "+&a"(a_), [f] "=&r"(f) : FLAGS_IN(*flags), [b] "r"((u8)b) : "cc"); \
	*ax = a_; \
} while (0)

#define EXEC_MULTIPLY(op, type) do { \
	type a_ = *ax, d_; \
	asm(LOAD_FLAGS op " %[b]" SAVE_FLAGS \
	    : "+&a"(a_), "=&d"(d_), [f] "=&r"(f) \
	    : FLAGS_IN(*flags), [b] "r"((type)b) : "cc"); \
	*ax = a_; \
	*dx = d_; \
} while (0)

#define DEFINE_MULTIPLY(name, op) \
static void name(u8 width, u64 *ax, u64 *dx, u64 b, u64 *flags) \
{ \
	u64 f; \
	if (width == 1) \
		EXEC_MULTIPLY_BYTE(op); \
	else \
		EACH_WIDTH_BUT_BYTE(EXEC_MULTIPLY, op) \
	flags_set(flags, f, EMULATE_FLAGS); \
}

DEFINE_MULTIPLY(exec_mul_wide, "mul")
DEFINE_MULTIPLY(exec_imul_wide, "imul")

void native_multiply(enum insn_op op, u8 width, u64 *ax, u64 *dx, u64 b, u64 *flags)
{
	if (op == INSN_MUL_WIDE)
		exec_mul_wide(width, ax, dx, b, flags);
	else
		exec_imul_wide(width, ax, dx, b, flags);
}

/* The destination is a whole register, so that what the CPU leaves of it is seen. */
#define EXEC_SCAN(op, size) \
	asm(LOAD_FLAGS op " %" size "[a], %" size "[r]" SAVE_FLAGS \
	    : [r] "+&r"(result), [f] "=&r"(f) : FLAGS_IN(*flags), [a] "r"(a) : "cc")

#define DEFINE_SCAN(name, op) \
static u64 name(u8 width, u64 old, u64 a, u64 *flags) \
{ \
	u64 f, result = old; \
	switch (width) { \
	case 2: EXEC_SCAN(op, "w"); break; \
	case 4: EXEC_SCAN(op, "k"); break; \
	default: EXEC_SCAN(op, "q"); break; \
	} \
	flags_set(flags, f, EMULATE_FLAGS); \
	return result; \
}

DEFINE_SCAN(exec_popcnt, "popcnt")
DEFINE_SCAN(exec_bsf, "bsf")
DEFINE_SCAN(exec_bsr, "bsr")
DEFINE_SCAN(exec_tzcnt, "tzcnt")
DEFINE_SCAN(exec_lzcnt, "lzcnt")

u64 native_scan(enum insn_op op, u8 width, u64 old, u64 a, u64 *flags)
{
	switch (op) {
	case INSN_POPCNT:
		return exec_popcnt(width, old, a, flags);
	case INSN_BSF:
		return exec_bsf(width, old, a, flags);
	case INSN_BSR:
		return exec_bsr(width, old, a, flags);
	case INSN_TZCNT:
		return exec_tzcnt(width, old, a, flags);
	default:
		return exec_lzcnt(width, old, a, flags);
	}
}

u64 native_crc32(u8 width, u64 crc, u64 a)
{
	switch (width) {
	case 1:
		asm("crc32b %b[a], %k[crc]" : [crc] "+r"(crc) : [a] "r"(a));
		break;
	case 2:
		asm("crc32w %w[a], %k[crc]" : [crc] "+r"(crc) : [a] "r"(a));
		break;
	case 4:
		asm("crc32l %k[a], %k[crc]" : [crc] "+r"(crc) : [a] "r"(a));
		break;
	default:
		asm("crc32q %q[a], %q[crc]" : [crc] "+r"(crc) : [a] "r"(a));
		break;
	}
	return crc;
}
