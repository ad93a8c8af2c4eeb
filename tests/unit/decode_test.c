// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The moves that are emulated, in every encoding, against Zydis: all of what the emulation relies
 * on.
 *
 * Generated: each opcode with every REX, every ModRM with mod 0 to 2, every SIB, and sets of
 * prefixes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "decode_zydis.h"
#include "insn_forms.h"

static const struct {
	u8 bytes[3];
	u8 len;
} prefixes[] = {
	{ { 0 }, 0 },
	{ { 0x66 }, 1 },
	{ { 0x67 }, 1 },
	{ { 0x66, 0x67 }, 2 },
	{ { 0x64 }, 1 },
	{ { 0x65, 0x66 }, 2 },
	{ { 0x2e }, 1 },
	{ { 0x64, 0x65, 0x67 }, 3 },
	{ { 0x67, 0x66, 0x67 }, 3 },
	{ { 0x48 }, 1 },	/* a REX that is not the last prefix is ignored: 48 66 */
	{ { 0xf3 }, 1 },
	{ { 0xf2, 0x66 }, 2 },
};

static unsigned long instances;
static u32 random_state = 1;

static u8 random_byte(void)
{
	random_state = random_state * 1664525u + 1013904223u;
	return random_state >> 24;
}

/* What oracle_differs() leaves out: class, register, sizes, immediate. */
static const char *move_differs(const struct oracle *o, const struct insn *in,
				const struct move_form *f)
{
	const ZydisDecodedOperand *other = &o->operands[o->memory == &o->operands[0] ? 1 : 0];
	u64 mask = in->width == 8 ? ~0ULL : (1ULL << (8 * in->width)) - 1;
	bool high;

	if (in->class != f->class)
		return "class";
	if (in->width != o->width)
		return "width";
	if (in->dir != o->dir)
		return "dir";
	if (f->class == INSN_STORE_IMM) {
		if (other->type != ZYDIS_OPERAND_TYPE_IMMEDIATE)
			return "no immediate in Zydis";
		if (in->reg != INSN_NO_REG)
			return "reg";
		return (in->imm ^ other->imm.value.u) & mask ? "imm" : NULL;
	}
	if (other->type != ZYDIS_OPERAND_TYPE_REGISTER)
		return "no register in Zydis";
	if (in->reg != oracle_gpr(other->reg.value))
		return "reg";
	if (in->opsize != other->size / 8)
		return "opsize";
	high = other->reg.value >= ZYDIS_REGISTER_AH && other->reg.value <= ZYDIS_REGISTER_BH;
	return in->high != high ? "high" : NULL;
}

static void check_move(const struct move_form *f, const u8 *bytes, size_t n)
{
	struct oracle o;
	struct insn in;
	const char *field = "Zydis sees no memory operand";

	instances++;
	if (oracle_decode(&o, bytes, n) == ORACLE_MEMORY) {
		field = "refused";
		/* Intel's manual reads 2 bytes, AMD's (and Zydis) 4: refused. */
		if (o.insn.mnemonic == ZYDIS_MNEMONIC_MOVSXD && o.insn.operand_width == 16)
			field = insn_decode(&in, bytes, n) ? NULL : "movsxd r16 is accepted";
		else if (!insn_decode(&in, bytes, n)) {
			field = oracle_differs(&o, &in);
			if (!field)
				field = move_differs(&o, &in, f);
		}
	}
	if (field) {
		oracle_print(field, bytes, n);
		fail();
	}
}

/* Prefix, REX (0: none) and opcode, then the rest; the bytes behind it are random. */
static void check_bytes(const struct move_form *f, unsigned int prefix, u8 rex, u8 modrm, int sib)
{
	u8 bytes[INSN_MAX_LEN];
	size_t n = prefixes[prefix].len;

	memcpy(bytes, prefixes[prefix].bytes, n);
	/* A REX before a byte that is not the opcode has to lose its meaning. */
	if (n && (bytes[n - 1] & 0xf0) == 0x40)
		bytes[n++] = 0x66;
	if (rex)
		bytes[n++] = rex;
	memcpy(bytes + n, f->opcode, f->opcode_len);
	n += f->opcode_len;
	bytes[n++] = modrm;
	if (sib >= 0)
		bytes[n++] = sib;
	while (n < sizeof(bytes))
		bytes[n++] = random_byte();
	check_move(f, bytes, sizeof(bytes));
}

