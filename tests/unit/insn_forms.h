/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tests of the decoder and of the emulation generate instructions from. */
#ifndef INSN_FORMS_H
#define INSN_FORMS_H

#include "kmod/decode.h"

#define COUNT(a)	(sizeof(a) / sizeof((a)[0]))

/* A move with ModRM. */
struct move_form {
	u8 opcode[2];
	u8 opcode_len;
	u8 extension;	/* 1: ModRM.reg has to be 0 */
	u8 class;	/* enum insn_class */
};

static const struct move_form move_forms[] = {
	{ { 0x88 }, 1, 0, INSN_STORE_REG },
	{ { 0x89 }, 1, 0, INSN_STORE_REG },
	{ { 0x8a }, 1, 0, INSN_LOAD },
	{ { 0x8b }, 1, 0, INSN_LOAD },
	{ { 0xc6 }, 1, 1, INSN_STORE_IMM },
	{ { 0xc7 }, 1, 1, INSN_STORE_IMM },
	{ { 0x63 }, 1, 0, INSN_LOAD_SX },
	{ { 0x0f, 0xb6 }, 2, 0, INSN_LOAD_ZX },
	{ { 0x0f, 0xb7 }, 2, 0, INSN_LOAD_ZX },
	{ { 0x0f, 0xbe }, 2, 0, INSN_LOAD_SX },
	{ { 0x0f, 0xbf }, 2, 0, INSN_LOAD_SX },
};

#endif
