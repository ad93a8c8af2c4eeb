// SPDX-License-Identifier: GPL-2.0-or-later
/* The directory of a capture in the file system. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture_dir.h"

struct dir_fd {
	struct capture_dir dir;
	char *path;
	uint64_t streams[CAPTURE_CPUS / 64];	/* bit set of CPUs */
};

static int file_path(const struct dir_fd *d, int cpu, char *out, size_t size)
{
	int n;

	if (cpu == CAPTURE_METADATA)
		n = snprintf(out, size, "%s/metadata", d->path);
	else if (cpu == CAPTURE_SYMBOLS)
		n = snprintf(out, size, "%s/symbols", d->path);
	else
		n = snprintf(out, size, "%s/cpu%d", d->path, cpu);
	return n < 0 || (size_t)n >= size ? -ENAMETOOLONG : 0;
}

static int dir_create(struct capture_dir *dir, int cpu, struct log_sink **out)
{
	char path[PATH_MAX];
	int err = file_path((struct dir_fd *)dir, cpu, path, sizeof(path));

	return err ? err : log_sink_open(path, out);
}

static int dir_open(struct capture_dir *dir, int cpu, struct log_source **out)
{
	char path[PATH_MAX];
	int err = file_path((struct dir_fd *)dir, cpu, path, sizeof(path));

	return err ? err : log_source_open(path, out);
}

static int dir_next_cpu(struct capture_dir *dir, int cpu)
{
	const struct dir_fd *d = (const struct dir_fd *)dir;

	for (; cpu < CAPTURE_CPUS; cpu++)
		if (d->streams[cpu / 64] >> cpu % 64 & 1)
			return cpu;
	return -ENOENT;
}

static void dir_close(struct capture_dir *dir)
{
	struct dir_fd *d = (struct dir_fd *)dir;

	free(d->path);
	free(d);
}

static int dir_new(const char *path, struct dir_fd **out)
{
	struct dir_fd *d = calloc(1, sizeof(*d));

	if (d)
		d->path = strdup(path);
	if (!d || !d->path) {
		free(d);
		return -ENOMEM;
	}
	d->dir.create = dir_create;
	d->dir.open = dir_open;
	d->dir.next_cpu = dir_next_cpu;
	d->dir.close = dir_close;
	*out = d;
	return 0;
}

/* "cpu12" and nothing behind it; without leading zeros, so that each CPU has one name. */
static int stream_cpu(const char *name)
{
	char again[32];
	int cpu;

	if (sscanf(name, "cpu%5d", &cpu) != 1 || cpu < 0 || cpu >= CAPTURE_CPUS)
		return -ENOENT;
	snprintf(again, sizeof(again), "cpu%d", cpu);
	return strcmp(again, name) ? -ENOENT : cpu;
}

/* Which streams there are, and how many names of any kind. */
static int dir_scan(struct dir_fd *d, size_t *names)
{
	DIR *entries = opendir(d->path);
	const struct dirent *e;

	if (!entries)
		return -errno;
	*names = 0;
	while ((e = readdir(entries))) {
		int cpu = stream_cpu(e->d_name);

		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		++*names;
		if (cpu >= 0)
			d->streams[cpu / 64] |= 1ull << cpu % 64;
	}
	closedir(entries);
	return 0;
}

/* RFC 4122, section 4.4: a UUID made of random numbers. */
static int uuid_make(uint8_t uuid[16])
{
	if (getrandom(uuid, 16, 0) != 16)
		return -EIO;
	uuid[6] = (uuid[6] & 0x0f) | 0x40;
	uuid[8] = (uuid[8] & 0x3f) | 0x80;
	return 0;
}

int capture_dir_create(const char *path, struct capture_dir **out)
{
	struct dir_fd *d;
	size_t names;
	int err = dir_new(path, &d);

	if (err)
		return err;
	err = uuid_make(d->dir.uuid);
	if (!err && mkdir(path, 0777) && errno != EEXIST)
		err = -errno;
	if (!err)
		err = dir_scan(d, &names);
	if (!err && names)
		err = -ENOTEMPTY;
	if (err)
		dir_close(&d->dir);
	else
		*out = &d->dir;
	return err;
}

int capture_dir_open(const char *path, struct capture_dir **out)
{
	struct dir_fd *d;
	size_t names;
	int err = dir_new(path, &d);

	if (err)
		return err;
	err = dir_scan(d, &names);
	if (err)
		dir_close(&d->dir);
	else
		*out = &d->dir;
	return err;
}

void capture_dir_close(struct capture_dir *dir)
{
	if (dir)
		dir->close(dir);
}
