/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A value change dump, for waveform viewers: a scope for each device and BAR, a variable for each
 * register. IEEE 1364-2005, clause 18.
 *
 * Variables are declared before the first change, and are known after the last record: the changes
 * are kept in memory, some ten bytes each, and all is written at the end.
 */
#ifndef MMIOBPF_LOG_VCD_WRITER_H
#define MMIOBPF_LOG_VCD_WRITER_H

#include "writer.h"

/**
 * vcd_writer_new() - writer of value change dumps
 * @sink: borrowed until log_writer_free()
 * @out: the writer, freed with log_writer_free()
 *
 * Return: 0 or -ENOMEM.
 */
int vcd_writer_new(struct log_sink *sink, struct log_writer **out);

#endif
