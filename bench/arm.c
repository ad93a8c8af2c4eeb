// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * In a guest: attaches to all mappings of the test module mmiobpf_mapper, by the module's interface
 * alone, without BPF programs behind it, and gives them back. Prints
 *
 *   MAPPINGS ARM_NS GIVE_BACK_NS BYTES
 *
 * ARM_NS and GIVE_BACK_NS for all of them together; BYTES is what the kernel's kmalloc caches hold more
 * while they are armed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "../include/mmiobpf/abi.h"
#include "../src/sys/vmalloc.h"

#define MAPPINGS_MAX	20000

static struct mmiobpf_map_req requests[MAPPINGS_MAX];

static void die(const char *what)
{
	fprintf(stderr, "arm: cannot %s: %s\n", what, strerror(errno));
	exit(1);
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

static size_t read_mappings(void)
{
	struct vmalloc_list list;
	size_t n = 0;

	errno = -vmalloc_list_read_true(sys_root_live(), &list);
	if (errno)
		die("read /proc/vmallocinfo");
	for (size_t i = 0; i < list.n && n < MAPPINGS_MAX; i++) {
		const struct vmalloc_map *m = &list.maps[i];

		if (strcmp(m->module, "mmiobpf_mapper"))
			continue;
		requests[n++] = (struct mmiobpf_map_req){
			.virt = m->virt,
			.phys = m->phys,
			.len = m->len,
			.flags = MMIOBPF_MAP_ARM,
			.dev = MMIOBPF_NO_DEV,
			.bar = MMIOBPF_NO_BAR,
		};
	}
	vmalloc_list_deinit(&list);
	return n;
}

/* Bytes in use in the caches of kmalloc(): name, active objects, all objects, size of one. */
static int64_t kmalloc_bytes(void)
{
	FILE *f = fopen("/proc/slabinfo", "r");
	char line[512];
	int64_t sum = 0;

	if (!f)
		die("read /proc/slabinfo");
	while (fgets(line, sizeof(line), f)) {
		long active, all, size;

		if (!strncmp(line, "kmalloc", 7) &&
		    sscanf(line, "%*s %ld %ld %ld", &active, &all, &size) == 3)
			sum += (int64_t)active * size;
	}
	fclose(f);
	return sum;
}

int main(void)
{
	size_t n = read_mappings();
	int fd = open(MMIOBPF_DEVICE, O_RDWR | O_CLOEXEC);
	int64_t before, bytes;
	uint64_t t0, t1, t2;

	if (fd < 0)
		die("open " MMIOBPF_DEVICE);
	before = kmalloc_bytes();
	t0 = now_ns();
	for (size_t i = 0; i < n; i++)
		if (ioctl(fd, MMIOBPF_IOC_ATTACH, &requests[i]) <= 0)
			die("attach to a mapping");
	t1 = now_ns();
	bytes = kmalloc_bytes() - before;
	t2 = now_ns();
	if (ioctl(fd, MMIOBPF_IOC_STOP))
		die("give the mappings back");
	printf("%zu %" PRIu64 " %" PRIu64 " %" PRId64 "\n", n, t1 - t0, now_ns() - t2, bytes);
	close(fd);
	return 0;
}
