/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What Zydis says about an instruction, in the terms of kmod/decode.h: the oracle of the decoder's
 * tests.
 */
#ifndef DECODE_ZYDIS_H
#define DECODE_ZYDIS_H

#include <Zydis/Zydis.h>

#include "kmod/decode.h"

struct oracle {
	ZydisDecodedInstruction insn;
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	const ZydisDecodedOperand *memory;	/* the explicit one; of a string instruction any */
	bool string;
	u8 width;		/* 0 when Zydis has none */
	u8 dir;			/* 1 read, 2 write, 3 both */
	u8 base;
	u8 index;
	u8 scale;
	u8 addrsize;
	u8 segment;
	bool rip_relative;
	s64 disp;
	u16 src_regs;
	u16 dst_regs;
};

enum oracle_result {
	ORACLE_REJECTED,	/* not an instruction */
	ORACLE_NO_MEMORY,	/* has no memory operand that the decoder is asked about */
	ORACLE_MEMORY,
};

/** oracle_init() - once, before any other */
void oracle_init(void);

/** oracle_decode() - fill @o; all of it only for ORACLE_MEMORY */
enum oracle_result oracle_decode(struct oracle *o, const u8 *bytes, size_t n);

/** oracle_gpr() - hardware number of the general register that holds @reg, or INSN_NO_REG */
u8 oracle_gpr(ZydisRegister reg);

/**
 * oracle_differs() - first field of @in that is not as in @o
 *
 * Length, address and segment have to be equal, width and direction where @in knows them; the
 * register masks must cover those of Zydis and hold nothing beyond what is read or written. Return:
 * name of the field, or NULL.
 */
const char *oracle_differs(const struct oracle *o, const struct insn *in);

/** oracle_print() - an instruction as bytes and text, as a TAP comment */
void oracle_print(const char *what, const u8 *bytes, size_t n);

#endif
