// SPDX-License-Identifier: GPL-2.0-or-later
/* Accesses by all CPUs, see soak.h. */
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/io.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/sched.h>

#include "soak.h"

#define BURST	64

struct worker {
	struct task_struct *task;
	const struct soak_maps *maps;
	unsigned int number;
	unsigned int pause_us;
	unsigned long count;
	unsigned long done;
	unsigned long wrong;
	u64 own_value;		/* what its own page holds */
};

static struct worker workers[WORKERS];

static void expect(struct worker *w, u64 value, u64 expected)
{
	if (value != expected)
		w->wrong++;
}

static void own_access(struct worker *w, unsigned long k)
{
	void __iomem *p = w->maps->ram + (1 + w->number) * PAGE_SIZE;
	u64 value = VALUE(w->number, k);

	switch (k / 4 % 4) {
	case 0:
		writeq(value, p);
		w->own_value = value;
		break;
	case 2:
		asm volatile("xchgq %0, (%1)" : "+r"(value) : "r"(p) : "memory");
		expect(w, value, w->own_value);
		w->own_value = VALUE(w->number, k);
		break;
	default:
		expect(w, readq(p), w->own_value);
	}
}

static void access(struct worker *w, unsigned long k)
{
	void __iomem *shared = w->maps->ram + w->number * 8;

	switch (k % 4) {
	case 0:
		writel(VALUE(w->number, k), shared);
		break;
	case 1:
		expect(w, readl(shared), VALUE(w->number, k - 1));
		break;
	case 2:
		own_access(w, k);
		break;
	case 3:
		writel(VALUE(w->number, k), w->maps->edu + EDU_LIVENESS);
		break;
	}
}

/*
 * A CPU that goes offline lets its worker go to another one; it comes back. Not while the CPU is on its way out, as a
 * kernel thread may be put on it even then, and stays there.
 */
static void worker_go_home(const struct worker *w)
{
	if (task_cpu(current) == w->number || !cpus_read_trylock())
		return;
	if (cpu_active(w->number))
		set_cpus_allowed_ptr(current, cpumask_of(w->number));
	cpus_read_unlock();
}

static int worker_main(void *arg)
{
	struct worker *w = arg;
	unsigned int i;

	while (!kthread_should_stop()) {
		if (w->done == w->count) {
			usleep_range(1000, 2000);
			continue;
		}
		worker_go_home(w);
		for (i = 0; i < BURST && w->done < w->count; i++) {
			access(w, w->done);
			WRITE_ONCE(w->done, w->done + 1);
		}
		usleep_range(w->pause_us, w->pause_us + 50);
	}
	return 0;
}

int workers_start(const struct soak_maps *maps, unsigned long count, unsigned int pause_us)
{
	unsigned int i;

	workers_stop();
	for (i = 0; i < WORKERS; i++) {
		struct task_struct *task;

		workers[i] = (struct worker){
			.maps = maps, .number = i, .count = count, .pause_us = pause_us,
		};
		task = kthread_run(worker_main, &workers[i], "soak/%u", i);
		if (IS_ERR(task)) {
			workers_stop();
			return PTR_ERR(task);
		}
		workers[i].task = task;
	}
	return 0;
}

void workers_stop(void)
{
	unsigned int i;

	for (i = 0; i < WORKERS; i++) {
		if (workers[i].task)
			kthread_stop(workers[i].task);
		workers[i].task = NULL;
	}
}

unsigned long workers_done(unsigned int w, unsigned long *wrong)
{
	*wrong = READ_ONCE(workers[w].wrong);
	return READ_ONCE(workers[w].done);
}

bool workers_run(void)
{
	unsigned int i;

	for (i = 0; i < WORKERS; i++)
		if (workers[i].task && READ_ONCE(workers[i].done) < workers[i].count)
			return true;
	return false;
}
