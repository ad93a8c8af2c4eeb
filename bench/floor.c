// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * usage: floor PHYS CMD [ARGS...]
 *
 * Arms the live mapping of the device memory at PHYS, with no BPF program attached, and runs CMD.
 * So what CMD's accesses cost is the trap alone: the page fault, the decoding and the access by the
 * alias, no record, no ring, no log.
 *
 * The status is CMD's, or 1 when that could not be set up or nothing of it was trapped: a floor
 * that was not measured must not look like a low one.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../include/mmiobpf/abi.h"
#include "../src/sys/vmalloc.h"

static int fails(const char *what, int err)
{
	fprintf(stderr, "floor: %s: %s\n", what, strerror(err));
	return 1;
}

/* The first mapping that begins at @phys. Return: 0, -ENOENT when there is none, or -errno. */
static int mapping_find(uint64_t phys, struct mmiobpf_map_req *req)
{
	struct vmalloc_list list;
	int err = vmalloc_list_read_true(sys_root_live(), &list);

	if (err)
		return err;
	err = -ENOENT;
	for (size_t i = 0; i < list.n && err; i++) {
		const struct vmalloc_map *m = &list.maps[i];

		if (m->phys != phys)
			continue;
		*req = (struct mmiobpf_map_req){
			.virt = m->virt,
			.phys = m->phys,
			.len = m->len,
			.flags = MMIOBPF_MAP_ARM,
			.kind = MMIOBPF_MAP_LIVE,
			.bar = MMIOBPF_NO_BAR,
		};
		err = 0;
	}
	vmalloc_list_deinit(&list);
	return err;
}

/* Return: the status of the command as a shell tells it, or -errno. */
static int command_run(char **argv)
{
	pid_t child = fork();
	int status;

	if (child < 0)
		return -errno;
	if (!child) {
		execvp(argv[0], argv);
		_exit(fails(argv[0], errno));
	}
	while (waitpid(child, &status, 0) < 0) {
		if (errno != EINTR)
			return -errno;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static uint64_t trapped(int fd)
{
	struct mmiobpf_info info;

	if (ioctl(fd, MMIOBPF_IOC_INFO, &info))
		return 0;
	return info.emulated + info.stepped + info.strings;
}

int main(int argc, char **argv)
{
	struct mmiobpf_map_req req;
	int fd, err, status;

	if (argc < 3) {
		fprintf(stderr, "usage: floor PHYS CMD [ARGS...]\n");
		return 1;
	}
	fd = open(MMIOBPF_DEVICE, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return fails(MMIOBPF_DEVICE, errno);
	err = mapping_find(strtoull(argv[1], NULL, 0), &req);
	if (err)
		return fails("no live mapping of this address", -err);
	if (ioctl(fd, MMIOBPF_IOC_ATTACH, &req) < 0)
		return fails("the mapping could not be armed", errno);
	status = command_run(argv + 2);
	if (status < 0)
		return fails(argv[2], -status);
	if (!trapped(fd)) {
		fprintf(stderr, "floor: no access was trapped\n");
		return 1;
	}
	close(fd);
	return status;
}
