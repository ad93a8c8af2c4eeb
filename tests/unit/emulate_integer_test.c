// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The emulation of integer instructions against the CPU: random instances of every form that the
 * decoder gives the class INSN_INTEGER, on ordinary memory. The whole register file, the arithmetic
 * flags and the memory have to be what the emulation says.
 *
 * The forms are found by asking the decoder about every opcode. Seed and number of instances are
 * printed; MMIOBPF_TEST_SEED and MMIOBPF_TEST_INSTANCES set them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cpuid.h>

#include <cmocka.h>

#include "emulate_aim.h"
#include "emulate_jit.h"
#include "insn_forms.h"

#define SEED		20261201ULL
#define INSTANCES	1000000UL
#define MAX_FORMS	8192
#define MAX_TRIES	16
#define OPS		INSN_MOVDIR64B	/* all but those of other classes */

struct form {
	u8 map;		/* 0: one byte, 1: 0F, 2: 0F 38 */
	u8 opcode;
	u8 prefix;	/* 0, 66, F3, F2 */
	u8 reg;		/* ModRM.reg, 0 to 7 */
	u8 op;		/* enum insn_op */
};

/* An instruction and what it finds. */
struct instance {
	u8 bytes[INSN_MAX_LEN];
	struct insn insn;
	struct emulate_cpu cpu;
	size_t offset;		/* of the operand in the data */
};

static struct jit jit;
static struct form forms[MAX_FORMS];
static size_t form_count;
static size_t first_form[OPS + 1];	/* of an operation in forms[] */
static unsigned long executed, not_reached, too_long;
static unsigned long by_op[OPS], matched[2];

static size_t put_opcode(u8 *bytes, const struct form *f)
{
	size_t n = 0;

	if (f->map)
		bytes[n++] = 0x0f;
	if (f->map == 2)
		bytes[n++] = 0x38;
	bytes[n++] = f->opcode;
	return n;
}

static void add_form(struct form f)
{
	u8 bytes[INSN_MAX_LEN] = { f.prefix };
	size_t n = f.prefix ? 1 : 0;
	struct insn in;

	n += put_opcode(bytes + n, &f);
	bytes[n] = f.reg << 3;
	if (insn_decode(&in, bytes, sizeof(bytes)) || in.class != INSN_INTEGER)
		return;
	f.op = in.op;
	assert_true(form_count < MAX_FORMS);
	forms[form_count++] = f;
}

/* What is no opcode of the first map: 0F, VEX, EVEX, segments, sizes, REX, lock and repeat. */
static bool is_prefix(u8 byte)
{
	static const u8 prefixes[] = {
		0x0f, 0x26, 0x2e, 0x36, 0x3e, 0x62, 0x64, 0x65, 0x66, 0x67, 0xc4, 0xc5, 0xf0, 0xf2,
		0xf3,
	};

	return (byte & 0xf0) == 0x40 || memchr(prefixes, byte, sizeof(prefixes));
}

static int by_operation(const void *a, const void *b)
{
	return ((const struct form *)a)->op - ((const struct form *)b)->op;
}

static void find_forms(void)
{
	static const u8 prefixes[] = { 0, 0x66, 0xf3, 0xf2 };
	size_t i = 0;

	for (unsigned int n = 0; n < 3 * 256 * 4 * 8; n++) {
		struct form f = {
			.map = n >> 13,
			.opcode = n >> 5,
			.prefix = prefixes[n >> 3 & 3],
			.reg = n & 7,
		};

		if (f.map || !is_prefix(f.opcode))
			add_form(f);
	}
	qsort(forms, form_count, sizeof(forms[0]), by_operation);
	for (unsigned int op = 0; op <= OPS; op++) {
		while (i < form_count && forms[i].op < op)
			i++;
		first_form[op] = i;
	}
}

/* What came after the first 64-bit CPUs; a tzcnt that is not known is a bsf. SDM volume 2, CPUID. */
static bool is_lacking(unsigned int op)
{
	unsigned int a, b, c, d;

	if (!__get_cpuid(1, &a, &b, &c, &d))
		return false;
	switch (op) {
	case INSN_CMPXCHG_PAIR:
		return !(c & bit_CMPXCHG16B);
	case INSN_MOVBE:
		return !(c & bit_MOVBE);
	case INSN_POPCNT:
		return !(c & bit_POPCNT);
	case INSN_CRC32:
		return !(c & bit_SSE4_2);
	default:
		return false;
	}
}

/* Every operation as often as the others, whatever the number of its encodings. */
static const struct form *random_form(void)
{
	unsigned int op = INSN_ADD + (random_word() >> 20) % (OPS - INSN_ADD);
	size_t count = first_form[op + 1] - first_form[op];

	assert_true(count > 0);
	return &forms[first_form[op] + (random_word() >> 20) % count];
}

static bool may_be_locked(const struct form *f)
{
	return (f->op >= INSN_ADD && f->op <= INSN_XOR) ||
	       (f->op >= INSN_INC && f->op <= INSN_NEG) ||
	       (f->op >= INSN_BTS && f->op <= INSN_BTC) ||
	       (f->op >= INSN_XCHG && f->op <= INSN_CMPXCHG_PAIR);
}

