// SPDX-License-Identifier: GPL-2.0-or-later
/* Threads that map, touch and unmap while others do, and while sessions come and go. */
#include <linux/io.h>
#include <linux/kthread.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

#include "mapper.h"

#define RACERS		8

struct racer {
	struct task_struct *task;
	u64 phys;
	u64 len;
	u32 seed;
	u64 rounds;
	u64 wrong;
};

static struct racer racers[RACERS];

static void race_round(struct racer *r)
{
	struct slot s;
	u64 at;

	r->seed = r->seed * 1664525 + 1013904223;
	if (slot_map(&s, "uc-", r->phys, r->len))
		return;
	for (at = 0; at < r->len; at += PAGE_SIZE) {
		u32 value = r->seed + at;

		writel(value, s.virt + at);
		if (readl(s.virt + at) != value)
			r->wrong++;
	}
	slot_unmap(&s);
	r->rounds++;
}

static int race_run(void *arg)
{
	struct racer *r = arg;

	while (!kthread_should_stop()) {
		race_round(r);
		/* A mapping that stays for a while is one that can be attached to. */
		if (r->rounds & 1)
			schedule_timeout_interruptible(1);
		else
			cond_resched();
	}
	return 0;
}

int race_start(unsigned int threads, u64 phys, u64 len)
{
	unsigned int i;

	if (!threads || threads > RACERS || !len)
		return -EINVAL;
	if (racers[0].task)
		return -EBUSY;
	for (i = 0; i < threads; i++) {
		struct racer *r = &racers[i];
		struct task_struct *task;

		*r = (struct racer){ .phys = phys + i * len, .len = len, .seed = i };
		task = kthread_run(race_run, r, "mapper/%u", i);
		if (IS_ERR(task))
			return PTR_ERR(task);
		r->task = task;
	}
	return 0;
}

int race_stop(struct answer *a)
{
	u64 rounds = 0, wrong = 0;
	unsigned int i;

	for (i = 0; i < RACERS; i++) {
		struct racer *r = &racers[i];

		if (!r->task)
			continue;
		kthread_stop(r->task);
		r->task = NULL;
		rounds += r->rounds;
		wrong += r->wrong;
	}
	answer_add(a, "%llu %llu\n", rounds, wrong);
	return 0;
}

/* --- unmapped while it is read --- */

struct reader {
	const void __iomem *virt;
	u32 value;
	u64 reads;
	u64 wrong;
	bool done;
};

/* A million reads without an end are enough: the mapping stays in the TLB. */
static int reader_run(void *arg)
{
	struct reader *r = arg;
	unsigned int i;

	for (i = 0; i < 1000000 && !kthread_should_stop(); i++) {
		u32 value;

		if (copy_from_kernel_nofault(&value, (const void *)r->virt, sizeof(value)))
			break;
		r->reads++;
		if (value != r->value)
			r->wrong++;
		cond_resched();
	}
	WRITE_ONCE(r->done, true);
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

int race_unmap(struct slot *s, struct answer *a)
{
	struct reader r = { .virt = s->virt, .value = readl(s->virt) };
	struct task_struct *task = kthread_create(reader_run, &r, "mapper/reader");
	unsigned int cpu = cpumask_any_but(cpu_online_mask, raw_smp_processor_id());
	int i;

	if (IS_ERR(task))
		return PTR_ERR(task);
	if (cpu < nr_cpu_ids)
		kthread_bind(task, cpu);
	wake_up_process(task);
	for (i = 0; i < 100 && READ_ONCE(r.reads) < 100; i++)
		schedule_timeout_interruptible(1);
	slot_unmap(s);
	for (i = 0; i < 100 && !READ_ONCE(r.done); i++)
		schedule_timeout_interruptible(1);
	kthread_stop(task);
	answer_add(a, "%llu %llu\n", r.reads, r.wrong);
	return 0;
}
