/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs one instruction on the CPU with chosen registers, on ordinary memory. */
#ifndef EMULATE_JIT_H
#define EMULATE_JIT_H

#include "kmod/emulate.h"

#define JIT_DATA_SIZE	4096

struct jit {
	u8 *code;	/* where the instruction is put; in the low 2 GiB, as disp32 and 67 need */
	u8 *data;	/* JIT_DATA_SIZE bytes, also there */
	u8 *far_data;	/* the same memory above 4 GiB */
	u64 fs_base;	/* of this thread */
	u64 gs_base;	/* 64 KiB below far_data */
};

/** jit_init() - map code and data, set gs; 0 or -errno */
int jit_init(struct jit *j);
void jit_deinit(struct jit *j);

/**
 * jit_catch_signals() - at the start of each test that runs instructions; 0 or -errno
 *
 * cmocka has handlers of its own in each test, which need a stack at rsp.
 */
int jit_catch_signals(void);

/**
 * jit_run() - carry out an instruction
 * @bytes: an instruction that goes on to the next one
 * @cpu: registers, rsp as well, and flags; changed. Of the flags the six arithmetic ones are loaded
 *	and stored, the others are kept.
 *
 * A signal that the instruction causes ends the program, with the bytes as a TAP comment.
 */
void jit_run(struct jit *j, const u8 *bytes, size_t len, struct emulate_cpu *cpu);

/**
 * jit_try() - the same, but a signal is an answer
 * @address: of the page fault; 0 for a general protection fault, as by a wrong alignment
 *
 * Return: 0, SIGSEGV, SIGILL when the CPU has no such instruction, or another signal.
 */
int jit_try(struct jit *j, const u8 *bytes, size_t len, struct emulate_cpu *cpu, u64 *address);

#endif
