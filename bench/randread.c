// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * usage: randread DISK COUNT
 *
 * Reads COUNT blocks of 4 KiB at random places of DISK past the page cache, one after the other
 * from each online CPU at the same time, and prints how many a second that were, of all CPUs.
 *
 * One at a time: each read is a doorbell write to submit it and one to take its completion, so the
 * rate shows what they cost. A deep queue would hide it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BLOCK 4096

struct job {
	pthread_t thread;
	const char *disk;
	unsigned int cpu;
	uint64_t count;
	pthread_barrier_t *start;
};

static atomic_bool failed;

static void job_fails(const struct job *job, const char *what, int err)
{
	fprintf(stderr, "randread: CPU %u: %s: %s\n", job->cpu, what, strerror(err));
	atomic_store(&failed, true);
}

/* xorshift64: any sequence will do, if it is the same in every run. */
static uint64_t next_random(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return *x;
}

static void read_blocks(const struct job *job, int fd, void *block, uint64_t blocks)
{
	uint64_t x = 0x9e3779b97f4a7c15u * (job->cpu + 1);

	for (uint64_t i = 0; i < job->count && !atomic_load(&failed); i++) {
		off_t at = (off_t)(next_random(&x) % blocks) * BLOCK;

		if (pread(fd, block, BLOCK, at) != BLOCK)
			job_fails(job, "a read failed", errno);
	}
}

static void *job_run(void *arg)
{
	struct job *job = arg;
	int fd = open(job->disk, O_RDONLY | O_DIRECT | O_CLOEXEC);
	void *block = aligned_alloc(BLOCK, BLOCK);
	off_t size = fd < 0 ? -1 : lseek(fd, 0, SEEK_END);
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(job->cpu, &set);
	if (!block || size < BLOCK || sched_setaffinity(0, sizeof(set), &set))
		job_fails(job, job->disk, errno);
	/* All begin at one time, the time from which the main thread counts. */
	pthread_barrier_wait(job->start);
	if (!atomic_load(&failed))
		read_blocks(job, fd, block, (uint64_t)size / BLOCK);
	if (fd >= 0)
		close(fd);
	free(block);
	return NULL;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	unsigned int cpus = (unsigned int)sysconf(_SC_NPROCESSORS_ONLN);
	struct job *jobs = calloc(cpus, sizeof(*jobs));
	pthread_barrier_t start;
	uint64_t count = argc == 3 ? strtoull(argv[2], NULL, 0) : 0;
	double began;

	if (!count || !jobs || pthread_barrier_init(&start, NULL, cpus + 1)) {
		fprintf(stderr, "usage: randread DISK COUNT\n");
		return 2;
	}
	for (unsigned int i = 0; i < cpus; i++) {
		jobs[i] = (struct job){ .disk = argv[1], .cpu = i, .start = &start };
		jobs[i].count = count / cpus + (i < count % cpus);
		if (pthread_create(&jobs[i].thread, NULL, job_run, &jobs[i]))
			return 1;
	}
	pthread_barrier_wait(&start);
	began = now();
	for (unsigned int i = 0; i < cpus; i++)
		pthread_join(jobs[i].thread, NULL);
	printf("%.1f\n", (double)count / (now() - began));
	free(jobs);
	return atomic_load(&failed);
}
