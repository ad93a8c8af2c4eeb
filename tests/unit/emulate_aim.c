// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes an instruction that is to be run hit the memory that is there for it. */
#include <stdio.h>
#include <string.h>

#include "emulate_aim.h"

static u64 random_state;

void random_seed(u64 seed)
{
	random_state = seed;
}

u64 random_word(void)
{
	random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
	return random_state ^ random_state >> 31;
}

u64 aim_segment_base(const struct jit *j, const struct insn *in)
{
	return in->segment == 0x64 ? j->fs_base : in->segment == 0x65 ? j->gs_base : 0;
}

u8 *aim_window(const struct jit *j, const struct insn *in)
{
	return in->segment == 0x65 ? j->far_data : j->data;
}

void aim_registers(const struct jit *j, const struct insn *in, u64 regs[16], u64 target)
{
	u64 rest = target - aim_segment_base(j, in) - (u64)in->disp;
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

bool aim_displacement(const struct jit *j, const struct insn *in, u8 *bytes, size_t at, bool moffs,
		      u64 target)
{
	u64 disp = target - aim_segment_base(j, in);

	if (in->rip_relative)
		disp -= (uintptr_t)j->code + in->len;
	if (moffs) {
		memcpy(bytes + at, &disp, in->addrsize);
		return in->addrsize == 8 || disp >> 32 == 0;
	}
	memcpy(bytes + at, &disp, 4);
	return in->addrsize == 4 || (u64)(int32_t)disp == disp;
}

void aim_fill_memory(struct jit *j)
{
	for (size_t i = 0; i < JIT_DATA_SIZE; i += 8) {
		u64 word = random_word();

		memcpy(j->data + i, &word, 8);
	}
}

void aim_print(const char *what, const u8 *bytes, size_t n)
{
	printf("# %s:", what);
	for (size_t i = 0; i < n; i++)
		printf(" %02x", bytes[i]);
	printf("\n");
}
