/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a capture lays out its events, in one table. The metadata that other programs read, what the
 * writer writes and what the reader reads all come from it. docs/capture.md describes the format.
 *
 * Source of the terms: Common Trace Format, version 1.8.3.
 */
#ifndef MMIOBPF_LOG_CTF_LAYOUT_H
#define MMIOBPF_LOG_CTF_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record.h"

#define CTF_FORMAT	1		/* of this layout; another one is not read */
#define CTF_MAGIC	0xc1fc1fc1u	/* CTF 1.8, section 5.1 */
#define CTF_PACKET_MAX	(128 * 1024)	/* bytes; no packet is larger */
#define CTF_TEXT_MAX	(64 * 1024)	/* bytes of a text */
#define CTF_NO_CPU	0xffffffffu	/* of the stream of symbols */
#define CTF_SYMBOL_MAX	512		/* bytes of a symbol's name, the kernel's KSYM_NAME_LEN */

/* Records have the numbers of enum mmiobpf_rec_type. What else is in a stream has these. */
enum ctf_event_id {
	CTF_ACCESS_WIDE	= 64,
	CTF_DEVICE	= 65,
	CTF_LSPCI	= 66,
	CTF_SYMBOL	= 67,
	CTF_CLOSED	= 68,
};

/* Fixed parts, without padding, all numbers little-endian. */
struct ctf_packet_header {
	uint32_t magic;
	uint8_t uuid[16];
	uint32_t stream_id;
} __attribute__((packed));

struct ctf_packet_context {
	uint64_t begin_ns;
	uint64_t end_ns;
	uint64_t content_bits;
	uint64_t packet_bits;
	uint64_t discarded;		/* records lost since the stream began */
	uint64_t number;		/* of the packet in its stream, from 0 */
	uint32_t cpu;
	uint32_t crc;			/* of the events, as zlib's crc32() */
} __attribute__((packed));

struct ctf_packet {
	struct ctf_packet_header header;
	struct ctf_packet_context context;
} __attribute__((packed));

struct ctf_event_header {
	uint8_t id;			/* enum mmiobpf_rec_type or enum ctf_event_id */
	uint64_t timestamp;		/* never falls within a stream */
} __attribute__((packed));

/* What every event has besides its header and its fields. */
struct ctf_event_context {
	uint64_t position;		/* number of the record in the capture, from 0 */
	uint64_t seq;
	uint64_t time_ns;		/* as it was taken; may fall a little within a stream */
	uint32_t pid;
	uint32_t tgid;
	uint8_t context;
	uint8_t irqs_on;
	char comm[MMIOBPF_COMM_LEN];
} __attribute__((packed));

struct ctf_event {
	struct ctf_event_header header;
	struct ctf_event_context context;
} __attribute__((packed));

/* Bodies of events that are no records. */
struct ctf_text {
	uint32_t len;
	uint32_t pad;
	char text[CTF_TEXT_MAX];
};

struct ctf_symbol {
	uint64_t pc;			/* an address that records of the capture have */
	uint64_t start;			/* of the function that it is in */
	char module[64];		/* empty: the kernel itself */
	uint32_t len;
	uint32_t pad;
	char name[CTF_SYMBOL_MAX];
};

struct ctf_closed {
	uint64_t records;		/* in the capture: positions below it were written */
};


struct ctf_field {
	const char *name;
	const char *type;		/* as the metadata declares it */
	uint16_t at;			/* bytes from the start of the struct */
	uint8_t size;			/* bytes of one item */
	uint32_t count;			/* items */
	bool counted;			/* the field before says how many of @count are there */
};

struct ctf_layout {
	uint8_t id;
	const char *name;
	size_t size;			/* bytes of the struct that it is laid out from */
	const struct ctf_field *fields;
	size_t nfields;
};

/** ctf_layout_find() - layout of an event, or NULL */
const struct ctf_layout *ctf_layout_find(unsigned int id);
/** ctf_layout_at() - all of them, for i from 0, until NULL */
const struct ctf_layout *ctf_layout_at(size_t i);

/**
 * ctf_layout_put() - fields of a struct into a stream
 * @from: struct of @l->size bytes; its counts are within their fields
 * @to: room for @l->size bytes
 *
 * Return: bytes written.
 */
size_t ctf_layout_put(const struct ctf_layout *l, const void *from, uint8_t *to);

/**
 * ctf_layout_get() - fields out of a stream
 * @from: untrusted
 * @n: bytes there
 * @to: struct of @l->size bytes, zeroed before
 *
 * Return: bytes read, or -EBADMSG: they are too few, or a count is larger than its field.
 */
long ctf_layout_get(const struct ctf_layout *l, const uint8_t *from, size_t n, void *to);

#endif
