// SPDX-License-Identifier: GPL-2.0-or-later
/* Zstandard, RFC 8878, by libzstd. */
#include <errno.h>
#include <stdlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "source_unpack.h"

struct zstd {
	ZSTD_DStream *z;
	bool between;		/* a frame has ended, another may follow */
};

static void *zstd_start(void)
{
	struct zstd *d = calloc(1, sizeof(*d));

	if (!d)
		return NULL;
	d->z = ZSTD_createDStream();
	if (!d->z) {
		free(d);
		return NULL;
	}
	return d;
}

static int zstd_failed(size_t ret, const char **why)
{
	switch (ZSTD_getErrorCode(ret)) {
	case ZSTD_error_memory_allocation:
		return -ENOMEM;
	case ZSTD_error_frameParameter_windowTooLarge:
		*why = "unpacking it takes more than 128 MiB of memory; unpack it with zstd --long first";
		return -EBADMSG;
	default:
		*why = "the zstd data are damaged";
		return -EBADMSG;
	}
}

static int zstd_step(void *state, struct unpack_step *s, const char **why)
{
	struct zstd *d = state;
	ZSTD_inBuffer in = { .src = s->in, .size = s->in_left };
	ZSTD_outBuffer out = { .dst = s->out, .size = s->out_left };
	size_t ret;

	s->whole = d->between;
	/* Called at the end of a frame without more, it would want the next one. */
	if (d->between && !in.size)
		return 0;
	ret = ZSTD_decompressStream(d->z, &out, &in);
	s->in += in.pos;
	s->in_left -= in.pos;
	s->out += out.pos;
	s->out_left -= out.pos;
	if (ZSTD_isError(ret))
		return zstd_failed(ret, why);
	d->between = ret == 0;
	s->whole = d->between;
	return 0;
}

static void zstd_stop(void *state)
{
	struct zstd *d = state;

	ZSTD_freeDStream(d->z);
	free(d);
}

const struct unpack_method unpack_zstd = {
	.magic = "\x28\xb5\x2f\xfd",
	.magic_len = 4,
	.start = zstd_start,
	.step = zstd_step,
	.stop = zstd_stop,
};
