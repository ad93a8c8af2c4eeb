/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the machine describes itself. Everything in sys/ takes one, so that tests can describe
 * another machine.
 */
#ifndef MMIOBPF_SYS_ROOT_H
#define MMIOBPF_SYS_ROOT_H

#include <limits.h>
#include <stdio.h>

struct sys_root {
	const char *proc;	/* "/proc" */
	const char *sys;	/* "/sys" */
	const char *modules;	/* "/lib/modules/6.1.0-57-amd64": of this kernel */
};

/** sys_root_live() - the running machine. Static, never NULL */
const struct sys_root *sys_root_live(void);

/** sys_path() - DIR/... into @path. Return: 0 or -ENAMETOOLONG */
int sys_path(char path[PATH_MAX], const char *dir, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * sys_open() - open a file below a directory for reading
 * @dir: root->proc, root->sys or root->modules
 * @fmt: path below it
 * @out: closed by the caller with fclose()
 *
 * Return: 0 or -errno.
 */
int sys_open(const char *dir, FILE **out, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * sys_read_line() - first line of a small file, without its newline
 * @dir, @fmt: as for sys_open()
 * @line, @size: filled, cut to fit, always terminated
 *
 * Return: 0 or -errno.
 */
int sys_read_line(const char *dir, char *line, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/**
 * sys_link_name() - last part of a symbolic link's target: the driver behind .../driver
 * @dir, @fmt: as for sys_open()
 *
 * Return: 0 or -errno; -ENOENT when there is no such link.
 */
int sys_link_name(const char *dir, char *name, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#endif
