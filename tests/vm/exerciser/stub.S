/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is around the instruction of a stub: all registers and the flags are loaded from form_in,
 * and stored in form_out behind it. rsp is left alone. No register is left to point at the two, so
 * they are in fixed places.
 */
#ifndef MMIOBPF_STUB_S
#define MMIOBPF_STUB_S

#include <linux/linkage.h>
#include <asm/msr-index.h>

#include "forms.h"

/* Order of struct form_regs: r[16], flags, vector[16][4]. */
#define REG(set, n)	set + 8 * n(%rip)
#define FLAGS(set)	set + 128(%rip)

.macro form_enter
	pushfq
	pushq	%rbx
	pushq	%rbp
	pushq	%r12
	pushq	%r13
	pushq	%r14
	pushq	%r15
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	vmovups	form_in + 136 + 32 * \n(%rip), %ymm\n
	.endr
	pushq	FLAGS(form_in)
	popfq
	movq	REG(form_in, RAX), %rax
	movq	REG(form_in, RCX), %rcx
	movq	REG(form_in, RDX), %rdx
	movq	REG(form_in, RBX), %rbx
	movq	REG(form_in, RBP), %rbp
	movq	REG(form_in, RSI), %rsi
	movq	REG(form_in, RDI), %rdi
	movq	REG(form_in, R8), %r8
	movq	REG(form_in, R9), %r9
	movq	REG(form_in, R10), %r10
	movq	REG(form_in, R11), %r11
	movq	REG(form_in, R12), %r12
	movq	REG(form_in, R13), %r13
	movq	REG(form_in, R14), %r14
	movq	REG(form_in, R15), %r15
.endm

.macro form_leave
	movq	%rax, REG(form_out, RAX)
	movq	%rcx, REG(form_out, RCX)
	movq	%rdx, REG(form_out, RDX)
	movq	%rbx, REG(form_out, RBX)
	movq	%rbp, REG(form_out, RBP)
	movq	%rsi, REG(form_out, RSI)
	movq	%rdi, REG(form_out, RDI)
	movq	%r8, REG(form_out, R8)
	movq	%r9, REG(form_out, R9)
	movq	%r10, REG(form_out, R10)
	movq	%r11, REG(form_out, R11)
	movq	%r12, REG(form_out, R12)
	movq	%r13, REG(form_out, R13)
	movq	%r14, REG(form_out, R14)
	movq	%r15, REG(form_out, R15)
	pushfq
	popq	FLAGS(form_out)
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	vmovups	%ymm\n, form_out + 136 + 32 * \n(%rip)
	.endr
	popq	%r15
	popq	%r14
	popq	%r13
	popq	%r12
	popq	%rbp
	popq	%rbx
	/* The direction flag as the kernel has it. */
	popfq
.endm

#endif
