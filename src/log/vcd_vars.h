/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The variables of a value change dump: found or made as records name them, declared at the end. */
#ifndef MMIOBPF_LOG_VCD_VARS_H
#define MMIOBPF_LOG_VCD_VARS_H

#include <stdbool.h>

#include "line_buffer.h"
#include "places.h"

enum vcd_kind {
	VCD_LOST,		/* records lost so far, 64 bits */
	VCD_IRQ,		/* 1 while the handler runs; dev: its number, offset: CPU */
	VCD_READ, VCD_WRITE,	/* an event of a scope: something was read, written */
	VCD_REGISTER,		/* offset and width in a scope */
};

struct vcd_var {
	enum vcd_kind kind;
	struct place at;	/* of a scope's own variables without offset */
	uint32_t width;		/* bytes */
};

struct vcd_vars {
	struct vcd_var *vars;	/* the index is the variable's number */
	size_t n, capacity;
	uint32_t *slots;	/* a hash table of numbers + 1, 0 is free; its size a power of two */
	size_t nslots;
};

void vcd_vars_init(struct vcd_vars *v);
void vcd_vars_deinit(struct vcd_vars *v);

/**
 * vcd_vars_find() - the number of a variable, which is made when it is not there
 *
 * Return: 0 or -ENOMEM; *@number is set.
 */
int vcd_vars_find(struct vcd_vars *v, const struct vcd_var *key, uint32_t *number);

/** vcd_var_is_vector() - has it a value of @width bytes, and not one bit? */
static inline bool vcd_var_is_vector(const struct vcd_var *var)
{
	return var->kind == VCD_REGISTER || var->kind == VCD_LOST;
}

/** vcd_var_is_event() - does it only happen, without a value? */
static inline bool vcd_var_is_event(const struct vcd_var *var)
{
	return var->kind == VCD_READ || var->kind == VCD_WRITE;
}

/**
 * vcd_vars_declare() - scopes and variables, in the order of devices, BARs and offsets
 *
 * Return: 0, -ENOMEM, or -errno of the sink.
 */
int vcd_vars_declare(const struct vcd_vars *v, struct line_buffer *out);

/**
 * put_vcd_code() - the identifier code of a variable: digits of base 94, the printable characters.
 * IEEE 1364-2005, 18.2.1
 */
char *put_vcd_code(char *p, uint32_t number);

#endif
