// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace_symbols.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../sys/modules.h"
#include "../sys/symbols.h"

/* The list of modules is looked at no more often than this. */
#define LOOK_INTERVAL	1000000	/* ns, less than lies between two flushes */
/* Reading the table, while the rings fill, may take one part in so many of the time. */
#define READ_SHARE	8

struct trace_symbols {
	struct symbolizer symbolizer;
	const struct sys_root *root;
	struct symbols *symbols;
	uint64_t sum;		/* of the modules that @symbols has */
	struct module_loaded *modules;	/* as last looked at */
	size_t nmodules;
	uint64_t looked_ns;	/* when that was */
	uint64_t next_read_ns;	/* not to be read again before that */
	bool current;		/* @symbols fits the list */
};

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000ull + (uint64_t)ts.tv_nsec;
}

/* --- modules --- */

static int modules_look(struct trace_symbols *t)
{
	free(t->modules);
	return modules_loaded_read(t->root, &t->modules, &t->nmodules);
}

/* FNV-1a over names and addresses, which change with every load and unload. */
static uint64_t modules_sum(const struct trace_symbols *t)
{
	uint64_t sum = 0xcbf29ce484222325ull;

	for (size_t i = 0; i < t->nmodules; i++) {
		for (const char *c = t->modules[i].name; *c; c++)
			sum = (sum ^ (unsigned char)*c) * 0x100000001b3ull;
		sum = (sum ^ t->modules[i].base) * 0x100000001b3ull;
	}
	return sum;
}

/* The module that an address is in, or NULL. The nearest: the size counts data that is elsewhere. */
static const struct module_loaded *module_at(const struct trace_symbols *t, uint64_t pc)
{
	const struct module_loaded *at = NULL;

	for (size_t i = 0; i < t->nmodules; i++) {
		const struct module_loaded *m = &t->modules[i];

		if (pc >= m->base && pc - m->base < m->size && (!at || m->base > at->base))
			at = m;
	}
	return at;
}

static bool module_is_loading(const struct trace_symbols *t, const char *name)
{
	for (size_t i = 0; i < t->nmodules; i++)
		if (module_name_equal(t->modules[i].name, name))
			return !t->modules[i].live;
	return false;
}

/*
 * The nearest symbol may be of a module that lies before the address, when that of the address has
 * come since the table was read, or is gone. The code of a module's start is an area of its own.
 */
static bool symbol_fits(const struct trace_symbols *t, const struct symbol *s, uint64_t pc)
{
	const struct module_loaded *at = module_at(t, pc);

	if (at)
		return module_name_equal(at->name, s->module);
	return !*s->module || module_is_loading(t, s->module);
}

/* --- symbols --- */

/* The sum is taken before: a module that comes in between is seen at the next look. */
static int table_read(struct trace_symbols *t)
{
	uint64_t sum = modules_sum(t);
	uint64_t start = now_ns(), end;
	struct symbols *read;
	int err = symbols_new(t->root, &read);

	end = now_ns();
	t->next_read_ns = end + READ_SHARE * (end - start);
	if (err)
		return err;
	symbols_free(t->symbols);
	t->symbols = read;
	t->sum = sum;
	return 0;
}

static void table_renew(struct trace_symbols *t)
{
	uint64_t now = now_ns();

	if (now < t->looked_ns + LOOK_INTERVAL)
		return;
	t->looked_ns = now;
	t->current = !modules_look(t) && (modules_sum(t) == t->sum ||
					  (now >= t->next_read_ns && !table_read(t)));
}

static int symbols_find(struct symbolizer *s, uint64_t pc, struct symbol_name *out)
{
	struct trace_symbols *t = (struct trace_symbols *)s;
	struct symbol found;

	table_renew(t);
	if (!t->current || symbols_lookup(t->symbols, pc, &found, &out->offset) ||
	    !symbol_fits(t, &found, pc))
		return -ENOENT;
	out->name = found.name;
	out->module = found.module;
	return 0;
}

static void symbols_let_go(struct symbolizer *s)
{
	struct trace_symbols *t = (struct trace_symbols *)s;

	symbols_free(t->symbols);
	free(t->modules);
	free(t);
}

int trace_symbols_new(const struct sys_root *root, struct symbolizer **out)
{
	struct trace_symbols *t = calloc(1, sizeof(*t));
	int err;

	if (!t)
		return -ENOMEM;
	t->symbolizer.find = symbols_find;
	t->symbolizer.free = symbols_let_go;
	t->root = root;
	err = modules_look(t);
	if (!err)
		err = table_read(t);
	if (err) {
		symbolizer_free(&t->symbolizer);
		return err;
	}
	/* The first module that is loaded must not wait. */
	t->next_read_ns = 0;
	*out = &t->symbolizer;
	return 0;
}
