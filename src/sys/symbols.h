/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A snapshot of /proc/kallsyms: which function an address is in. */
#ifndef MMIOBPF_SYS_SYMBOLS_H
#define MMIOBPF_SYS_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "root.h"

struct symbols;

struct symbol {
	uint64_t addr;
	const char *name;	/* belongs to the snapshot */
	const char *module;	/* "" when it is in the kernel itself */
	char type;		/* as in nm: 't', 'T', 'd', ... */
};

/**
 * symbols_new() - read the symbol table
 * @root: machine
 * @out: freed with symbols_free()
 *
 * Return: 0, -EPERM: the kernel hides addresses from this process (kernel.kptr_restrict,
 * CAP_SYSLOG), or -errno.
 */
int symbols_new(const struct sys_root *root, struct symbols **out);
void symbols_free(struct symbols *s);

/** symbols_count() and symbols_at() - all symbols in address order */
size_t symbols_count(const struct symbols *s);
void symbols_at(const struct symbols *s, size_t i, struct symbol *out);

/** symbol_is_text() - is it code, by its type? */
bool symbol_is_text(const struct symbol *s);

/**
 * symbols_lookup() - text symbol that an address is in
 * @s: snapshot
 * @addr: address
 * @out: filled
 * @offset: set to @addr - out->addr
 *
 * Return: 0 or -ENOENT: before the first one, or further than 1 MiB behind the nearest.
 */
int symbols_lookup(const struct symbols *s, uint64_t addr, struct symbol *out, uint64_t *offset);

/**
 * symbols_format() - "e1000_probe+0x1c2 [e1000e]" or "0xffffffffc0123456" into @buf. Return: @buf
 */
const char *symbols_format(const struct symbols *s, uint64_t addr, char *buf, size_t size);

#endif
