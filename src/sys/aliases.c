// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Devices that a driver is about to get: those without a driver that it has an alias for. Source of
 * the method: modules.alias, which depmod writes, and modules.builtin.modinfo (kbuild, from Linux
 * 5.2 on) for built-in modules have them as patterns for the modalias of a device.
 */
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../array.h"
#include "modules.h"

struct aliases {
	char **patterns;
	size_t n;
};

static void aliases_deinit(struct aliases *a)
{
	for (size_t i = 0; i < a->n; i++)
		free(a->patterns[i]);
	free(a->patterns);
}

static int aliases_add(struct aliases *a, const char *text)
{
	char *pattern = strdup(text);
	char **added = pattern ? array_push(a->patterns, a->n) : NULL;

	if (!added) {
		free(pattern);
		return -ENOMEM;
	}
	*added = pattern;
	return 0;
}

/* Lines: "alias pci:v00008086d000010D3sv*sd*bc*sc*i* e1000e"; no part has a blank in it. */
static int aliases_read_loadable(struct aliases *a, const struct sys_root *root, const char *module)
{
	char name[MODULE_NAME_LEN], *line = NULL;
	size_t room = 0;
	FILE *f;
	int err = sys_open(root->modules, &f, "modules.alias");

	if (err)
		return err == -ENOENT ? 0 : err;
	module_name_canonical(module, name);
	while (!err && getline(&line, &room, f) > 0) {
		char *rest = line, *word = strsep(&rest, " \n");
		char *pattern = strsep(&rest, " \n"), *owner = strsep(&rest, " \n");

		if (!strcmp(word, "alias") && pattern && owner && module_name_equal(owner, name))
			err = aliases_add(a, pattern);
	}
	if (!err && ferror(f))
		err = -EIO;
	free(line);
	fclose(f);
	return err;
}

/* Entries end with a zero byte: "ahci.alias=pci:v00008086d00002652sv*sd*bc*sc*i*". */
static int aliases_read_builtin(struct aliases *a, const struct sys_root *root, const char *module)
{
	char name[MODULE_NAME_LEN], prefix[MODULE_NAME_LEN + 8], *entry = NULL;
	size_t room = 0, len;
	FILE *f;
	int err = sys_open(root->modules, &f, "modules.builtin.modinfo");

	if (err)
		return err == -ENOENT ? 0 : err;
	module_name_canonical(module, name);
	len = (size_t)snprintf(prefix, sizeof(prefix), "%s.alias=", name);
	while (!err && getdelim(&entry, &room, '\0', f) > 0) {
		if (!strncmp(entry, prefix, len))
			err = aliases_add(a, entry + len);
	}
	if (!err && ferror(f))
		err = -EIO;
	free(entry);
	fclose(f);
	return err;
}

static bool device_is_unbound(const struct sys_root *root, const char *bus, const char *device)
{
	char path[PATH_MAX];

	return !sys_path(path, root->sys, "bus/%s/devices/%s/driver", bus, device) &&
	       access(path, F_OK);
}

static bool device_matches(const struct aliases *a, const struct sys_root *root, const char *bus,
			   const char *device)
{
	char modalias[512];

	if (sys_read_line(root->sys, modalias, sizeof(modalias), "bus/%s/devices/%s/modalias", bus,
			  device))
		return false;
	for (size_t i = 0; i < a->n; i++) {
		if (!fnmatch(a->patterns[i], modalias, 0))
			return true;
	}
	return false;
}

int module_for_each_unbound_device(const struct sys_root *root, const char *module,
				   const char *bus, int (*fn)(void *ctx, const char *device),
				   void *ctx)
{
	struct aliases a = { .n = 0 };
	char path[PATH_MAX];
	struct dirent *d;
	DIR *dir = NULL;
	int ret = aliases_read_builtin(&a, root, module);

	if (!ret)
		ret = aliases_read_loadable(&a, root, module);
	if (!ret && a.n)
		ret = sys_path(path, root->sys, "bus/%s/devices", bus);
	if (!ret && a.n) {
		dir = opendir(path);
		if (!dir && errno != ENOENT)
			ret = -errno;
	}
	while (!ret && dir && (d = readdir(dir))) {
		if (d->d_name[0] != '.' && device_is_unbound(root, bus, d->d_name) &&
		    device_matches(&a, root, bus, d->d_name))
			ret = fn(ctx, d->d_name);
	}
	if (dir)
		closedir(dir);
	aliases_deinit(&a);
	return ret;
}
