// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The opcodes with a memory operand that the decoder refuses, each with the reason. An access by
 * one of them is reported as UNKNOWN and the page is given back.
 */
#include <stdio.h>
#include <string.h>

#include "decode_refused.h"

#define LEGACY		ZYDIS_INSTRUCTION_ENCODING_LEGACY
#define NOW3D		ZYDIS_INSTRUCTION_ENCODING_3DNOW
#define VEX		ZYDIS_INSTRUCTION_ENCODING_VEX
#define EVEX		ZYDIS_INSTRUCTION_ENCODING_EVEX

#define ONE		ZYDIS_OPCODE_MAP_DEFAULT
#define M0F		ZYDIS_OPCODE_MAP_0F
#define M38		ZYDIS_OPCODE_MAP_0F38
#define M3A		ZYDIS_OPCODE_MAP_0F3A
#define MAP5		ZYDIS_OPCODE_MAP_MAP5
#define MAP6		ZYDIS_OPCODE_MAP_MAP6
#define M0F0F		ZYDIS_OPCODE_MAP_0F0F

struct refusal {
	u8 encoding;		/* ZydisInstructionEncoding */
	u8 map;			/* ZydisOpcodeMap */
	u8 first;		/* opcodes */
	u8 last;
	const char *mnemonic;	/* NULL: all of them */
	const char *reason;
};

#define TWO_WIDTHS	"with a 66 prefix Intel's manual reads 2 bytes and AMD's 4"
#define NO_ACCESS	"does not access memory, or never faults"
#define SYSTEM		"segments, tables, virtualisation, tracing: not for registers"
#define STACK		"control transfer"
#define POP_BY_RSP	"the address is that after the increment of rsp, which is its base"
#define BOUNDS		"MPX, withdrawn: bounds are checked at the address, not read from it"
#define STATE		"saves or restores a register set of many widths"
#define UNDEFINED	"always an undefined-opcode exception"
#define KEY_LOCKER	"key handles, never on registers of a device"
#define SHADOW_STACK	"writes to shadow stacks only"
#define OLD		"3DNow!, in no CPU with 64-bit kernels of today"
#define OTHER_MACHINE	"Knights Corner, not a CPU that runs this"
#define TILES		"AMX: its configuration, or rows with a stride"
#define MANY_ADDRESSES	"a vector of addresses"
#define HALF_FLOAT	"AVX512-FP16: its scales of disp8 are not in the table"

