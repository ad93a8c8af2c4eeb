/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What kind of instruction the decoder has to say that it is, by what Zydis calls it. */
#ifndef DECODE_KIND_H
#define DECODE_KIND_H

#include "decode_zydis.h"

/**
 * kind_differs() - class, operation, operands and lock of @in against @o
 *
 * Return: name of the first field that differs, or NULL.
 */
const char *kind_differs(const struct oracle *o, const struct insn *in);

#endif
