// SPDX-License-Identifier: GPL-2.0-or-later
#include "root.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

const struct sys_root *sys_root_live(void)
{
	static char modules[sizeof(((struct utsname *)0)->release) + 16];
	static struct sys_root root = { .proc = "/proc", .sys = "/sys", .modules = modules };
	struct utsname u;

	if (!modules[0] && !uname(&u))
		snprintf(modules, sizeof(modules), "/lib/modules/%s", u.release);
	return &root;
}

/* DIR/..., in a buffer of PATH_MAX. Return: 0 or -ENAMETOOLONG. */
static int path_format(char *path, const char *dir, const char *fmt, va_list ap)
{
	int n = snprintf(path, PATH_MAX, "%s/", dir), m;

	if (n < 0 || n >= PATH_MAX)
		return -ENAMETOOLONG;
	m = vsnprintf(path + n, (size_t)(PATH_MAX - n), fmt, ap);
	return m < 0 || m >= PATH_MAX - n ? -ENAMETOOLONG : 0;
}

int sys_path(char path[PATH_MAX], const char *dir, const char *fmt, ...)
{
	va_list ap;
	int err;

	va_start(ap, fmt);
	err = path_format(path, dir, fmt, ap);
	va_end(ap);
	return err;
}

static int open_path(FILE **out, const char *path)
{
	*out = fopen(path, "re");
	return *out ? 0 : -errno;
}

int sys_open(const char *dir, FILE **out, const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list ap;
	int err;

	va_start(ap, fmt);
	err = path_format(path, dir, fmt, ap);
	va_end(ap);
	return err ? err : open_path(out, path);
}

int sys_read_line(const char *dir, char *line, size_t size, const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list ap;
	FILE *f;
	int err;

	line[0] = '\0';
	va_start(ap, fmt);
	err = path_format(path, dir, fmt, ap);
	va_end(ap);
	if (!err)
		err = open_path(&f, path);
	if (err)
		return err;
	errno = 0;
	if (!fgets(line, (int)size, f) && ferror(f))
		err = errno ? -errno : -EIO;
	line[strcspn(line, "\n")] = '\0';
	fclose(f);
	return err;
}

int sys_link_name(const char *dir, char *name, size_t size, const char *fmt, ...)
{
	char path[PATH_MAX], target[PATH_MAX];
	const char *slash;
	va_list ap;
	ssize_t n;
	int err;

	name[0] = '\0';
	va_start(ap, fmt);
	err = path_format(path, dir, fmt, ap);
	va_end(ap);
	if (err)
		return err;
	n = readlink(path, target, sizeof(target) - 1);
	if (n < 0)
		return -errno;
	target[n] = '\0';
	slash = strrchr(target, '/');
	snprintf(name, size, "%s", slash ? slash + 1 : target);
	return 0;
}
