// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interrupts: where the handlers of the traced devices begin and end. By the kernel's own
 * tracepoints, which cost an attachment little, and only when it was asked for.
 *
 * A handler is that of a traced device when its code, or that of its thread, is a traced driver's, or
 * when its interrupt was a traced device's when the session began.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include "policy.h"

extern const volatile struct policy_config policy;
extern struct policy_text text[POLICY_TEXT_RANGES];
extern __u32 events_on;

extern int event_put(struct ring_slot *event);
extern __u64 accesses_made(void);

__u8 irqs[POLICY_IRQS] = {};

/* Inside a handler whose start was recorded. Handlers do not nest: interrupts are off in them. */
__u8 irq_inside[POLICY_CPUS] = {};

struct handler_search {
	__u64 handler;
	__u64 thread;
	bool found;
};

static long handler_search_step(__u32 i, struct handler_search *s)
{
	const struct policy_text *t;

	if (i >= POLICY_TEXT_RANGES)
		return 1;
	t = &text[i];
	if ((s->handler >= t->start && s->handler < t->end) ||
	    (s->thread >= t->start && s->thread < t->end)) {
		s->found = true;
		return 1;
	}
	return 0;
}

static __always_inline bool irq_wanted(__u32 irq, struct irqaction *action)
{
	struct handler_search s = {
		.handler = (__u64)action->handler,
		.thread = (__u64)action->thread_fn,
	};

	if (policy.all || (irq < POLICY_IRQS && irqs[irq]))
		return true;
	bpf_loop(POLICY_TEXT_RANGES, handler_search_step, &s, 0);
	return s.found;
}

/* The slot first: all of it is zeroed. */
union irq_event {
	struct ring_slot slot;
	struct mmiobpf_rec_irq rec;
};

static __always_inline void irq_emit(__u32 irq, struct irqaction *action, __u32 cpu, bool exit,
				     __u8 handled)
{
	union irq_event e = {};
	struct mmiobpf_rec_hdr *hdr = &e.rec.hdr;
	__u64 task = bpf_get_current_pid_tgid();

	hdr->time_ns = bpf_ktime_get_ns();
	hdr->type = MMIOBPF_REC_IRQ;
	hdr->size = sizeof(e.rec);
	hdr->cpu = cpu;
	hdr->context = MMIOBPF_CTX_HARDIRQ;
	hdr->pid = (__u32)task;
	hdr->tgid = task >> 32;
	bpf_get_current_comm(hdr->comm, sizeof(hdr->comm));
	e.rec.irq = irq;
	e.rec.exit = exit;
	e.rec.handled = handled;
	e.rec.ordinal = accesses_made();
	bpf_probe_read_kernel_str(e.rec.name, sizeof(e.rec.name), action->name);
	event_put(&e.slot);
}

SEC("tp_btf/irq_handler_entry")
int BPF_PROG(irq_entry, int irq, struct irqaction *action)
{
	__u32 cpu = bpf_get_smp_processor_id();

	if (!*(volatile __u32 *)&events_on || !irq_wanted(irq, action))
		return 0;
	irq_inside[cpu & (POLICY_CPUS - 1)] = 1;
	irq_emit(irq, action, cpu, false, 0);
	return 0;
}

SEC("tp_btf/irq_handler_exit")
int BPF_PROG(irq_exit, int irq, struct irqaction *action, int ret)
{
	__u32 cpu = bpf_get_smp_processor_id();
	__u8 *inside = &irq_inside[cpu & (POLICY_CPUS - 1)];

	if (!*inside)
		return 0;
	*inside = 0;
	if (*(volatile __u32 *)&events_on)
		irq_emit(irq, action, cpu, true, ret);
	return 0;
}
