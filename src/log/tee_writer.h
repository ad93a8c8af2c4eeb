/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A writer that hands everything to two others: a log and a capture of the same session. */
#ifndef MMIOBPF_LOG_TEE_WRITER_H
#define MMIOBPF_LOG_TEE_WRITER_H

#include "writer.h"

/**
 * tee_writer_new() - writer that writes twice
 * @a, @b: taken over: freed with the tee by log_writer_free(), or here when it fails
 * @out: the writer
 *
 * What one cannot write does not keep the other from writing it; the first error is what is
 * returned.
 *
 * Return: 0 or -ENOMEM.
 */
int tee_writer_new(struct log_writer *a, struct log_writer *b, struct log_writer **out);

#endif
