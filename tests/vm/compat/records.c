// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads a log strictly. The formats are those that mmiotrace prints with: mmio_print_pcidev(), mmio_print_rw()
 * and so on in the kernel's kernel/trace/trace_mmiotrace.c.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat.h"

#define MAX_MAPS     1024
#define LINE_MAX_LEN 2048

/* The mappings seen so far. */
struct map {
	int id;
	uint64_t phys, len;
};

struct reader {
	struct record_list *list;
	struct map maps[MAX_MAPS];
	int map_count;
	char again[LINE_MAX_LEN]; /* the line as mmiotrace would print it */
};

static const struct {
	const char *word;
	enum record_type type;
} words[] = {
	{ "VERSION ", RECORD_VERSION }, { "PCIDEV ", RECORD_PCIDEV },	{ "LSPCI ", RECORD_LSPCI },
	{ "MAP ", RECORD_MAP },		{ "UNMAP ", RECORD_UNMAP },	{ "R ", RECORD_READ },
	{ "W ", RECORD_WRITE },		{ "UNKNOWN ", RECORD_UNKNOWN }, { "MARK ", RECORD_MARK },
};

static bool find_map(const struct reader *r, int id, struct record *record)
{
	for (int i = r->map_count - 1; i >= 0; i--) {
		if (r->maps[i].id != id)
			continue;
		record->map = i;
		record->map_len = r->maps[i].len;
		record->offset = record->phys - r->maps[i].phys;
		return true;
	}
	return false;
}

static bool read_map(struct reader *r, struct record *record, const char *line)
{
	unsigned int secs, pid;
	unsigned long usecs;
	uint64_t virt;
	struct map *map = &r->maps[r->map_count];

	if (r->map_count == MAX_MAPS ||
	    sscanf(line, "MAP %u.%lu %d 0x%" SCNx64 " 0x%" SCNx64 " 0x%" SCNx64 " 0x%" SCNx64 " %u",
		   &secs, &usecs, &map->id, &map->phys, &virt, &map->len, &record->pc, &pid) != 8)
		return false;
	snprintf(r->again, sizeof(r->again),
		 "MAP %u.%06lu %d 0x%" PRIx64 " 0x%" PRIx64 " 0x%" PRIx64 " 0x%" PRIx64 " %u", secs,
		 usecs, map->id, map->phys, virt, map->len, record->pc, pid);
	record->pid = pid;
	record->phys = map->phys;
	record->map_len = map->len;
	record->map = r->map_count++;
	return true;
}

static bool read_unmap(struct reader *r, struct record *record, const char *line)
{
	unsigned int secs;
	unsigned long usecs;
	int id;

	if (sscanf(line, "UNMAP %u.%lu %d 0x%" SCNx64 " %d", &secs, &usecs, &id, &record->pc,
		   &record->pid) != 5)
		return false;
	snprintf(r->again, sizeof(r->again), "UNMAP %u.%06lu %d 0x%" PRIx64 " %d", secs, usecs, id,
		 record->pc, record->pid);
	record->map = -1;
	/* mmiotrace prints -1 for a mapping that was there before it. */
	return id == -1 || find_map(r, id, record);
}

static bool read_access(struct reader *r, struct record *record, const char *line)
{
	unsigned int secs;
	unsigned long usecs;
	char letter;
	int id;

	if (sscanf(line, "%c %u %u.%lu %d 0x%" SCNx64 " 0x%" SCNx64 " 0x%" SCNx64 " %d", &letter,
		   &record->width, &secs, &usecs, &id, &record->phys, &record->value, &record->pc,
		   &record->pid) != 9)
		return false;
	snprintf(r->again, sizeof(r->again),
		 "%c %u %u.%06lu %d 0x%" PRIx64 " 0x%" PRIx64 " 0x%" PRIx64 " %d", letter,
		 record->width, secs, usecs, id, record->phys, record->value, record->pc,
		 record->pid);
	return find_map(r, id, record);
}

static bool read_unknown(struct reader *r, struct record *record, const char *line)
{
	unsigned int secs, byte[3];
	unsigned long usecs;
	int id;

	if (sscanf(line, "UNKNOWN %u.%lu %d 0x%" SCNx64 " %x,%x,%x 0x%" SCNx64 " %d", &secs, &usecs,
		   &id, &record->phys, &byte[0], &byte[1], &byte[2], &record->pc,
		   &record->pid) != 9)
		return false;
	snprintf(r->again, sizeof(r->again),
		 "UNKNOWN %u.%06lu %d 0x%" PRIx64 " %02x,%02x,%02x 0x%" PRIx64 " %d", secs, usecs,
		 id, record->phys, byte[0], byte[1], byte[2], record->pc, record->pid);
	record->value = byte[0] << 16 | byte[1] << 8 | byte[2];
	return find_map(r, id, record);
}

