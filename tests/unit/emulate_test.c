// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The emulation of moves against the CPU: each encoding is carried out on ordinary memory with
 * chosen registers, and the whole register file and the memory have to be what the emulation says.
 *
 * The address comes from insn_effective_address(): were it wrong, the CPU would touch something
 * else.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "emulate_jit.h"
#include "kmod/emulate.h"

#define SEED		20261130ULL
#define COUNT(a)	(sizeof(a) / sizeof((a)[0]))

struct form {
	u8 opcode[2];
	u8 opcode_len;
	u8 extension;	/* 1: ModRM.reg has to be 0 */
};

static const struct form forms[] = {
	{ { 0x88 }, 1, 0 }, { { 0x89 }, 1, 0 }, { { 0x8a }, 1, 0 }, { { 0x8b }, 1, 0 },
	{ { 0xc6 }, 1, 1 }, { { 0xc7 }, 1, 1 }, { { 0x63 }, 1, 0 },
	{ { 0x0f, 0xb6 }, 2, 0 }, { { 0x0f, 0xb7 }, 2, 0 },
	{ { 0x0f, 0xbe }, 2, 0 }, { { 0x0f, 0xbf }, 2, 0 },
};

static const struct {
	u8 bytes[2];
	u8 len;
} prefixes[] = {
	{ { 0 }, 0 },
	{ { 0x66 }, 1 },
	{ { 0x67 }, 1 },
	{ { 0x66, 0x67 }, 2 },
	{ { 0x64 }, 1 },
	{ { 0x64, 0x66 }, 2 },
	{ { 0x65 }, 1 },
	{ { 0x65, 0x67 }, 2 },
};

static struct jit jit;
static u64 random_state = SEED;
static unsigned long executed, not_reachable;

static u64 random_word(void)
{
	random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
	return random_state ^ random_state >> 31;
}

static u64 segment_base(const struct insn *in)
{
	return in->segment == 0x64 ? jit.fs_base : in->segment == 0x65 ? jit.gs_base : 0;
}

/* With gs the memory is seen above 4 GiB, where a 67 prefix alone does not reach. */
static u8 *window(const struct insn *in)
{
	return in->segment == 0x65 ? jit.far_data : jit.data;
}

/* Chooses the address registers so that the operand is within a few bytes of @target. */
static void aim_registers(const struct insn *in, u64 regs[16], u64 target)
{
	u64 rest = target - segment_base(in) - (u64)in->disp;
	u64 high = in->addrsize == 4 ? random_word() << 32 : 0;
	u64 mask = in->addrsize == 4 ? 0xffffffff : ~0ULL;

	if (in->base == INSN_NO_REG)
		regs[in->index] = high | (rest & mask) >> in->scale;
	else if (in->base == in->index)
		regs[in->base] = high | (rest & mask) / (1 + (1u << in->scale));
	else if (in->index == INSN_NO_REG)
		regs[in->base] = high | (rest & mask);
	else
		regs[in->base] = high | ((rest - (regs[in->index] << in->scale)) & mask);
}

/* The same for an operand without a register: its displacement is at @at. */
static bool aim_displacement(const struct insn *in, u8 *bytes, size_t at, bool moffs, u64 target)
{
	u64 disp = target - segment_base(in);

	if (in->rip_relative)
		disp -= (uintptr_t)jit.code + in->len;
	if (moffs) {
		memcpy(bytes + at, &disp, in->addrsize);
		return in->addrsize == 8 || disp >> 32 == 0;
	}
	memcpy(bytes + at, &disp, 4);
	return in->addrsize == 4 || (u64)(int32_t)disp == disp;
}

/* What the emulation makes of it; false when it would go outside the memory that is there. */
static bool emulate(const struct insn *in, u64 regs[16], u8 *memory)
{
	u64 rip_next = (uintptr_t)jit.code + in->len;
	u64 offset = insn_effective_address(in, regs, rip_next, segment_base(in));
	u64 value = 0;

	offset -= (uintptr_t)window(in);
	if (offset > JIT_DATA_SIZE - 8)
		return false;
	if (in->class == INSN_STORE_REG || in->class == INSN_STORE_IMM) {
		value = emulate_store_value(in, regs);
		/* zero-extended, as promised */
		if (in->width < 8 && value >> (8 * in->width))
			return false;
		memcpy(memory + offset, &value, in->width);
	} else {
		/* bytes of the device behind the operand must not count */
		memcpy(&value, memory + offset, 8);
		emulate_load(in, regs, value);
	}
	return true;
}

