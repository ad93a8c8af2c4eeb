// SPDX-License-Identifier: GPL-2.0-only
/*
 * PCI configuration space: what is read and written through the kernel's accessors, and so through
 * /proc and /sys as well. Only when it was asked for.
 *
 * On x86 all of these end in pci_read() and pci_write(), the operations of the root bus
 * (arch/x86/pci/common.c). The functions below those are compiled into them, or serve ACPI's own
 * code too; those above are a dozen, and each attachment costs a trace 0.1 s.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>
#include "policy.h"
#include "compat.bpf.h"

extern const volatile struct policy_config policy;
extern struct policy_counters counters[POLICY_CPUS];
extern __u64 next_seq;
extern __u32 events_on;

__u32 devices[POLICY_DEVICES] = {};
struct policy_function accessors[POLICY_ACCESSORS] = {};

/* Of its own: a tool that dumps all of configuration space must not push out mappings. */
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, POLICY_CONFIG_BYTES);
} config_records SEC(".maps");

/* --- whose --- */

struct device_search {
	__u32 dev;
	bool found;
};

static long device_search_step(__u32 i, struct device_search *s)
{
	if (i >= POLICY_DEVICES)
		return 1;
	if (devices[i] != s->dev)
		return 0;
	s->found = true;
	return 1;
}

static __always_inline bool device_wanted(__u32 dev)
{
	struct device_search s = { .dev = dev };

	if (policy.all)
		return true;
	bpf_loop(policy.devices, device_search_step, &s, 0);
	return s.found;
}

/* --- the caller --- */

struct caller_search {
	__u64 stack[POLICY_CALLER_DEPTH];
	__u32 caller;		/* one further out than the outermost accessor */
};

/* Goes by its own step alone, as text_search_step() in map.bpf.c does, and for the same reason. */
static long caller_search_step(__u32 i, struct caller_search *s)
{
	__u32 depth = i / POLICY_ACCESSORS;
	const struct policy_function *f = &accessors[i % POLICY_ACCESSORS];
	__u64 ip;

	if (depth >= POLICY_CALLER_DEPTH)
		return 1;
	ip = s->stack[depth];
	if (ip > f->start && ip <= f->end)
		s->caller = depth + 1;
	return 0;
}

static __always_inline __u64 caller_find(void *ctx)
{
	struct caller_search s = {};

	bpf_get_stack(ctx, s.stack, sizeof(s.stack), 0);
	bpf_loop(POLICY_CALLER_DEPTH * POLICY_ACCESSORS, caller_search_step, &s, 0);
	if (!s.caller || s.caller >= POLICY_CALLER_DEPTH)
		return 0;
	return s.stack[s.caller];
}

/* --- the record --- */

/* Bits of the preemption count: include/linux/preempt.h. */
#define COUNT_SERVING_SOFTIRQ	0x100
#define COUNT_HARDIRQ		0xf0000
#define COUNT_NMI		0xf00000

static __always_inline __u8 context_now(void)
{
	int count = preempt_count_get();

	if (count & COUNT_NMI)
		return MMIOBPF_CTX_NMI;
	if (count & COUNT_HARDIRQ)
		return MMIOBPF_CTX_HARDIRQ;
	return count & COUNT_SERVING_SOFTIRQ ? MMIOBPF_CTX_SOFTIRQ : MMIOBPF_CTX_TASK;
}

/* As in record.bpf.c: room first, then the number. Any context may come between. */
static __always_inline struct mmiobpf_rec_config *config_reserve(void)
{
	struct mmiobpf_rec_config *rec = bpf_ringbuf_reserve(&config_records, sizeof(*rec), 0);
	__u32 cpu = bpf_get_smp_processor_id();
	__u64 seq = __sync_fetch_and_add(&next_seq, 1), task;

	if (!rec) {
		__sync_fetch_and_add(&counters[cpu & (POLICY_CPUS - 1)].lost, 1);
		return NULL;
	}
	task = bpf_get_current_pid_tgid();
	rec->hdr.seq = seq;
	rec->hdr.time_ns = bpf_ktime_get_ns();
	rec->hdr.type = MMIOBPF_REC_CONFIG;
	rec->hdr.size = sizeof(*rec);
	rec->hdr.cpu = cpu;
	rec->hdr.context = context_now();
	rec->hdr.irqs_on = 0;
	rec->hdr.pid = (__u32)task;
	rec->hdr.tgid = task >> 32;
	bpf_get_current_comm(rec->hdr.comm, sizeof(rec->hdr.comm));
	return rec;
}

static __always_inline void config_emit(void *ctx, const struct mmiobpf_rec_config *what)
{
	struct mmiobpf_rec_config *rec;
	__u64 pc;

	if (!device_wanted(what->dev))
		return;
	pc = caller_find(ctx);
	rec = config_reserve();
	if (!rec)
		return;
	rec->dev = what->dev;
	rec->offset = what->offset;
	rec->width = what->width;
	rec->dir = what->dir;
	rec->value = what->value;
	rec->result = what->result;
	rec->pc = pc;
	bpf_ringbuf_submit(rec, BPF_RB_NO_WAKEUP);
}

static __always_inline __u32 device_number(struct pci_bus *bus, unsigned int devfn)
{
	const struct pci_sysdata *sysdata = bus->sysdata;

	return (__u32)BPF_CORE_READ(sysdata, domain) << 16 | (__u32)bus->number << 8 | devfn;
}

SEC("fexit/pci_read")
int BPF_PROG(config_read, struct pci_bus *bus, unsigned int devfn, int where, int size, u32 *value,
	     int ret)
{
	struct mmiobpf_rec_config what = {
		.offset = where,
		.width = size,
		.dir = MMIOBPF_DIR_READ,
		.result = ret,
	};

	if (!*(volatile __u32 *)&events_on)
		return 0;
	what.dev = device_number(bus, devfn);
	bpf_probe_read_kernel(&what.value, sizeof(what.value), value);
	config_emit(ctx, &what);
	return 0;
}

SEC("fexit/pci_write")
int BPF_PROG(config_write, struct pci_bus *bus, unsigned int devfn, int where, int size, u32 value,
	     int ret)
{
	struct mmiobpf_rec_config what = {
		.offset = where,
		.width = size,
		.dir = MMIOBPF_DIR_WRITE,
		.value = value,
		.result = ret,
	};

	if (!*(volatile __u32 *)&events_on)
		return 0;
	what.dev = device_number(bus, devfn);
	config_emit(ctx, &what);
	return 0;
}
