// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Instructions of each class by hand, to be read; and those that the CPU of the test guests lacks,
 * which are not run there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "insn_forms.h"
#include "kmod/emulate.h"

struct expected {
	u8 bytes[12];
	u8 len;
	u8 class;
	u8 op;
	u8 width;
	u8 dir;
	u8 reg;
};

static void check(const struct expected *e)
{
	struct insn in;

	assert_int_equal(insn_decode(&in, e->bytes, sizeof(e->bytes)), 0);
	assert_int_equal(in.len, e->len);
	assert_int_equal(in.class, e->class);
	assert_int_equal(in.op, e->op);
	assert_int_equal(in.width, e->width);
	assert_int_equal(in.dir, e->dir);
	assert_int_equal(in.reg, e->reg);
	assert_int_equal(in.base, INSN_RDI);
}

#define CHECK_ALL(cases) do { \
	for (size_t i_ = 0; i_ < COUNT(cases); i_++) \
		check(&(cases)[i_]); \
} while (0)

#define NONE	INSN_NO_REG

static void direct_stores_that_the_guest_lacks(void **state)
{
	static const struct expected cases[] = {
		/* movdir64b rax, [rdi] */
		{ { 0x66, 0x0f, 0x38, 0xf8, 0x07 }, 5, INSN_DIRECT64, INSN_MOVDIR64B, 64, 1, 0 },
		/* movdir64b r9, [rdi+0x10] */
		{ { 0x66, 0x44, 0x0f, 0x38, 0xf8, 0x4f, 0x10 }, 7,
		  INSN_DIRECT64, INSN_MOVDIR64B, 64, 1, 9 },
		/* enqcmd rcx, [rdi]; enqcmds rcx, [rdi] */
		{ { 0xf2, 0x0f, 0x38, 0xf8, 0x0f }, 5, INSN_DIRECT64, INSN_ENQCMD, 64, 1, 1 },
		{ { 0xf3, 0x0f, 0x38, 0xf8, 0x0f }, 5, INSN_DIRECT64, INSN_ENQCMDS, 64, 1, 1 },
		/* movdiri [rdi], eax and rax */
		{ { 0x0f, 0x38, 0xf9, 0x07 }, 4, INSN_STORE_REG, 0, 4, 2, 0 },
		{ { 0x48, 0x0f, 0x38, 0xf9, 0x07 }, 5, INSN_STORE_REG, 0, 8, 2, 0 },
	};
	/* movdir64b eax, [edi] */
	static const u8 cut[] = { 0x67, 0x66, 0x0f, 0x38, 0xf8, 0x07 };
	static const u8 none[] = { 0x0f, 0x38, 0xf8, 0x07 };
	struct insn in;

	(void)state;
	CHECK_ALL(cases);
	assert_int_equal(insn_decode(&in, cut, sizeof(cut)), 0);
	assert_int_equal(in.addrsize, 4);
	assert_int_equal(in.opsize, 4);
	assert_int_equal(in.src_regs, 1);
	assert_int_equal(insn_decode(&in, none, sizeof(none)), -1);
}