static void print_bytes(const char *what, const u8 *bytes, size_t n)
{
	printf("# %s:", what);
	for (size_t i = 0; i < n; i++)
		printf(" %02x", bytes[i]);
	printf("\n");
}

static void fill_memory(void)
{
	for (size_t i = 0; i < JIT_DATA_SIZE; i += 8) {
		u64 word = random_word();

		memcpy(jit.data + i, &word, 8);
	}
}

static void execute(const struct insn *in, const u8 *bytes, u64 regs[16])
{
	static u8 memory[JIT_DATA_SIZE];
	u64 expected[16];

	memcpy(expected, regs, sizeof(expected));
	memcpy(memory, jit.data, sizeof(memory));
	if (!emulate(in, expected, memory)) {
		print_bytes("address or value out of range", bytes, in->len);
		fail();
	}
	jit_run(&jit, bytes, in->len, regs);
	executed++;
	if (memcmp(expected, regs, sizeof(expected)) || memcmp(memory, jit.data, sizeof(memory))) {
		print_bytes("not as on the CPU", bytes, in->len);
		fail();
	}
}

/* @at: where the displacement is when there is no register */
static void aim_and_execute(u8 *bytes, size_t at, bool moffs)
{
	u64 target = JIT_DATA_SIZE / 2 + random_word() % 64;
	u64 regs[16];
	struct insn in;

	if (insn_decode(&in, bytes, INSN_MAX_LEN)) {
		print_bytes("refused", bytes, INSN_MAX_LEN);
		fail();
	}
	target += (uintptr_t)window(&in);
	for (int i = 0; i < 16; i++)
		regs[i] = random_word();
	if (in.base != INSN_NO_REG || in.index != INSN_NO_REG) {
		aim_registers(&in, regs, target);
	} else {
		/* fs is that of the thread and far from the data, which disp32 cannot bridge */
		if (!aim_displacement(&in, bytes, at, moffs, target)) {
			not_reachable++;
			return;
		}
		assert_int_equal(insn_decode(&in, bytes, INSN_MAX_LEN), 0);
	}
	execute(&in, bytes, regs);
}

static size_t begin(u8 *bytes, unsigned int prefix, u8 rex, const u8 *opcode, size_t opcode_len)
{
	size_t n = prefixes[prefix].len;

	for (size_t i = 0; i < INSN_MAX_LEN; i++)
		bytes[i] = random_word();
	memcpy(bytes, prefixes[prefix].bytes, n);
	if (rex)
		bytes[n++] = rex;
	memcpy(bytes + n, opcode, opcode_len);
	return n + opcode_len;
}

static void run_modrm(const struct form *f, unsigned int prefix, u8 rex, u8 modrm)
{
	u8 bytes[INSN_MAX_LEN];
	size_t n = begin(bytes, prefix, rex, f->opcode, f->opcode_len);

	bytes[n++] = modrm;
	if ((modrm & 7) == 4) {
		/* no base or no index more often than chance has it */
		if (random_word() % 8 == 0)
			bytes[n] = (bytes[n] & 0xf8) | 5;
		if (random_word() % 8 == 0)
			bytes[n] = (bytes[n] & 0xc7) | 4 << 3;
		n++;
	}
	aim_and_execute(bytes, n, false);
}

/* 63 without REX.W and with 66 is refused: see decode_test. */
static bool is_refused(const struct form *f, unsigned int prefix, u8 rex)
{
	return f->opcode[0] == 0x63 && !(rex & 8) &&
	       memchr(prefixes[prefix].bytes, 0x66, prefixes[prefix].len);
}

static void run_form(const struct form *f, unsigned int prefix, u8 rex)
{
	if (is_refused(f, prefix, rex))
		return;
	for (unsigned int modrm = 0; modrm < 0xc0; modrm++)
		if (!f->extension || !(modrm & 0x38))
			run_modrm(f, prefix, rex, modrm);
}

static void moves_as_on_the_cpu(void **state)
{
	(void)state;
	executed = not_reachable = 0;
	fill_memory();
	for (size_t i = 0; i < COUNT(forms); i++)
		for (unsigned int prefix = 0; prefix < COUNT(prefixes); prefix++) {
			run_form(&forms[i], prefix, 0);
			for (u8 rex = 0x40; rex < 0x50; rex++)
				run_form(&forms[i], prefix, rex);
		}
	print_message("# %lu executed, %lu not reachable by their displacement\n", executed,
		      not_reachable);
	assert_true(executed > 100000);
	assert_true(not_reachable < executed / 20);
}

