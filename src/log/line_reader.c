// SPDX-License-Identifier: GPL-2.0-or-later
#include "line_reader.h"

#include <errno.h>
#include <stdlib.h>

int line_reader_damaged(struct line_reader *r, const char *why)
{
	r->reader.damage.offset = r->lines.consumed;
	r->reader.damage.line = r->lines.count + 1;
	r->reader.damage.why = why;
	return -EBADMSG;
}

static int line_next(struct log_reader *reader, const struct mmiobpf_rec_hdr **rec)
{
	struct line_reader *r = (struct line_reader *)reader;
	struct line l;

	while (r->over == 1) {
		int ret = lines_peek(&r->lines, &l);

		if (ret == -EBADMSG)
			line_reader_damaged(r, r->lines.damage);
		if (ret == 1) {
			ret = r->read_line(r, &l);
			if (ret == 0)
				continue;
		}
		if (ret != 1) {
			r->over = ret;
			break;
		}
		*rec = &r->rec.hdr;
		return 1;
	}
	return r->over;
}

static void line_free(struct log_reader *reader)
{
	log_header_deinit(&reader->header);
	free(reader);
}

static const struct log_reader_ops line_reader_ops = {
	.next = line_next,
	.free = line_free,
};

int line_reader_new(size_t size, struct log_source *src, line_read_fn read_line,
		    struct log_reader **out)
{
	struct line_reader *r = calloc(1, size);

	if (!r)
		return -ENOMEM;
	r->reader.ops = &line_reader_ops;
	log_header_init(&r->reader.header);
	lines_init(&r->lines, src);
	r->read_line = read_line;
	r->over = 1;
	*out = &r->reader;
	return 0;
}
