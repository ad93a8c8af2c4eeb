// SPDX-License-Identifier: GPL-2.0-or-later
#include "source_unpack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define PACKED_SIZE (64 * 1024)

struct source_unpack {
	struct log_source src;
	struct log_source *lower;
	const struct unpack_method *method;
	void *state;
	int err; /* what reads return when nothing is left to give */
	bool over; /* the end was given */
	size_t at; /* in buf, of the first byte that is not unpacked yet */
	size_t filled;
	bool lower_ends;
	unsigned char buf[PACKED_SIZE];
};

static int refill(struct source_unpack *u)
{
	int err;

	if (u->at < u->filled || u->lower_ends)
		return 0;
	u->at = 0;
	err = u->lower->read(u->lower, u->buf, sizeof(u->buf), &u->filled);
	u->src.taken = u->lower->taken;
	u->lower_ends = !err && !u->filled;
	return err;
}

/* One step into @out. Return: 0 or -errno; *@done bytes came, @u->over at the end. */
static int unpack_some(struct source_unpack *u, void *out, size_t n, size_t *done)
{
	struct unpack_step s = { .out = out, .out_left = n };
	int err = refill(u);

	if (err)
		return err;
	s.in = u->buf + u->at;
	s.in_left = u->filled - u->at;
	s.in_ends = u->lower_ends;
	err = u->method->step(u->state, &s, &u->src.damage);
	u->at = u->filled - s.in_left;
	*done = n - s.out_left;
	if (err || *done || !u->lower_ends)
		return err;
	if (s.whole) {
		u->over = true;
		return 0;
	}
	u->src.damage = "the compressed file ends too early";
	return -EBADMSG;
}

static int unpack_read(struct log_source *src, void *bytes, size_t n, size_t *done)
{
	struct source_unpack *u = (struct source_unpack *)src;

	*done = 0;
	while (n && !u->err && !u->over && !*done)
		u->err = unpack_some(u, bytes, n, done);
	/* What came before an error is given first. */
	return *done ? 0 : u->err;
}

static void unpack_close(struct log_source *src)
{
	struct source_unpack *u = (struct source_unpack *)src;

	u->method->stop(u->state);
	log_source_close(u->lower);
	free(u);
}

int source_unpack_open(struct log_source *lower, const struct unpack_method *method,
		       struct log_source **out)
{
	struct source_unpack *u = calloc(1, sizeof(*u));

	if (!u)
		return -ENOMEM;
	u->state = method->start();
	if (!u->state) {
		free(u);
		return -ENOMEM;
	}
	u->src.read = unpack_read;
	u->src.close = unpack_close;
	u->lower = lower;
	u->method = method;
	*out = &u->src;
	return 0;
}

const struct unpack_method *unpack_method_find(const char *bytes, size_t n)
{
	static const struct unpack_method *const methods[] = {
		&unpack_gzip,
		&unpack_xz,
		&unpack_zstd,
	};

	for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
		if (n >= methods[i]->magic_len &&
		    !memcmp(bytes, methods[i]->magic, methods[i]->magic_len))
			return methods[i];
	return NULL;
}
