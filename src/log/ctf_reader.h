/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a capture, as ctf_writer writes it: see docs/capture.md. */
#ifndef MMIOBPF_LOG_CTF_READER_H
#define MMIOBPF_LOG_CTF_READER_H

#include "capture_dir.h"
#include "reader.h"

/**
 * ctf_reader_new() - reader of captures
 * @dir: borrowed until log_reader_free()
 * @out: freed with log_reader_free()
 *
 * Yields the records in the order in which they were written, over all streams, an END record last
 * when there is one. Where positions are missing, because a stream is cut off or damaged, a LOST
 * record says how many. Every stream is read up to its own end or damage; the first damage is
 * told at the end of all (-EBADMSG, its offset is that in the stream which damage.why names). A
 * capture that was not closed counts as damaged at its end.
 *
 * Return: 0, -ENOMEM, -ENOENT: no metadata, -EBADMSG: not a capture of this program, -ENOTSUP: of
 * another format, or -errno of a file.
 */
int ctf_reader_new(struct capture_dir *dir, struct log_reader **out);

#endif
