// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Accesses in hard interrupts, in soft interrupts and in NMIs, and NMIs that hit a CPU in the
 * middle of accesses.
 *
 * The values of each access differ from all others, so that the device log tells which one is not
 * there. NMIs are sent by the local APIC, as perf and the lockup detectors do.
 */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <asm/apic.h>
#include <asm/fpu/api.h>
#include <asm/nmi.h>

#include "exerciser.h"

#define NMI_WAIT_MS 2000
#define LOOP_BURST 96 /* accesses of the loop before it rests */

/* What a handler is to do, and what it did. */
static struct {
	void __iomem *edu;
	u64 value; /* the next one to write */
	u64 wrong; /* reads that gave something else */
	atomic_t nmis_due; /* sent, and not yet seen */
	int nmi_cpu;
	struct completion done;
} work;

/* A write, a read, and both in one instruction, on a register that nothing else uses. */
static void accesses_make(void __iomem *at)
{
	u64 value = work.value++, got;

	writeq(value, at);
	got = readq(at);
	/* Adds the value to itself. */
	asm volatile("lock; xaddq %0, (%1)" : "+r"(value) : "r"(at) : "memory", "cc");
	if (got != value || got != work.value - 1)
		work.wrong++;
}

static void ipi_handler(void *unused)
{
	accesses_make(work.edu + EDU_DMA_DESTINATION);
}

static void tasklet_handler(struct tasklet_struct *unused)
{
	accesses_make(work.edu + EDU_DMA_DESTINATION);
	complete(&work.done);
}

static DECLARE_TASKLET(tasklet, tasklet_handler);

static int nmi_handler(unsigned int type, struct pt_regs *regs)
{
	if (smp_processor_id() != READ_ONCE(work.nmi_cpu) || !atomic_read(&work.nmis_due))
		return NMI_DONE;
	accesses_make(work.edu + EDU_DMA_DESTINATION);
	atomic_set(&work.nmis_due, 0);
	return NMI_HANDLED;
}

/* Sends one and waits until it has been handled: two that are pending become one. */
static int nmi_send(int cpu)
{
	unsigned long end = jiffies + msecs_to_jiffies(NMI_WAIT_MS);

	atomic_set(&work.nmis_due, 1);
	apic->send_IPI(cpu, NMI_VECTOR);
	while (atomic_read(&work.nmis_due)) {
		if (time_after(jiffies, end))
			return -ETIMEDOUT;
		cpu_relax();
	}
	return 0;
}

static int hardirqs(unsigned long count)
{
	int cpu, err = 0;

	while (!err && count--) {
		cpu = cpumask_any_but(cpu_online_mask, get_cpu());
		if (cpu >= nr_cpu_ids)
			err = -ENODEV;
		else
			err = smp_call_function_single(cpu, ipi_handler, NULL, true);
		put_cpu();
	}
	return err;
}

static int softirqs(unsigned long count)
{
	while (count--) {
		reinit_completion(&work.done);
		tasklet_schedule(&tasklet);
		wait_for_completion(&work.done);
	}
	return 0;
}

static int nmis(unsigned long count)
{
	int err = 0;

	while (!err && count--) {
		work.nmi_cpu = get_cpu();
		err = nmi_send(work.nmi_cpu);
		put_cpu();
	}
	return err;
}

/* Accesses of a task, with another register and other values, until it is told to stop. */
struct looper {
	void __iomem *at;
	u64 accesses, wrong;
};

static int looper_thread(void *data)
{
	struct looper *l = data;
	u64 value = 1ull << 62, got;
	u32 small;

	while (!kthread_should_stop()) {
		writeq(++value, l->at);
		got = readq(l->at);
		/* A stepped one, in whose middle an NMI may come as well. */
		kernel_fpu_begin();
		asm volatile("movd (%1), %%xmm0; movd %%xmm0, %0"
			     : "=r"(small)
			     : "r"(l->at)
			     : "memory");
		kernel_fpu_end();
		if (got != value || small != (u32)value)
			l->wrong++;
		l->accesses += 3;
		/* The reader of the rings must keep up, also on half of a CPU. */
		if (l->accesses % LOOP_BURST == 0)
			usleep_range(1000, 2000);
	}
	return 0;
}

static int storm(unsigned long count, struct answer *a)
{
	struct looper l = { .at = work.edu + EDU_DMA_SOURCE };
	struct task_struct *task;
	int err = 0, here = raw_smp_processor_id();
	int cpu = cpumask_any_but(cpu_online_mask, here);

	if (cpu >= nr_cpu_ids)
		return -ENODEV;
	task = kthread_create(looper_thread, &l, "exerciser/loop");
	if (IS_ERR(task))
		return PTR_ERR(task);
	kthread_bind(task, cpu);
	wake_up_process(task);
	work.nmi_cpu = cpu;
	while (!err && count--) {
		err = nmi_send(cpu);
		cond_resched();
	}
	kthread_stop(task);
	work.wrong += l.wrong;
	answer_add(a, "%llu accesses of the loop, ", l.accesses);
	return err;
}

static int context_answer(struct answer *a)
{
	answer_add(a, "%llu wrong\n", work.wrong);
	return 0;
}

static int context_do(const char *kind, unsigned long count, struct answer *a)
{
	int err;

	if (!strcmp(kind, "hardirq"))
		return hardirqs(count);
	if (!strcmp(kind, "softirq"))
		return softirqs(count);
	if (strcmp(kind, "nmi") && strcmp(kind, "storm"))
		return -EINVAL;
	err = register_nmi_handler(NMI_LOCAL, nmi_handler, 0, "mmiobpf_exerciser");
	if (err)
		return err;
	err = strcmp(kind, "nmi") ? storm(count, a) : nmis(count);
	unregister_nmi_handler(NMI_LOCAL, "mmiobpf_exerciser");
	return err;
}

int context_run(const char *kind, unsigned long count, void __iomem *edu, struct answer *a)
{
	int err;

	work.edu = edu;
	/* The third letters of the kinds differ. */
	work.value = (u64)kind[2] << 40;
	work.wrong = 0;
	atomic_set(&work.nmis_due, 0);
	init_completion(&work.done);
	err = context_do(kind, count, a);
	return err ? err : context_answer(a);
}
