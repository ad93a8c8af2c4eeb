// SPDX-License-Identifier: GPL-2.0-or-later
/* A log sink on a file descriptor. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "writer.h"

struct sink_fd {
	struct log_sink sink;
	int fd;
	bool owned;
};

static int fd_write(struct log_sink *sink, const void *bytes, size_t n, size_t *done)
{
	struct sink_fd *s = (struct sink_fd *)sink;

	*done = 0;
	while (*done < n) {
		ssize_t r = write(s->fd, (const char *)bytes + *done, n - *done);

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return -errno;
		*done += (size_t)r;
	}
	return 0;
}

/* Only when what was written last is still the end of a regular file. */
static int fd_take_back(struct log_sink *sink, size_t n)
{
	struct sink_fd *s = (struct sink_fd *)sink;
	off_t at = lseek(s->fd, 0, SEEK_CUR);
	struct stat st;

	if (at < 0 || fstat(s->fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode) || st.st_size != at || (off_t)n > at)
		return -ESPIPE;
	if (ftruncate(s->fd, at - (off_t)n) || lseek(s->fd, at - (off_t)n, SEEK_SET) < 0)
		return -errno;
	return 0;
}

static int fd_close(struct log_sink *sink)
{
	struct sink_fd *s = (struct sink_fd *)sink;
	int err = 0;

	if (s->owned && close(s->fd))
		err = -errno;
	free(s);
	return err;
}

int log_sink_open(const char *path, struct log_sink **out)
{
	bool is_stdout = !strcmp(path, "-");
	struct sink_fd *s = calloc(1, sizeof(*s));

	if (!s)
		return -ENOMEM;
	s->fd = STDOUT_FILENO;
	s->owned = !is_stdout;
	if (!is_stdout)
		s->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (s->fd < 0) {
		int err = -errno;

		free(s);
		return err;
	}
	s->sink.write = fd_write;
	s->sink.take_back = fd_take_back;
	s->sink.close = fd_close;
	*out = &s->sink;
	return 0;
}

int log_sink_close(struct log_sink *sink)
{
	return sink ? sink->close(sink) : 0;
}
