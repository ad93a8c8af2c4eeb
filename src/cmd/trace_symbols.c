// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace_symbols.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../sys/symbols.h"

/* The list of modules is looked at no more often than this. */
#define LOOK_INTERVAL	1000000	/* ns, less than lies between two flushes */
/* Reading the table, while the rings fill, may take one part in so many of the time. */
#define READ_SHARE	8

struct trace_symbols {
	struct ctf_symbolizer symbolizer;
	const struct sys_root *root;
	struct symbols *symbols;
	uint64_t modules;	/* sum over the modules that @symbols has */
	uint64_t looked_ns;	/* when the list of modules was looked at */
	uint64_t next_read_ns;	/* not to be read again before that */
	bool current;		/* @symbols fits the list */
};

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000ull + (uint64_t)ts.tv_nsec;
}

/* FNV-1a over names and addresses, which change with every load and unload. */
static uint64_t modules_sum(const struct sys_root *root)
{
	uint64_t sum = 0xcbf29ce484222325ull, at;
	char line[4096], name[64];
	FILE *f;

	if (sys_open(root->proc, &f, "modules"))
		return 0;
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%63s %*s %*s %*s %*s %" SCNx64, name, &at) != 2)
			continue;
		for (const char *c = name; *c; c++)
			sum = (sum ^ (unsigned char)*c) * 0x100000001b3ull;
		sum = (sum ^ at) * 0x100000001b3ull;
	}
	fclose(f);
	return sum;
}

/* The sum is taken before: a module that comes in between is seen at the next look. */
static int table_read(struct trace_symbols *t, uint64_t sum)
{
	uint64_t start = now_ns(), end;
	struct symbols *read;
	int err = symbols_new(t->root, &read);

	end = now_ns();
	t->next_read_ns = end + READ_SHARE * (end - start);
	if (err)
		return err;
	symbols_free(t->symbols);
	t->symbols = read;
	t->modules = sum;
	return 0;
}

static void table_renew(struct trace_symbols *t)
{
	uint64_t now = now_ns(), sum;

	if (now < t->looked_ns + LOOK_INTERVAL)
		return;
	t->looked_ns = now;
	sum = modules_sum(t->root);
	t->current = sum == t->modules ||
		     (now >= t->next_read_ns && !table_read(t, sum));
}

static int symbols_find(struct ctf_symbolizer *s, struct log_symbol *sym)
{
	struct trace_symbols *t = (struct trace_symbols *)s;
	struct symbol found;
	uint64_t offset;

	table_renew(t);
	if (!t->current || symbols_lookup(t->symbols, sym->pc, &found, &offset))
		return -ENOENT;
	sym->start = found.addr;
	/* Borrowed: who keeps a symbol copies it. */
	sym->name = (char *)found.name;
	sym->module = (char *)found.module;
	return 0;
}

int trace_symbols_new(const struct sys_root *root, struct ctf_symbolizer **out)
{
	struct trace_symbols *t = calloc(1, sizeof(*t));
	int err;

	if (!t)
		return -ENOMEM;
	t->symbolizer.find = symbols_find;
	t->root = root;
	err = table_read(t, modules_sum(root));
	if (err) {
		free(t);
		return err;
	}
	/* The first module that is loaded must not wait. */
	t->next_read_ns = 0;
	*out = &t->symbolizer;
	return 0;
}

void trace_symbols_free(struct ctf_symbolizer *s)
{
	struct trace_symbols *t = (struct trace_symbols *)s;

	if (!t)
		return;
	symbols_free(t->symbols);
	free(t);
}
