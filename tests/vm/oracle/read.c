// SPDX-License-Identifier: GPL-2.0-or-later
/* The readers of both logs. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"

/* What tests/vm/guest-init writes to port 0x80. */
#define MARK_REGION "ioport80"
#define MARK_START  0x4d
#define MARK_END    0x6d

/* A test tool has nothing to do without memory. */
static void *grow(void *array, size_t count, size_t *room, size_t size)
{
	if (count < *room)
		return array;
	*room = *room ? *room * 2 : 1024;
	array = realloc(array, *room * size);
	if (!array) {
		fputs("oracle: out of memory\n", stderr);
		exit(2);
	}
	return array;
}

void access_add(struct access_list *list, const struct access *a)
{
	list->at = grow(list->at, list->count, &list->room, sizeof(*list->at));
	list->at[list->count++] = *a;
}

void range_add(struct range_list *list, uint64_t first, uint64_t last)
{
	list->at = grow(list->at, list->count, &list->room, sizeof(*list->at));
	list->at[list->count++] = (struct range){ first, last };
}

bool range_has(const struct range_list *list, uint64_t phys)
{
	for (size_t i = 0; i < list->count; i++)
		if (phys >= list->at[i].first && phys <= list->at[i].last)
			return true;
	return false;
}

bool region_is(const struct access *a, const char *name)
{
	return a->region && strlen(name) == a->region_len &&
	       !memcmp(a->region, name, a->region_len);
}

char *file_read(const char *path)
{
	size_t size = 0, room = 0, n;
	char *text = NULL;
	FILE *file = fopen(path, "r");

	if (!file)
		return NULL;
	do {
		text = grow(text, size + 65536, &room, 1);
		n = fread(text + size, 1, room - size - 1, file);
		size += n;
	} while (n);
	text[size] = '\0';
	if (ferror(file)) {
		free(text);
		text = NULL;
	}
	fclose(file);
	return text;
}

/*
 * Cuts the next line off the text, so that sscanf() does not look for the end of the file each time. NULL at the
 * end; @whole is false when the line does not end with a newline.
 */
static char *cut_line(char **text, bool *whole)
{
	char *line = *text, *end;

	if (!*line)
		return NULL;
	end = strchr(line, '\n');
	*whole = end;
	if (end)
		*end = '\0';
	*text = end ? end + 1 : line + strlen(line);
	return line;
}

static bool starts(const char *line, const char *word)
{
	return !strncmp(line, word, strlen(word));
}

/* R|W width time mapid phys value pc pid */
static bool parse_access(const char *line, struct access *a)
{
	char dir;
	unsigned int width;

	if (sscanf(line, "%c %u %*u.%*u %*d 0x%" SCNx64 " 0x%" SCNx64, &dir, &width, &a->phys,
		   &a->value) != 4)
		return false;
	a->width = width;
	a->write = dir == 'W';
	return width == 1 || width == 2 || width == 4 || width == 8;
}

static bool parse_map(struct text_log *log, const char *line)
{
	uint64_t phys, len;

	if (sscanf(line, "MAP %*u.%*u %*d 0x%" SCNx64 " 0x%*x 0x%" SCNx64, &phys, &len) != 2)
		return false;
	if (len)
		range_add(&log->maps, phys, phys + len - 1);
	return true;
}

/* Other marks are of no interest. */
static void parse_mark(struct text_log *log, const char *line, uint32_t number)
{
	struct gap gap = { .before = log->accesses.count, .line = number };
	char end;

	if (sscanf(line, "MARK %*u.%*u Lost %" SCNu64 " event%c", &gap.lost, &end) != 2)
		return;
	log->gaps = grow(log->gaps, log->gap_count, &log->gap_room, sizeof(*log->gaps));
	log->gaps[log->gap_count++] = gap;
}

static bool parse_text_line(struct text_log *log, const char *line, uint32_t number)
{
	struct access a = { .line = number, .text = line, .cpu = ORACLE_NO_CPU };

	if (starts(line, "R ") || starts(line, "W ")) {
		if (!parse_access(line, &a))
			return false;
		access_add(&log->accesses, &a);
	} else if (starts(line, "MAP ")) {
		return parse_map(log, line);
	} else if (starts(line, "MARK ")) {
		parse_mark(log, line, number);
	} else if (starts(line, "UNKNOWN ")) {
		if (!log->unknown++)
			log->unknown_line = number;
	} else {
		return starts(line, "UNMAP ") || starts(line, "VERSION ") ||
		       starts(line, "PCIDEV ") || starts(line, "LSPCI ") || starts(line, "#") ||
		       !*line;
	}
	return true;
}

