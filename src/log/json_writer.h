/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * JSON lines: each record an object on a line of its own, a header first and an end last.
 * docs/formats.md has the members. RFC 8259.
 */
#ifndef MMIOBPF_LOG_JSON_WRITER_H
#define MMIOBPF_LOG_JSON_WRITER_H

#include "writer.h"

/**
 * json_writer_new() - writer of JSON lines
 * @sink: borrowed until log_writer_free()
 * @out: the writer, freed with log_writer_free()
 *
 * Return: 0 or -ENOMEM.
 */
int json_writer_new(struct log_sink *sink, struct log_writer **out);

#endif
