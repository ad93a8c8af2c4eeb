/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the decoder refuses though Zydis sees a memory operand: a list with reasons. */
#ifndef DECODE_REFUSED_H
#define DECODE_REFUSED_H

#include "decode_zydis.h"

/** refused_note() - an instruction was refused */
void refused_note(const struct oracle *o);

/** refused_expected() - the list says that this one is refused, so it must not have been decoded */
bool refused_expected(const struct oracle *o);

/**
 * refused_check() - compare what was noted with the list
 *
 * Prints each refusal that is not listed and each line of the list that nothing needed, as TAP
 * comments, and the number of opcodes for each reason. Return: number of disagreements.
 */
unsigned int refused_check(void);

#endif