/* Numbers at the edges are as frequent as the others. */
static u64 random_value(void)
{
	u64 word = random_word();

	switch (word >> 32 & 15) {
	case 0:
		return 0;
	case 1:
		return ~0ULL;
	case 2:
		return 1ULL << (word & 63);
	case 3:
		return (1ULL << (word & 63)) - 1;
	case 4:
		return word & 0xff;
	case 5:
		return ~(1ULL << (word & 63));
	default:
		return word;
	}
}

/* Return: where a displacement without register would be. */
static size_t make_bytes(struct instance *x, const struct form *f)
{
	u8 *bytes = x->bytes;
	u64 r = random_word() >> 8;
	u8 modrm = (r & 0xff) % 0xc0;
	size_t n = 0;

	if ((r >> 8 & 7) == 0)
		bytes[n++] = 0x67;
	if ((r >> 11 & 7) == 0)
		bytes[n++] = r & 0x4000 ? 0x64 : 0x65;
	if ((r >> 15 & 3) == 0)
		bytes[n++] = 0xf0;
	if (f->prefix)
		bytes[n++] = f->prefix;
	if ((f->prefix & 0xf0) == 0xf0 && (r >> 17 & 3) == 0)
		bytes[n++] = 0x66;
	if (r & 0x100000)
		bytes[n++] = 0x40 | (r >> 21 & 0xf);
	n += put_opcode(bytes + n, f);
	modrm = (modrm & 0xc7) | f->reg << 3;
	bytes[n++] = modrm;
	for (size_t i = n; i < INSN_MAX_LEN; i++)
		bytes[i] = random_word() >> 16;
	/* counts of shifts are often small */
	return n + ((modrm & 7) == 4);
}

/* Alignment that the instruction asks for, or that keeps a locked one from two cache lines. */
static size_t alignment(const struct insn *in)
{
	return in->lock || in->width == 16 ? in->width : 1;
}

static bool hits_data(struct instance *x)
{
	const struct insn *in = &x->insn;
	u64 rip_next = (uintptr_t)jit.code + in->len;
	u64 at = insn_effective_address(in, x->cpu.regs, rip_next, aim_segment_base(&jit, in)) -
		 (uintptr_t)aim_window(&jit, in);

	x->offset = at;
	return at <= JIT_DATA_SIZE - 16 && at % alignment(in) == 0;
}

/* The bit number of a bit string moves the operand: the base is corrected until it fits. */
static bool aim_again(struct instance *x)
{
	const struct insn *in = &x->insn;
	s64 miss = (s64)(x->offset - JIT_DATA_SIZE / 2);

	if (in->base == INSN_NO_REG || in->base == in->index)
		return false;
	/* where it is the base itself: seven eighths of nine */
	if (in->bit_string && in->base == in->reg)
		miss -= miss / 9;
	x->cpu.regs[in->base] -= (u64)miss;
	return true;
}

/* @at: see make_bytes() */
static bool aim(struct instance *x, size_t at)
{
	u64 target = (uintptr_t)aim_window(&jit, &x->insn) + JIT_DATA_SIZE / 2;

	if (alignment(&x->insn) == 1)
		target += random_word() % 64;
	if (x->insn.base != INSN_NO_REG || x->insn.index != INSN_NO_REG)
		aim_registers(&jit, &x->insn, x->cpu.regs, target);
	else if (!aim_displacement(&jit, &x->insn, x->bytes, at, false, target) ||
		 insn_decode(&x->insn, x->bytes, INSN_MAX_LEN))
		return false;
	for (int i = 0; i < MAX_TRIES; i++) {
		if (hits_data(x))
			return true;
		if (!aim_again(x))
			break;
	}
	return false;
}

/* A value in memory, and in half of the comparisons the one that is compared with. */
static void put_value(struct instance *x)
{
	const u64 *regs = x->cpu.regs;
	u64 value[2] = { random_value(), random_value() };

	if (x->insn.op == INSN_CMPXCHG && (value[1] & 0x100))
		value[0] = regs[INSN_RAX];
	if (x->insn.op == INSN_CMPXCHG_PAIR && (value[1] & 0x100)) {
		value[0] = regs[INSN_RAX];
		value[1] = regs[INSN_RDX];
		if (x->insn.width == 8)
			value[0] = (u32)regs[INSN_RAX] | regs[INSN_RDX] << 32;
	}
	memcpy(jit.data + x->offset, value, x->insn.width);
}

