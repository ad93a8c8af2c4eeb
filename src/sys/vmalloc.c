// SPDX-License-Identifier: GPL-2.0-or-later
#include "vmalloc.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../array.h"
#include "kptr.h"

#define KERNEL_HALF	0xffff800000000000ull
#define GUARD_PAGE	4096

/* Does the line have @word between blanks, or at its end? */
static const char *find_word(const char *line, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = strstr(line, word); p; p = strstr(p + 1, word)) {
		if (p > line && p[-1] == ' ' && (!p[n] || isspace((unsigned char)p[n])))
			return p;
	}
	return NULL;
}

/* "e1000_probe+0x1c2/0xf30 [e1000e]" ends where the first KEY=VALUE or flag begins. */
static void copy_caller(struct vmalloc_map *m, const char *text, const char *phys)
{
	const char *pages = strstr(text, " pages="), *end = phys, *module;
	size_t n;

	if (pages && pages < end)
		end = pages;
	n = (size_t)(end - text);
	if (n >= sizeof(m->caller))
		n = sizeof(m->caller) - 1;
	memcpy(m->caller, text, n);
	module = strchr(m->caller, '[');
	if (module)
		snprintf(m->module, sizeof(m->module), "%.*s", (int)strcspn(module + 1, "]"),
			 module + 1);
}

/* Return: 1: an ioremap mapping, 0: something else. mm/vmalloc.c, s_show(). */
static int parse_line(const char *line, struct vmalloc_map *m)
{
	uint64_t start, end, size;
	const char *phys = strstr(line, " phys=");
	int at = 0;

	memset(m, 0, sizeof(*m));
	if (!phys || !find_word(line, "ioremap"))
		return 0;
	if (sscanf(line, "0x%" SCNx64 "-0x%" SCNx64 " %" SCNu64 " %n", &start, &end, &size,
		   &at) != 3)
		return 0;
	if (!at || size <= GUARD_PAGE || line + at > phys)
		return 0;
	m->phys = strtoull(phys + strlen(" phys="), NULL, 16);
	m->virt = start >= KERNEL_HALF ? start : 0;
	m->len = size - GUARD_PAGE;
	copy_caller(m, line + at, phys);
	return 1;
}

static int parse_file(FILE *f, struct vmalloc_list *list)
{
	struct vmalloc_map m, *added;
	char *line = NULL;
	size_t room = 0;
	int err = 0;

	while (!err && getline(&line, &room, f) > 0) {
		if (!parse_line(line, &m))
			continue;
		added = array_push(list->maps, list->n);
		if (!added) {
			err = -ENOMEM;
			break;
		}
		*added = m;
		if (!m.virt)
			list->hidden = 1;
	}
	if (ferror(f))
		err = -EIO;
	free(line);
	return err;
}

int vmalloc_list_read(const struct sys_root *root, struct vmalloc_list *list)
{
	FILE *f;
	int err;

	memset(list, 0, sizeof(*list));
	err = sys_open(root->proc, &f, "vmallocinfo");
	if (err)
		return err;
	err = parse_file(f, list);
	fclose(f);
	if (err)
		vmalloc_list_deinit(list);
	return err;
}

int vmalloc_list_read_true(const struct sys_root *root, struct vmalloc_list *list)
{
	struct kptr kptr;
	int err = vmalloc_list_read(root, list), back;

	if (err || !list->hidden)
		return err;
	vmalloc_list_deinit(list);
	/* At 1 the file was hidden from this process already; 2 is somebody's decision. */
	err = kptr_show(root, &kptr);
	if (err)
		return err;
	err = vmalloc_list_read(root, list);
	back = kptr_put_back(root, &kptr);
	if (!err && list->hidden)
		err = -EPERM;
	if (!err)
		err = back;
	if (err)
		vmalloc_list_deinit(list);
	return err;
}

void vmalloc_list_deinit(struct vmalloc_list *list)
{
	free(list->maps);
	memset(list, 0, sizeof(*list));
}
