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

#include "emulate_aim.h"
#include "emulate_jit.h"
#include "insn_forms.h"

#define SEED		20261130ULL

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
static unsigned long executed, not_reachable;

/* What the emulation makes of it; false when it would go outside the memory that is there. */
static bool emulate(const struct insn *in, u64 regs[16], u8 *memory)
{
	u64 rip_next = (uintptr_t)jit.code + in->len;
	u64 offset = insn_effective_address(in, regs, rip_next, aim_segment_base(&jit, in));
	u64 value = 0;

	offset -= (uintptr_t)aim_window(&jit, in);
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

static void execute(const struct insn *in, const u8 *bytes, struct emulate_cpu *cpu)
{
	static u8 memory[JIT_DATA_SIZE];
	struct emulate_cpu expected = *cpu;

	memcpy(memory, jit.data, sizeof(memory));
	if (!emulate(in, expected.regs, memory)) {
		aim_print("address or value out of range", bytes, in->len);
		fail();
	}
	jit_run(&jit, bytes, in->len, cpu);
	executed++;
	if (memcmp(&expected, cpu, sizeof(expected)) || memcmp(memory, jit.data, sizeof(memory))) {
		aim_print("not as on the CPU", bytes, in->len);
		fail();
	}
}

/* @at: where the displacement is when there is no register */
static void aim_and_execute(u8 *bytes, size_t at, bool moffs)
{
	u64 target = JIT_DATA_SIZE / 2 + random_word() % 64;
	struct emulate_cpu cpu;
	struct insn in;

	if (insn_decode(&in, bytes, INSN_MAX_LEN)) {
		aim_print("refused", bytes, INSN_MAX_LEN);
		fail();
	}
	target += (uintptr_t)aim_window(&jit, &in);
	for (int i = 0; i < 16; i++)
		cpu.regs[i] = random_word();
	cpu.flags = random_word();
	if (in.base != INSN_NO_REG || in.index != INSN_NO_REG) {
		aim_registers(&jit, &in, cpu.regs, target);
	} else {
		/* fs is that of the thread and far from the data, which disp32 cannot bridge */
		if (!aim_displacement(&jit, &in, bytes, at, moffs, target)) {
			not_reachable++;
			return;
		}
		assert_int_equal(insn_decode(&in, bytes, INSN_MAX_LEN), 0);
	}
	execute(&in, bytes, &cpu);
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

static void run_modrm(const struct move_form *f, unsigned int prefix, u8 rex, u8 modrm)
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
static bool is_refused(const struct move_form *f, unsigned int prefix, u8 rex)
{
	return f->opcode[0] == 0x63 && !(rex & 8) &&
	       memchr(prefixes[prefix].bytes, 0x66, prefixes[prefix].len);
}

static void run_form(const struct move_form *f, unsigned int prefix, u8 rex)
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
	assert_int_equal(jit_catch_signals(), 0);
	executed = not_reachable = 0;
	aim_fill_memory(&jit);
	for (size_t i = 0; i < COUNT(move_forms); i++)
		for (unsigned int prefix = 0; prefix < COUNT(prefixes); prefix++) {
			run_form(&move_forms[i], prefix, 0);
			for (u8 rex = 0x40; rex < 0x50; rex++)
				run_form(&move_forms[i], prefix, rex);
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
	assert_int_equal(jit_catch_signals(), 0);
	executed = not_reachable = 0;
	aim_fill_memory(&jit);
	for (u8 opcode = 0xa0; opcode <= 0xa3; opcode++)
		for (unsigned int prefix = 0; prefix < COUNT(prefixes); prefix++)
			for (u8 rex = 0x3f; rex < 0x50; rex++) {
				size_t n = begin(bytes, prefix, rex == 0x3f ? 0 : rex, &opcode, 1);

				aim_and_execute(bytes, n, true);
			}
	print_message("# %lu executed, %lu not reachable\n", executed, not_reachable);
	assert_int_equal(executed, 4 * COUNT(prefixes) * 17);
}

/* movnti and movdiri, which are stores like any other; CPUs may lack the second. */
static void direct_stores_as_on_the_cpu(void **state)
{
	static const u8 opcodes[2][3] = { { 0x0f, 0xc3 }, { 0x0f, 0x38, 0xf9 } };
	unsigned int lacking = 0;

	(void)state;
	assert_int_equal(jit_catch_signals(), 0);
	for (unsigned int i = 0; i < 1000; i++) {
		u8 bytes[INSN_MAX_LEN] = { 0x40 | (i & 0xc) };	/* W and R */
		size_t n = 1, opcode_len = 2 + (i & 1);
		struct emulate_cpu cpu = { .flags = random_word() }, before;
		u64 fault, seen = 0;
		struct insn in;

		memcpy(bytes + n, opcodes[i & 1], opcode_len);
		n += opcode_len;
		bytes[n++] = (i >> 4 & 7) << 3 | INSN_RDI;
		for (int k = 0; k < 16; k++)
			cpu.regs[k] = random_word();
		cpu.regs[INSN_RDI] = (uintptr_t)jit.data + random_word() % 64;
		memset(jit.data, 0, 128);
		assert_int_equal(insn_decode(&in, bytes, n), 0);
		before = cpu;
		if (jit_try(&jit, bytes, n, &cpu, &fault)) {
			lacking++;
			continue;
		}
		assert_memory_equal(&cpu, &before, sizeof(cpu));
		memcpy(&seen, (void *)(uintptr_t)cpu.regs[INSN_RDI], 8);
		assert_true(emulate_store_value(&in, cpu.regs) == seen);
	}
	print_message("# %u not in this CPU\n", lacking);
	assert_true(lacking == 0 || lacking == 500);
}

/* movdir64b reg, [rsi - 0x10]: 64 bytes to the address in the register, which 67 cuts. */
static void movdir64b_as_on_the_cpu(void **state)
{
	unsigned int lacking = 0;

	(void)state;
	assert_int_equal(jit_catch_signals(), 0);
	aim_fill_memory(&jit);
	for (unsigned int i = 0; i < 1000; i++) {
		bool cut = i & 1;
		u8 bytes[] = {
			0x66, cut ? 0x67 : 0x2e, 0x40 | (i >> 1 & 4), 0x0f, 0x38, 0xf8,
			0x46 | (i >> 4 & 7) << 3, 0xf0,
		};
		u64 from = (uintptr_t)jit.data + random_word() % 1024;
		u64 to = (uintptr_t)jit.data + 2048 + random_word() % 16 * 64;
		struct emulate_cpu cpu = { .flags = random_word() };
		u8 expected[64];
		struct insn in;
		u64 fault;

		assert_int_equal(insn_decode(&in, bytes, sizeof(bytes)), 0);
		if (in.reg == INSN_RSI)
			continue;
		cpu.regs[INSN_RSI] = (from + 0x10) | (cut ? random_word() << 32 : 0);
		cpu.regs[in.reg] = to | (cut ? random_word() << 32 : 0);
		assert_true(insn_effective_address(&in, cpu.regs, 0, 0) == from);
		assert_true(insn_value_cut(cpu.regs[in.reg], in.addrsize) == to);
		memcpy(expected, (void *)(uintptr_t)from, sizeof(expected));
		if (jit_try(&jit, bytes, in.len, &cpu, &fault))
			lacking++;
		else
			assert_memory_equal((void *)(uintptr_t)to, expected, in.width);
	}
	print_message("# %u not in this CPU\n", lacking);
	assert_true(lacking == 0 || lacking > 900);
}

/* cmps and scas of each width, with one element; the pointers move, the flags are compared. */
static void comparisons_as_on_the_cpu(void **state)
{
	(void)state;
	assert_int_equal(jit_catch_signals(), 0);
	aim_fill_memory(&jit);
	for (unsigned int i = 0; i < 40000; i++) {
		unsigned int width = 1u << (i & 3);
		bool scas = i & 4;
		u8 bytes[3] = { width == 2 ? 0x66 : width == 8 ? 0x48 : 0x2e, };
		u64 at[2] = { random_word() % 2048, random_word() % 2048 };
		struct emulate_cpu cpu = { .flags = random_word() };
		u64 a = 0, b = 0, expected;

		bytes[1] = (scas ? 0xae : 0xa6) | (width > 1);
		/* every other pair shares its first bytes, some of them all */
		if (i & 8)
			memmove(jit.data + at[1], jit.data + at[0], 1 + i % 8);
		memcpy(&b, jit.data + at[1], width);
		memcpy(&a, jit.data + at[0], width);
		cpu.regs[INSN_RAX] = a | (width < 8 ? random_word() << (8 * width) : 0);
		cpu.regs[INSN_RSI] = (uintptr_t)jit.data + at[0];
		cpu.regs[INSN_RDI] = (uintptr_t)jit.data + at[1];
		/* what is above the width must not count */
		expected = emulate_compare(width, scas ? cpu.regs[INSN_RAX] : a, b, cpu.flags);
		jit_run(&jit, bytes, 2, &cpu);
		if (cpu.flags != expected) {
			aim_print("flags not as on the CPU", bytes, 2);
			fail();
		}
	}
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
	random_seed(SEED);
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
		cmocka_unit_test(direct_stores_as_on_the_cpu),
		cmocka_unit_test(movdir64b_as_on_the_cpu),
		cmocka_unit_test(comparisons_as_on_the_cpu),
		cmocka_unit_test(load_by_hand),
		cmocka_unit_test(address_of_string_instructions),
	};

	return cmocka_run_group_tests_name("emulate", tests, setup, teardown);
}
