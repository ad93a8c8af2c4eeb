// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any bytes into the text reader. It must not misuse memory, every record must be one that the rest of the
 * program may use, and what the writer makes of them must be read as the same again: text that was
 * written once does not change when it is read and written a second time.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/log_memory.h"
#include "log/record.h"
#include "log/text_reader.h"
#include "log/text_writer.h"

static void expect(int right, const char *what)
{
	if (right)
		return;
	fprintf(stderr, "text_reader_fuzz: %s\n", what);
	abort();
}

/* The same three times over costs nothing; a copy of every record, because the header comes first. */
struct copies {
	union mmiobpf_rec_any *recs;
	size_t n;
};

static void read_all(struct log_reader *r, struct copies *c, size_t len)
{
	const struct mmiobpf_rec_hdr *rec;
	uint64_t next_seq = 0;
	int ret;

	while ((ret = log_reader_next(r, &rec)) == 1) {
		expect(record_check(rec, rec->size) == rec->size, "a record that is none");
		expect(rec->seq == next_seq, "a gap that is no loss");
		next_seq++;
		if (rec->type == MMIOBPF_REC_LOST)
			next_seq += ((const struct mmiobpf_rec_lost *)rec)->count - 1;
		c->recs = reallocarray(c->recs, c->n + 1, sizeof(*c->recs));
		memcpy(&c->recs[c->n++], rec, rec->size);
	}
	if (ret) {
		expect(r->damage.why && r->damage.offset < len, "damage without a place");
		expect(r->damage.line > 0, "damage without a line");
	}
}

/* Read @text, and write what it says to @sink. Return: was all of it read? */
static int rewrite(const char *text, size_t len, size_t chunk, struct memory_sink *sink)
{
	struct copies c = { 0 };
	struct memory_source src;
	struct log_reader *r;
	struct log_writer *w;
	int whole;

	memory_source_init(&src, text, len);
	src.chunk = chunk;
	expect(!text_reader_new(&src.src, &r), "no memory");
	read_all(r, &c, len);
	whole = r->damage.why == NULL;
	memory_sink_init(sink);
	expect(!text_writer_new(&sink->sink, 0, &w), "no memory");
	expect(!log_writer_begin(w, &r->header), "the header cannot be written");
	for (size_t i = 0; i < c.n; i++)
		expect(!log_writer_record(w, &c.recs[i].hdr), "a record cannot be written");
	expect(!log_writer_end(w, NULL), "the end cannot be written");
	log_writer_free(w);
	log_reader_free(r);
	free(c.recs);
	return whole;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory_sink once, twice, slow;

	rewrite((const char *)data, size, 0, &once);
	rewrite((const char *)data, size, 7, &slow);
	expect(once.len == slow.len && !memcmp(once.text, slow.text, once.len),
	       "the size of a read makes a difference");
	expect(rewrite(once.text, once.len, 0, &twice), "what was written cannot be read");
	expect(once.len == twice.len && !memcmp(once.text, twice.text, once.len),
	       "what was written is read as something else");
	memory_sink_deinit(&once);
	memory_sink_deinit(&twice);
	memory_sink_deinit(&slow);
	return 0;
}
