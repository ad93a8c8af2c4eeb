/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a capture: a CTF 1.8 trace, described in docs/capture.md. */
#ifndef MMIOBPF_LOG_CTF_WRITER_H
#define MMIOBPF_LOG_CTF_WRITER_H

#include "capture_dir.h"
#include "writer.h"

/* Who knows the functions that addresses are in. */
struct ctf_symbolizer {
	/*
	 * Find @sym->pc. Return: 0, with strings in the rest that stay until the next call, or
	 * -errno: not known now.
	 */
	int (*find)(struct ctf_symbolizer *s, struct log_symbol *sym);
};

/**
 * ctf_writer_new() - writer of captures
 * @dir: a new one, with its uuid set; borrowed until log_writer_free()
 * @symbolizer: borrowed as well; NULL: there are only the symbols of the header
 * @out: freed with log_writer_free()
 *
 * Addresses of records are looked up at the next flush, when there is time, and again at each one
 * after it until they are found. Whole packets go out, each in one write, when they are full and at each flush. A packet that
 * cannot be written is taken back, so that a stream always ends with a whole one.
 *
 * Return: 0 or -ENOMEM.
 */
int ctf_writer_new(struct capture_dir *dir, struct ctf_symbolizer *symbolizer,
		   struct log_writer **out);

#endif
