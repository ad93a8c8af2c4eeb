// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Every opcode of every map, with memory operands, against Zydis; cut-off instructions; random
 * bytes.
 *
 * Generated: legacy, VEX and EVEX, each map, opcode, mandatory prefix and ModRM.reg in turn, the
 * rest of the instruction by chance, from a fixed seed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "decode_refused.h"
#include "decode_zydis.h"

#define SEED		0x6d6d696fULL
#define WANTED		750000	/* instances with a memory operand */
#define MAX_ROUNDS	100
#define RANDOM_STRINGS	10000000
#define MAX_PRINTED	20

static u64 random_state;

static u32 random_bits(unsigned int bits)
{
	random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
	return random_state >> (64 - bits);
}

static struct {
	unsigned long memory;		/* Zydis: has a memory operand */
	unsigned long accepted;		/* of these, by the decoder */
	unsigned long only_ours;	/* accepted, and Zydis says it is not such an instruction */
	unsigned long vectors;		/* accepted SSE and AVX */
	unsigned long vectors_unknown;	/* of these, without width */
	unsigned long cuts;
	unsigned long differences;
} count;

/*
 * Every beginning of an instruction is not an instruction. The buffer is on the heap and ends with
 * the last byte, so that ASan sees a read behind it.
 */
static void check_cuts(const u8 *bytes, size_t len)
{
	struct insn in;

	for (size_t n = 0; n < len; n++) {
		u8 *cut = malloc(n);

		if (n)
			memcpy(cut, bytes, n);
		count.cuts++;
		if (!insn_decode(&in, cut, n)) {
			count.differences++;
			oracle_print("decoded though cut off", bytes, n);
		}
		free(cut);
	}
}

/* The integer instructions, whose width and direction the trap relies on. */
static bool is_integer(const ZydisDecodedInstruction *insn)
{
	u8 op = insn->opcode;

	if (insn->encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY)
		return false;
	switch (insn->opcode_map) {
	case ZYDIS_OPCODE_MAP_DEFAULT:
		return op < 0xd8 || op > 0xdf;	/* all but x87 */
	case ZYDIS_OPCODE_MAP_0F:
		return (op >= 0x40 && op <= 0x4f) || (op >= 0x90 && op <= 0xc1) || op == 0xc3 ||
		       op == 0xc7;
	case ZYDIS_OPCODE_MAP_0F38:
		return op >= 0xf0;
	default:
		return false;
	}
}

/*
 * SSE and AVX without mask and broadcast. Masked moves, expansion and compression are among them:
 * how much they access is in another register.
 */
static bool is_vector(const ZydisDecodedInstruction *insn)
{
	if (insn->avx.mask.reg > ZYDIS_REGISTER_K0 || insn->avx.broadcast.mode)
		return false;
	return insn->encoding == ZYDIS_INSTRUCTION_ENCODING_VEX ||
	       insn->encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX ||
	       insn->meta.isa_set == ZYDIS_ISA_SET_SSE || insn->meta.isa_set == ZYDIS_ISA_SET_SSE2;
}

static const char *differs(const struct oracle *o, const struct insn *in)
{
	const char *field = oracle_differs(o, in);

	if (!field && refused_expected(o))
		return "decoded though the list says refused";
	if (field || !is_integer(&o->insn))
		return field;
	if (in->class == INSN_CACHE_LINE)
		return in->width || in->dir ? "width or dir of a cache line" : NULL;
	if (!in->width)
		return "width is not known";
	/* movs and cmps have a direction for each operand */
	if (!in->dir && !(o->string && in->base == INSN_NO_REG))
		return "dir is not known";
	return NULL;
}

static void check(const u8 *bytes, size_t n)
{
	enum oracle_result result;
	struct oracle o;
	struct insn in;
	const char *field;
	bool ours = !insn_decode(&in, bytes, n);

	result = oracle_decode(&o, bytes, n);
	if (result != ORACLE_MEMORY) {
		count.only_ours += ours;
		return;
	}
	count.memory++;
	if (!ours) {
		refused_note(&o);
		check_cuts(bytes, o.insn.length);
		return;
	}
	count.accepted++;
	count.vectors += is_vector(&o.insn);
	count.vectors_unknown += is_vector(&o.insn) && !in.width;
	field = differs(&o, &in);
	if (field && ++count.differences <= MAX_PRINTED)
		oracle_print(field, bytes, o.insn.length);
	check_cuts(bytes, o.insn.length);
}

/* ModRM with a memory operand and whatever follows. */
static void finish_random(u8 *bytes, size_t at, unsigned int reg)
{
	u8 mod = random_bits(8) % 3;
	u8 rm = random_bits(1) ? 4 : random_bits(3);	/* half of them with SIB */

	bytes[at++] = mod << 6 | reg << 3 | rm;
	while (at < INSN_MAX_LEN)
		bytes[at++] = random_bits(8);
}

static size_t random_prefixes(u8 *bytes, bool lock)
{
	size_t n = 0;

	if (random_bits(3) == 0)
		bytes[n++] = 0x67;
	if (random_bits(3) == 0)
		bytes[n++] = random_bits(1) ? 0x64 : 0x65;
	if (lock && random_bits(4) == 0)
		bytes[n++] = 0xf0;
	return n;
}

