// SPDX-License-Identifier: GPL-2.0-or-later
/* A log source on a file descriptor. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reader.h"

struct source_fd {
	struct log_source src;
	int fd;
	bool owned;
};

/* Is a read to be waited for? A regular file never is. */
static bool would_wait(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, 0) == 0;
}

static int fd_read(struct log_source *src, void *bytes, size_t n, size_t *done)
{
	struct source_fd *s = (struct source_fd *)src;
	ssize_t r;

	if (src->before_wait && would_wait(s->fd))
		src->before_wait(src->before_wait_ctx);
	do {
		r = read(s->fd, bytes, n);
	} while (r < 0 && errno == EINTR);
	*done = r < 0 ? 0 : (size_t)r;
	src->taken += *done;
	return r < 0 ? -errno : 0;
}

static void fd_close(struct log_source *src)
{
	struct source_fd *s = (struct source_fd *)src;

	if (s->owned)
		close(s->fd);
	free(s);
}

int log_source_open(const char *path, struct log_source **out)
{
	bool is_stdin = !strcmp(path, "-");
	struct source_fd *s = calloc(1, sizeof(*s));

	if (!s)
		return -ENOMEM;
	s->fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	if (s->fd < 0) {
		int err = -errno;

		free(s);
		return err;
	}
	s->owned = !is_stdin;
	s->src.read = fd_read;
	s->src.close = fd_close;
	*out = &s->src;
	return 0;
}

void log_source_close(struct log_source *src)
{
	if (src)
		src->close(src);
}
