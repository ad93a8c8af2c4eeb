// SPDX-License-Identifier: GPL-2.0-or-later
#include "ctf_metadata.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctf_layout.h"

/* The first bytes of every CTF 1.8 metadata file that is text: section 7. */
#define FIRST_LINE	"/* CTF 1.8 */\n"
/* A line of our own behind it, so that the reader need not understand the language. */
#define SECOND_LINE	"/* mmiobpf capture, format %u, "

static void put_uuid(FILE *f, const uint8_t u[16])
{
	for (int i = 0; i < 16; i++)
		fprintf(f, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", u[i]);
}

/* What is not plain text becomes a question mark: the event "session" has the bytes themselves. */
static void put_string(FILE *f, const char *name, const char *text, size_t max)
{
	fprintf(f, "\t%s = \"", name);
	for (size_t i = 0; i < max && text[i]; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c == '"' || c == '\\')
			fputc('\\', f);
		fputc(c >= 0x20 && c < 0x7f ? c : '?', f);
	}
	fprintf(f, "\";\n");
}

static void put_integer(FILE *f, const char *name, unsigned int bits, unsigned int base)
{
	fprintf(f,
		"typealias integer { size = %u; align = 8; signed = false; base = %u; } := %s%u;\n",
		bits, base, name, bits);
}

static void put_enum(FILE *f, const char *name, const char *(*label)(unsigned int))
{
	const char *before = "";

	fprintf(f, "typealias enum : u8 {");
	for (unsigned int i = 0; i < 32; i++) {
		if (!strcmp(label(i), "?"))
			continue;
		fprintf(f, "%s\n\t\"%s\" = %u", before, label(i), i);
		before = ",";
	}
	fprintf(f, "\n} := %s;\n", name);
}

static void put_types(FILE *f)
{
	for (unsigned int bits = 8; bits <= 64; bits *= 2) {
		put_integer(f, "u", bits, 10);
		put_integer(f, "x", bits, 16);
	}
	fprintf(f,
		"typealias integer { size = 32; align = 8; signed = true; base = 10; } := s32;\n"
		"typealias integer { size = 8; align = 8; signed = false; encoding = UTF8; } := text_t;\n"
		"typealias integer { size = 64; align = 8; signed = false; base = 10;\n"
		"\tmap = clock.monotonic.value; } := time_t;\n");
	put_enum(f, "dir_t", record_dir_name);
	put_enum(f, "how_t", record_how_name);
	put_enum(f, "reason_t", record_reason_name);
	put_enum(f, "kind_t", record_map_kind_name);
	put_enum(f, "cache_t", record_cache_name);
	put_enum(f, "context_t", record_context_name);
	fputc('\n', f);
}

static void put_trace(FILE *f, const uint8_t uuid[16])
{
	fprintf(f, "trace {\n\tmajor = 1;\n\tminor = 8;\n\tuuid = \"");
	put_uuid(f, uuid);
	fprintf(f,
		"\";\n\tbyte_order = le;\n"
		"\tpacket.header := struct { u32 magic; u8 uuid[16]; u32 stream_id; };\n};\n\n");
}

/* babeltrace2 and others show the wall time of a clock that has an offset. */
static void put_clock(FILE *f, const struct mmiobpf_rec_session *s)
{
	uint64_t offset = 0;

	if (s->hdr.type == MMIOBPF_REC_SESSION && s->realtime_ns > s->hdr.time_ns)
		offset = s->realtime_ns - s->hdr.time_ns;
	fprintf(f,
		"clock {\n\tname = monotonic;\n\tdescription = \"CLOCK_MONOTONIC\";\n"
		"\tfreq = 1000000000;\n\toffset_s = %" PRIu64 ";\n\toffset = %" PRIu64
		";\n};\n\n",
		offset / 1000000000, offset % 1000000000);
}