/* The format has no CPU; a file with one number for each access may add it. */
static int read_cpus(struct text_log *log, const char *path)
{
	char *text = file_read(path), *rest = text, *line, *end;
	uint32_t number = 0;
	bool whole;
	int err = 0;

	if (!text)
		return -errno;
	while (!err && (line = cut_line(&rest, &whole))) {
		unsigned long cpu = strtoul(line, &end, 10);

		if (number++ >= log->accesses.count || end == line || *end)
			err = number;
		else
			log->accesses.at[number - 1].cpu = cpu;
	}
	if (!err && number != log->accesses.count)
		err = number + 1;
	free(text);
	return err;
}

int text_log_init(struct text_log *log, const char *path, const char *cpus)
{
	uint32_t number = 0;
	char *rest, *line;
	bool whole;

	memset(log, 0, sizeof(*log));
	rest = log->text = file_read(path);
	if (!rest)
		return -errno;
	while ((line = cut_line(&rest, &whole)))
		if (!parse_text_line(log, line, ++number))
			return number;
	return cpus ? read_cpus(log, cpus) : 0;
}

void text_log_keep(struct text_log *log, const struct range_list *ranges)
{
	struct access_list *list = &log->accesses;
	size_t kept = 0, gap = 0;

	for (size_t i = 0; i < list->count; i++) {
		for (; gap < log->gap_count && log->gaps[gap].before <= i; gap++)
			log->gaps[gap].before = kept;
		if (range_has(ranges, list->at[i].phys))
			list->at[kept++] = list->at[i];
	}
	for (; gap < log->gap_count; gap++)
		log->gaps[gap].before = kept;
	list->count = kept;
}

void text_log_deinit(struct text_log *log)
{
	free(log->accesses.at);
	free(log->maps.at);
	free(log->gaps);
	free(log->text);
}

/* memory_region_ops_read cpu 0 mr 0x55d0 addr 0xfebf0000 value 0x10000ed size 4 name 'edu-mmio' */
static bool parse_device_line(const char *line, struct access *a)
{
	static const char event[] = "memory_region_ops_";
	const char *end;
	unsigned int size;
	int name = 0;

	line = strstr(line, event);
	if (!line)
		return false;
	line += sizeof(event) - 1;
	a->write = starts(line, "write ");
	if (sscanf(line,
		   "%*[a-z] cpu %" SCNd32 " mr 0x%" SCNx64 " addr 0x%" SCNx64 " value 0x%" SCNx64
		   " size %u name '%n",
		   &a->cpu, &a->region_id, &a->phys, &a->value, &size, &name) != 5 ||
	    !name)
		return false;
	a->width = size;
	a->region = line + name;
	end = strchr(a->region, '\'');
	if (!end)
		return false;
	a->region_len = end - a->region;
	return true;
}

/*
 * Only the part between the marks counts: before, there are the firmware and the boot. The last start mark is the
 * one, as firmware may write to the port too; the kernel keeps off it (io_delay=none). A CPU of -1 is a device's
 * own bus access, such as an MSI, and no instruction.
 */
int device_log_init(struct device_log *log, const char *path)
{
	bool marked = false, counting = false;
	uint32_t number = 0;
	char *rest, *line;
	bool whole;

	memset(log, 0, sizeof(*log));
	rest = log->text = file_read(path);
	if (!rest)
		return -errno;
	while ((line = cut_line(&rest, &whole))) {
		struct access a = { .line = ++number, .text = line };

		/* Other messages of QEMU's share the file. */
		if (strncmp(line, "memory_region_ops_", 18))
			continue;
		if (!parse_device_line(line, &a)) {
			/* The last line may be cut off when QEMU was killed. */
			if (!whole)
				break;
			return number;
		}
		if (region_is(&a, MARK_REGION) && a.write && a.value == MARK_START) {
			marked = counting = true;
			log->accesses.count = 0;
		} else if (region_is(&a, MARK_REGION) && a.write && a.value == MARK_END) {
			counting = false;
		} else if (counting && a.cpu >= 0) {
			access_add(&log->accesses, &a);
		}
	}
	return marked ? 0 : -ENODATA;
}

void device_log_deinit(struct device_log *log)
{
	free(log->accesses.at);
	free(log->text);
}
