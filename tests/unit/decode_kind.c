// SPDX-License-Identifier: GPL-2.0-or-later
/* Class and operation that belong to a mnemonic of Zydis. */
#include <stdlib.h>

#include "decode_kind.h"

struct kind {
	u16 mnemonic;
	u8 class;
	u8 op;
};

#define MOVES(m, class)		{ ZYDIS_MNEMONIC_##m, INSN_##class, INSN_OP_NONE }
#define INTEGER(m, op)		{ ZYDIS_MNEMONIC_##m, INSN_INTEGER, INSN_##op }
#define SAME(m)			INTEGER(m, m)
#define DIRECT(m)		{ ZYDIS_MNEMONIC_##m, INSN_DIRECT64, INSN_##m }

/* mov: see expected_kind(). What is not here is INSN_OTHER, or a string instruction. */
static const struct kind kinds[] = {
	MOVES(MOVZX, LOAD_ZX), MOVES(MOVSX, LOAD_SX), MOVES(MOVSXD, LOAD_SX),
	MOVES(MOVNTI, STORE_REG), MOVES(MOVDIRI, STORE_REG),
	MOVES(CLFLUSH, CACHE_LINE), MOVES(CLFLUSHOPT, CACHE_LINE), MOVES(CLWB, CACHE_LINE),
	DIRECT(MOVDIR64B), DIRECT(ENQCMD), DIRECT(ENQCMDS),
	SAME(ADD), SAME(OR), SAME(ADC), SAME(SBB), SAME(AND), SAME(SUB), SAME(XOR), SAME(CMP),
	SAME(TEST), SAME(INC), SAME(DEC), SAME(NOT), SAME(NEG),
	SAME(ROL), SAME(ROR), SAME(RCL), SAME(RCR), SAME(SHL), SAME(SHR), SAME(SAR),
	SAME(SHLD), SAME(SHRD), SAME(BT), SAME(BTS), SAME(BTR), SAME(BTC),
	SAME(XCHG), SAME(XADD), SAME(CMPXCHG), SAME(MOVBE), SAME(CRC32),
	INTEGER(CMPXCHG8B, CMPXCHG_PAIR), INTEGER(CMPXCHG16B, CMPXCHG_PAIR),
	SAME(IMUL), INTEGER(MUL, MUL_WIDE),
	SAME(POPCNT), SAME(BSF), SAME(BSR), SAME(TZCNT), SAME(LZCNT),
};

/* By the condition's number in the opcode. */
static const u16 conditions[16][2] = {
	{ ZYDIS_MNEMONIC_CMOVO, ZYDIS_MNEMONIC_SETO },
	{ ZYDIS_MNEMONIC_CMOVNO, ZYDIS_MNEMONIC_SETNO },
	{ ZYDIS_MNEMONIC_CMOVB, ZYDIS_MNEMONIC_SETB },
	{ ZYDIS_MNEMONIC_CMOVNB, ZYDIS_MNEMONIC_SETNB },
	{ ZYDIS_MNEMONIC_CMOVZ, ZYDIS_MNEMONIC_SETZ },
	{ ZYDIS_MNEMONIC_CMOVNZ, ZYDIS_MNEMONIC_SETNZ },
	{ ZYDIS_MNEMONIC_CMOVBE, ZYDIS_MNEMONIC_SETBE },
	{ ZYDIS_MNEMONIC_CMOVNBE, ZYDIS_MNEMONIC_SETNBE },
	{ ZYDIS_MNEMONIC_CMOVS, ZYDIS_MNEMONIC_SETS },
	{ ZYDIS_MNEMONIC_CMOVNS, ZYDIS_MNEMONIC_SETNS },
	{ ZYDIS_MNEMONIC_CMOVP, ZYDIS_MNEMONIC_SETP },
	{ ZYDIS_MNEMONIC_CMOVNP, ZYDIS_MNEMONIC_SETNP },
	{ ZYDIS_MNEMONIC_CMOVL, ZYDIS_MNEMONIC_SETL },
	{ ZYDIS_MNEMONIC_CMOVNL, ZYDIS_MNEMONIC_SETNL },
	{ ZYDIS_MNEMONIC_CMOVLE, ZYDIS_MNEMONIC_SETLE },
	{ ZYDIS_MNEMONIC_CMOVNLE, ZYDIS_MNEMONIC_SETNLE },
};

