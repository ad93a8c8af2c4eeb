// SPDX-License-Identifier: GPL-2.0-or-later
/* gzip, RFC 1952, by zlib. */
#include <errno.h>
#include <stdlib.h>
#include <zlib.h>

#include "source_unpack.h"

#define GZIP_ONLY 16 /* added to the window size: see inflateInit2() in zlib.h */

struct gzip {
	z_stream z;
	bool between; /* a member has ended, another may follow */
};

static void *gzip_start(void)
{
	struct gzip *g = calloc(1, sizeof(*g));

	if (g && inflateInit2(&g->z, MAX_WBITS + GZIP_ONLY) != Z_OK) {
		free(g);
		return NULL;
	}
	return g;
}

static int gzip_step(void *state, struct unpack_step *s, const char **why)
{
	struct gzip *g = state;
	int ret;

	if (g->between && s->in_left) {
		inflateReset(&g->z);
		g->between = false;
	}
	g->z.next_in = (unsigned char *)s->in;
	g->z.avail_in = (uInt)s->in_left;
	g->z.next_out = s->out;
	g->z.avail_out = (uInt)s->out_left;
	ret = g->between ? Z_BUF_ERROR : inflate(&g->z, Z_NO_FLUSH);
	s->in = g->z.next_in;
	s->in_left = g->z.avail_in;
	s->out = g->z.next_out;
	s->out_left = g->z.avail_out;
	if (ret == Z_STREAM_END)
		g->between = true;
	s->whole = g->between;
	/* Z_BUF_ERROR: nothing to do with what there is. */
	if (ret == Z_OK || ret == Z_STREAM_END || ret == Z_BUF_ERROR)
		return 0;
	if (ret == Z_MEM_ERROR)
		return -ENOMEM;
	*why = "the gzip data are damaged";
	return -EBADMSG;
}

static void gzip_stop(void *state)
{
	struct gzip *g = state;

	inflateEnd(&g->z);
	free(g);
}

const struct unpack_method unpack_gzip = {
	.magic = "\x1f\x8b",
	.magic_len = 2,
	.start = gzip_start,
	.step = gzip_step,
	.stop = gzip_stop,
};
