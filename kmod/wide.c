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

#define SAVED_BYTES 64

/* Loads @src into the register @reg and stores it to @dst. */
#define MOVE_THROUGH(save, move, reg, kept, dst, src)                                              \
	asm volatile(save " %%" kept ", %[saved]\n\t"                                              \
		     move " %[from], %%" reg "\n\t"                                                \
		     move " %%" reg ", %[to]\n\t"                                                  \
		     save " %[saved], %%" kept                                                     \
		     : [saved] "=m"(saved), [to] "=m"(*(struct wide_bytes *)(dst))                 \
		     : [from] "m"(*(const struct wide_bytes *)(src))                               \
		     : "memory")

struct wide_bytes {
	u8 bytes[SAVED_BYTES];
};

static void wide_move(void *dst, const void *src, u8 width)
{
	struct wide_bytes saved;

	if (width == 16)
		MOVE_THROUGH("movdqu", "movdqu", "xmm0", "xmm0", dst, src);
	else if (width == 64)
		MOVE_THROUGH("vmovdqu64", "vmovdqu64", "zmm0", "zmm0", dst, src);
	else if (boot_cpu_has(X86_FEATURE_AVX512F))
		MOVE_THROUGH("vmovdqu64", "vmovdqu", "ymm0", "zmm0", dst, src);
	else
		MOVE_THROUGH("vmovdqu", "vmovdqu", "ymm0", "ymm0", dst, src);
}

void wide_read(const void *p, u8 width, u64 *words)
{
	wide_move(words, p, width);
}

void wide_write(void *p, u8 width, const u64 *words)
{
	wide_move(p, words, width);
}
