// SPDX-License-Identifier: GPL-2.0-or-later
#include "progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define FIRST_NS 500000000ull
#define EVERY_NS 100000000ull
#define WIDTH	 40

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

void progress_init(struct progress *p, uint64_t size, bool output_is_stdout)
{
	p->on = isatty(STDERR_FILENO) && !(output_is_stdout && isatty(STDOUT_FILENO));
	p->shown = false;
	p->size = size;
	p->next_ns = p->on ? now_ns() + FIRST_NS : 0;
}

void progress_update(struct progress *p, uint64_t done)
{
	static const char bar[] = "########################################";
	uint64_t now = p->on ? now_ns() : 0;
	unsigned int part;

	if (now < p->next_ns || !p->on)
		return;
	p->next_ns = now + EVERY_NS;
	p->shown = true;
	if (!p->size) {
		fprintf(stderr, "\r%" PRIu64 " MiB ", done >> 20);
		return;
	}
	if (done > p->size)
		done = p->size;
	part = (unsigned int)((double)done / (double)p->size * WIDTH);
	fprintf(stderr, "\r%3u%% [%-*.*s] ", part * 100 / WIDTH, WIDTH, (int)part, bar);
}

void progress_clear(struct progress *p)
{
	if (p->shown)
		fprintf(stderr, "\r\033[K");
	p->shown = false;
}
