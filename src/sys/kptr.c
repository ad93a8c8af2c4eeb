// SPDX-License-Identifier: GPL-2.0-or-later
#include "kptr.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int write_kptr_restrict(const struct sys_root *root, const char *value)
{
	char path[PATH_MAX];
	FILE *f;
	int err = sys_path(path, root->proc, "sys/kernel/kptr_restrict");

	if (err)
		return err;
	f = fopen(path, "we");
	if (!f)
		return -errno;
	fputs(value, f);
	return fclose(f) ? -errno : 0;
}

int kptr_show(const struct sys_root *root, struct kptr *k)
{
	int err = sys_read_line(root->proc, k->before, sizeof(k->before),
				"sys/kernel/kptr_restrict");

	if (err)
		return err;
	if (strcmp(k->before, "0"))
		return -EPERM;
	err = write_kptr_restrict(root, "1");
	return err == -EACCES ? -EPERM : err;
}

int kptr_put_back(const struct sys_root *root, const struct kptr *k)
{
	return write_kptr_restrict(root, k->before);
}
