/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stub that random.c writes its instructions into, by another mapping of the page. */
#include "stub.S"
#include "random.h"

.text
.balign 64
SYM_FUNC_START(random_stub)
	form_enter
	/* Within one page. */
	.balign	64, 0x90
.Lrandom_code:
	.rept	RANDOM_CODE_LEN
	nop
	.endr
	form_leave
	RET
SYM_FUNC_END(random_stub)

/* Not as an address: objtool wants an ENDBR wherever one is taken. */
.section .rodata
SYM_DATA(random_code_offset, .quad .Lrandom_code - random_stub)
