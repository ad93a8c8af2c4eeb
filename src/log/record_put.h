/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of records as more than one format writes them, appended as in text_put.h. */
#ifndef MMIOBPF_LOG_RECORD_PUT_H
#define MMIOBPF_LOG_RECORD_PUT_H

#include <stdbool.h>

#include "places.h"
#include "text_put.h"

#define PUT_VALUE_MAX	(2 + 16 * MMIOBPF_WIDE_WORDS + PUT_SLACK)

/**
 * put_value() - a value of any width as one number, 0x and hexadecimal
 * @p: with room for PUT_VALUE_MAX bytes
 * @a: access
 * @after: the value written, else the value read
 */
char *put_value(char *p, const struct mmiobpf_rec_access *a, bool after);

/** put_insn() - the first bytes of an instruction: "0f ae 38" */
char *put_insn(char *p, const struct mmiobpf_rec_unknown *u);

/** put_realtime() - "2026-12-01T04:42:33.123456789Z" of nanoseconds since 1970 */
char *put_realtime(char *p, uint64_t ns);

/** put_bar() - "BAR0", or "ROM" for the expansion ROM */
char *put_bar(char *p, uint8_t bar);

/** put_place() - "0000:00:1f.2 BAR0+0x10", "0xfed00000+0xf0" in a mapping, "0xfed000f0" */
char *put_place(char *p, const struct place *at);

#endif