static const struct refusal refusals[] = {
	{ LEGACY, ONE, 0x63, 0x63, "movsxd", TWO_WIDTHS },
	{ LEGACY, ONE, 0x8d, 0x8d, "lea", NO_ACCESS },
	{ LEGACY, ONE, 0x8e, 0x8e, "mov", SYSTEM },
	{ LEGACY, ONE, 0x8f, 0x8f, "pop", POP_BY_RSP },
	{ LEGACY, ONE, 0xff, 0xff, "call", STACK },
	{ LEGACY, ONE, 0xff, 0xff, "jmp", STACK },
	{ LEGACY, M0F, 0x00, 0x01, NULL, SYSTEM },
	{ LEGACY, M0F, 0x02, 0x03, "lar", SYSTEM },
	{ LEGACY, M0F, 0x02, 0x03, "lsl", SYSTEM },
	{ LEGACY, M0F, 0x0d, 0x0d, NULL, NO_ACCESS },
	{ LEGACY, M0F, 0x18, 0x19, NULL, NO_ACCESS },
	{ LEGACY, M0F, 0x1a, 0x1b, NULL, BOUNDS },
	{ LEGACY, M0F, 0x1c, 0x1f, NULL, NO_ACCESS },
	{ LEGACY, M0F, 0x78, 0x79, "vmread", SYSTEM },
	{ LEGACY, M0F, 0x78, 0x79, "vmwrite", SYSTEM },
	{ LEGACY, M0F, 0xae, 0xae, "fxsave", STATE },
	{ LEGACY, M0F, 0xae, 0xae, "fxsave64", STATE },
	{ LEGACY, M0F, 0xae, 0xae, "fxrstor", STATE },
	{ LEGACY, M0F, 0xae, 0xae, "fxrstor64", STATE },
	{ LEGACY, M0F, 0xae, 0xae, "xsave", STATE },
	{ LEGACY, M0F, 0xae, 0xae, "xsave64", STATE },
	{ LEGACY, M0F, 0xae, 0xae, "xrstor", STATE },
	{ LEGACY, M0F, 0xae, 0xae, "xrstor64", STATE },
	{ LEGACY, M0F, 0xae, 0xae, "xsaveopt", STATE },
	{ LEGACY, M0F, 0xae, 0xae, "xsaveopt64", STATE },
	{ LEGACY, M0F, 0xae, 0xae, "ptwrite", SYSTEM },
	{ LEGACY, M0F, 0xae, 0xae, "clrssbsy", SYSTEM },
	{ LEGACY, M0F, 0xb2, 0xb2, "lss", SYSTEM },
	{ LEGACY, M0F, 0xb4, 0xb5, "lfs", SYSTEM },
	{ LEGACY, M0F, 0xb4, 0xb5, "lgs", SYSTEM },
	{ LEGACY, M0F, 0xb9, 0xb9, "ud1", UNDEFINED },
	{ LEGACY, M0F, 0xc7, 0xc7, "xrstors", STATE },
	{ LEGACY, M0F, 0xc7, 0xc7, "xrstors64", STATE },
	{ LEGACY, M0F, 0xc7, 0xc7, "xsavec", STATE },
	{ LEGACY, M0F, 0xc7, 0xc7, "xsavec64", STATE },
	{ LEGACY, M0F, 0xc7, 0xc7, "xsaves", STATE },
	{ LEGACY, M0F, 0xc7, 0xc7, "xsaves64", STATE },
	{ LEGACY, M0F, 0xc7, 0xc7, "vmptrld", SYSTEM },
	{ LEGACY, M0F, 0xc7, 0xc7, "vmptrst", SYSTEM },
	{ LEGACY, M0F, 0xc7, 0xc7, "vmclear", SYSTEM },
	{ LEGACY, M0F, 0xc7, 0xc7, "vmxon", SYSTEM },
	{ LEGACY, M0F, 0xff, 0xff, "ud0", UNDEFINED },
	{ LEGACY, M38, 0x80, 0x82, NULL, SYSTEM },
	{ LEGACY, M38, 0xd8, 0xd8, NULL, KEY_LOCKER },
	{ LEGACY, M38, 0xdc, 0xdf, "aesenc128kl", KEY_LOCKER },
	{ LEGACY, M38, 0xdc, 0xdf, "aesdec128kl", KEY_LOCKER },
	{ LEGACY, M38, 0xdc, 0xdf, "aesenc256kl", KEY_LOCKER },
	{ LEGACY, M38, 0xdc, 0xdf, "aesdec256kl", KEY_LOCKER },
	{ LEGACY, M38, 0xf5, 0xf6, "wrussd", SHADOW_STACK },
	{ LEGACY, M38, 0xf5, 0xf6, "wrussq", SHADOW_STACK },
	{ LEGACY, M38, 0xf5, 0xf6, "wrssd", SHADOW_STACK },
	{ LEGACY, M38, 0xf5, 0xf6, "wrssq", SHADOW_STACK },
	{ NOW3D, M0F0F, 0x00, 0xff, NULL, OLD },
	{ VEX, M0F, 0x18, 0x18, NULL, OTHER_MACHINE },
	{ VEX, M0F, 0xae, 0xae, "clevict0", OTHER_MACHINE },
	{ VEX, M0F, 0xae, 0xae, "clevict1", OTHER_MACHINE },
	{ VEX, M38, 0x49, 0x4b, NULL, TILES },
	{ VEX, M38, 0x90, 0x93, NULL, MANY_ADDRESSES },
	{ EVEX, M38, 0x90, 0x93, NULL, MANY_ADDRESSES },
	{ EVEX, M38, 0xa0, 0xa3, NULL, MANY_ADDRESSES },
	{ EVEX, M38, 0xc6, 0xc7, NULL, MANY_ADDRESSES },
	{ EVEX, M3A, 0x08, 0x08, "vrndscaleph", HALF_FLOAT },
	{ EVEX, M3A, 0x0a, 0x0a, "vrndscalesh", HALF_FLOAT },
	{ EVEX, M3A, 0x26, 0x26, "vgetmantph", HALF_FLOAT },
	{ EVEX, M3A, 0x27, 0x27, "vgetmantsh", HALF_FLOAT },
	{ EVEX, M3A, 0x56, 0x56, "vreduceph", HALF_FLOAT },
	{ EVEX, M3A, 0x57, 0x57, "vreducesh", HALF_FLOAT },
	{ EVEX, M3A, 0x66, 0x66, "vfpclassph", HALF_FLOAT },
	{ EVEX, M3A, 0x67, 0x67, "vfpclasssh", HALF_FLOAT },
	{ EVEX, M3A, 0xc2, 0xc2, "vcmpph", HALF_FLOAT },
	{ EVEX, M3A, 0xc2, 0xc2, "vcmpsh", HALF_FLOAT },
	{ EVEX, MAP5, 0x00, 0xff, NULL, HALF_FLOAT },
	{ EVEX, MAP6, 0x00, 0xff, NULL, HALF_FLOAT },
};

