// SPDX-License-Identifier: GPL-2.0-or-later
#include "vcd_vars.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "record_put.h"

#define SLOTS_FIRST	256

void vcd_vars_init(struct vcd_vars *v)
{
	memset(v, 0, sizeof(*v));
}

void vcd_vars_deinit(struct vcd_vars *v)
{
	free(v->vars);
	free(v->slots);
	memset(v, 0, sizeof(*v));
}

#define COMPARE(x, y)				\
	do {					\
		if ((x) != (y))			\
			return (x) < (y) ? -1 : 1; \
	} while (0)

/* In which order scopes are declared. Equal: the same scope. */
static int scope_compare(const struct vcd_var *a, const struct vcd_var *b)
{
	COMPARE(a->kind <= VCD_IRQ ? a->kind : VCD_READ, b->kind <= VCD_IRQ ? b->kind : VCD_READ);
	if (a->kind <= VCD_IRQ)
		return 0;
	COMPARE(a->at.kind, b->at.kind);
	COMPARE(a->at.dev, b->at.dev);
	COMPARE(a->at.bar, b->at.bar);
	COMPARE(a->at.base, b->at.base);
	return 0;
}

static int var_compare(const struct vcd_var *a, const struct vcd_var *b)
{
	int order = scope_compare(a, b);

	if (order)
		return order;
	COMPARE(a->kind, b->kind);
	COMPARE(a->at.dev, b->at.dev);
	COMPARE(a->at.offset, b->at.offset);
	COMPARE(a->width, b->width);
	return 0;
}

static size_t var_hash(const struct vcd_var *var)
{
	uint64_t h = var->at.offset * 8 + var->width;

	h = (h ^ var->at.base) * 0x9e3779b97f4a7c15;
	h ^= ((uint64_t)var->at.dev << 16 | (uint64_t)var->at.bar << 8 | var->kind);
	h *= 0x9e3779b97f4a7c15;
	return h >> 32;
}

/* The slot where the variable is, or would be. There is always a free one. */
static uint32_t *var_slot(const struct vcd_vars *v, uint32_t *slots, size_t nslots,
			  const struct vcd_var *key)
{
	size_t i = var_hash(key) & (nslots - 1);

	while (slots[i] && var_compare(&v->vars[slots[i] - 1], key))
		i = (i + 1) & (nslots - 1);
	return &slots[i];
}

