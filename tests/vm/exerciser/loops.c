// SPDX-License-Identifier: GPL-2.0-or-later
/* Timed loops of one instruction. */
#include <linux/errno.h>
#include <linux/io.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "exerciser.h"

#define CHUNK	64	/* accesses with preemption off */

static void read_chunk(void __iomem *edu, unsigned int n)
{
	while (n--)
		readl(edu + EDU_LIVENESS);
}

static void write_chunk(void __iomem *edu, unsigned int n)
{
	while (n--)
		writel(n, edu + EDU_LIVENESS);
}

/* Not of the move family, so that mmiobpf steps them. */
static void step_read_chunk(void __iomem *edu, unsigned int n)
{
	void __iomem *p = edu + EDU_LIVENESS;
	u32 sum = 0;

	while (n--)
		asm volatile("addl (%1), %0" : "+r"(sum) : "r"(p) : "memory", "cc");
}

static void step_rmw_chunk(void __iomem *edu, unsigned int n)
{
	void __iomem *p = edu + EDU_LIVENESS;

	while (n--)
		asm volatile("orl %0, (%1)" : : "r"(n), "r"(p) : "memory", "cc");
}

static const struct {
	const char *kind;
	void (*chunk)(void __iomem *edu, unsigned int n);
} loops[] = {
	{ "read", read_chunk },
	{ "write", write_chunk },
	{ "step-read", step_read_chunk },
	{ "step-rmw", step_rmw_chunk },
};

int loop_run(const char *kind, unsigned long count, void __iomem *edu, u64 *ns)
{
	unsigned long done;
	unsigned int i, n;
	u64 start;

	for (i = 0; i < ARRAY_SIZE(loops); i++)
		if (!strcmp(loops[i].kind, kind))
			break;
	if (i == ARRAY_SIZE(loops))
		return -EINVAL;
	start = ktime_get_ns();
	for (done = 0; done < count; done += n) {
		n = min_t(unsigned long, CHUNK, count - done);
		preempt_disable();
		loops[i].chunk(edu, n);
		preempt_enable();
		cond_resched();
	}
	*ns = ktime_get_ns() - start;
	return 0;
}
