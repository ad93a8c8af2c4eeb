// SPDX-License-Identifier: GPL-2.0-or-later
#include "modules.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../array.h"

static char fold(char c)
{
	return c == '-' ? '_' : c;
}

bool module_name_equal(const char *a, const char *b)
{
	while (*a && fold(*a) == fold(*b)) {
		a++;
		b++;
	}
	return fold(*a) == fold(*b);
}

void module_name_canonical(const char *name, char out[MODULE_NAME_LEN])
{
	size_t i;

	for (i = 0; name[i] && i < MODULE_NAME_LEN - 1; i++)
		out[i] = fold(name[i]);
	out[i] = '\0';
}

/* --- lists of modules --- */

/* Name of the module in "kernel/drivers/net/e1000e.ko.xz: ...", cut to fit. Return: false: none. */
static bool name_from_path(const char *line, char out[MODULE_NAME_LEN])
{
	size_t len = strcspn(line, ":\n");
	const char *base = line, *dot;

	for (size_t i = 0; i < len; i++) {
		if (line[i] == '/')
			base = line + i + 1;
	}
	dot = strstr(base, ".ko");
	if (!dot || dot >= line + len || dot == base)
		return false;
	snprintf(out, MODULE_NAME_LEN, "%.*s", (int)(dot - base), base);
	return true;
}

/*
 * Each module that a file names, first field of /proc/modules or a path; a missing file names
 * none.
 */
static int for_each_in_file(const char *dir, const char *file, bool paths,
			    int (*fn)(void *ctx, const char *name), void *ctx)
{
	char name[MODULE_NAME_LEN], *line = NULL;
	size_t room = 0;
	FILE *f;
	int ret = sys_open(dir, &f, "%s", file);

	if (ret)
		return ret == -ENOENT ? 0 : ret;
	while (!ret && getline(&line, &room, f) > 0) {
		if (paths && !name_from_path(line, name))
			continue;
		if (!paths)
			snprintf(name, sizeof(name), "%.*s", (int)strcspn(line, " \n"), line);
		ret = fn(ctx, name);
	}
	if (!ret && ferror(f))
		ret = -EIO;
	free(line);
	fclose(f);
	return ret;
}

static int is_name(void *ctx, const char *name)
{
	return module_name_equal(ctx, name);
}

int module_find(const struct sys_root *root, const char *name, enum module_state *state)
{
	static const struct {
		const char *file;
		enum module_state state;
	} places[] = {
		{ "modules.builtin", MODULE_BUILTIN },
		{ "modules.dep", MODULE_AVAILABLE },
	};
	int ret = for_each_in_file(root->proc, "modules", false, is_name, (void *)name);

	*state = MODULE_LOADED;
	for (size_t i = 0; !ret && i < sizeof(places) / sizeof(places[0]); i++) {
		*state = places[i].state;
		ret = for_each_in_file(root->modules, places[i].file, true, is_name, (void *)name);
	}
	if (!ret)
		*state = MODULE_NONE;
	return ret < 0 ? ret : 0;
}

/* "e1000e 307200 0 - Live 0xffffffffc0a00000 (E)" */
static bool loaded_parse(const char *line, struct module_loaded *m)
{
	char state[16];

	if (sscanf(line, "%63s %" SCNu64 " %*s %*s %15s 0x%" SCNx64, m->name, &m->size, state,
		   &m->base) != 4)
		return false;
	m->live = !strcmp(state, "Live");
	return true;
}

int modules_loaded_read(const struct sys_root *root, struct module_loaded **out, size_t *n)
{
	struct module_loaded m, *list = NULL, *added;
	char *line = NULL;
	size_t room = 0, used = 0;
	FILE *f;
	int err = sys_open(root->proc, &f, "modules");

	*out = NULL;
	*n = 0;
	if (err)
		return err == -ENOENT ? 0 : err;
	while (!err && getline(&line, &room, f) > 0) {
		if (!loaded_parse(line, &m))
			continue;
		added = array_push(list, used);
		if (added)
			*added = m;
		else
			err = -ENOMEM;
	}
	if (!err && ferror(f))
		err = -EIO;
	free(line);
	fclose(f);
	if (err) {
		free(list);
		return err;
	}
	*out = list;
	*n = used;
	return 0;
}

/* --- the nearest name --- */

#define EDITS_MAX 2

struct suggestion {
	const char *name;
	char *out;
	unsigned int edits;
};

/* Letters to insert, delete or replace to get from @a to @b, or a large number. */
static unsigned int edit_distance(const char *a, const char *b)
{
	unsigned int row[MODULE_NAME_LEN];
	size_t la = strlen(a), lb = strlen(b);

	if (lb >= MODULE_NAME_LEN || la > lb + EDITS_MAX || lb > la + EDITS_MAX)
		return EDITS_MAX + 1;
	for (size_t j = 0; j <= lb; j++)
		row[j] = (unsigned int)j;
	for (size_t i = 1; i <= la; i++) {
		unsigned int diagonal = row[0];

		row[0] = (unsigned int)i;
		for (size_t j = 1; j <= lb; j++) {
			unsigned int best = diagonal + (fold(a[i - 1]) != fold(b[j - 1]));

			diagonal = row[j];
			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			row[j] = best;
		}
	}
	return row[lb];
}

static int consider(void *ctx, const char *name)
{
	struct suggestion *s = ctx;
	unsigned int edits = edit_distance(s->name, name);

	/* Of a short name, hardly anything would be left. */
	if (edits < s->edits && edits * 2 < strlen(s->name)) {
		s->edits = edits;
		snprintf(s->out, MODULE_NAME_LEN, "%s", name);
	}
	return 0;
}

static int consider_driver(void *ctx, const char *bus, const char *driver)
{
	(void)bus;
	return consider(ctx, driver);
}

void module_suggest(const struct sys_root *root, const char *name, char out[MODULE_NAME_LEN])
{
	struct suggestion s = { .name = name, .out = out, .edits = EDITS_MAX + 1 };

	out[0] = '\0';
	driver_for_each(root, consider_driver, &s);
	for_each_in_file(root->proc, "modules", false, consider, &s);
	for_each_in_file(root->modules, "modules.builtin", true, consider, &s);
	for_each_in_file(root->modules, "modules.dep", true, consider, &s);
}
