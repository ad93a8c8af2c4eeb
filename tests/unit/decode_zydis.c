// SPDX-License-Identifier: GPL-2.0-or-later
/* The decoder's oracle: Zydis 4. */
#include <stdio.h>

#include "decode_kind.h"
#include "decode_zydis.h"

static ZydisDecoder decoder;

void oracle_init(void)
{
	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
}

u8 oracle_gpr(ZydisRegister reg)
{
	ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);

	if (whole < ZYDIS_REGISTER_RAX || whole > ZYDIS_REGISTER_R15)
		return INSN_NO_REG;
	return whole - ZYDIS_REGISTER_RAX;
}

static void note_register(struct oracle *o, const ZydisDecodedOperand *op)
{
	u8 reg = oracle_gpr(op->reg.value);

	if (reg == INSN_NO_REG)
		return;
	if (op->actions & ZYDIS_OPERAND_ACTION_MASK_READ)
		o->src_regs |= 1u << reg;
	if (op->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
		o->dst_regs |= 1u << reg;
}

static unsigned int log2_of(unsigned int scale)
{
	return scale == 8 ? 3 : scale == 4 ? 2 : scale == 2 ? 1 : 0;
}

static void note_memory(struct oracle *o)
{
	const ZydisDecodedOperandMem *mem = &o->memory->mem;

	if (o->memory->actions & ZYDIS_OPERAND_ACTION_MASK_READ)
		o->dir |= 1;
	if (o->memory->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
		o->dir |= 2;
	o->width = o->memory->size / 8;
	o->rip_relative = mem->base == ZYDIS_REGISTER_RIP || mem->base == ZYDIS_REGISTER_EIP;
	o->base = oracle_gpr(mem->base);
	o->index = oracle_gpr(mem->index);
	o->scale = mem->index == ZYDIS_REGISTER_NONE ? 0 : log2_of(mem->scale);
	o->disp = mem->disp.has_displacement ? mem->disp.value : 0;
	o->segment = mem->segment == ZYDIS_REGISTER_FS ? 0x64 :
		     mem->segment == ZYDIS_REGISTER_GS ? 0x65 : 0;
	o->addrsize = o->insn.address_width / 8;
}

/* Where Zydis is not to be followed. */
static void correct_oracle(struct oracle *o)
{
	const ZydisDecodedInstruction *insn = &o->insn;
	bool modrm = insn->attributes & ZYDIS_ATTRIB_HAS_MODRM;
	bool sib = insn->attributes & ZYDIS_ATTRIB_HAS_SIB;

	if (o->addrsize != 4)
		return;
	/*
	 * A SIB base of 5 with mod 0 is no register whatever REX.B says (SDM volume 2, table 2-5).
	 * Zydis 4.0 names r13d and drops the displacement with a 67 prefix, though not without it.
	 * emulate_test runs this form on the CPU.
	 */
	if (sib && insn->raw.modrm.mod == 0 && insn->raw.sib.base == 5) {
		o->base = INSN_NO_REG;
		o->disp = insn->raw.disp.value;
	}
	/* The address in A0 to A3 is zero-extended; Zydis keeps it with a sign. */
	if (!modrm && !o->string)
		o->disp = (u32)o->disp;
}

static bool is_string(const ZydisDecodedInstruction *insn)
{
	if (insn->encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY ||
	    insn->opcode_map != ZYDIS_OPCODE_MAP_DEFAULT)
		return false;
	return (insn->opcode >= 0xa4 && insn->opcode <= 0xa7) ||
	       (insn->opcode >= 0xaa && insn->opcode <= 0xaf);
}

/* movs and cmps: two operands, so the decoder gives no address and no direction. */
static void forget_address(struct oracle *o)
{
	o->base = INSN_NO_REG;
	o->dir = 0;
	/* the segment is that of the source, which is not the first operand of movs */
	for (int i = 0; i < o->insn.operand_count; i++) {
		const ZydisDecodedOperand *op = &o->operands[i];

		if (op->type != ZYDIS_OPERAND_TYPE_MEMORY)
			continue;
		if (op->mem.segment == ZYDIS_REGISTER_FS)
			o->segment = 0x64;
		if (op->mem.segment == ZYDIS_REGISTER_GS)
			o->segment = 0x65;
	}
}

/*
 * Zydis lists the pointers of string instructions as read or not at all; all of them are stepped,
 * and as they are the address they are not read as data.
 */
static void correct_string_registers(struct oracle *o)
{
	const u16 rsi = 1u << INSN_RSI, rdi = 1u << INSN_RDI;

	o->src_regs &= ~(rsi | rdi);
	switch (o->insn.opcode & 0xfe) {
	case 0xaa:
	case 0xae:
		o->dst_regs |= rdi;
		break;
	case 0xac:
		o->dst_regs |= rsi;
		break;
	default:
		o->dst_regs |= rsi | rdi;
		break;
	}
}

enum oracle_result oracle_decode(struct oracle *o, const u8 *bytes, size_t n)
{
	unsigned int memories = 0;

	if (ZYAN_FAILED(ZydisDecoderDecodeFull(&decoder, bytes, n, &o->insn, o->operands)))
		return ORACLE_REJECTED;
	o->memory = NULL;
	o->width = o->dir = o->segment = 0;
	o->src_regs = o->dst_regs = 0;
	o->string = is_string(&o->insn);
	for (int i = 0; i < o->insn.operand_count; i++) {
		const ZydisDecodedOperand *op = &o->operands[i];

		if (op->type == ZYDIS_OPERAND_TYPE_REGISTER)
			note_register(o, op);
		if (op->type != ZYDIS_OPERAND_TYPE_MEMORY)
			continue;
		if (op->visibility != ZYDIS_OPERAND_VISIBILITY_EXPLICIT && !o->string)
			continue;
		if (!o->memory)
			o->memory = op;
		memories++;
	}
	if (!o->memory)
		return ORACLE_NO_MEMORY;
	note_memory(o);
	correct_oracle(o);
	if (o->string)
		correct_string_registers(o);
	if (o->string && memories == 2)
		forget_address(o);
	return ORACLE_MEMORY;
}

/* The general register of ModRM.reg: number, AH to BH, size. */
static const char *register_differs(const struct oracle *o, const struct insn *in)
{
	const ZydisDecodedOperand *op = NULL;
	bool high;

	for (int i = 0; i < o->insn.operand_count_visible; i++)
		if (o->operands[i].encoding == ZYDIS_OPERAND_ENCODING_MODRM_REG &&
		    oracle_gpr(o->operands[i].reg.value) != INSN_NO_REG)
			op = &o->operands[i];
	if (!op) {
		/* A0 to A3 name rax without ModRM. */
		bool moffs = in->reg == INSN_RAX &&
			     (in->class == INSN_LOAD || in->class == INSN_STORE_REG) &&
			     !(o->insn.attributes & ZYDIS_ATTRIB_HAS_MODRM);

		return in->reg == INSN_NO_REG || moffs ? NULL : "reg, where there is none";
	}
	high = op->reg.value >= ZYDIS_REGISTER_AH && op->reg.value <= ZYDIS_REGISTER_BH;
	if (in->reg != oracle_gpr(op->reg.value))
		return "reg";
	if (in->high != high)
		return "high";
	return in->opsize != op->size / 8 ? "opsize" : NULL;
}

const char *oracle_differs(const struct oracle *o, const struct insn *in)
{
	if (in->len != o->insn.length)
		return "len";
	if (in->base != o->base)
		return "base";
	if (in->index != o->index)
		return "index";
	if (in->scale != o->scale)
		return "scale";
	if (in->disp != o->disp)
		return "disp";
	if (in->rip_relative != o->rip_relative)
		return "rip_relative";
	if (in->addrsize != o->addrsize)
		return "addrsize";
	if (in->segment != o->segment)
		return "segment";
	if (in->width && in->width != o->width)
		return "width";
	if (in->dir && in->dir != o->dir)
		return "dir";
	if (o->src_regs & ~in->src_regs)
		return "src_regs: one is missing";
	if (in->src_regs & ~o->src_regs)
		return "src_regs: one too many";
	if (in->dst_regs != o->dst_regs)
		return "dst_regs";
	return register_differs(o, in) ?: kind_differs(o, in);
}

void oracle_print(const char *what, const u8 *bytes, size_t n)
{
	struct oracle o;
	ZydisFormatter formatter;
	char text[128] = "rejected";

	ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_INTEL);
	if (oracle_decode(&o, bytes, n) != ORACLE_REJECTED)
		ZydisFormatterFormatInstruction(&formatter, &o.insn, o.operands,
						o.insn.operand_count_visible, text, sizeof(text), 0,
						NULL);
	printf("# %s:", what);
	for (size_t i = 0; i < n; i++)
		printf(" %02x", bytes[i]);
	printf("  %s\n", text);
}
