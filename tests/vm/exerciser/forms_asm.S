/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stub for each form: loads all registers and the flags from form_in, runs the instruction, stores
 * them in form_out. rsp is left alone. No register is left to point at the two, so they are in fixed
 * places.
 */
#include <linux/linkage.h>

#include "forms.h"

/* Order of struct form_regs: r[16], flags, vector[4]. */
#define REG(set, n)	set + 8 * n(%rip)
#define FLAGS(set)	set + 128(%rip)
#define VECTOR(set)	set + 136(%rip)

.macro form_enter
	pushq	%rbx
	pushq	%rbp
	pushq	%r12
	pushq	%r13
	pushq	%r14
	pushq	%r15
	vmovups	VECTOR(form_in), %ymm1
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
	vmovups	%ymm1, VECTOR(form_out)
	popq	%r15
	popq	%r14
	popq	%r13
	popq	%r12
	popq	%rbp
	popq	%rbx
.endm

#define STUB(group, name, place, base, offset, initial, ...) \
	SYM_FUNC_START(form_##name); \
	form_enter; \
	__VA_ARGS__; \
	form_leave; \
	RET; \
	SYM_FUNC_END(form_##name);

.text
FORMS(STUB)
