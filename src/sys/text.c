// SPDX-License-Identifier: GPL-2.0-or-later
#include "text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../array.h"
#include "kptr.h"
#include "modules.h"
#include "symbols.h"

#define PAGE_BYTES 4096ull

struct span {
	uint64_t start;
	uint64_t end;
};

struct text_source {
	const struct sys_root *root;
	bool places_read;
	struct module_loaded *modules;
	size_t nmodules;
	struct span *areas;	/* of the vmalloc area, without their guard pages */
	size_t nareas;
	struct symbols *symbols;
};

int text_source_new(const struct sys_root *root, struct text_source **out)
{
	struct text_source *s = calloc(1, sizeof(*s));

	if (!s)
		return -ENOMEM;
	s->root = root;
	*out = s;
	return 0;
}

void text_source_free(struct text_source *s)
{
	if (!s)
		return;
	symbols_free(s->symbols);
	free(s->areas);
	free(s->modules);
	free(s);
}

/* --- modules and areas --- */

/* "0xffffffffc0a00000-0xffffffffc0a04000 16384 ...". mm/vmalloc.c, s_show(). */
static int add_area(struct text_source *s, const char *line)
{
	struct span a, *added;

	if (sscanf(line, "0x%" SCNx64 "-0x%" SCNx64 " ", &a.start, &a.end) != 2)
		return 0;
	a.end -= PAGE_BYTES;
	added = array_push(s->areas, s->nareas);
	if (!added)
		return -ENOMEM;
	*added = a;
	return 0;
}

static int read_areas(struct text_source *s)
{
	char *line = NULL;
	size_t room = 0;
	FILE *f;
	int err = sys_open(s->root->proc, &f, "vmallocinfo");

	if (err)
		return err;
	while (!err && getline(&line, &room, f) > 0)
		err = add_area(s, line);
	if (!err && ferror(f))
		err = -EIO;
	free(line);
	fclose(f);
	return err;
}

/* What is hidden is left out: then the symbols tell. */
static int read_places(struct text_source *s)
{
	struct kptr kptr;
	int err, back = 0, shown;

	s->places_read = true;
	err = modules_loaded_read(s->root, &s->modules, &s->nmodules);
	if (err || !s->nmodules)
		return err;
	shown = kptr_show(s->root, &kptr);
	err = read_areas(s);
	if (!shown)
		back = kptr_put_back(s->root, &kptr);
	return err && err != -ENOENT && err != -EACCES ? err : back;
}

static const struct module_loaded *module_at(const struct text_source *s, const char *name)
{
	for (size_t i = 0; i < s->nmodules; i++) {
		if (module_name_equal(s->modules[i].name, name))
			return &s->modules[i];
	}
	return NULL;
}

static bool place_find(const struct text_source *s, const char *name, struct text_range *out)
{
	const struct module_loaded *m = module_at(s, name);
	const struct span *area = NULL;

	if (!m || !m->live || !m->base)
		return false;
	for (size_t i = 0; i < s->nareas; i++) {
		if (m->base >= s->areas[i].start && m->base < s->areas[i].end)
			area = &s->areas[i];
	}
	if (!area)
		return false;
	out->start = m->base;
	out->end = area->end;
	/* Kernels may put the code of several modules into one area. */
	for (size_t i = 0; i < s->nmodules; i++) {
		uint64_t other = s->modules[i].base;

		if (other > out->start && other < out->end)
			out->end = other;
	}
	return true;
}

/* --- symbols --- */

struct text_search {
	const char *module;
	struct text_range *ranges;
	size_t n;
	uint64_t last;		/* address of the last text symbol of the open range */
	bool open;
};

/* The first symbol behind the range's last one has been reached, or there is none (UINT64_MAX). */
static void close_range(struct text_search *t, uint64_t next)
{
	uint64_t end = (t->last | (PAGE_BYTES - 1)) + 1;

	t->ranges[t->n - 1].end = next < end ? next : end;
	t->open = false;
}

static int text_symbol(struct text_search *t, const struct symbol *s)
{
	struct text_range *r;

	if (!t->open) {
		r = array_push(t->ranges, t->n);
		if (!r)
			return -ENOMEM;
		r->start = s->addr;
		t->open = true;
	}
	t->last = s->addr;
	return 0;
}

static int search_text(struct text_search *t, const struct symbols *symbols)
{
	uint64_t next = UINT64_MAX;	/* first symbol behind t->last */
	int err = 0;

	for (size_t i = 0; !err && i < symbols_count(symbols); i++) {
		struct symbol s;
		bool own;

		symbols_at(symbols, i, &s);
		own = module_name_equal(s.module, t->module);
		if (t->open && next == UINT64_MAX && s.addr > t->last)
			next = s.addr;
		if (own && symbol_is_text(&s)) {
			err = text_symbol(t, &s);
			next = UINT64_MAX;
		} else if (!own && t->open && s.addr > t->last) {
			close_range(t, next);
			next = UINT64_MAX;
		}
	}
	if (!err && t->open)
		close_range(t, next);
	return err;
}

static int ranges_by_symbols(struct text_source *s, const char *module, struct text_search *t)
{
	int err = 0;

	t->module = module;
	if (!s->symbols)
		err = symbols_new(s->root, &s->symbols);
	if (!err)
		err = search_text(t, s->symbols);
	return err;
}

int text_source_ranges(struct text_source *s, const char *module, struct text_range **ranges,
		       size_t *n)
{
	struct text_search t = { .n = 0 };
	struct text_range place, *added;
	int err = s->places_read ? 0 : read_places(s);

	if (!err && place_find(s, module, &place)) {
		added = array_push(t.ranges, t.n);
		if (added)
			*added = place;
		else
			err = -ENOMEM;
	} else if (!err) {
		err = ranges_by_symbols(s, module, &t);
	}
	if (err) {
		free(t.ranges);
		return err;
	}
	*ranges = t.ranges;
	*n = t.n;
	return 0;
}
