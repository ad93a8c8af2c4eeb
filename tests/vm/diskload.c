// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * usage: diskload DISK FILE
 *
 * Loads a disk from every online CPU until SIGTERM: one thread a CPU, pinned, each with an area of
 * its own, writes blocks past the page cache, reads them back and compares. At the end prints the
 * number of blocks. Any I/O error or difference ends it with status 1. FILE is created when all
 * threads are at work.
 *
 * One process without forks: dd in a loop faults in so many pages that QEMU's multi-threaded
 * emulation trips over the kernel patching its page-fault code (see tests/vm/killed.bats).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK		4096
#define AREA_BLOCKS	1024
#define PAUSE_US	10000	/* leaves the CPUs some time for what is tested */

struct job {
	pthread_t thread;
	const char *disk;
	unsigned int cpu;
	uint64_t blocks;
};

static atomic_bool stop, failed;
static atomic_uint at_work;

static void on_term(int signal)
{
	(void)signal;
	atomic_store(&stop, true);
}

/* Every block of every round is different, so that stale or misplaced data is seen. */
static void block_fill(uint64_t *words, const struct job *job, uint64_t round)
{
	uint64_t x = (round << 16 | job->cpu) * 0x9e3779b97f4a7c15u | 1;

	for (size_t i = 0; i < BLOCK / sizeof(*words); i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		words[i] = x;
	}
}

static bool job_fails(const struct job *job, const char *what, off_t at)
{
	fprintf(stderr, "diskload: CPU %u: %s at %jd: %s\n", job->cpu, what, (intmax_t)at,
		errno ? strerror(errno) : "the data differs");
	atomic_store(&failed, true);
	atomic_store(&stop, true);
	return true;
}

static bool block_fails(struct job *job, int fd, uint64_t *out, uint64_t *in)
{
	off_t at = (off_t)(job->cpu * AREA_BLOCKS + job->blocks % AREA_BLOCKS) * BLOCK;

	block_fill(out, job, job->blocks);
	errno = 0;
	if (pwrite(fd, out, BLOCK, at) != BLOCK)
		return job_fails(job, "write", at);
	memset(in, 0, BLOCK);
	if (pread(fd, in, BLOCK, at) != BLOCK)
		return job_fails(job, "read", at);
	errno = 0;
	if (memcmp(out, in, BLOCK))
		return job_fails(job, "compare", at);
	job->blocks++;
	return false;
}

static void *job_run(void *arg)
{
	struct job *job = arg;
	uint64_t *out = aligned_alloc(BLOCK, BLOCK), *in = aligned_alloc(BLOCK, BLOCK);
	int fd = open(job->disk, O_RDWR | O_DIRECT | O_CLOEXEC);
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(job->cpu, &set);
	if (!out || !in || fd < 0 || pthread_setaffinity_np(pthread_self(), sizeof(set), &set))
		job_fails(job, "start", 0);
	atomic_fetch_add(&at_work, 1);
	while (!atomic_load(&stop) && !block_fails(job, fd, out, in))
		usleep(PAUSE_US);
	if (fd >= 0)
		close(fd);
	free(out);
	free(in);
	return NULL;
}

int main(int argc, char **argv)
{
	unsigned int cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct job *jobs = calloc(cpus, sizeof(*jobs));
	uint64_t blocks = 0;
	int fd;

	if (argc != 3 || !jobs) {
		fprintf(stderr, "usage: diskload DISK FILE\n");
		return 2;
	}
	signal(SIGTERM, on_term);
	for (unsigned int i = 0; i < cpus; i++) {
		jobs[i] = (struct job){ .disk = argv[1], .cpu = i };
		if (pthread_create(&jobs[i].thread, NULL, job_run, &jobs[i]))
			return 1;
	}
	while (atomic_load(&at_work) < cpus)
		usleep(1000);
	fd = open(argv[2], O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	if (fd < 0)
		atomic_store(&stop, true);
	else
		close(fd);
	for (unsigned int i = 0; i < cpus; i++) {
		pthread_join(jobs[i].thread, NULL);
		blocks += jobs[i].blocks;
	}
	free(jobs);
	printf("%" PRIu64 "\n", blocks);
	return fd < 0 || atomic_load(&failed);
}
