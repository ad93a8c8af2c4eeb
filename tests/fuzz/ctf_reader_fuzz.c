// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any bytes into the reader of captures. The first byte tells what the rest is: a stream as it is, or the
 * events of one packet in each of two streams, whose headers and check sums are put right here, as no
 * fuzzer would find them. Every record must be one that the rest of the program may use, and a capture
 * that is written of them must be read as the same.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "../unit/capture_memory.h"
#include "log/ctf_layout.h"
#include "log/ctf_metadata.h"
#include "log/ctf_reader.h"
#include "log/ctf_writer.h"

static void expect(int right, const char *what)
{
	if (right)
		return;
	fprintf(stderr, "ctf_reader_fuzz: %s\n", what);
	abort();
}

static void metadata_add(struct memory_dir *d)
{
	struct log_header h;

	log_header_init(&h);
	expect(!ctf_metadata_make(d->dir.uuid, &h, &d->files[0].bytes, &d->files[0].len),
	       "no memory");
	d->files[0].there = 1;
}

static void stream_add(struct memory_dir *d, int cpu, const uint8_t *bytes, size_t n)
{
	struct memory_file *f = &d->files[cpu + 1];

	f->bytes = malloc(n ? n : 1);
	memcpy(f->bytes, bytes, n);
	f->len = n;
	f->there = 1;
}

static void packet_add(struct memory_dir *d, int cpu, const uint8_t *events, size_t n)
{
	struct ctf_packet *p = malloc(sizeof(*p) + n);

	*p = (struct ctf_packet){
		.header = { .magic = CTF_MAGIC },
		.context = { .content_bits = 8 * (sizeof(*p) + n),
			     .packet_bits = 8 * (sizeof(*p) + n), .cpu = (uint32_t)cpu,
			     .crc = (uint32_t)crc32(0, events, (uInt)n) },
	};
	memcpy(p->header.uuid, d->dir.uuid, sizeof(p->header.uuid));
	memcpy(p + 1, events, n);
	stream_add(d, cpu, (const uint8_t *)p, sizeof(*p) + n);
	free(p);
}

/* What a reading comes to: a sum over all records, and their number. */
struct reading {
	uint64_t sum;
	uint64_t n;
	int end;
};

/* Records of CPUs that the directory in memory has no room for are left out. */
static void read_dir(struct memory_dir *d, struct memory_dir *copy, struct reading *got)
{
	const struct mmiobpf_rec_hdr *rec;
	struct log_writer *w = NULL;
	struct log_reader *r;

	memset(got, 0, sizeof(*got));
	expect(!ctf_reader_new(&d->dir, &r), "the metadata is not read");
	if (copy)
		expect(!ctf_writer_new(&copy->dir, NULL, &w), "no memory");
	got->end = log_reader_next(r, &rec);
	if (w)
		expect(!log_writer_begin(w, &r->header), "the header is not written");
	for (; got->end == 1; got->end = log_reader_next(r, &rec)) {
		expect(record_check(rec, rec->size) == rec->size, "a record that is none");
		got->sum = 31 * got->sum + crc32(0, (const void *)rec, rec->size);
		got->n++;
		if (w)
			expect(!log_writer_record(w, rec), "a record is not written");
	}
	expect(!got->end || r->damage.why, "damage without a reason");
	if (w)
		expect(!log_writer_end(w, NULL), "the end is not written");
	log_writer_free(w);
	log_reader_free(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory_dir dir, copy;
	struct reading once, twice;

	if (size < 3)
		return 0;
	memory_dir_init(&dir);
	memory_dir_init(&copy);
	metadata_add(&dir);
	if (data[0] == 'r') {
		stream_add(&dir, 0, data + 1, size - 1);
	} else {
		size_t first = (size - 2) * data[1] / 255;

		packet_add(&dir, 0, data + 2, first);
		packet_add(&dir, 1, data + 2 + first, size - 2 - first);
	}
	read_dir(&dir, &copy, &once);
	read_dir(&copy, NULL, &twice);
	expect(!twice.end, "what was written is damaged");
	expect(once.n == twice.n && once.sum == twice.sum, "what was written is read as another");
	memory_dir_deinit(&dir);
	memory_dir_deinit(&copy);
	return 0;
}