static bool make_instance(struct instance *x, const struct form *f)
{
	size_t at = make_bytes(x, f);

	if (insn_decode(&x->insn, x->bytes, INSN_MAX_LEN)) {
		too_long++;
		return false;
	}
	if (x->insn.op != f->op) {
		aim_print("not what it was with other operands", x->bytes, INSN_MAX_LEN);
		fail();
	}
	if (x->insn.lock && x->insn.op != INSN_XCHG &&
	    !(may_be_locked(f) && (x->insn.dir & 2)))
		return false;
	for (int i = 0; i < 16; i++)
		x->cpu.regs[i] = random_value();
	/* half of the counts within the operand; a bit number that stays in the data */
	if (random_word() & 0x10000)
		x->cpu.regs[INSN_RCX] &= ~0xe0ULL;
	if (x->insn.bit_string)
		insn_register_write(&x->cpu.regs[x->insn.reg], 8, false,
				    (u64)((s64)random_word() >> 52));
	if (x->insn.bit_string && x->insn.opsize < 8)
		x->cpu.regs[x->insn.reg] ^= random_word() << (8 * x->insn.opsize);
	x->cpu.flags = random_word();
	if (!aim(x, at)) {
		not_reached++;
		return false;
	}
	put_value(x);
	return true;
}

static bool is_cut(const u64 value[2], u8 width)
{
	if (width == 16)
		return true;
	return insn_value_cut(value[0], width) == value[0];
}

static void emulate(const struct instance *x, struct emulate_cpu *cpu, u8 *memory)
{
	const struct insn *in = &x->insn;
	/* what the caller has not read is anything */
	u64 before[2] = { random_word(), random_word() };
	u64 after[2] = { random_word(), random_word() };

	if (in->dir & 1) {
		before[0] = 0;
		memcpy(before, memory + x->offset, in->width);
	}
	emulate_integer(in, cpu, before, after);
	if (!(in->dir & 2))
		return;
	if (!is_cut(after, in->width)) {
		aim_print("written value is not zero-extended", x->bytes, in->len);
		fail();
	}
	memcpy(memory + x->offset, after, in->width);
}

static void print_difference(const struct instance *x, const struct emulate_cpu *ours,
			     const struct emulate_cpu *cpus)
{
	aim_print("not as on the CPU", x->bytes, x->insn.len);
	for (int i = 0; i < 16; i++)
		if (ours->regs[i] != cpus->regs[i])
			printf("# register %d: before %llx, emulated %llx, CPU %llx\n", i,
			       (unsigned long long)x->cpu.regs[i],
			       (unsigned long long)ours->regs[i],
			       (unsigned long long)cpus->regs[i]);
	if (ours->flags != cpus->flags)
		printf("# flags: before %llx, emulated %llx, CPU %llx\n",
		       (unsigned long long)x->cpu.flags, (unsigned long long)ours->flags,
		       (unsigned long long)cpus->flags);
}

static void execute(const struct instance *x)
{
	static u8 memory[JIT_DATA_SIZE];
	struct emulate_cpu ours = x->cpu, cpus = x->cpu;

	memcpy(memory, jit.data, sizeof(memory));
	emulate(x, &ours, memory);
	jit_run(&jit, x->bytes, x->insn.len, &cpus);
	executed++;
	by_op[x->insn.op]++;
	if (x->insn.op == INSN_CMPXCHG || x->insn.op == INSN_CMPXCHG_PAIR)
		matched[!!(cpus.flags & 0x40)]++;
	if (!memcmp(&ours, &cpus, sizeof(ours)) && !memcmp(memory, jit.data, sizeof(memory)))
		return;
	print_difference(x, &ours, &cpus);
	if (memcmp(memory, jit.data, sizeof(memory)))
		printf("# memory differs\n");
	fail();
}

static u64 setting(const char *name, u64 otherwise)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 0) : otherwise;
}

static void integers_as_on_the_cpu(void **state)
{
	unsigned long wanted = setting("MMIOBPF_TEST_INSTANCES", INSTANCES);
	u64 seed = setting("MMIOBPF_TEST_SEED", SEED);
	const struct form *form;
	bool lacking[OPS];
	struct instance x;

	(void)state;
	assert_int_equal(jit_catch_signals(), 0);
	random_seed(seed);
	find_forms();
	aim_fill_memory(&jit);
	print_message("# MMIOBPF_TEST_SEED=%llu, %zu forms\n", (unsigned long long)seed,
		      form_count);
	for (unsigned int op = 0; op < OPS; op++)
		lacking[op] = is_lacking(op);
	for (unsigned long i = 0; executed < wanted && i < 4 * wanted; i++) {
		form = random_form();
		if (!lacking[form->op] && make_instance(&x, form))
			execute(&x);
	}
	for (unsigned int op = INSN_ADD; op < OPS; op++) {
		print_message("# operation %u: %zu forms, %lu instances%s\n", op,
			      first_form[op + 1] - first_form[op], by_op[op],
			      lacking[op] ? ", not in this CPU" : "");
		assert_true(lacking[op] || by_op[op] > wanted / OPS / 4);
	}
	print_message("# %lu executed, %lu not reached, %lu longer than 15 bytes\n", executed,
		      not_reached, too_long);
	print_message("# cmpxchg: %lu equal, %lu not\n", matched[1], matched[0]);
	assert_true(executed >= wanted);
	assert_true(not_reached < executed / 10);
	assert_true(too_long < executed / 100);
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
		cmocka_unit_test(integers_as_on_the_cpu),
	};

	return cmocka_run_group_tests_name("emulate_integer", tests, setup, teardown);
}
