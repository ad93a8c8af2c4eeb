/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * R and W lines as they nearly always are, taken at one go: a log has millions of them. What is
 * unusual in any way, or wrong, is left to the fields of text_fields.h, which also know what to say
 * about it.
 */
#ifndef MMIOBPF_LOG_TEXT_FAST_H
#define MMIOBPF_LOG_TEXT_FAST_H

#include <stdbool.h>
#include <stddef.h>

#include "../../include/mmiobpf/record.h"

/**
 * text_fast_access() - parse a line
 * @line: followed by its newline
 * @len: bytes without the newline
 * @a: zeros but for the header's type, size and seq; filled in, or left with some fields set
 *
 * Return: true, or false: take the slow way.
 */
bool text_fast_access(const char *line, size_t len, struct mmiobpf_rec_access *a);

#endif
