/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Comma-separated values: a line of column names, then one line for each record. RFC 4180, but lines
 * end in a newline alone, and a text has none: docs/formats.md has the columns.
 */
#ifndef MMIOBPF_LOG_CSV_WRITER_H
#define MMIOBPF_LOG_CSV_WRITER_H

#include "writer.h"

/**
 * csv_writer_new() - writer of comma-separated values
 * @sink: borrowed until log_writer_free()
 * @out: the writer, freed with log_writer_free()
 *
 * Return: 0 or -ENOMEM.
 */
int csv_writer_new(struct log_sink *sink, struct log_writer **out);

#endif
