// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Width and direction of vector instructions against the CPU. The trap reads as many bytes from the
 * device as the decoder says, so they are measured:
 *
 *   - with its last byte at the end of a page, and none behind it: no fault
 *   - one byte further: a fault in the page that is not there
 *   - on a page without write permission: a fault when it writes, and no other
 *
 * Forms that this CPU lacks are counted as not run; their widths are compared with Zydis in
 * decode_all_test.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "emulate_aim.h"
#include "emulate_jit.h"

#define SEED	20261202ULL
#define PAGE	4096
#define ROUNDS	30

enum { LEGACY, VEX, EVEX, ENCODINGS };

static const char *const encoding_names[] = { "SSE", "AVX", "AVX-512" };

static struct jit jit;
static u8 *writable, *readable;		/* one page each, with none behind it */
static struct {
	unsigned long measured;
	unsigned long lacking;		/* not in this CPU */
	unsigned long aligned;		/* cannot be moved by one byte */
} count[ENCODINGS];

/* mxcsr is left alone; and what is no vector instruction. */
static bool is_vector(unsigned int encoding, unsigned int map, u8 opcode)
{
	if (map == 1)
		return opcode != 0xae && ((opcode >= 0x10 && opcode <= 0x17) ||
		       (opcode >= 0x28 && opcode <= 0x2f) || (opcode >= 0x51 && opcode <= 0x7f) ||
		       (encoding == VEX && (opcode == 0x90 || opcode == 0x91)) ||
		       opcode == 0xc2 || opcode == 0xc4 || opcode == 0xc6 || opcode >= 0xd0);
	return opcode < 0xe0;
}

static size_t put_legacy(u8 *bytes, unsigned int map, unsigned int pp, u64 r)
{
	static const u8 mandatory[] = { 0, 0x66, 0xf3, 0xf2 };
	size_t n = 0;

	if (pp)
		bytes[n++] = mandatory[pp];
	if (r & 1)
		bytes[n++] = r & 2 ? 0x48 : 0x40;
	bytes[n++] = 0x0f;
	if (map > 1)
		bytes[n++] = map == 2 ? 0x38 : 0x3a;
	return n;
}

/* vvvv has to be all ones where it is not used. */
static size_t put_vex(u8 *bytes, unsigned int map, unsigned int pp, u64 r)
{
	bytes[0] = 0xc4;
	bytes[1] = 0xe0 | map;
	bytes[2] = (r & 1 ? 0x80 : 0) | (r & 2 ? 4 : 0) | (r & 4 ? 0x78 : (r >> 8 & 0x78)) | pp;
	return 3;
}

static size_t put_evex(u8 *bytes, unsigned int map, unsigned int pp, u64 r)
{
	bytes[0] = 0x62;
	bytes[1] = 0xf0 | map;
	bytes[2] = (r & 1 ? 0x80 : 0) | (r & 4 ? 0x78 : (r >> 8 & 0x78)) | 4 | pp;
	bytes[3] = (r >> 4) % 3 << 5 | 8;
	return 4;
}

/* The operand is at rdi. Return: signal. */
static int run_at(const u8 *bytes, const struct insn *in, const u8 *at, u64 *fault)
{
	struct emulate_cpu cpu = { .flags = 0 };

	for (int i = 0; i < 16; i++)
		cpu.regs[i] = random_word();
	cpu.regs[INSN_RDI] = (uintptr_t)at;
	return jit_try(&jit, bytes, in->len, &cpu, fault);
}

static const char *measure(unsigned int encoding, const u8 *bytes, const struct insn *in)
{
	const u8 *end = writable + PAGE;
	bool writes = in->dir & 2;
	u64 fault;
	int signal = run_at(bytes, in, end - in->width, &fault);

	if (signal == SIGILL) {
		count[encoding].lacking++;
		return NULL;
	}
	if (signal)
		return "accesses more than its width";
	count[encoding].measured++;
	signal = run_at(bytes, in, readable + PAGE - in->width, &fault);
	if ((signal == SIGSEGV) != writes)
		return writes ? "does not write" : "writes";
	if (in->width == 1)
		return NULL;
	signal = run_at(bytes, in, end - in->width + 1, &fault);
	if (signal == SIGSEGV && !fault) {
		count[encoding].aligned++;
		return NULL;
	}
	return signal == SIGSEGV && fault == (uintptr_t)end ? NULL : "accesses less than its width";
}

static void check(unsigned int encoding, unsigned int map, u8 opcode, unsigned int pp)
{
	u8 bytes[INSN_MAX_LEN] = { 0 };
	u64 r = random_word() >> 16;
	const char *wrong;
	struct insn in;
	size_t n;

	if (!is_vector(encoding, map, opcode))
		return;
	n = encoding == LEGACY ? put_legacy(bytes, map, pp, r) :
	    encoding == VEX    ? put_vex(bytes, map, pp, r) :
				 put_evex(bytes, map, pp, r);
	bytes[n++] = opcode;
	bytes[n++] = (r >> 20 & 7) << 3 | INSN_RDI;
	if (insn_decode(&in, bytes, sizeof(bytes)) || !in.width)
		return;
	wrong = measure(encoding, bytes, &in);
	if (wrong) {
		printf("# width %u, dir %u\n", in.width, in.dir);
		aim_print(wrong, bytes, in.len);
		fail();
	}
}

static void vector_widths_as_on_the_cpu(void **state)
{
	(void)state;
	assert_int_equal(jit_catch_signals(), 0);
	random_seed(SEED);
	for (unsigned int i = 0; i < ROUNDS * 256 * 4; i++)
		for (unsigned int encoding = LEGACY; encoding < ENCODINGS; encoding++)
			for (unsigned int map = 1; map < 4; map++)
				check(encoding, map, i >> 2, i & 3);
	/* MMX was used, whose registers are those of x87 */
	__asm__ volatile("emms");
	for (int i = 0; i < ENCODINGS; i++)
		print_message("# %s: %lu measured (%lu of them need their alignment), %lu not in "
			      "this CPU\n", encoding_names[i], count[i].measured, count[i].aligned,
			      count[i].lacking);
	assert_true(count[LEGACY].measured > 1000);
	assert_true(count[LEGACY].aligned < count[LEGACY].measured);
}

/* A page that has no other behind it. */
static u8 *map_last(int prot)
{
	u8 *p = mmap(NULL, 2 * PAGE, prot, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED || mprotect(p + PAGE, PAGE, PROT_NONE))
		return NULL;
	return p;
}

static int setup(void **state)
{
	(void)state;
	writable = map_last(PROT_READ | PROT_WRITE);
	readable = map_last(PROT_READ);
	return !writable || !readable || jit_init(&jit);
}

static int teardown(void **state)
{
	(void)state;
	munmap(writable, 2 * PAGE);
	munmap(readable, 2 * PAGE);
	jit_deinit(&jit);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(vector_widths_as_on_the_cpu),
	};

	return cmocka_run_group_tests_name("decode_width", tests, setup, teardown);
}
