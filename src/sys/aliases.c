// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Devices that a built-in driver is about to get: those without a driver that it has an alias for.
 * Source of the method: modules.builtin.modinfo (kbuild, from Linux 5.2 on) has the aliases of
 * built-in modules as patterns for the modalias of a device.
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

/* Entries end with a zero byte: "ahci.alias=pci:v00008086d00002652sv*sd*bc*sc*i*". */
static int aliases_read(struct aliases *a, const struct sys_root *root, const char *module)
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
		char **added, *pattern;

		if (strncmp(entry, prefix, len))
			continue;
		pattern = strdup(entry + len);
		added = pattern ? array_push(a->patterns, a->n) : NULL;
		if (added)
			*added = pattern;
		else
			err = -ENOMEM;
		if (err)
			free(pattern);
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

int builtin_for_each_unbound_device(const struct sys_root *root, const char *module,
				    const char *bus, int (*fn)(void *ctx, const char *device),
				    void *ctx)
{
	struct aliases a = { .n = 0 };
	char path[PATH_MAX];
	struct dirent *d;
	DIR *dir = NULL;
	int ret = aliases_read(&a, root, module);

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