static int slots_grow(struct vcd_vars *v)
{
	size_t nslots = v->nslots ? 2 * v->nslots : SLOTS_FIRST;
	uint32_t *slots = calloc(nslots, sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	for (size_t i = 0; i < v->n; i++)
		*var_slot(v, slots, nslots, &v->vars[i]) = (uint32_t)i + 1;
	free(v->slots);
	v->slots = slots;
	v->nslots = nslots;
	return 0;
}

int vcd_vars_find(struct vcd_vars *v, const struct vcd_var *key, uint32_t *number)
{
	uint32_t *slot;

	if (2 * (v->n + 1) > v->nslots && slots_grow(v))
		return -ENOMEM;
	slot = var_slot(v, v->slots, v->nslots, key);
	if (!*slot) {
		if (v->n == v->capacity) {
			size_t capacity = v->capacity ? 2 * v->capacity : SLOTS_FIRST;
			struct vcd_var *vars = realloc(v->vars, capacity * sizeof(*vars));

			if (!vars)
				return -ENOMEM;
			v->vars = vars;
			v->capacity = capacity;
		}
		v->vars[v->n++] = *key;
		*slot = (uint32_t)v->n;
	}
	*number = *slot - 1;
	return 0;
}

/* --- declarations --- */

char *put_vcd_code(char *p, uint32_t number)
{
	do {
		*p++ = (char)('!' + number % 94);
		number /= 94;
	} while (number);
	return p;
}

static bool same_device(const struct vcd_var *a, const struct vcd_var *b)
{
	return a && b && a->kind > VCD_IRQ && b->kind > VCD_IRQ && a->at.kind == PLACE_BAR &&
	       b->at.kind == PLACE_BAR && a->at.dev == b->at.dev;
}

static char *put_bar_begin(char *p, const struct vcd_var *var)
{
	return put_string(put_bar(put_string(p, "$scope module "), var->at.bar), " $end\n");
}

/*
 * Colons and dots separate levels in viewers' names: 0000:00:1f.2 is pci_0000_00_1f_2, with a scope
 * for each BAR in it.
 */
static char *put_scope_begin(char *p, const struct vcd_var *before, const struct vcd_var *var)
{
	if (same_device(before, var))
		return put_bar_begin(p, var);
	p = put_string(p, "$scope module ");
	if (var->kind == VCD_LOST)
		return put_string(p, "session $end\n");
	if (var->kind == VCD_IRQ)
		return put_string(p, "interrupts $end\n");
	if (var->at.kind == PLACE_PHYS)
		return put_string(p, "physical $end\n");
	if (var->at.kind == PLACE_MAPPING) {
		p = put_hex(put_string(p, "mapping_"), var->at.base, 1);
		return put_string(p, " $end\n");
	}
	p = put_string(p, "pci_");
	p = put_bdf(p, var->at.dev);
	p[-2] = p[-5] = p[-8] = '_';
	return put_bar_begin(put_string(p, " $end\n"), var);
}

static char *put_scope_end(char *p, const struct vcd_var *var, const struct vcd_var *after)
{
	p = put_string(p, "$upscope $end\n");
	if (var->kind > VCD_IRQ && var->at.kind == PLACE_BAR && !same_device(var, after))
		p = put_string(p, "$upscope $end\n");
	return p;
}

static char *put_name(char *p, const struct vcd_var *var)
{
	switch (var->kind) {
	case VCD_LOST:
		return put_string(p, "lost");
	case VCD_IRQ:
		p = put_number(put_string(p, "irq"), var->at.dev);
		return put_number(put_string(p, "_cpu"), var->at.offset);
	case VCD_READ:
		return put_string(p, "read");
	case VCD_WRITE:
		return put_string(p, "write");
	default:
		p = put_hex(put_string(p, "r"), var->at.offset, 4);
		/* Most registers have 32 bits. One that is used in two widths has a variable for each. */
		return var->width == 4 ? p : put_number(put_string(p, "_"), 8 * var->width);
	}
}

static char *put_var(char *p, const struct vcd_var *var, uint32_t number)
{
	unsigned int bits = vcd_var_is_vector(var) ? 8 * var->width : 1;

	p = put_string(p, vcd_var_is_event(var) ? "$var event " : "$var reg ");
	p = put_number(p, bits);
	*p++ = ' ';
	p = put_vcd_code(p, number);
	*p++ = ' ';
	p = put_name(p, var);
	if (bits > 1) {
		p = put_number(put_string(p, " ["), bits - 1);
		p = put_string(p, ":0]");
	}
	return put_string(p, " $end\n");
}

static int by_name(const void *a, const void *b)
{
	return var_compare(*(const struct vcd_var *const *)a, *(const struct vcd_var *const *)b);
}

int vcd_vars_declare(const struct vcd_vars *v, struct line_buffer *out)
{
	const struct vcd_var **sorted = malloc((v->n + 1) * sizeof(*sorted));

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < v->n; i++)
		sorted[i] = &v->vars[i];
	qsort(sorted, v->n, sizeof(*sorted), by_name);
	for (size_t i = 0; i < v->n && !line_buffer_room(out); i++) {
		const struct vcd_var *before = i ? sorted[i - 1] : NULL, *var = sorted[i];
		const struct vcd_var *after = i + 1 < v->n ? sorted[i + 1] : NULL;

		if (!before || scope_compare(before, var))
			out->at = put_scope_begin(out->at, before, var);
		out->at = put_var(out->at, var, (uint32_t)(var - v->vars));
		if (!after || scope_compare(var, after))
			out->at = put_scope_end(out->at, var, after);
	}
	free(sorted);
	return out->err;
}