static void check_addressing(const struct move_form *f, unsigned int prefix, u8 rex)
{
	for (unsigned int mod = 0; mod < 3; mod++) {
		for (unsigned int rm = 0; rm < 8; rm++) {
			if (rm == 4)
				continue;
			for (unsigned int reg = 0; reg < (f->extension ? 1 : 8); reg++)
				check_bytes(f, prefix, rex, mod << 6 | reg << 3 | rm, -1);
		}
		for (unsigned int sib = 0; sib < 256; sib++) {
			unsigned int reg = f->extension ? 0 : random_byte() & 7;

			check_bytes(f, prefix, rex, mod << 6 | reg << 3 | 4, sib);
		}
	}
}

static void moves_with_modrm(void **state)
{
	(void)state;
	instances = 0;
	for (size_t i = 0; i < COUNT(move_forms); i++)
		for (unsigned int prefix = 0; prefix < COUNT(prefixes); prefix++) {
			check_addressing(&move_forms[i], prefix, 0);
			for (u8 rex = 0x40; rex < 0x50; rex++)
				check_addressing(&move_forms[i], prefix, rex);
		}
	print_message("# %lu instances\n", instances);
	assert_true(instances >= 100000);
}

/* A0 to A3: the address is an immediate. */
static void moves_with_an_address(void **state)
{
	(void)state;
	instances = 0;
	for (unsigned int round = 0; round < 50; round++)
		for (u8 opcode = 0xa0; opcode <= 0xa3; opcode++)
			for (unsigned int prefix = 0; prefix < COUNT(prefixes); prefix++)
				for (u8 rex = 0x40; rex < 0x50; rex++) {
					struct move_form f = {
						{ opcode }, 1, 0,
						opcode < 0xa2 ? INSN_LOAD : INSN_STORE_REG,
					};

					check_bytes(&f, prefix, round & 1 ? rex : 0, random_byte(),
						    -1);
				}
	print_message("# %lu instances\n", instances);
}

static void length_limit(void **state)
{
	u8 bytes[20];
	struct insn in;

	(void)state;
	/* 13 prefixes, opcode and ModRM are 15 bytes; one prefix more is too long */
	memset(bytes, 0x66, sizeof(bytes));
	bytes[13] = 0x8b;
	bytes[14] = 0x07;
	assert_int_equal(insn_decode(&in, bytes, sizeof(bytes)), 0);
	assert_int_equal(in.len, 15);
	memset(bytes, 0x66, sizeof(bytes));
	bytes[14] = 0x8b;
	bytes[15] = 0x07;
	assert_int_equal(insn_decode(&in, bytes, sizeof(bytes)), -1);
}

/* REX, 66, F2, F3 and lock are not allowed before VEX and EVEX; segments and 67 are. */
static void prefixes_before_vex(void **state)
{
	static const u8 vex[] = { 0, 0xc5, 0xf8, 0x10, 0x07 };	/* vmovups xmm0, [rdi] */
	static const u8 evex[] = { 0, 0x62, 0xf1, 0x7c, 0x48, 0x10, 0x07 };
	static const u8 bad[] = { 0x40, 0x48, 0x66, 0xf2, 0xf3, 0xf0 };
	static const u8 good[] = { 0x64, 0x67, 0x2e };
	u8 bytes[8] = { 0 };
	struct insn in;

	(void)state;
	for (int i = 0; i < 2; i++) {
		memcpy(bytes, i ? evex : vex, i ? sizeof(evex) : sizeof(vex));
		for (size_t k = 0; k < COUNT(good); k++) {
			bytes[0] = good[k];
			assert_int_equal(insn_decode(&in, bytes, sizeof(bytes)), 0);
			assert_int_equal(in.width, i ? 64 : 16);
		}
		for (size_t k = 0; k < COUNT(bad); k++) {
			bytes[0] = bad[k];
			assert_int_equal(insn_decode(&in, bytes, sizeof(bytes)), -1);
		}
	}
}

