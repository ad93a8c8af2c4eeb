/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A set of code addresses, and those of them that are still to be looked up. Pure. */
#ifndef MMIOBPF_LOG_PC_SET_H
#define MMIOBPF_LOG_PC_SET_H

#include <stddef.h>
#include <stdint.h>

struct pc_set {
	uint64_t *slots;	/* a hash table; 0 is a free one */
	size_t size;		/* a power of two */
	size_t n;
	uint64_t last;		/* added last: mostly the next one again */
	uint64_t *open;		/* to be looked up */
	size_t nopen, open_room;
};

void pc_set_init(struct pc_set *s);
void pc_set_deinit(struct pc_set *s);

/**
 * pc_set_add() - add an address; one that is new is to be looked up
 * @pc: 0 is left out: no record has it as an address
 *
 * Return: 0 or -ENOMEM.
 */
int pc_set_add(struct pc_set *s, uint64_t pc);

/** pc_set_close() - the open address at @i has been found; another one takes its place */
void pc_set_close(struct pc_set *s, size_t i);

#endif
