// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any bytes into the reader of QEMU's vfio events. It must not misuse memory, every record must be one
 * that the rest of the program may use, numbers must have no gap, and the size of a read must make no
 * difference.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/log_memory.h"
#include "log/record.h"
#include "log/vfio_reader.h"

static void expect(int right, const char *what)
{
	if (right)
		return;
	fprintf(stderr, "vfio_reader_fuzz: %s\n", what);
	abort();
}

/* Return: a sum over all records. */
static uint64_t read_all(const char *text, size_t len, size_t chunk)
{
	const struct mmiobpf_rec_hdr *rec;
	struct memory_source src;
	uint64_t seq = 0, sum = 0;
	struct log_reader *r;
	int ret;

	memory_source_init(&src, text, len);
	src.chunk = chunk;
	expect(!vfio_reader_new(&src.src, &r), "no memory");
	while ((ret = log_reader_next(r, &rec)) == 1) {
		expect(record_check(rec, rec->size) == rec->size, "a record that is none");
		expect(rec->seq == seq++, "a gap in the numbers");
		for (size_t i = 0; i < rec->size; i++)
			sum = sum * 31 + ((const unsigned char *)rec)[i];
	}
	if (ret)
		expect(r->damage.why && r->damage.offset < len && r->damage.line,
		       "damage without a place");
	log_reader_free(r);
	return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;

	expect(read_all(text, size, 0) == read_all(text, size, 7),
	       "the size of a read makes a difference");
	vfio_reader_knows(text, size);
	return 0;
}
