/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * x86-64 instruction decoder for the trap: what an instruction does to its memory operand.
 *
 * Pure: no kernel interface, no allocation, no state, bounded by the 15 bytes of an instruction. It
 * compiles in user space as it is (tests/unit compares it with Zydis).
 *
 * Source of the method: Intel SDM volume 2, chapter 2 (instruction format) and appendix A (opcode
 * maps).
 */
#ifndef MMIOBPF_DECODE_H
#define MMIOBPF_DECODE_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/types.h>
typedef __u8 u8;
typedef __u16 u16;
typedef __u32 u32;
typedef __u64 u64;
typedef __s64 s64;
#endif

#define INSN_MAX_LEN	15
#define INSN_NO_REG	0xff

/* General-purpose registers by their hardware numbers; r8 to r15 are 8 to 15. */
enum insn_reg {
	INSN_RAX, INSN_RCX, INSN_RDX, INSN_RBX, INSN_RSP, INSN_RBP, INSN_RSI, INSN_RDI,
};

enum insn_class {
	INSN_STORE_REG,		/* mov m, r */
	INSN_STORE_IMM,		/* mov m, imm */
	INSN_LOAD,		/* mov r, m: 1 and 2 bytes keep the rest of r, 4 clear it */
	INSN_LOAD_ZX,		/* movzx r, m */
	INSN_LOAD_SX,		/* movsx, movsxd r, m */
	INSN_STRING,		/* movs, stos, lods, cmps, scas */
	INSN_OTHER,		/* has one ModRM memory operand, is single-stepped */
	INSN_INTEGER,		/* emulate_integer() carries it out; see enum insn_op */
	INSN_DIRECT64,		/* 64 bytes from the operand to the address in reg: see insn_op */
	INSN_CACHE_LINE,	/* clflush, clflushopt, clwb: no value, no direction */
};

/*
 * What an INSN_INTEGER instruction does. The first eight and the shifts are in the order of
 * ModRM.reg of their groups.
 */
enum insn_op {
	INSN_OP_NONE,
	INSN_ADD, INSN_OR, INSN_ADC, INSN_SBB, INSN_AND, INSN_SUB, INSN_XOR, INSN_CMP,
	INSN_TEST,
	INSN_INC, INSN_DEC, INSN_NOT, INSN_NEG,
	INSN_ROL, INSN_ROR, INSN_RCL, INSN_RCR, INSN_SHL, INSN_SHR, INSN_SAL, INSN_SAR,
	INSN_SHLD, INSN_SHRD,
	INSN_BT, INSN_BTS, INSN_BTR, INSN_BTC,
	INSN_XCHG, INSN_XADD, INSN_CMPXCHG,
	INSN_CMPXCHG_PAIR,	/* cmpxchg8b with width 8, cmpxchg16b with 16 */
	INSN_MOVBE,		/* source INSN_SRC_MEM: a load; INSN_SRC_REG: a store */
	INSN_CMOV, INSN_SET,
	INSN_IMUL,		/* reg by memory; INSN_SRC_IMM: memory by imm, into reg */
	INSN_MUL_WIDE,		/* rdx:rax, ax for bytes */
	INSN_IMUL_WIDE,
	INSN_POPCNT,
	INSN_BSF, INSN_BSR,
	INSN_TZCNT, INSN_LZCNT,	/* what a CPU without them does: bsf, bsr */
	INSN_CRC32,
	/* INSN_DIRECT64; the last two set flags */
	INSN_MOVDIR64B, INSN_ENQCMD, INSN_ENQCMDS,
};

/* The second operand of an INSN_INTEGER instruction; the first is the destination, if any. */
enum insn_source {
	INSN_SRC_NONE,		/* there is none, or it is fixed */
	INSN_SRC_REG,		/* reg; the first is memory */
	INSN_SRC_IMM,		/* imm; shifts by 1 have it too */
	INSN_SRC_CL,
	INSN_SRC_MEM,		/* memory; the first is reg */
};

enum insn_rep {
	INSN_REP_NONE,
	INSN_REP,		/* F3: rep, repe */
	INSN_REPNE,		/* F2 */
};

struct insn {
	u8 len;			/* bytes, 1 to 15 */
	u8 class;		/* enum insn_class */
	u8 width;		/* of the memory operand in bytes; 0: not known */
	u8 dir;			/* 1 read, 2 write, 3 both (enum mmiobpf_dir); 0: not known */
	u8 opsize;		/* bytes of the register operand, or of the operation */
	u8 reg;			/* the register operand if it is a general one, or INSN_NO_REG */
	u8 high;		/* 1: that operand is AH, CH, DH or BH, and reg is 0 to 3 */
	u8 base;		/* 0 to 15 or INSN_NO_REG; string instructions: see string_op */
	u8 index;
	u8 scale;		/* log2: 0 to 3 */
	u8 addrsize;		/* 8, or 4 with a 67 prefix: the address is cut to 32 bits */
	u8 segment;		/* 0x64 or 0x65 for fs and gs, else 0 */
	u8 rep;			/* enum insn_rep; string instructions only */
	u8 lock;		/* 1: lock prefix, or xchg, which needs none */
	u8 rip_relative;
	/* INSN_STRING: opcode with bit 0 cleared: a4 movs, a6 cmps, aa stos, ac lods, ae scas */
	u8 string_op;
	u8 op;			/* enum insn_op; INSN_INTEGER and INSN_DIRECT64 only */
	u8 source;		/* enum insn_source; INSN_INTEGER only */
	u8 cond;		/* INSN_CMOV, INSN_SET: the condition, low 4 bits of the opcode */
	/*
	 * bt, bts, btr and btc with the bit number in reg, which is signed: the operand is as many
	 * bits away from the address, in whole operands. insn_effective_address() adds it.
	 */
	u8 bit_string;
	/* General registers read as data, implicit ones too; not those of the address. */
	u16 src_regs;
	u16 dst_regs;		/* general registers that may be written, implicit ones too */
	s64 disp;		/* displacement; the whole address for the A0 to A3 moves */
	u64 imm;		/* sign-extended; INSN_STORE_IMM: low width bytes count */
};

/**
 * insn_decode() - decode one instruction that has a memory operand
 * @in: filled on success, undefined otherwise
 * @bytes: the instruction, at its first byte
 * @n: readable bytes at @bytes, at most 15 are looked at
 *
 * 64-bit mode only. VEX and EVEX forms are INSN_OTHER. For INSN_OTHER, @width and @dir are set for
 * the integer instructions (div, the BMI ones, push, pop...) and for the moves and the arithmetic
 * of SSE and AVX, and are 0 where the table does not know: x87, masked moves, and EVEX with a mask
 * or broadcast. INSN_CACHE_LINE has neither.
 *
 * @src_regs and @dst_regs are exact. A destination that keeps its old value, a part of it (results
 * of 1 and 2 bytes) or all (cmov, a bit scan of 0), is in @dst_regs alone.
 *
 * Bytes that no CPU carries out may be accepted, since they cannot be at the address of a page
 * fault.
 *
 * Return: 0, or -1: not an instruction, not one with an explicit or string memory operand, or
 * refused (control transfers, a vector of addresses, privileged ones, movsxd with a 66 prefix, pop
 * to an address by rsp; tests/unit/decode_refused.c has them all with the reason).
 */
int insn_decode(struct insn *in, const u8 *bytes, size_t n);

#endif
