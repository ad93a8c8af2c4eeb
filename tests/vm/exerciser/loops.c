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

#define CHUNK		64	/* accesses with preemption off */
#define BURST		256	/* elements of one string instruction */

/* Behind the registers of edu: reads as all ones, takes what is written and forgets it. */
#define EDU_NOTHING	0x1000

/* The memory side of the string instructions. Requests come one at a time. */
static u32 burst[BURST];

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

/* Integer instructions: they change registers, flags or the device by what they read. */
static void int_read_chunk(void __iomem *edu, unsigned int n)
{
	void __iomem *p = edu + EDU_LIVENESS;
	u32 sum = 0;

	while (n--)
		asm volatile("addl (%1), %0" : "+r"(sum) : "r"(p) : "memory", "cc");
}

static void int_rmw_chunk(void __iomem *edu, unsigned int n)
{
	void __iomem *p = edu + EDU_LIVENESS;

	while (n--)
		asm volatile("orl %0, (%1)" : : "r"(n), "r"(p) : "memory", "cc");
}

/* The kernel never does this to a device: nothing emulates it, mmiobpf has to step it. */
static void step_chunk(void __iomem *edu, unsigned int n)
{
	void __iomem *p = edu + EDU_IDENT;
	u32 low, high;

	while (n--) {
		low = n;
		high = 0;
		asm volatile("divl (%2)" : "+a"(low), "+d"(high) : "r"(p) : "memory", "cc");
	}
}

/* What memcpy_toio() and memcpy_fromio() are on many kernels: here @n is of elements. */
static void movs_to_chunk(void __iomem *edu, unsigned int n)
{
	void *from = burst, __iomem *to = edu + EDU_NOTHING;
	unsigned long left = n;

	asm volatile("rep movsl" : "+c"(left), "+S"(from), "+D"(to) : : "memory");
}

static void movs_from_chunk(void __iomem *edu, unsigned int n)
{
	void __iomem *from = edu + EDU_NOTHING;
	void *to = burst;
	unsigned long left = n;

	asm volatile("rep movsl" : "+c"(left), "+S"(from), "+D"(to) : : "memory");
}

static const struct {
	const char *kind;
	void (*chunk)(void __iomem *edu, unsigned int n);
	unsigned int size;	/* largest @n: that many with preemption off */
} loops[] = {
	{ "read", read_chunk, CHUNK },
	{ "write", write_chunk, CHUNK },
	{ "int-read", int_read_chunk, CHUNK },
	{ "int-rmw", int_rmw_chunk, CHUNK },
	{ "step", step_chunk, CHUNK },
	{ "movs-to", movs_to_chunk, BURST },
	{ "movs-from", movs_from_chunk, BURST },
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
		n = min_t(unsigned long, loops[i].size, count - done);
		preempt_disable();
		loops[i].chunk(edu, n);
		preempt_enable();
		cond_resched();
	}
	*ns = ktime_get_ns() - start;
	return 0;
}