static void avx512_that_the_guest_lacks(void **state)
{
	static const struct expected cases[] = {
		/* vmovdqu64 zmm0, [rdi] and back; vmovntdq [rdi], zmm0; vmovntdqa zmm0, [rdi] */
		{ { 0x62, 0xf1, 0xfe, 0x48, 0x6f, 0x07 }, 6, INSN_OTHER, 0, 64, 1, NONE },
		{ { 0x62, 0xf1, 0xfe, 0x48, 0x7f, 0x07 }, 6, INSN_OTHER, 0, 64, 2, NONE },
		{ { 0x62, 0xf1, 0x7d, 0x48, 0xe7, 0x07 }, 6, INSN_OTHER, 0, 64, 2, NONE },
		{ { 0x62, 0xf2, 0x7d, 0x48, 0x2a, 0x07 }, 6, INSN_OTHER, 0, 64, 1, NONE },
		/* vmovups xmm16, [rdi], ymm16 */
		{ { 0x62, 0xe1, 0x7c, 0x08, 0x10, 0x07 }, 6, INSN_OTHER, 0, 16, 1, NONE },
		{ { 0x62, 0xe1, 0x7c, 0x28, 0x10, 0x07 }, 6, INSN_OTHER, 0, 32, 1, NONE },
		/* vmovss xmm16, [rdi]; vmovd xmm16, [rdi]; vmovd [rdi], xmm16 */
		{ { 0x62, 0xe1, 0x7e, 0x08, 0x10, 0x07 }, 6, INSN_OTHER, 0, 4, 1, NONE },
		{ { 0x62, 0xe1, 0x7d, 0x08, 0x6e, 0x07 }, 6, INSN_OTHER, 0, 4, 1, NONE },
		{ { 0x62, 0xe1, 0x7d, 0x08, 0x7e, 0x07 }, 6, INSN_OTHER, 0, 4, 2, NONE },
		/* vpaddd zmm0, zmm0, [rdi]; with a mask; with one element repeated */
		{ { 0x62, 0xf1, 0x7d, 0x48, 0xfe, 0x07 }, 6, INSN_OTHER, 0, 64, 1, NONE },
		{ { 0x62, 0xf1, 0x7d, 0x49, 0xfe, 0x07 }, 6, INSN_OTHER, 0, 0, 0, NONE },
		{ { 0x62, 0xf1, 0x7d, 0x58, 0xfe, 0x07 }, 6, INSN_OTHER, 0, 0, 0, NONE },
		/* vpmovzxbd zmm0, [rdi]; vpmovdb [rdi], zmm0; vextracti32x8 [rdi], zmm0, 1 */
		{ { 0x62, 0xf2, 0x7d, 0x48, 0x31, 0x07 }, 6, INSN_OTHER, 0, 16, 1, NONE },
		{ { 0x62, 0xf2, 0x7e, 0x48, 0x31, 0x07 }, 6, INSN_OTHER, 0, 16, 2, NONE },
		{ { 0x62, 0xf3, 0x7d, 0x48, 0x3b, 0x07, 1 }, 7, INSN_OTHER, 0, 32, 2, NONE },
		/* vpcompressd [rdi], zmm0 */
		{ { 0x62, 0xf2, 0x7d, 0x48, 0x8b, 0x07 }, 6, INSN_OTHER, 0, 0, 0, NONE },
		/* kmovw k0, [rdi]; kmovq [rdi], k0 */
		{ { 0xc5, 0xf8, 0x90, 0x07 }, 4, INSN_OTHER, 0, 2, 1, NONE },
		{ { 0xc4, 0xe1, 0xf8, 0x91, 0x07 }, 5, INSN_OTHER, 0, 8, 2, NONE },
	};

	(void)state;
	CHECK_ALL(cases);
}

static void cache_lines(void **state)
{
	static const struct expected cases[] = {
		/* clflush, clflushopt, clwb */
		{ { 0x0f, 0xae, 0x3f }, 3, INSN_CACHE_LINE, 0, 0, 0, NONE },
		{ { 0x66, 0x0f, 0xae, 0x3f }, 4, INSN_CACHE_LINE, 0, 0, 0, NONE },
		{ { 0x66, 0x0f, 0xae, 0x37 }, 4, INSN_CACHE_LINE, 0, 0, 0, NONE },
	};
	/* cldemote and prefetchw never fault; xsaveopt */
	static const u8 refused[][3] = {
		{ 0x0f, 0x1c, 0x07 }, { 0x0f, 0x0d, 0x0f }, { 0x0f, 0xae, 0x37 },
	};
	struct insn in;

	(void)state;
	CHECK_ALL(cases);
	for (size_t i = 0; i < COUNT(refused); i++)
		assert_int_equal(insn_decode(&in, refused[i], sizeof(refused[i])), -1);
}

static void push_and_pop(void **state)
{
	static const struct expected cases[] = {
		{ { 0xff, 0x37 }, 2, INSN_OTHER, 0, 8, 1, NONE },
		{ { 0x66, 0xff, 0x37 }, 3, INSN_OTHER, 0, 2, 1, NONE },
		{ { 0x66, 0x48, 0xff, 0x37 }, 4, INSN_OTHER, 0, 8, 1, NONE },
		{ { 0x8f, 0x07 }, 2, INSN_OTHER, 0, 8, 2, NONE },
		{ { 0x66, 0x8f, 0x07 }, 3, INSN_OTHER, 0, 2, 2, NONE },
	};
	static const u8 push_by_rsp[] = { 0xff, 0x34, 0x24 }, pop_by_rsp[] = { 0x8f, 0x04, 0x24 };
	struct insn in;

	(void)state;
	CHECK_ALL(cases);
	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_int_equal(insn_decode(&in, cases[i].bytes, sizeof(cases[i].bytes)), 0);
		assert_int_equal(in.src_regs, 1u << INSN_RSP);
		assert_int_equal(in.dst_regs, 1u << INSN_RSP);
	}
	assert_int_equal(insn_decode(&in, push_by_rsp, sizeof(push_by_rsp)), 0);
	assert_int_equal(in.base, INSN_RSP);
	assert_int_equal(insn_decode(&in, pop_by_rsp, sizeof(pop_by_rsp)), -1);
}

