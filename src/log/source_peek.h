/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A log source whose first bytes can be looked at before anybody reads them. Pure. */
#ifndef MMIOBPF_LOG_SOURCE_PEEK_H
#define MMIOBPF_LOG_SOURCE_PEEK_H

#include "reader.h"

#define PEEK_MAX (16 * 1024)

/**
 * source_peek_open() - a source on top of another one
 * @lower: closed with the new source; still the caller's when this fails
 * @out: closed with log_source_close()
 *
 * Return: 0 or -ENOMEM.
 */
int source_peek_open(struct log_source *lower, struct log_source **out);

/**
 * source_peek() - the first bytes, which the reads that follow will give again
 * @src: of source_peek_open(), nothing read yet
 * @n: how many are wanted, at most PEEK_MAX; a pipe is waited for until they are there
 * @bytes: set to them
 * @have: set to how many there are: fewer than @n only where the log is shorter, or its source
 *	fails, which the reads will say once these bytes are taken; often more
 */
void source_peek(struct log_source *src, size_t n, const char **bytes, size_t *have);

#endif
