/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The directory that a capture is: a file of metadata, and a stream for each CPU that has records.
 * The formats see it through these operations only, so that tests can keep it in memory.
 */
#ifndef MMIOBPF_LOG_CAPTURE_DIR_H
#define MMIOBPF_LOG_CAPTURE_DIR_H

#include <stdint.h>

#include "reader.h"
#include "writer.h"

/* In place of a CPU: the files "metadata" and "symbols". */
#define CAPTURE_METADATA	(-1)
#define CAPTURE_SYMBOLS		(-2)
#define CAPTURE_CPUS		65536	/* CPUs are numbered below it */

struct capture_dir {
	uint8_t uuid[16];	/* a new capture's, by chance; not set when one is read */

	/* Make a file that is not there yet. Return: 0 or -errno; @out: log_sink_close(). */
	int (*create)(struct capture_dir *dir, int cpu, struct log_sink **out);
	/* Open a file for reading. Return: 0 or -errno; @out: log_source_close(). */
	int (*open)(struct capture_dir *dir, int cpu, struct log_source **out);
	/* The first CPU, from @cpu on, that has a stream. Return: its number, or -ENOENT. */
	int (*next_cpu)(struct capture_dir *dir, int cpu);
	void (*close)(struct capture_dir *dir);
};

/**
 * capture_dir_create() - a directory for a new capture
 * @path: is made; may be there already when it is empty
 * @out: closed with capture_dir_close()
 *
 * Return: 0, -ENOTEMPTY, or -errno.
 */
int capture_dir_create(const char *path, struct capture_dir **out);

/**
 * capture_dir_open() - the directory of a capture, for reading
 * @path: directory
 * @out: closed with capture_dir_close()
 *
 * Return: 0 or -errno, -ENOTDIR for a file.
 */
int capture_dir_open(const char *path, struct capture_dir **out);

/** capture_dir_close() - NULL is allowed */
void capture_dir_close(struct capture_dir *dir);

#endif