static void integers(void **state)
{
	static const struct expected cases[] = {
		/* or [rdi], ecx; or ecx, [rdi]; or dword [rdi], 5; lock or byte [rdi], ch */
		{ { 0x09, 0x0f }, 2, INSN_INTEGER, INSN_OR, 4, 3, 1 },
		{ { 0x0b, 0x0f }, 2, INSN_INTEGER, INSN_OR, 4, 1, 1 },
		{ { 0x83, 0x0f, 5 }, 3, INSN_INTEGER, INSN_OR, 4, 3, NONE },
		{ { 0xf0, 0x08, 0x2f }, 3, INSN_INTEGER, INSN_OR, 1, 3, 1 },
		/* test dword [rdi], 1; cmp [rdi], ax; inc qword [rdi] */
		{ { 0xf7, 0x07, 1, 0, 0, 0 }, 6, INSN_INTEGER, INSN_TEST, 4, 1, NONE },
		{ { 0x66, 0x39, 0x07 }, 3, INSN_INTEGER, INSN_CMP, 2, 1, 0 },
		{ { 0x48, 0xff, 0x07 }, 3, INSN_INTEGER, INSN_INC, 8, 3, NONE },
		/* shl dword [rdi], 1; cmpxchg16b [rdi]; sete [rdi]; tzcnt eax, [rdi] */
		{ { 0xd1, 0x27 }, 2, INSN_INTEGER, INSN_SHL, 4, 3, NONE },
		{ { 0x48, 0x0f, 0xc7, 0x0f }, 4, INSN_INTEGER, INSN_CMPXCHG_PAIR, 16, 3, NONE },
		{ { 0x0f, 0x94, 0x07 }, 3, INSN_INTEGER, INSN_SET, 1, 2, NONE },
		{ { 0xf3, 0x0f, 0xbc, 0x07 }, 4, INSN_INTEGER, INSN_TZCNT, 4, 1, 0 },
		/* movnti is a store; div may raise an exception, andn is one of BMI: stepped */
		{ { 0x0f, 0xc3, 0x07 }, 3, INSN_STORE_REG, 0, 4, 2, 0 },
		{ { 0xf7, 0x37 }, 2, INSN_OTHER, 0, 4, 1, NONE },
		{ { 0xc4, 0xe2, 0x70, 0xf2, 0x07 }, 5, INSN_OTHER, 0, 4, 1, 0 },
	};

	(void)state;
	CHECK_ALL(cases);
}

/* The bit number is signed and moves the operand by whole operands. */
static void bit_strings(void **state)
{
	static const struct {
		u8 bytes[5];
		u64 bit;
		s64 distance;
	} cases[] = {
		/* bt [rdi], ecx; cx; rcx */
		{ { 0x0f, 0xa3, 0x0f }, 31, 0 },
		{ { 0x0f, 0xa3, 0x0f }, 32, 4 },
		{ { 0x0f, 0xa3, 0x0f }, 0xfff00000001f, 0 },
		{ { 0x0f, 0xa3, 0x0f }, 0xffffffff, -4 },
		{ { 0x66, 0x0f, 0xa3, 0x0f }, 0x7fff, 4094 },
		{ { 0x66, 0x0f, 0xa3, 0x0f }, 0x8000, -4096 },
		{ { 0x48, 0x0f, 0xa3, 0x0f }, 0x1000000000, 0x200000000 },
		{ { 0x48, 0x0f, 0xa3, 0x0f }, -1ULL, -8 },
		/* lock btc [rdi], ecx */
		{ { 0xf0, 0x0f, 0xbb, 0x0f }, 64, 8 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		u64 regs[16] = { [INSN_RCX] = cases[i].bit, [INSN_RDI] = 0xffffc90000001000 };
		struct insn in;

		assert_int_equal(insn_decode(&in, cases[i].bytes, sizeof(cases[i].bytes)), 0);
		assert_true(in.bit_string);
		assert_int_equal(insn_effective_address(&in, regs, 0, 0),
				 regs[INSN_RDI] + (u64)cases[i].distance);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(integers),
		cmocka_unit_test(bit_strings),
		cmocka_unit_test(push_and_pop),
		cmocka_unit_test(cache_lines),
		cmocka_unit_test(direct_stores_that_the_guest_lacks),
		cmocka_unit_test(avx512_that_the_guest_lacks),
	};

	return cmocka_run_group_tests_name("decode_class", tests, NULL, NULL);
}
