// SPDX-License-Identifier: GPL-2.0-or-later
/* Drivers and the devices that are bound to them, from /sys/bus. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "modules.h"

static const char *const buses[] = { "pci", "platform" };

#define NBUSES (sizeof(buses) / sizeof(buses[0]))

/* Each name in a directory; a directory that is not there has none. */
static int for_each_name(const char *path, int (*fn)(void *ctx, const char *name), void *ctx)
{
	DIR *dir = opendir(path);
	struct dirent *d;
	int ret = 0;

	if (!dir)
		return errno == ENOENT ? 0 : -errno;
	while (!ret && (d = readdir(dir))) {
		if (d->d_name[0] != '.')
			ret = fn(ctx, d->d_name);
	}
	closedir(dir);
	return ret;
}

struct driver_walk {
	const char *bus;
	int (*fn)(void *ctx, const char *bus, const char *driver);
	void *ctx;
};

static int one_driver(void *ctx, const char *name)
{
	struct driver_walk *w = ctx;

	return w->fn(w->ctx, w->bus, name);
}

int driver_for_each(const struct sys_root *root,
		    int (*fn)(void *ctx, const char *bus, const char *driver), void *ctx)
{
	struct driver_walk w = { .fn = fn, .ctx = ctx };
	char path[PATH_MAX];
	int ret = 0;

	for (size_t i = 0; !ret && i < NBUSES; i++) {
		w.bus = buses[i];
		ret = sys_path(path, root->sys, "bus/%s/drivers", buses[i]);
		if (!ret)
			ret = for_each_name(path, one_driver, &w);
	}
	return ret;
}

struct driver_match {
	const char *name;
	const char *bus;
	char *driver;
	bool exact;
};

static int match_driver(void *ctx, const char *bus, const char *driver)
{
	struct driver_match *m = ctx;

	m->exact = !strcmp(driver, m->name);
	if (!m->exact && (m->bus || !module_name_equal(driver, m->name)))
		return 0;
	m->bus = bus;
	snprintf(m->driver, MODULE_NAME_LEN, "%s", driver);
	return m->exact;
}

int driver_find(const struct sys_root *root, const char *name, const char **bus,
		char driver[MODULE_NAME_LEN], char module[MODULE_NAME_LEN])
{
	struct driver_match m = { .name = name, .driver = driver };
	int ret = driver_for_each(root, match_driver, &m);

	if (ret < 0)
		return ret;
	if (!m.bus)
		return -ENOENT;
	*bus = m.bus;
	/* A driver in the kernel itself may have no such link. */
	ret = sys_link_name(root->sys, module, MODULE_NAME_LEN, "bus/%s/drivers/%s/module", m.bus,
			    driver);
	return ret == -ENOENT ? 0 : ret;
}

/* "pci:e1000e" in /sys/module/NAME/drivers */
static int driver_of_module(void *ctx, const char *name)
{
	struct driver_walk *w = ctx;
	const char *colon = strchr(name, ':');

	for (size_t i = 0; colon && i < NBUSES; i++) {
		size_t n = strlen(buses[i]);

		if ((size_t)(colon - name) == n && !memcmp(name, buses[i], n))
			return w->fn(w->ctx, buses[i], colon + 1);
	}
	return 0;
}

int driver_for_each_of_module(const struct sys_root *root, const char *module,
			      int (*fn)(void *ctx, const char *bus, const char *driver), void *ctx)
{
	struct driver_walk w = { .fn = fn, .ctx = ctx };
	char name[MODULE_NAME_LEN], path[PATH_MAX];
	int err;

	module_name_canonical(module, name);
	err = sys_path(path, root->sys, "module/%s/drivers", name);
	return err ? err : for_each_name(path, driver_of_module, &w);
}

struct device_walk {
	const struct sys_root *root;
	const char *bus;
	int (*fn)(void *ctx, const char *device);
	void *ctx;
};

/* A driver's directory has its devices among its attributes. */
static int one_device(void *ctx, const char *name)
{
	struct device_walk *w = ctx;
	char path[PATH_MAX];

	if (sys_path(path, w->root->sys, "bus/%s/devices/%s", w->bus, name) ||
	    access(path, F_OK))
		return 0;
	return w->fn(w->ctx, name);
}

int driver_for_each_device(const struct sys_root *root, const char *bus, const char *driver,
			   int (*fn)(void *ctx, const char *device), void *ctx)
{
	struct device_walk w = { .root = root, .bus = bus, .fn = fn, .ctx = ctx };
	char path[PATH_MAX];
	int err = sys_path(path, root->sys, "bus/%s/drivers/%s", bus, driver);

	return err ? err : for_each_name(path, one_device, &w);
}