#define LINES	(sizeof(refusals) / sizeof(refusals[0]))

#define ENCODINGS	(ZYDIS_INSTRUCTION_ENCODING_MAX_VALUE + 1)
#define MAPS		(ZYDIS_OPCODE_MAP_MAX_VALUE + 1)
#define MNEMONICS	32	/* of one opcode: by prefix and ModRM.reg */

static bool used[LINES];
static u16 seen[ENCODINGS][MAPS][256][MNEMONICS];	/* 0: the end */

void refused_note(const struct oracle *o)
{
	u16 *mnemonics = seen[o->insn.encoding][o->insn.opcode_map][o->insn.opcode];
	int i;

	for (i = 0; i < MNEMONICS - 1 && mnemonics[i]; i++)
		if (mnemonics[i] == o->insn.mnemonic)
			return;
	mnemonics[i] = o->insn.mnemonic;
}

/* marks what it finds, for the second half of the comparison */
static bool is_listed(u8 encoding, u8 map, u8 opcode, const char *mnemonic)
{
	bool found = false;

	for (size_t i = 0; i < LINES; i++) {
		const struct refusal *r = &refusals[i];

		if (r->encoding != encoding || r->map != map || opcode < r->first ||
		    opcode > r->last)
			continue;
		if (r->mnemonic && strcmp(r->mnemonic, mnemonic))
			continue;
		used[i] = true;
		found = true;
	}
	return found;
}

/* Of two lines not all forms are refused. */
static bool is_refused_form(const struct oracle *o)
{
	switch (o->insn.mnemonic) {
	case ZYDIS_MNEMONIC_MOVSXD:
		return o->insn.operand_width == 16;
	case ZYDIS_MNEMONIC_POP:
		return o->base == INSN_RSP;
	default:
		return true;
	}
}

bool refused_expected(const struct oracle *o)
{
	const char *mnemonic = ZydisMnemonicGetString(o->insn.mnemonic);

	for (size_t i = 0; i < LINES; i++) {
		const struct refusal *r = &refusals[i];

		if (r->encoding == o->insn.encoding && r->map == o->insn.opcode_map &&
		    o->insn.opcode >= r->first && o->insn.opcode <= r->last &&
		    (!r->mnemonic || !strcmp(r->mnemonic, mnemonic)))
			return is_refused_form(o);
	}
	return false;
}

static const char *encoding_name(u8 encoding)
{
	static const char *const names[] = { "legacy", "3dnow", "xop", "vex", "evex", "mvex" };

	return encoding < 6 ? names[encoding] : "?";
}

unsigned int refused_check(void)
{
	unsigned int wrong = 0, opcodes = 0;

	for (u8 encoding = 0; encoding < ENCODINGS; encoding++)
		for (u8 map = 0; map < MAPS; map++)
			for (unsigned int opcode = 0; opcode < 256; opcode++) {
				const u16 *m = seen[encoding][map][opcode];

				for (; *m; m++, opcodes++) {
					const char *name = ZydisMnemonicGetString(*m);

					if (is_listed(encoding, map, opcode, name))
						continue;
					printf("# refused, not listed: %s map %u %02x %s\n",
					       encoding_name(encoding), map, opcode, name);
					wrong++;
				}
			}
	for (size_t i = 0; i < LINES; i++) {
		if (!used[i])
			wrong++;
		printf("# %s: %s map %u %02x-%02x %s: %s\n",
		       used[i] ? "refused" : "listed, not refused",
		       encoding_name(refusals[i].encoding), refusals[i].map, refusals[i].first,
		       refusals[i].last, refusals[i].mnemonic ? refusals[i].mnemonic : "all",
		       refusals[i].reason);
	}
	printf("# %u opcodes refused, %zu lines\n", opcodes, LINES);
	return wrong;
}
