// SPDX-License-Identifier: GPL-2.0-only
/*
 * From the module's tracepoints into the rings.
 *
 * There is one ring of accesses for each CPU, so that CPUs never wait for each other, and one more for
 * each CPU's NMIs, which may come while the first is being written. Mappings and markers go into a ring
 * of their own: accesses must not push them out.
 *
 * A record gets its sequence number after its place in the ring is reserved. So whoever has seen
 * number n, and after that finds a ring with nothing reserved, knows that no number below n will come
 * from there. A record that finds its ring full takes a number all the same: the gap is where the loss
 * was.
 *
 * The rings of accesses are arrays of slots that the program maps, and no BPF ring buffers: each has
 * one writer, which needs no lock and no call of a helper. See struct ring_position.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include "policy.h"

char LICENSE[] SEC("license") = "GPL";

const volatile struct policy_config policy = {};
__u64 next_seq = 0;

/*
 * For interrupts and configuration space: 1 while every mapping that is wanted is armed, so that no
 * handler seems to do nothing.
 */
__u32 events_on = 0;

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct ring_slot);
} slots SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct ring_position);
} positions SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, POLICY_CONTROL_BYTES);
} control SEC(".maps");

/* An array rather than a per-CPU map: reached without a call of a helper. */
struct policy_counters counters[POLICY_CPUS] __attribute__((aligned(64))) = {};

static __always_inline struct policy_counters *counters_get(__u32 cpu)
{
	return &counters[cpu & (POLICY_CPUS - 1)];
}

/* --- accesses --- */

struct buffer_ctx {
	const __u64 *words;	/* struct mmiobpf_rec_access_wide, or what is shorter */
};

/* Word of the header that has type, size and CPU. */
#define HDR_WORD_TYPE	2

static __always_inline void slot_fill(struct ring_slot *slot, const __u64 *words, __u32 first)
{
	__u32 i;

#pragma unroll
	for (i = first; i < RING_SLOT_WORDS; i++)
		slot->words[i] = words[i];
}

/*
 * Take room for a record of @need slots in a ring of @mask + 1, and its number. The position is
 * published before the number is taken, which is a barrier.
 */
static __always_inline bool ring_reserve(struct ring_position *pos, __u32 need, __u32 mask,
					 __u64 *head, __u64 *seq)
{
	*head = pos->reserved;
	if (*head + need - *(volatile __u64 *)&pos->read > mask + 1ULL) {
		__sync_fetch_and_add(&next_seq, 1);
		pos->lost++;
		return false;
	}
	*(volatile __u64 *)&pos->reserved = *head + need;
	*seq = __sync_fetch_and_add(&next_seq, 1);
	return true;
}

/* What was written is published after the slots are filled: x86 keeps the order of stores. */
static __always_inline void ring_publish(struct ring_position *pos, __u64 end)
{
	barrier();
	*(volatile __u64 *)&pos->written = end;
}

static __always_inline void access_put(const __u64 *words, __u32 ring, __u32 base, __u32 mask)
{
	struct ring_position *pos = bpf_map_lookup_elem(&positions, &ring);
	bool wide = (words[HDR_WORD_TYPE] >> 16 & 0xffff) > sizeof(struct ring_slot);
	__u32 need = wide ? 2 : 1;
	struct ring_slot *slot;
	__u64 head, seq;
	__u32 at;

	if (!pos)
		return;
	pos->seen++;
	if (!ring_reserve(pos, need, mask, &head, &seq))
		return;
	at = base + (head & mask);
	slot = bpf_map_lookup_elem(&slots, &at);
	if (slot) {
		slot->words[0] = seq;
		slot_fill(slot, words, 1);
	}
	if (wide) {
		at = base + ((head + 1) & mask);
		slot = bpf_map_lookup_elem(&slots, &at);
		if (slot) {
			__u32 i;

#pragma unroll
			for (i = 0; i < RING_WIDE_WORDS - RING_SLOT_WORDS; i++)
				slot->words[i] = words[RING_SLOT_WORDS + i];
		}
	}
	ring_publish(pos, head + need);
}

static __always_inline __u32 words_cpu(const __u64 *words)
{
	return words[HDR_WORD_TYPE] >> 32 & 0xffff;
}

SEC("raw_tracepoint.w/mmiobpf_access")
int access_record(struct buffer_ctx *ctx)
{
	const __u64 *words = ctx->words;
	__u32 cpu = words_cpu(words);

	access_put(words, cpu, cpu * policy.slots, policy.slots - 1);
	return 0;
}

SEC("raw_tracepoint.w/mmiobpf_access_nmi")
int access_record_nmi(struct buffer_ctx *ctx)
{
	const __u64 *words = ctx->words;
	__u32 cpu = words_cpu(words);
	__u32 slots = RING_NMI_SLOTS(policy.slots);

	access_put(words, policy.cpus + cpu, policy.cpus * policy.slots + cpu * slots, slots - 1);
	return 0;
}

/* --- interrupts (irq.bpf.c) --- */

/*
 * A record of the start or end of an interrupt's handler goes among the accesses of its CPU. As with
 * those, interrupts are off: the ring keeps its one writer.
 *
 * These two are verified on their own, and called by programs of another file. Return: 0.
 */
int event_put(struct ring_slot *event)
{
	__u32 cpu = bpf_get_smp_processor_id(), mask = policy.slots - 1, at;
	struct ring_position *pos = bpf_map_lookup_elem(&positions, &cpu);
	struct ring_slot *slot;
	__u64 head, seq;

	if (!pos || !event || !ring_reserve(pos, 1, mask, &head, &seq))
		return 0;
	at = cpu * policy.slots + (head & mask);
	slot = bpf_map_lookup_elem(&slots, &at);
	if (slot) {
		slot->words[0] = seq;
		slot_fill(slot, event->words, 1);
	}
	ring_publish(pos, head + 1);
	return 0;
}

/* Return: accesses that this CPU has made, those of its NMIs and lost ones included. */
__u64 accesses_made(void)
{
	__u32 cpu = bpf_get_smp_processor_id(), nmi = policy.cpus + cpu;
	const struct ring_position *pos = bpf_map_lookup_elem(&positions, &cpu);
	const struct ring_position *nmi_pos = bpf_map_lookup_elem(&positions, &nmi);

	return (pos ? pos->seen : 0) + (nmi_pos ? nmi_pos->seen : 0);
}

/* --- mappings and markers --- */

/* The reader looks at the rings by the clock. */
static __always_inline int control_put(const struct mmiobpf_rec_hdr *hdr, __u32 size)
{
	struct mmiobpf_rec_hdr *slot = bpf_ringbuf_reserve(&control, size, 0);
	__u64 seq = __sync_fetch_and_add(&next_seq, 1);

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
	struct policy_counters *c = counters_get(bpf_get_smp_processor_id());
	int lost = 0;

	/* 6.12's verifier takes a module's tracepoint arguments for possibly NULL. */
	if (!hdr)
		return 0;
	c->seen++;
	switch (hdr->type) {
	case MMIOBPF_REC_MAP:
		lost = control_put(hdr, sizeof(struct mmiobpf_rec_map));
		break;
	case MMIOBPF_REC_UNMAP:
		lost = control_put(hdr, sizeof(struct mmiobpf_rec_unmap));
		break;
	case MMIOBPF_REC_MARK:
		lost = control_put(hdr, sizeof(struct mmiobpf_rec_mark));
		break;
	}
	if (lost)
		c->lost++;
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
