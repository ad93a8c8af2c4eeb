// SPDX-License-Identifier: GPL-2.0-or-later
/* Names of devices: from lspci, and from its library. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pci/pci.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pci.h"

extern char **environ;

static int spawn_lspci(int out, pid_t *pid)
{
	static char *argv[] = { "lspci", "-v", NULL };
	posix_spawn_file_actions_t actions;
	int err = posix_spawn_file_actions_init(&actions);

	if (err)
		return -err;
	posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	err = posix_spawnp(pid, "lspci", &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return -err;
}

static int read_lines(int fd, struct log_header *h)
{
	char *line = NULL;
	size_t room = 0;
	FILE *f = fdopen(fd, "r");
	ssize_t n;
	int err = 0;

	if (!f) {
		close(fd);
		return -ENOMEM;
	}
	while (!err && (n = getline(&line, &room, f)) > 0)
		err = log_header_add_lspci(h, line, (size_t)n - (line[n - 1] == '\n'));
	free(line);
	fclose(f);
	return err;
}

int pci_read_lspci(struct log_header *h)
{
	int fds[2], err;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC))
		return 0;
	err = spawn_lspci(fds[1], &pid);
	close(fds[1]);
	if (err) {
		close(fds[0]);
		return 0;
	}
	err = read_lines(fds[0], h);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return err;
}

/* A machine without pci.ids is no reason to print something. */
static void quiet(char *msg, ...)
{
	(void)msg;
}

struct pci_names {
	const struct sys_root *root;
	struct pci_access *access;
};

int pci_names_open(const struct sys_root *root, struct pci_names **out)
{
	struct pci_names *names = calloc(1, sizeof(*names));

	if (!names)
		return -ENOMEM;
	names->root = root;
	names->access = pci_alloc();
	if (!names->access) {
		free(names);
		return -ENOMEM;
	}
	names->access->warning = quiet;
	names->access->debug = quiet;
	*out = names;
	return 0;
}

void pci_names_close(struct pci_names *names)
{
	if (!names)
		return;
	pci_cleanup(names->access);
	free(names);
}

void pci_names_describe(struct pci_names *names, const struct pci_dev_info *d, char *buf,
			size_t size)
{
	char text[192], name[128], line[32] = "";
	unsigned int class;

	sys_read_line(names->root->sys, line, sizeof(line),
		      "bus/pci/devices/%04x:%02x:%02x.%x/class", d->dev >> 16, d->dev >> 8 & 0xff,
		      d->dev >> 3 & 0x1f, d->dev & 7);
	class = (unsigned int)strtoul(line, NULL, 16) >> 8;
	pci_lookup_name(names->access, text, sizeof(text), PCI_LOOKUP_CLASS, class);
	pci_lookup_name(names->access, name, sizeof(name), PCI_LOOKUP_VENDOR | PCI_LOOKUP_DEVICE,
			d->vendor, d->device);
	snprintf(buf, size, "%s: %s", text, name);
}
