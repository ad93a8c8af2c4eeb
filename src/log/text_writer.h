/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mmiotrace's text format, version 20070824.
 * Source of the format: kernel/trace/trace_mmiotrace.c and Documentation/trace/mmiotrace.rst.
 */
#ifndef MMIOBPF_LOG_TEXT_WRITER_H
#define MMIOBPF_LOG_TEXT_WRITER_H

#include "writer.h"

#define TEXT_COMPAT	0x1u	/* as the kernel prints it: PC 0x0, PID 0, UNKNOWN with 3 bytes */
#define TEXT_IRQ	0x2u	/* interrupt entry and exit as MARK lines */
#define TEXT_CONFIG	0x4u	/* PCI configuration space as MARK lines */
#define TEXT_PMU	0x8u	/* PMU samples as MARK lines */

/**
 * text_writer_new() - writer of text logs
 * @sink: borrowed until log_writer_free()
 * @flags: TEXT_*
 * @out: the writer, freed with log_writer_free()
 *
 * Return: 0 or -ENOMEM.
 */
int text_writer_new(struct log_sink *sink, unsigned int flags, struct log_writer **out);

#endif
