/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state that a stub loads before its instruction and stores behind it (stub.S), for forms.c and
 * random.c. There is one of each: only one request is carried out at a time.
 */
#ifndef MMIOBPF_STATE_H
#define MMIOBPF_STATE_H

#include <linux/types.h>
#include <asm/processor-flags.h>

#define ARITHMETIC_FLAGS                                                                 \
	(X86_EFLAGS_CF | X86_EFLAGS_PF | X86_EFLAGS_AF | X86_EFLAGS_ZF | X86_EFLAGS_SF | \
	 X86_EFLAGS_OF)

/* Known to the assembler. rsp is neither loaded nor stored. */
struct form_regs {
	u64 r[16];
	u64 flags;
	u64 vector[16][4]; /* ymm0 to ymm15 */
};

extern struct form_regs form_in, form_out;

#endif