static void check_legacy(unsigned int map, u8 opcode, unsigned int pp, unsigned int reg)
{
	static const u8 mandatory[] = { 0, 0x66, 0xf3, 0xf2 };
	u8 bytes[INSN_MAX_LEN];
	size_t n = random_prefixes(bytes, true);

	if (pp)
		bytes[n++] = mandatory[pp];
	if (pp > 1 && random_bits(3) == 0)
		bytes[n++] = 0x66;
	if (random_bits(1))
		bytes[n++] = 0x40 | random_bits(4);
	if (map)
		bytes[n++] = 0x0f;
	if (map > 1)
		bytes[n++] = map == 2 ? 0x38 : 0x3a;
	bytes[n++] = opcode;
	finish_random(bytes, n, reg);
	check(bytes, sizeof(bytes));
}

/* vvvv has to be all ones where it is not used, so it is so in half of the instances. */
static u8 random_vvvv(void)
{
	return random_bits(1) ? 0xf << 3 : random_bits(4) << 3;
}

static void check_vex(unsigned int map, u8 opcode, unsigned int pp, unsigned int reg)
{
	u8 bytes[INSN_MAX_LEN];
	size_t n = random_prefixes(bytes, false);

	bool three = map != 1 || random_bits(1);
	u8 vvvv = random_vvvv();
	u8 w_and_l = random_bits(8) & 0x84;

	bytes[n++] = three ? 0xc4 : 0xc5;
	if (three)
		bytes[n++] = random_bits(3) << 5 | map;
	/* W, or R in the short form, and L */
	bytes[n++] = w_and_l | vvvv | pp;
	bytes[n++] = opcode;
	finish_random(bytes, n, reg);
	check(bytes, sizeof(bytes));
}

static void check_evex(unsigned int map, u8 opcode, unsigned int pp, unsigned int reg)
{
	u8 bytes[INSN_MAX_LEN];
	size_t n = random_prefixes(bytes, false);
	u8 w = random_bits(1) << 7;
	u8 vvvv = random_vvvv();
	u8 p2 = random_bits(8);

	/* Without a mask in half of them, and z only with one; broadcast in a quarter. */
	if (random_bits(1) || !(p2 & 7))
		p2 &= ~0x87;
	if (random_bits(1))
		p2 &= ~0x10;
	/* V', which belongs to vvvv */
	if (random_bits(1))
		p2 |= 8;
	bytes[n++] = 0x62;
	bytes[n++] = random_bits(4) << 4 | map;
	bytes[n++] = w | vvvv | 4 | pp;
	bytes[n++] = p2;
	bytes[n++] = opcode;
	finish_random(bytes, n, reg);
	check(bytes, sizeof(bytes));
}

static void check_round(void)
{
	static const u8 evex_maps[] = { 1, 2, 3, 5, 6 };

	for (unsigned int i = 0; i < 256 * 4 * 8; i++) {
		u8 opcode = i >> 5;
		unsigned int pp = i >> 3 & 3, reg = i & 7;

		for (unsigned int map = 0; map < 4; map++)
			check_legacy(map, opcode, pp, reg);
		for (unsigned int map = 1; map < 4; map++)
			check_vex(map, opcode, pp, reg);
		for (unsigned int map = 0; map < sizeof(evex_maps); map++)
			check_evex(evex_maps[map], opcode, pp, reg);
	}
}

static void every_opcode(void **state)
{
	unsigned int rounds = 0;

	(void)state;
	random_state = SEED;
	while ((count.memory < WANTED || rounds < 8) && rounds++ < MAX_ROUNDS)
		check_round();
	print_message("# seed %llx, %u rounds: %lu instances with a memory operand, %lu decoded\n",
		      SEED, rounds, count.memory, count.accepted);
	print_message("# %lu SSE and AVX, %lu of them without a width\n", count.vectors,
		      count.vectors_unknown);
	print_message("# %lu decoded that Zydis rejects; %lu cut off\n", count.only_ours,
		      count.cuts);
	assert_true(count.memory >= WANTED);
	assert_int_equal(count.differences, 0);
}

/* After every_opcode: what was refused is what the list says, and nothing else. */
static void refused_as_listed(void **state)
{
	(void)state;
	assert_int_equal(refused_check(), 0);
}

static void random_bytes(void **state)
{
	unsigned long decoded = 0;
	struct insn in;

	(void)state;
	random_state = SEED + 1;
	for (unsigned int i = 0; i < RANDOM_STRINGS; i++) {
		u64 words[2];
		size_t n = 1 + i % INSN_MAX_LEN;

		/* the low bits of the generator are poor, so others are mixed in */
		random_bits(1);
		words[0] = random_state ^ random_state >> 29;
		random_bits(1);
		words[1] = random_state ^ random_state >> 29;
		if (insn_decode(&in, (const u8 *)words, n))
			continue;
		decoded++;
		assert_in_range(in.len, 1, n);
		assert_true(in.base == INSN_NO_REG || in.base < 16);
		assert_true(in.index == INSN_NO_REG || in.index < 16);
		assert_true(in.reg == INSN_NO_REG || in.reg < 16);
		assert_in_range(in.width, 0, 64);
	}
	print_message("# %u random strings, %lu decoded\n", RANDOM_STRINGS, decoded);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_opcode),
		cmocka_unit_test(refused_as_listed),
		cmocka_unit_test(random_bytes),
	};

	oracle_init();
	return cmocka_run_group_tests_name("decode_all", tests, NULL, NULL);
}
