// SPDX-License-Identifier: GPL-2.0-only
/*
 * One access of 16, 32 or 64 bytes to a device, as the driver's instruction would make it. Only a
 * vector register does that. It has its value again at the end, the part above the access included:
 * it belongs to whoever runs, and the kernel's own code has none.
 *
 * Interrupts are off. Legacy SSE leaves the part above 16 bytes alone, a VEX-coded load clears what
 * is above it, so the whole register is kept (Intel SDM volume 1, 14.1.2, and volume 2, VMOVDQU).
 */
#include <asm/cpufeature.h>

#include "trap.h"

#define REGISTER_BYTES	64

/* Loads from @src into @reg and stores to @dst; @whole is all of the register that the CPU has. */
#define MOVE_THROUGH(save, whole, move, reg, saved, dst, src)                                      \
	asm volatile(save " %%" whole ", (%[kept])\n\t"                                            \
		     move " (%[from]), %%" reg "\n\t"                                              \
		     move " %%" reg ", (%[to])\n\t"                                                \
		     save " (%[kept]), %%" whole                                                   \
		     :                                                                             \
		     : [kept] "r"(saved), [to] "r"(dst), [from] "r"(src)                           \
		     : "memory")

static void wide_move(void *dst, const void *src, u8 width)
{
	u8 saved[REGISTER_BYTES];

	if (width == 16)
		MOVE_THROUGH("movdqu", "xmm0", "movdqu", "xmm0", saved, dst, src);
	else if (width == 64)
		MOVE_THROUGH("vmovdqu64", "zmm0", "vmovdqu64", "zmm0", saved, dst, src);
	else if (boot_cpu_has(X86_FEATURE_AVX512F))
		MOVE_THROUGH("vmovdqu64", "zmm0", "vmovdqu", "ymm0", saved, dst, src);
	else
		MOVE_THROUGH("vmovdqu", "ymm0", "vmovdqu", "ymm0", saved, dst, src);
}

void wide_read(const void *p, u8 width, u64 *words)
{
	wide_move(words, p, width);
}

void wide_write(void *p, u8 width, const u64 *words)
{
	wide_move(p, words, width);
}