static struct kind expected_move(const struct oracle *o)
{
	struct kind kind = { o->insn.mnemonic, INSN_STORE_REG, INSN_OP_NONE };

	if (o->insn.opcode == 0x8c)	/* mov m, sreg */
		kind.class = INSN_OTHER;
	else if (o->memory == &o->operands[1])
		kind.class = INSN_LOAD;
	else if (o->operands[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
		kind.class = INSN_STORE_IMM;
	return kind;
}

static struct kind expected_kind(const struct oracle *o)
{
	u16 mnemonic = o->insn.mnemonic;
	struct kind kind = { mnemonic, INSN_OTHER, INSN_OP_NONE };

	if (o->string)
		kind.class = INSN_STRING;
	if (mnemonic == ZYDIS_MNEMONIC_MOV)
		return expected_move(o);
	for (size_t i = 0; i < 16; i++)
		for (int set = 0; set < 2; set++)
			if (conditions[i][set] == mnemonic)
				return (struct kind){
					mnemonic, INSN_INTEGER, set ? INSN_SET : INSN_CMOV,
				};
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (kinds[i].mnemonic == mnemonic)
			kind = kinds[i];
	if (kind.op == INSN_IMUL && o->insn.operand_count_visible == 1)
		kind.op = INSN_IMUL_WIDE;
	if (kind.op == INSN_SHL && o->insn.raw.modrm.reg == 6)
		kind.op = INSN_SAL;
	return kind;
}

/* The last operand is the source, the one before it the destination or what it is compared with. */
static u8 expected_source(const struct oracle *o)
{
	unsigned int n = o->insn.operand_count_visible;
	const ZydisDecodedOperand *last = &o->operands[n - 1];

	if (n < 2)
		return INSN_SRC_NONE;
	if (last == o->memory)
		return INSN_SRC_MEM;
	if (last->type == ZYDIS_OPERAND_TYPE_IMMEDIATE)
		return INSN_SRC_IMM;
	return last->encoding == ZYDIS_OPERAND_ENCODING_NONE ? INSN_SRC_CL : INSN_SRC_REG;
}

static const char *integer_differs(const struct oracle *o, const struct insn *in)
{
	const ZydisDecodedOperand *last = &o->operands[o->insn.operand_count_visible - 1];
	bool condition = in->op == INSN_CMOV || in->op == INSN_SET;

	if (in->source != expected_source(o))
		return "source";
	if (in->source == INSN_SRC_IMM) {
		u64 mask = in->opsize == 8 ? ~0ULL : (1ULL << (8 * in->opsize)) - 1;

		if (!last->imm.is_signed)
			mask &= 0xff;
		if ((in->imm ^ last->imm.value.u) & mask)
			return "imm";
	}
	if (condition && conditions[in->cond & 15][in->op == INSN_SET] != o->insn.mnemonic)
		return "cond";
	if (in->cond > (condition ? 15 : 0))
		return "cond, where there is none";
	return NULL;
}

static const char *string_differs(const struct oracle *o, const struct insn *in)
{
	enum insn_rep rep = INSN_REP_NONE;

	if (o->insn.attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE))
		rep = INSN_REP;
	else if (o->insn.attributes & ZYDIS_ATTRIB_HAS_REPNE)
		rep = INSN_REPNE;
	if (in->rep != rep)
		return "rep";
	return in->string_op != (o->insn.opcode & 0xfe) ? "string_op" : NULL;
}

const char *kind_differs(const struct oracle *o, const struct insn *in)
{
	struct kind kind = expected_kind(o);
	bool bit_string = kind.op >= INSN_BT && kind.op <= INSN_BTC && o->insn.opcode != 0xba;

	if (in->class != kind.class)
		return "class";
	if (in->op != kind.op)
		return "op";
	if (in->bit_string != bit_string)
		return "bit_string";
	/* xchg with memory needs no prefix. */
	if (in->lock != ((o->insn.attributes & ZYDIS_ATTRIB_HAS_LOCK) ||
			 o->insn.mnemonic == ZYDIS_MNEMONIC_XCHG))
		return "lock";
	if (o->string)
		return string_differs(o, in);
	if (in->rep || in->string_op)
		return "rep or string_op";
	if (kind.class == INSN_INTEGER)
		return integer_differs(o, in);
	return in->source || in->cond ? "source or cond, without an operation" : NULL;
}