static bool read_mark(struct reader *r, struct record *record, const char *line)
{
	unsigned int secs;
	unsigned long usecs;
	int text = 0;

	if (sscanf(line, "MARK %u.%lu%n", &secs, &usecs, &text) != 2 || line[text] != ' ')
		return false;
	snprintf(r->again, sizeof(r->again), "MARK %u.%06lu%s", secs, usecs, line + text);
	record->text = line + text + 1;
	return true;
}

/* A driver's name may be missing, but not the space before it. */
static bool read_pcidev(struct reader *r, const char *line)
{
	unsigned int bus, vendor, irq;
	uint64_t number;
	int at = 0, n = 0, out;

	if (sscanf(line, "PCIDEV %4x %8x %x%n", &bus, &vendor, &irq, &at) != 3)
		return false;
	out = snprintf(r->again, sizeof(r->again), "PCIDEV %04x %08x %x", bus, vendor, irq);
	for (int i = 0; i < 14; i++, at += n) {
		if (sscanf(line + at, " %" SCNx64 "%n", &number, &n) != 1)
			return false;
		out += snprintf(r->again + out, sizeof(r->again) - out, " %" PRIx64, number);
	}
	if (line[at] != ' ' || strchr(line + at + 1, ' '))
		return false;
	snprintf(r->again + out, sizeof(r->again) - out, "%s", line + at);
	return true;
}

static bool read_record(struct reader *r, struct record *record, const char *line)
{
	snprintf(r->again, sizeof(r->again), "%s", line);
	switch (record->type) {
	case RECORD_VERSION: return !strcmp(line, "VERSION 20070824");
	case RECORD_PCIDEV: return read_pcidev(r, line);
	case RECORD_LSPCI: return true;
	case RECORD_MAP: return read_map(r, record, line);
	case RECORD_UNMAP: return read_unmap(r, record, line);
	case RECORD_READ:
	case RECORD_WRITE: return read_access(r, record, line);
	case RECORD_UNKNOWN: return read_unknown(r, record, line);
	case RECORD_MARK: return read_mark(r, record, line);
	}
	return false;
}

static void add(struct record_list *list, const struct record *record)
{
	if (list->count == list->room) {
		list->room = list->room ? 2 * list->room : 1024;
		list->at = realloc(list->at, list->room * sizeof(*list->at));
		if (!list->at) {
			fputs("compat: out of memory\n", stderr);
			exit(2);
		}
	}
	list->at[list->count++] = *record;
}

static void read_line(struct reader *r, const char *path, const char *line, uint32_t number)
{
	struct record record = { .line = number, .text = line, .times = 1, .map = -1 };
	size_t i, n = sizeof(words) / sizeof(words[0]);

	for (i = 0; i < n && strncmp(line, words[i].word, strlen(words[i].word)); i++)
		;
	if (i < n)
		record.type = words[i].type;
	if (i == n || !read_record(r, &record, line) || strcmp(line, r->again)) {
		printf("shape: line %" PRIu32 " of %s is not as mmiotrace would print it: %s\n",
		       number, path, line);
		r->list->malformed++;
		return;
	}
	add(r->list, &record);
}

static char *file_read(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = NULL;
	size_t room = 0;
	ssize_t size;

	if (!file)
		return NULL;
	size = getdelim(&text, &room, '\0', file);
	if (size < 0) {
		free(text);
		text = ferror(file) ? NULL : strdup("");
	}
	fclose(file);
	return text;
}

int records_init(struct record_list *list, const char *path)
{
	struct reader *r = calloc(1, sizeof(*r));
	uint32_t number = 0;
	char *rest, *line;

	memset(list, 0, sizeof(*list));
	rest = list->text = file_read(path);
	if (!r || !rest) {
		free(r);
		return -errno;
	}
	r->list = list;
	while ((line = strsep(&rest, "\n")))
		if (*line || rest)
			read_line(r, path, line, ++number);
	free(r);
	return 0;
}

void records_deinit(struct record_list *list)
{
	free(list->at);
	free(list->text);
}

void records_fold(struct record_list *list, struct rule_list *rules)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++) {
		struct record *r = &list->at[i], *last = kept ? &list->at[kept - 1] : NULL;

		if (last && r->type == RECORD_READ && last->type == RECORD_READ &&
		    r->map == last->map && r->width == last->width && r->phys == last->phys &&
		    r->pc == last->pc && r->pid == last->pid &&
		    (r->value == last->value || rule_find(rules, RULE_VOLATILE, r)))
			last->times++;
		else
			list->at[kept++] = *r;
	}
	list->count = kept;
}
