/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The directory of a capture in memory. For the tests of the format. */
#ifndef CAPTURE_MEMORY_H
#define CAPTURE_MEMORY_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "log/capture_dir.h"

#define CAPTURE_MEMORY_FILES	8	/* the metadata, CPUs 0 to 5, and the symbols */

struct memory_file {
	char *bytes;
	size_t len;
	int there;
};

struct memory_dir {
	struct capture_dir dir;
	struct memory_file files[CAPTURE_MEMORY_FILES];
	size_t limit;		/* bytes of all files after which @err comes; 0: never */
	int err;
};

struct memory_dir_sink {
	struct log_sink sink;
	struct memory_dir *dir;
	struct memory_file *file;
};

struct memory_dir_source {
	struct log_source src;
	const struct memory_file *file;
	size_t at;
};

/* Index of a file; a CPU that there is no room for has the number of files. */
static inline int memory_dir_index(int cpu)
{
	if (cpu == CAPTURE_SYMBOLS)
		return CAPTURE_MEMORY_FILES - 1;
	return cpu + 1 < CAPTURE_MEMORY_FILES - 1 ? cpu + 1 : CAPTURE_MEMORY_FILES;
}

static int memory_dir_write(struct log_sink *sink, const void *bytes, size_t n, size_t *done)
{
	struct memory_dir_sink *s = (struct memory_dir_sink *)sink;
	size_t total = 0;
	int err = 0;

	for (size_t i = 0; i < CAPTURE_MEMORY_FILES; i++)
		total += s->dir->files[i].len;
	if (s->dir->limit && total + n > s->dir->limit) {
		n = s->dir->limit - total;
		err = s->dir->err;
	}
	s->file->bytes = realloc(s->file->bytes, s->file->len + n + 1);
	memcpy(s->file->bytes + s->file->len, bytes, n);
	s->file->len += n;
	*done = n;
	return err;
}

static int memory_dir_take_back(struct log_sink *sink, size_t n)
{
	((struct memory_dir_sink *)sink)->file->len -= n;
	return 0;
}

static int memory_dir_close_sink(struct log_sink *sink)
{
	free(sink);
	return 0;
}

static int memory_dir_create(struct capture_dir *dir, int cpu, struct log_sink **out)
{
	struct memory_dir *d = (struct memory_dir *)dir;
	struct memory_dir_sink *s;
	int at = memory_dir_index(cpu);

	if (at == CAPTURE_MEMORY_FILES)
		return -EMFILE;
	s = calloc(1, sizeof(*s));
	s->sink.write = memory_dir_write;
	s->sink.take_back = memory_dir_take_back;
	s->sink.close = memory_dir_close_sink;
	s->dir = d;
	s->file = &d->files[at];
	s->file->there = 1;
	*out = &s->sink;
	return 0;
}

static int memory_dir_read(struct log_source *src, void *bytes, size_t n, size_t *done)
{
	struct memory_dir_source *s = (struct memory_dir_source *)src;
	size_t left = s->file->len - s->at;

	*done = n < left ? n : left;
	if (*done)
		memcpy(bytes, s->file->bytes + s->at, *done);
	s->at += *done;
	return 0;
}

static void memory_dir_close_source(struct log_source *src)
{
	free(src);
}

static int memory_dir_open(struct capture_dir *dir, int cpu, struct log_source **out)
{
	struct memory_dir *d = (struct memory_dir *)dir;
	struct memory_dir_source *s;
	int at = memory_dir_index(cpu);

	if (at == CAPTURE_MEMORY_FILES || !d->files[at].there)
		return -ENOENT;
	s = calloc(1, sizeof(*s));
	s->src.read = memory_dir_read;
	s->src.close = memory_dir_close_source;
	s->file = &d->files[at];
	*out = &s->src;
	return 0;
}

static int memory_dir_next_cpu(struct capture_dir *dir, int cpu)
{
	const struct memory_dir *d = (const struct memory_dir *)dir;

	for (; memory_dir_index(cpu) < CAPTURE_MEMORY_FILES; cpu++)
		if (d->files[cpu + 1].there)
			return cpu;
	return -ENOENT;
}

static inline void memory_dir_init(struct memory_dir *d)
{
	memset(d, 0, sizeof(*d));
	for (unsigned int i = 0; i < sizeof(d->dir.uuid); i++)
		d->dir.uuid[i] = (uint8_t)(0x10 + i);
	d->dir.create = memory_dir_create;
	d->dir.open = memory_dir_open;
	d->dir.next_cpu = memory_dir_next_cpu;
}

static inline void memory_dir_deinit(struct memory_dir *d)
{
	for (size_t i = 0; i < CAPTURE_MEMORY_FILES; i++)
		free(d->files[i].bytes);
}

#endif
