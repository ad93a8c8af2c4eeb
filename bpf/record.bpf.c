// SPDX-License-Identifier: GPL-2.0-only
/*
 * From the module's tracepoint into the rings.
 *
 * There is one ring for each CPU, so that CPUs never wait for each other, and one for the records
 * that must not be pushed out by accesses: mappings and markers.
 *
 * A record gets its sequence number after its place in the ring is reserved. So whoever has seen
 * number n, and after that finds a ring empty, knows that no number below n will come from there. A
 * record that finds its ring full takes a number all the same: the gap is where the loss was.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include "policy.h"

char LICENSE[] SEC("license") = "GPL";

const volatile struct policy_config policy = {};
__u64 next_seq = 0;

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
	__array(values, struct {
		__uint(type, BPF_MAP_TYPE_RINGBUF);
		__uint(max_entries, 65536);
	});
} rings SEC(".maps");

/* An array rather than a per-CPU map: reached without a call of a helper. */
struct policy_counters counters[POLICY_CPUS] __attribute__((aligned(64))) = {};

static __always_inline struct policy_counters *counters_get(__u32 cpu)
{
	return &counters[cpu & (POLICY_CPUS - 1)];
}

/*
 * The reader looks at the rings by the clock: waking it at each record would cost more than the
 * record.
 */
static __always_inline int ring_put(const struct mmiobpf_rec_hdr *hdr, __u32 index, __u32 size)
{
	struct mmiobpf_rec_hdr *slot;
	void *ring = bpf_map_lookup_elem(&rings, &index);
	__u64 seq;

	if (!ring)
		return 0;
	slot = bpf_ringbuf_reserve(ring, size, 0);
	seq = __sync_fetch_and_add(&next_seq, 1);
	if (!slot)
		return -1;
	bpf_probe_read_kernel(slot, size, hdr);
	slot->seq = seq;
	bpf_ringbuf_submit(slot, BPF_RB_NO_WAKEUP);
	return 0;
}

SEC("tp_btf/mmiobpf_record")
int BPF_PROG(record_put, const struct mmiobpf_rec_hdr *hdr)
{
	__u32 cpu = bpf_get_smp_processor_id();
	struct policy_counters *c = counters_get(cpu);
	__u16 size;
	int lost = 0;

	/* 6.12's verifier takes a module's tracepoint arguments for possibly NULL. */
	if (!hdr)
		return 0;
	size = hdr->size;
	c->seen++;
	switch (hdr->type) {
	case MMIOBPF_REC_ACCESS:
		if (size == sizeof(struct mmiobpf_rec_access))
			lost = ring_put(hdr, cpu, sizeof(struct mmiobpf_rec_access));
		else
			lost = ring_put(hdr, cpu, sizeof(struct mmiobpf_rec_access_wide));
		if (lost)
			c->lost_accesses++;
		return 0;
	case MMIOBPF_REC_UNKNOWN:
		if (ring_put(hdr, cpu, sizeof(struct mmiobpf_rec_unknown)))
			c->lost_accesses++;
		return 0;
	case MMIOBPF_REC_MAP:
		lost = ring_put(hdr, policy.cpus, sizeof(struct mmiobpf_rec_map));
		break;
	case MMIOBPF_REC_UNMAP:
		lost = ring_put(hdr, policy.cpus, sizeof(struct mmiobpf_rec_unmap));
		break;
	case MMIOBPF_REC_MARK:
		lost = ring_put(hdr, policy.cpus, sizeof(struct mmiobpf_rec_mark));
		break;
	}
	if (lost)
		c->lost_others++;
	return 0;
}

/*
 * The independent count: every not-present fault of the kernel in the area in which ioremap maps.
 * The module says how many of them were none of its own.
 */
SEC("tp_btf/page_fault_kernel")
int BPF_PROG(fault_count, unsigned long address, struct pt_regs *regs, unsigned long error_code)
{
	/* present, user, instruction fetch: SDM volume 3, 4.7 */
	if (error_code & (0x1 | 0x4 | 0x10))
		return 0;
	if (address < policy.vmalloc_start || address >= policy.vmalloc_end)
		return 0;
	counters_get(bpf_get_smp_processor_id())->faults++;
	return 0;
}
