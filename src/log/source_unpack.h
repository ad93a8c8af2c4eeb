/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A log source that decompresses another one, and the methods it knows. */
#ifndef MMIOBPF_LOG_SOURCE_UNPACK_H
#define MMIOBPF_LOG_SOURCE_UNPACK_H

#include <stdbool.h>

#include "reader.h"

#define UNPACK_MAGIC	6	/* bytes by which a method is known, at most */

/* What a step takes from and adds to. It moves all of them on. */
struct unpack_step {
	const unsigned char *in;
	size_t in_left;
	unsigned char *out;
	size_t out_left;
	bool in_ends;		/* nothing follows @in */
	bool whole;		/* set: what was unpacked so far may end here */
};

struct unpack_method {
	const char *magic;
	size_t magic_len;
	/* Return: the method's state, or NULL without memory */
	void *(*start)(void);
	/*
	 * Unpack some. Several packed files in a row are one, as for zcat, xzcat and zstdcat.
	 * Return: 0, -ENOMEM, or -EBADMSG with *@why set to static text.
	 */
	int (*step)(void *state, struct unpack_step *s, const char **why);
	void (*stop)(void *state);
};

extern const struct unpack_method unpack_gzip;
extern const struct unpack_method unpack_xz;
extern const struct unpack_method unpack_zstd;

/** unpack_method_find() - by the first bytes of a file. Return: NULL when it is not packed */
const struct unpack_method *unpack_method_find(const char *bytes, size_t n);

/**
 * source_unpack_open() - a source on top of another one
 * @lower: closed with the new source; still the caller's when this fails
 * @method: how it is packed
 * @out: closed with log_source_close()
 *
 * Reads return -EBADMSG at damage of the packed file, after everything that could be unpacked.
 *
 * Return: 0 or -ENOMEM.
 */
int source_unpack_open(struct log_source *lower, const struct unpack_method *method,
		       struct log_source **out);

#endif
