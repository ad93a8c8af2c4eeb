// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbols.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../array.h"

/* The nearest symbol says nothing about an address that is further behind it. */
#define FUNCTION_MAX	(1u << 20)

struct entry {
	uint64_t addr;
	uint32_t name;		/* offset in text */
	uint32_t module;	/* offset in text, 0: the kernel itself */
	uint32_t order;		/* line of the file */
	char type;
};

struct symbols {
	char *text;		/* the file, its fields terminated; text[0] is an empty string */
	struct entry *entries;
	size_t n;
};

static int read_all(FILE *f, char **out, size_t *size)
{
	size_t room = 1 << 20, n = 1;
	char *text = malloc(room);

	while (text) {
		size_t got = fread(text + n, 1, room - n - 1, f);
		char *grown;

		n += got;
		if (!got)
			break;
		if (n + 1 < room)
			continue;
		room *= 2;
		grown = realloc(text, room);
		if (!grown)
			free(text);
		text = grown;
	}
	if (!text)
		return -ENOMEM;
	if (ferror(f) || n > UINT32_MAX) {
		free(text);
		return -EIO;
	}
	text[0] = '\0';
	text[n] = '\0';
	*out = text;
	*size = n;
	return 0;
}

/*
 * "ffffffffc0123000 t e1000_probe\t[e1000e]", terminated in place. A line of another shape is left
 * out.
 */
static int parse_line(struct symbols *s, char *line)
{
	char *name, *module, *end;
	uint64_t addr = strtoull(line, &end, 16);
	struct entry *e;

	if (end == line || end[0] != ' ' || !end[1] || end[2] != ' ')
		return 0;
	name = end + 3;
	module = strchr(name, '\t');
	if (module) {
		*module++ = '\0';
		module += strspn(module, "[");
		module[strcspn(module, "]")] = '\0';
	}
	e = array_push(s->entries, s->n);
	if (!e)
		return -ENOMEM;
	e->addr = addr;
	e->type = end[1];
	e->name = (uint32_t)(name - s->text);
	e->module = module ? (uint32_t)(module - s->text) : 0;
	e->order = (uint32_t)s->n;
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

static int parse(struct symbols *s, size_t size)
{
	char *line = s->text + 1, *end = s->text + size;
	bool hidden = true;
	int err = 0;

	while (!err && line < end) {
		char *nl = memchr(line, '\n', (size_t)(end - line));

		if (nl)
			*nl = '\0';
		err = parse_line(s, line);
		line = nl ? nl + 1 : end;
	}
	for (size_t i = 0; i < s->n && hidden; i++)
		hidden = s->entries[i].addr == 0;
	if (!err && hidden)
		err = -EPERM;
	if (!err)
		qsort(s->entries, s->n, sizeof(*s->entries), compare);
	return err;
}

int symbols_new(const struct sys_root *root, struct symbols **out)
{
	struct symbols *s;
	size_t size;
	FILE *f;
	int err = sys_open(root->proc, &f, "kallsyms");

	if (err)
		return err;
	s = calloc(1, sizeof(*s));
	err = s ? read_all(f, &s->text, &size) : -ENOMEM;
	fclose(f);
	if (!err)
		err = parse(s, size);
	if (err) {
		symbols_free(s);
		return err;
	}
	*out = s;
	return 0;
}

void symbols_free(struct symbols *s)
{
	if (!s)
		return;
	free(s->entries);
	free(s->text);
	free(s);
}

size_t symbols_count(const struct symbols *s)
{
	return s->n;
}

void symbols_at(const struct symbols *s, size_t i, struct symbol *out)
{
	const struct entry *e = &s->entries[i];

	out->addr = e->addr;
	out->name = s->text + e->name;
	out->module = s->text + e->module;
	out->type = e->type;
}

bool symbol_is_text(const struct symbol *s)
{
	return s->type == 't' || s->type == 'T' || s->type == 'w' || s->type == 'W';
}

/* Entries at or before @addr. */
static size_t count_up_to(const struct symbols *s, uint64_t addr)
{
	size_t lo = 0, hi = s->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->entries[mid].addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

int symbols_lookup(const struct symbols *s, uint64_t addr, struct symbol *out, uint64_t *offset)
{
	for (size_t i = count_up_to(s, addr); i-- > 0;) {
		if (addr - s->entries[i].addr >= FUNCTION_MAX)
			break;
		symbols_at(s, i, out);
		if (!symbol_is_text(out))
			continue;
		*offset = addr - out->addr;
		return 0;
	}
	return -ENOENT;
}

const char *symbols_format(const struct symbols *s, uint64_t addr, char *buf, size_t size)
{
	struct symbol sym;
	uint64_t offset;

	if (symbols_lookup(s, addr, &sym, &offset))
		snprintf(buf, size, "0x%" PRIx64, addr);
	else
		snprintf(buf, size, "%s+0x%" PRIx64 "%s%s%s", sym.name, offset,
			 *sym.module ? " [" : "", sym.module, *sym.module ? "]" : "");
	return buf;
}
