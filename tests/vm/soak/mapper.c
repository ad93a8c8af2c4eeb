// SPDX-License-Identifier: GPL-2.0-or-later
/* Mappings that come and go while others are used, see soak.h. */
#include <linux/delay.h>
#include <linux/io.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/sched.h>

#include "soak.h"

static struct task_struct *mapper_task;
static phys_addr_t mapper_ram;
static unsigned long mapper_count;

static void map_and_write(unsigned long k)
{
	phys_addr_t phys = mapper_ram + (MAPPER_PAGE + k / 2 % MAPPER_PAGES) * PAGE_SIZE;
	void __iomem *p = ioremap(phys, PAGE_SIZE);

	if (!p)
		return;
	writel(VALUE(MAPPER, k), p);
	writel(VALUE(MAPPER, k + 1), p + 4);
	WRITE_ONCE(mapper_count, k + 2);
	iounmap(p);
}

static int mapper_main(void *unused)
{
	while (!kthread_should_stop()) {
		map_and_write(mapper_count);
		usleep_range(20000, 30000);
	}
	return 0;
}

int mapper_start(phys_addr_t ram)
{
	struct task_struct *task;

	mapper_stop();
	mapper_ram = ram;
	mapper_count = 0;
	task = kthread_run(mapper_main, NULL, "soak/map");
	if (IS_ERR(task))
		return PTR_ERR(task);
	mapper_task = task;
	return 0;
}

void mapper_stop(void)
{
	if (mapper_task)
		kthread_stop(mapper_task);
	mapper_task = NULL;
}

unsigned long mapper_done(void)
{
	return READ_ONCE(mapper_count);
}
