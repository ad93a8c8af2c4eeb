/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads mmiotrace's text format in all its flavours: as text_writer writes it, as the kernel's
 * trace_pipe and trace file give it (lines with #, no VERSION, "CPU:n [LOST n EVENTS]", UNMAP of
 * map -1, continuation lines of a marker).
 */
#ifndef MMIOBPF_LOG_TEXT_READER_H
#define MMIOBPF_LOG_TEXT_READER_H

#include "reader.h"

/**
 * text_reader_new() - reader of text logs
 * @src: borrowed until log_reader_free()
 * @out: freed with log_reader_free()
 *
 * Yields ACCESS, UNKNOWN, MAP, UNMAP, MARK and LOST records. seq counts from 0, and jumps over what
 * was lost. What the text does not carry is 0, MMIOBPF_NO_BAR or MMIOBPF_NO_DEV. A
 * read-modify-write comes back as a read and a write, a wide access as accesses of up to 8 bytes:
 * that is what the text says. header.devices and header.lspci grow as their lines are read.
 *
 * Return: 0 or -ENOMEM.
 */
int text_reader_new(struct log_source *src, struct log_reader **out);

#endif