/* The vector moves whose width and direction are known, as in copies to and from I/O memory. */
static void width_of_vector_moves(void **state)
{
	static const struct {
		u8 bytes[8];
		u8 width;
		u8 dir;
	} cases[] = {
		{ { 0x0f, 0x10, 0x07 }, 16, 1 },		/* movups */
		{ { 0x0f, 0x11, 0x07 }, 16, 2 },
		{ { 0xf3, 0x0f, 0x10, 0x07 }, 4, 1 },		/* movss */
		{ { 0xf2, 0x0f, 0x11, 0x07 }, 8, 2 },		/* movsd */
		{ { 0x0f, 0x28, 0x07 }, 16, 1 },		/* movaps */
		{ { 0x0f, 0x2b, 0x07 }, 16, 2 },		/* movntps */
		{ { 0x0f, 0x6e, 0x07 }, 4, 1 },			/* movd mm */
		{ { 0x66, 0x48, 0x0f, 0x6e, 0x07 }, 8, 1 },	/* movq */
		{ { 0x66, 0x0f, 0x7e, 0x07 }, 4, 2 },		/* movd */
		{ { 0xf3, 0x0f, 0x7e, 0x07 }, 8, 1 },		/* movq */
		{ { 0x66, 0x0f, 0xd6, 0x07 }, 8, 2 },
		{ { 0x0f, 0x6f, 0x07 }, 8, 1 },			/* movq mm */
		{ { 0x66, 0x0f, 0x6f, 0x07 }, 16, 1 },		/* movdqa */
		{ { 0xf3, 0x0f, 0x7f, 0x07 }, 16, 2 },		/* movdqu */
		{ { 0x0f, 0xe7, 0x07 }, 8, 2 },			/* movntq */
		{ { 0x66, 0x0f, 0xe7, 0x07 }, 16, 2 },		/* movntdq */
		{ { 0x66, 0x0f, 0x38, 0x2a, 0x07 }, 16, 1 },	/* movntdqa */
		{ { 0xc5, 0xfc, 0x10, 0x07 }, 32, 1 },		/* vmovups ymm */
		{ { 0xc5, 0xfe, 0x7f, 0x07 }, 32, 2 },		/* vmovdqu ymm */
		{ { 0xc5, 0xfd, 0xe7, 0x07 }, 32, 2 },		/* vmovntdq ymm */
		{ { 0x62, 0xf1, 0xfe, 0x48, 0x6f, 0x07 }, 64, 1 },	/* vmovdqu64 zmm */
		{ { 0x62, 0xf1, 0x7d, 0x48, 0xe7, 0x07 }, 64, 2 },	/* vmovntdq zmm */
		{ { 0x62, 0xf1, 0xfe, 0x49, 0x6f, 0x07 }, 0, 0 },	/* vmovdqu64 zmm{k1} */
	};
	struct insn in;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_int_equal(insn_decode(&in, cases[i].bytes, sizeof(cases[i].bytes)), 0);
		assert_int_equal(in.class, INSN_OTHER);
		assert_int_equal(in.width, cases[i].width);
		assert_int_equal(in.dir, cases[i].dir);
		assert_int_equal(in.base, INSN_RDI);
	}
}

static void register_forms_are_refused(void **state)
{
	u8 bytes[INSN_MAX_LEN] = { 0 };
	struct insn in;

	(void)state;
	for (size_t i = 0; i < COUNT(move_forms); i++)
		for (unsigned int modrm = 0xc0; modrm < 0x100; modrm++) {
			memcpy(bytes, move_forms[i].opcode, move_forms[i].opcode_len);
			bytes[move_forms[i].opcode_len] = modrm;
			assert_int_equal(insn_decode(&in, bytes, sizeof(bytes)), -1);
		}
}

/* Printed, not judged: sanitizers and a shared machine say little about the kernel. */
static void time_of_a_decode(void **state)
{
	const u8 bytes[] = { 0x8b, 0x87, 0x00, 0x10, 0x00, 0x00 };
	const unsigned int rounds = 300000;
	struct timespec a, b;
	struct insn in;
	u64 ns;

	(void)state;
	clock_gettime(CLOCK_MONOTONIC, &a);
	for (unsigned int i = 0; i < rounds; i++)
		assert_int_equal(insn_decode(&in, bytes, sizeof(bytes)), 0);
	clock_gettime(CLOCK_MONOTONIC, &b);
	ns = (b.tv_sec - a.tv_sec) * 1000000000ULL + b.tv_nsec - a.tv_nsec;
	print_message("# %llu ns for mov eax, [rdi+0x1000] in this build\n",
		      (unsigned long long)(ns / rounds));
	assert_int_equal(in.disp, 0x1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(moves_with_modrm),
		cmocka_unit_test(moves_with_an_address),
		cmocka_unit_test(length_limit),
		cmocka_unit_test(prefixes_before_vex),
		cmocka_unit_test(width_of_vector_moves),
		cmocka_unit_test(register_forms_are_refused),
		cmocka_unit_test(time_of_a_decode),
	};

	oracle_init();
	return cmocka_run_group_tests_name("decode", tests, NULL, NULL);
}
