/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names for the addresses in a capture or the readable view, from the kernel that is traced. */
#ifndef MMIOBPF_CMD_TRACE_SYMBOLS_H
#define MMIOBPF_CMD_TRACE_SYMBOLS_H

#include "../log/symbolizer.h"
#include "../sys/root.h"

/**
 * trace_symbols_new() - read the symbol table, and again when modules have come or gone
 * @root: machine
 * @out: freed with symbolizer_free()
 *
 * An address is looked up in the table that fits the modules of that moment, so that a module that
 * is loaded where another one was is not taken for it. Reading the table may take an eighth of the
 * time; until it can be read again, addresses are not known.
 *
 * Return: 0, -EPERM: the kernel hides its addresses, or -errno.
 */
int trace_symbols_new(const struct sys_root *root, struct symbolizer **out);

#endif
