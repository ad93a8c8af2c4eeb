// SPDX-License-Identifier: GPL-2.0-or-later
/* xz, by liblzma. */
#include <errno.h>
#include <lzma.h>
#include <stdlib.h>

#include "source_unpack.h"

#define XZ_MEMORY	(128u << 20)	/* xz -9 takes 65 MiB */

struct xz {
	lzma_stream z;
	bool over;
};

static void *xz_start(void)
{
	struct xz *x = calloc(1, sizeof(*x));

	if (x && lzma_stream_decoder(&x->z, XZ_MEMORY, LZMA_CONCATENATED) != LZMA_OK) {
		free(x);
		return NULL;
	}
	return x;
}

static int xz_step(void *state, struct unpack_step *s, const char **why)
{
	struct xz *x = state;
	lzma_ret ret;

	x->z.next_in = s->in;
	x->z.avail_in = s->in_left;
	x->z.next_out = s->out;
	x->z.avail_out = s->out_left;
	ret = x->over ? LZMA_STREAM_END : lzma_code(&x->z, s->in_ends ? LZMA_FINISH : LZMA_RUN);
	s->in = x->z.next_in;
	s->in_left = x->z.avail_in;
	s->out = x->z.next_out;
	s->out_left = x->z.avail_out;
	x->over = ret == LZMA_STREAM_END;
	s->whole = x->over;
	switch (ret) {
	case LZMA_OK:
	case LZMA_STREAM_END:
	case LZMA_BUF_ERROR:	/* nothing to do with what there is */
		return 0;
	case LZMA_MEM_ERROR:
		return -ENOMEM;
	case LZMA_MEMLIMIT_ERROR:
		*why = "unpacking it takes more than 128 MiB of memory; unpack it with xz first";
		return -EBADMSG;
	default:
		*why = "the xz data are damaged";
		return -EBADMSG;
	}
}

static void xz_stop(void *state)
{
	struct xz *x = state;

	lzma_end(&x->z);
	free(x);
}

const struct unpack_method unpack_xz = {
	.magic = "\xfd" "7zXZ\0",
	.magic_len = 6,
	.start = xz_start,
	.step = xz_step,
	.stop = xz_stop,
};
