// SPDX-License-Identifier: GPL-2.0-or-later
#include "open.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "ctf_reader.h"
#include "source_peek.h"
#include "source_unpack.h"
#include "text_grammar.h"
#include "text_reader.h"
#include "vfio_reader.h"

typedef int (*reader_new)(struct log_source *src, struct log_reader **out);

/* A text log begins with a line of its own. An empty log is a text log without a line. */
static bool looks_like_text(const char *bytes, size_t n)
{
	const char *nl;

	for (;;) {
		enum text_kind kind;

		nl = n ? memchr(bytes, '\n', n) : NULL;
		kind = text_line_kind(bytes, nl ? (size_t)(nl - bytes) : n, NULL);
		if (kind != TEXT_LINE_EMPTY)
			return kind != TEXT_LINE_OTHER;
		if (!nl)
			return true;
		n -= (size_t)(nl + 1 - bytes);
		bytes = nl + 1;
	}
}

static const struct {
	bool (*looks_like)(const char *bytes, size_t n);
	reader_new make;
} kinds[] = {
	{ looks_like_text, text_reader_new },
	{ vfio_reader_knows, vfio_reader_new },
};

/* No more is waited for than it takes: a pipe may be slow. */
static reader_new kind_find(struct log_source *src)
{
	const char *bytes;
	size_t n = 0, want;

	do {
		want = n + 1;
		source_peek(src, want, &bytes, &n);
		for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
			if (kinds[i].looks_like(bytes, n))
				return kinds[i].make;
	} while (n >= want && n < PEEK_MAX);
	return NULL;
}

/* Put @src under a source that can be looked into. It is closed when that fails. */
static int peek_on(struct log_source **src)
{
	struct log_source *lower = *src;
	int err = source_peek_open(lower, src);

	if (err)
		log_source_close(lower);
	return err;
}

/* The file, unpacked if need be, ready to be looked at. */
static int source_open(const char *path, struct log_source **file, struct log_source **src)
{
	const struct unpack_method *method;
	struct log_source *packed;
	const char *bytes;
	size_t n;
	int err = log_source_open(path, file);

	*src = *file;
	if (!err)
		err = peek_on(src);
	if (err)
		return err;
	source_peek(*src, UNPACK_MAGIC, &bytes, &n);
	method = unpack_method_find(bytes, n);
	if (!method)
		return 0;
	packed = *src;
	err = source_unpack_open(packed, method, src);
	if (err) {
		log_source_close(packed);
		return err;
	}
	return peek_on(src);
}

static int capture_open(struct log_input *in, const char *path)
{
	int err = capture_dir_open(path, &in->dir);

	if (!err)
		err = ctf_reader_new(in->dir, &in->reader);
	if (err)
		log_input_close(in);
	else
		in->has_origin = true;
	return err == -ENOENT || err == -EBADMSG ? -EISDIR : err;
}

int log_input_open(struct log_input *in, const char *path)
{
	bool is_stdin = !strcmp(path, "-");
	struct stat st;
	reader_new make;
	int err;

	memset(in, 0, sizeof(*in));
	if (is_stdin ? fstat(0, &st) : stat(path, &st))
		return -errno;
	if (S_ISDIR(st.st_mode))
		return is_stdin ? -EISDIR : capture_open(in, path);
	err = source_open(path, &in->file, &in->src);
	if (err) {
		in->src = in->file = NULL;
		return err;
	}
	in->size = S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
	make = kind_find(in->src);
	err = make ? make(in->src, &in->reader) : -EPROTONOSUPPORT;
	if (err)
		log_input_close(in);
	return err;
}

void log_input_close(struct log_input *in)
{
	log_reader_free(in->reader);
	log_source_close(in->src);
	capture_dir_close(in->dir);
	memset(in, 0, sizeof(*in));
}

void log_input_before_wait(struct log_input *in, void (*call)(void *ctx), void *ctx)
{
	if (!in->file)
		return;
	in->file->before_wait = call;
	in->file->before_wait_ctx = ctx;
}

uint64_t log_input_taken(const struct log_input *in)
{
	return in->file ? in->file->taken : 0;
}
