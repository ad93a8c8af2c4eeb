/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a capture: a CTF 1.8 trace, described in docs/capture.md. */
#ifndef MMIOBPF_LOG_CTF_WRITER_H
#define MMIOBPF_LOG_CTF_WRITER_H

#include "capture_dir.h"
#include "symbolizer.h"
#include "writer.h"

/**
 * ctf_writer_new() - writer of captures
 * @dir: a new one, with its uuid set; borrowed until log_writer_free()
 * @symbolizer: borrowed as well; NULL: there are only the symbols of the header
 * @out: freed with log_writer_free()
 *
 * Addresses of records are looked up at the next flush, when there is time, and again at each one
 * after it until they are found. Whole packets go out, each in one write, when they are full and at
 * each flush. A packet that cannot be written is taken back, so that a stream always ends with a
 * whole one.
 *
 * Return: 0 or -ENOMEM.
 */
int ctf_writer_new(struct capture_dir *dir, struct symbolizer *symbolizer,
		   struct log_writer **out);

#endif
