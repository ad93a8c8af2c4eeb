// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records: the fields that every event has, and the tracepoint that hands them to the BPF programs.
 */
#include <linux/sched.h>
#include <linux/timekeeping.h>

#include "trap.h"

#define CREATE_TRACE_POINTS
#include "events.h"

DEFINE_PER_CPU(struct trap_counters, trap_counters);

void trap_session_begin(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		memset(per_cpu_ptr(&trap_counters, cpu), 0, sizeof(struct trap_counters));
		per_cpu_ptr(trap_cpus, cpu)->step.active = false;
	}
}

void trap_counters_sum(struct trap_counters *sum)
{
	int cpu;

	memset(sum, 0, sizeof(*sum));
	for_each_possible_cpu(cpu) {
		const struct trap_counters *c = per_cpu_ptr(&trap_counters, cpu);

		sum->emulated += READ_ONCE(c->emulated);
		sum->stepped += READ_ONCE(c->stepped);
		sum->unseen += READ_ONCE(c->unseen);
		sum->strings += READ_ONCE(c->strings);
		sum->elements += READ_ONCE(c->elements);
		sum->undecoded += READ_ONCE(c->undecoded);
		sum->retried += READ_ONCE(c->retried);
		sum->foreign += READ_ONCE(c->foreign);
		sum->given_back += READ_ONCE(c->given_back);
		sum->emitted += READ_ONCE(c->emitted);
	}
}

static u8 context_now(void)
{
	if (in_nmi())
		return MMIOBPF_CTX_NMI;
	if (in_hardirq())
		return MMIOBPF_CTX_HARDIRQ;
	if (in_serving_softirq())
		return MMIOBPF_CTX_SOFTIRQ;
	return MMIOBPF_CTX_TASK;
}

static void rec_fill_at(struct mmiobpf_rec_hdr *hdr, u16 type, u16 size, bool irqs_on, u64 time_ns)
{
	hdr->seq = 0;
	hdr->time_ns = time_ns;
	hdr->type = type;
	hdr->size = size;
	hdr->cpu = raw_smp_processor_id();
	hdr->context = context_now();
	hdr->irqs_on = irqs_on;
	hdr->pid = current->pid;
	hdr->tgid = current->tgid;
	memcpy(hdr->comm, current->comm, sizeof(hdr->comm));
}

void rec_fill(struct mmiobpf_rec_hdr *hdr, u16 type, u16 size, bool irqs_on)
{
	rec_fill_at(hdr, type, size, irqs_on, ktime_get_mono_fast_ns());
}

/*
 * As trace_NAME(), but on a CPU that is going on or offline as well: it answers interrupts, whose
 * handlers make accesses, for a while after it has left the online CPUs, which trace_NAME() asks for.
 * RCU watches it until it idles for good (kernel/cpu.c, cpuhp_report_idle_dead()). Interrupts are off.
 */
#define TRACE_ON_ANY_CPU(name, arg)                                                                \
	do {                                                                                       \
		if (trace_##name##_enabled())                                                      \
			__DO_TRACE_CALL(name, TP_ARGS(arg));                                       \
	} while (0)

void rec_emit(const struct mmiobpf_rec_hdr *hdr)
{
	trap_count(emitted);
	TRACE_ON_ANY_CPU(mmiobpf_record, hdr);
}

static void buffer_emit(int context, struct mmiobpf_rec_access_wide *buffer)
{
	trap_count(emitted);
	if (context == ALIAS_NMI)
		TRACE_ON_ANY_CPU(mmiobpf_access_nmi, buffer);
	else
		TRACE_ON_ANY_CPU(mmiobpf_access, buffer);
}

void access_emit(const struct trap *t, struct mmiobpf_rec_access *a)
{
	buffer_emit(t->context, container_of(a, struct mmiobpf_rec_access_wide, acc));
}

void step_emit(struct trap_cpu *cpu, bool known)
{
	buffer_emit(ALIAS_NORMAL, known ? &cpu->access[ALIAS_NORMAL][0] :
					  &cpu->unknown[ALIAS_NORMAL].room);
}

void unknown_emit(const struct trap *t)
{
	buffer_emit(t->context, &t->cpu->unknown[t->context].room);
}

struct mmiobpf_rec_access *access_begin(struct trap *t, const struct trap_place *p, int side,
					u64 time_ns)
{
	struct mmiobpf_rec_access_wide *w = &t->cpu->access[t->context][side];
	struct mmiobpf_rec_access *a = &w->acc;
	u16 size = sizeof(*a);

	if (unlikely(t->insn->width > sizeof(u64))) {
		size = sizeof(*w);
		memset(w->before, 0, sizeof(w->before));
		memset(w->after, 0, sizeof(w->after));
	}
	rec_fill_at(&a->hdr, MMIOBPF_REC_ACCESS, size, t->regs->flags & X86_EFLAGS_IF, time_ns);
	a->map_id = p->region->map_id;
	a->phys = p->phys;
	a->bar_off = arm_bar_offset(p->region, p->phys);
	a->bar = p->region->req.bar;
	a->pc = t->regs->ip;
	a->width = t->insn->width;
	a->dir = t->insn->dir;
	a->how = MMIOBPF_HOW_EMULATED;
	a->flags = t->insn->lock ? MMIOBPF_ACC_LOCKED : 0;
	a->pad = 0;
	a->before = 0;
	a->after = 0;
	return a;
}

void unknown_fill(struct trap *t, u8 reason, u8 how)
{
	struct mmiobpf_rec_unknown *u = &t->cpu->unknown[t->context].rec;
	const struct trap_place *p = &t->at;

	memset(u, 0, sizeof(*u));
	rec_fill(&u->hdr, MMIOBPF_REC_UNKNOWN, sizeof(*u), t->regs->flags & X86_EFLAGS_IF);
	u->map_id = p->region->map_id;
	u->phys = p->phys;
	u->bar_off = arm_bar_offset(p->region, p->phys);
	u->bar = p->region->req.bar;
	u->pc = t->regs->ip;
	u->width = t->insn->width;
	u->dir = t->insn->dir;
	u->reason = reason;
	u->how = how;
	u->insn_len = min_t(size_t, t->nbytes, sizeof(u->insn));
	memcpy(u->insn, t->bytes, u->insn_len);
}
