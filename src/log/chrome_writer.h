/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The trace event format of Chrome's tracing, for the Perfetto UI: an array of events, a track for
 * each CPU. Method: the document "Trace Event Format" of the Chromium project; an array that lacks
 * its last bracket is valid there, so a file that was cut off is read as far as it goes.
 */
#ifndef MMIOBPF_LOG_CHROME_WRITER_H
#define MMIOBPF_LOG_CHROME_WRITER_H

#include "writer.h"

/**
 * chrome_writer_new() - writer of Chrome's trace events
 * @sink: borrowed until log_writer_free()
 * @out: the writer, freed with log_writer_free()
 *
 * Return: 0 or -ENOMEM.
 */
int chrome_writer_new(struct log_sink *sink, struct log_writer **out);

#endif
