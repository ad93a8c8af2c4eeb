/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Opens a log of any kind: what it is is seen from its first bytes. A new reader is known here. */
#ifndef MMIOBPF_LOG_OPEN_H
#define MMIOBPF_LOG_OPEN_H

#include <stdbool.h>

#include "capture_dir.h"
#include "reader.h"

struct log_input {
	struct log_reader *reader;
	struct log_source *src;		/* NULL where the reader has files of its own */
	struct log_source *file;	/* below it, the file as it is */
	struct capture_dir *dir;	/* of a capture, else NULL */
	uint64_t size;			/* of the file in bytes, 0 when not known: a pipe */
	bool has_origin;			/* records say CPU, context and name of the task */
};

/**
 * log_input_open() - open a log for reading
 * @in: set; closed with log_input_close()
 * @path: a file, packed with gzip, xz or zstd or not, or the directory of a capture; "-" is stdin
 *
 * Return: 0, -EPROTONOSUPPORT: the bytes are of no format that is known, -EISDIR: a directory that is
 * no capture, -ENOTSUP: a capture of another version, or -errno.
 */
int log_input_open(struct log_input *in, const char *path);
void log_input_close(struct log_input *in);

/**
 * log_input_before_wait() - have @call called before a pipe or terminal is waited for: the time to
 * hand on what came so far
 */
void log_input_before_wait(struct log_input *in, void (*call)(void *ctx), void *ctx);

/** log_input_taken() - how many of @in->size bytes were read so far */
uint64_t log_input_taken(const struct log_input *in);

#endif
