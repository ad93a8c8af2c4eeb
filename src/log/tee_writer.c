// SPDX-License-Identifier: GPL-2.0-or-later
#include "tee_writer.h"

#include <errno.h>
#include <stdlib.h>

struct tee_writer {
	struct log_writer writer;
	struct log_writer *a, *b;
};

static int tee_begin(struct log_writer *writer, const struct log_header *header)
{
	struct tee_writer *t = (struct tee_writer *)writer;
	int a = log_writer_begin(t->a, header), b = log_writer_begin(t->b, header);

	return a ? a : b;
}

static int tee_record(struct log_writer *writer, const struct mmiobpf_rec_hdr *rec)
{
	struct tee_writer *t = (struct tee_writer *)writer;
	int a = log_writer_record(t->a, rec), b = log_writer_record(t->b, rec);

	return a ? a : b;
}

static int tee_end(struct log_writer *writer, const struct mmiobpf_rec_end *end)
{
	struct tee_writer *t = (struct tee_writer *)writer;
	int a = log_writer_end(t->a, end), b = log_writer_end(t->b, end);

	return a ? a : b;
}

static int tee_flush(struct log_writer *writer)
{
	struct tee_writer *t = (struct tee_writer *)writer;
	int a = log_writer_flush(t->a), b = log_writer_flush(t->b);

	return a ? a : b;
}

static void tee_free(struct log_writer *writer)
{
	struct tee_writer *t = (struct tee_writer *)writer;

	log_writer_free(t->a);
	log_writer_free(t->b);
	free(t);
}

static const struct log_writer_ops tee_writer_ops = {
	.begin = tee_begin,
	.record = tee_record,
	.end = tee_end,
	.flush = tee_flush,
	.free = tee_free,
};

int tee_writer_new(struct log_writer *a, struct log_writer *b, struct log_writer **out)
{
	struct tee_writer *t = malloc(sizeof(*t));

	if (!t) {
		log_writer_free(a);
		log_writer_free(b);
		return -ENOMEM;
	}
	t->writer.ops = &tee_writer_ops;
	t->a = a;
	t->b = b;
	*out = &t->writer;
	return 0;
}