static void put_env(FILE *f, const struct mmiobpf_rec_session *s)
{
	fprintf(f, "env {\n\tdomain = \"kernel\";\n\ttracer_name = \"mmiobpf\";\n"
		   "\tcapture_format = %u;\n", CTF_FORMAT);
	if (s->hdr.type == MMIOBPF_REC_SESSION) {
		fprintf(f, "\tsysname = \"Linux\";\n");
		put_string(f, "kernel_release", s->release, sizeof(s->release));
		put_string(f, "machine", s->machine, sizeof(s->machine));
		put_string(f, "command", s->command, sizeof(s->command));
		fprintf(f, "\tcpus = %u;\n", s->cpus);
	}
	fprintf(f, "};\n\n");
}

static void put_stream(FILE *f)
{
	fprintf(f,
		"stream {\n\tid = 0;\n"
		"\tpacket.context := struct {\n"
		"\t\ttime_t timestamp_begin;\n\t\ttime_t timestamp_end;\n"
		"\t\tu64 content_size;\n\t\tu64 packet_size;\n"
		"\t\tu64 events_discarded;\n\t\tu64 packet_seq_num;\n"
		"\t\tu32 cpu_id;\n\t\tx32 crc;\n\t};\n"
		"\tevent.header := struct { u8 id; time_t timestamp; };\n"
		"\tevent.context := struct {\n"
		"\t\tu64 position;\n\t\tu64 seq;\n\t\tu64 time_ns;\n"
		"\t\tu32 pid;\n\t\tu32 tgid;\n"
		"\t\tcontext_t context;\n\t\tu8 irqs_on;\n\t\ttext_t comm[%u];\n\t};\n};\n\n",
		MMIOBPF_COMM_LEN);
}

static void put_event(FILE *f, const struct ctf_layout *l)
{
	fprintf(f, "event {\n\tid = %u;\n\tname = \"%s\";\n\tstream_id = 0;\n\tfields := struct {\n",
		l->id, l->name);
	/* With an underscore no name can be a keyword of the language; readers take it off. */
	for (size_t i = 0; i < l->nfields; i++) {
		const struct ctf_field *x = &l->fields[i];

		fprintf(f, "\t\t%s _%s", x->type, x->name);
		if (x->counted)
			fprintf(f, "[_%s]", x[-1].name);
		else if (x->count > 1)
			fprintf(f, "[%u]", (unsigned int)x->count);
		fprintf(f, ";\n");
	}
	fprintf(f, "\t};\n};\n\n");
}

int ctf_metadata_make(const uint8_t uuid[16], const struct log_header *header, char **out,
		      size_t *len)
{
	FILE *f = open_memstream(out, len);
	int failed;

	if (!f)
		return -ENOMEM;
	fprintf(f, FIRST_LINE SECOND_LINE, CTF_FORMAT);
	put_uuid(f, uuid);
	fprintf(f, " */\n\n");
	put_types(f);
	put_trace(f, uuid);
	put_clock(f, &header->session);
	put_env(f, &header->session);
	put_stream(f);
	for (size_t i = 0; ctf_layout_at(i); i++)
		put_event(f, ctf_layout_at(i));
	failed = ferror(f);
	if (fclose(f) || failed) {
		free(*out);
		return -ENOMEM;
	}
	return 0;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static int parse_uuid(const char *text, uint8_t uuid[16])
{
	for (int i = 0; i < 16; i++) {
		int high, low;

		if ((i == 4 || i == 6 || i == 8 || i == 10) && *text++ != '-')
			return -EBADMSG;
		high = hex_digit(text[0]);
		low = high < 0 ? -1 : hex_digit(text[1]);
		if (low < 0)
			return -EBADMSG;
		uuid[i] = (uint8_t)(high << 4 | low);
		text += 2;
	}
	return 0;
}

int ctf_metadata_check(const char *text, size_t len, uint8_t uuid[16])
{
	char start[128];
	unsigned int format;
	int used = -1;

	if (len >= sizeof(start))
		len = sizeof(start) - 1;
	memcpy(start, text, len);
	start[len] = '\0';
	if (sscanf(start, FIRST_LINE SECOND_LINE "%n", &format, &used) < 1 || used < 0)
		return -EBADMSG;
	return format == CTF_FORMAT ? parse_uuid(start + used, uuid) : -ENOTSUP;
}