static void moves_with_an_address_as_on_the_cpu(void **state)
{
	u8 bytes[INSN_MAX_LEN];

	(void)state;
	executed = not_reachable = 0;
	fill_memory();
	for (u8 opcode = 0xa0; opcode <= 0xa3; opcode++)
		for (unsigned int prefix = 0; prefix < COUNT(prefixes); prefix++)
			for (u8 rex = 0x3f; rex < 0x50; rex++) {
				size_t n = begin(bytes, prefix, rex == 0x3f ? 0 : rex, &opcode, 1);

				aim_and_execute(bytes, n, true);
			}
	print_message("# %lu executed, %lu not reachable\n", executed, not_reachable);
	assert_int_equal(executed, 4 * COUNT(prefixes) * 17);
}

/* A few by hand, to be read. */
static void load_by_hand(void **state)
{
	static const struct {
		u8 bytes[8];
		u64 before;
		u64 value;
		u64 after;
	} cases[] = {
		/* mov al, ah, ax, eax, rax, [rdi] */
		{ { 0x8a, 0x07 }, 0x1122334455667788, 0xaabbccddeeff0102, 0x1122334455667702 },
		{ { 0x8a, 0x27 }, 0x1122334455667788, 0xaabbccddeeff0102, 0x1122334455660288 },
		{ { 0x66, 0x8b, 0x07 }, 0x1122334455667788, 0xaabbccddeeff0102, 0x1122334455660102 },
		{ { 0x8b, 0x07 }, 0x1122334455667788, 0xaabbccddeeff0102, 0xeeff0102 },
		{ { 0x48, 0x8b, 0x07 }, 0x1122334455667788, 0xaabbccddeeff0102, 0xaabbccddeeff0102 },
		/* movzx eax, byte; movsx ax, byte; eax, word; rax, byte; movsxd rax, dword */
		{ { 0x0f, 0xb6, 0x07 }, ~0ULL, 0x11ff, 0xff },
		{ { 0x66, 0x0f, 0xbe, 0x07 }, 0x1122334455667788, 0x80, 0x112233445566ff80 },
		{ { 0x0f, 0xbf, 0x07 }, ~0ULL, 0x8000, 0xffff8000 },
		{ { 0x48, 0x0f, 0xbe, 0x07 }, 0, 0x80, 0xffffffffffffff80 },
		{ { 0x48, 0x63, 0x07 }, 0, 0x80000000, 0xffffffff80000000 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		u64 regs[16] = { cases[i].before };
		struct insn in;

		assert_int_equal(insn_decode(&in, cases[i].bytes, sizeof(cases[i].bytes)), 0);
		emulate_load(&in, regs, cases[i].value);
		assert_int_equal(regs[INSN_RAX], cases[i].after);
	}
}

/* stos, lods and scas have an address too; rep stosl es:(edi) with a 67 prefix is cut. */
static void address_of_string_instructions(void **state)
{
	static const u8 stos[] = { 0xf3, 0xab }, lods[] = { 0x65, 0xad }, cut[] = { 0x67, 0xab };
	u64 regs[16] = { 0 };
	struct insn in;

	(void)state;
	regs[INSN_RDI] = 0xffffc90000001000;
	regs[INSN_RSI] = 0x2000;
	assert_int_equal(insn_decode(&in, stos, sizeof(stos)), 0);
	assert_int_equal(insn_effective_address(&in, regs, 0, 0), 0xffffc90000001000);
	assert_int_equal(insn_decode(&in, lods, sizeof(lods)), 0);
	assert_int_equal(insn_effective_address(&in, regs, 0, 0x100000), 0x102000);
	assert_int_equal(insn_decode(&in, cut, sizeof(cut)), 0);
	assert_int_equal(insn_effective_address(&in, regs, 0, 0), 0x1000);
}

static int setup(void **state)
{
	(void)state;
	return jit_init(&jit);
}

static int teardown(void **state)
{
	(void)state;
	jit_deinit(&jit);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(moves_as_on_the_cpu),
		cmocka_unit_test(moves_with_an_address_as_on_the_cpu),
		cmocka_unit_test(load_by_hand),
		cmocka_unit_test(address_of_string_instructions),
	};

	return cmocka_run_group_tests_name("emulate", tests, setup, teardown);
}
