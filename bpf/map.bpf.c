// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which mappings are wanted: decided at the exit of the function behind every ioremap variant
 * (arch/x86/mm/ioremap.c, __ioremap_caller()), before the driver has the address, so that nothing can
 * slip through. One program instead of one for each of seven variants: each attachment costs a trace
 * 0.1 s of its start, and each detachment two RCU grace periods of its end.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>
#include "policy.h"
#include "compat.bpf.h"

#define ENODEV 19	/* vmlinux.h has no macros */

extern const volatile struct policy_config policy;

struct policy_text text[POLICY_TEXT_RANGES] = {};
struct policy_phys phys[POLICY_PHYS_RANGES] = {};
struct policy_watched watched[POLICY_WATCHED] = {};
__u64 refused = 0;	/* wanted mappings that the module would not take */

extern int mmiobpf_map_add(struct mmiobpf_map_req *req) __ksym;

/* --- by physical address --- */

struct phys_search {
	__u64 start;
	__u64 end;
	__u64 bar_start;
	__u32 dev;
	__u8 bar;
	__u8 flags;
};

static long phys_search_step(__u32 i, struct phys_search *s)
{
	const struct policy_phys *p;

	if (i >= POLICY_PHYS_RANGES)
		return 1;
	p = &phys[i];
	if (s->start >= p->end || s->end <= p->start)
		return 0;
	s->flags |= p->flags;
	if (p->dev != MMIOBPF_NO_DEV && s->start >= p->start) {
		s->dev = p->dev;
		s->bar = p->bar;
		s->bar_start = p->start;
	}
	return 0;
}

/* --- by the code on the call stack --- */

struct text_search {
	__u64 stack[POLICY_STACK_DEPTH];
	__u64 pc;		/* in the driver's code, 0: none */
	__u32 slot;		/* of the text range, when pc is set */
};

/*
 * Step i looks at address i / POLICY_TEXT_RANGES of the stack and text range i % POLICY_TEXT_RANGES.
 * It must not depend on what an earlier step wrote: before 6.7 the verifier looks at one step only, and
 * takes what it finds there for what every step finds (ab5cfac139ab).
 */
static long text_search_step(__u32 i, struct text_search *s)
{
	__u32 depth = i / POLICY_TEXT_RANGES;
	__u32 slot = i % POLICY_TEXT_RANGES;
	const struct policy_text *t = &text[slot];
	__u64 ip;

	if (depth >= POLICY_STACK_DEPTH)
		return 1;
	ip = s->stack[depth];
	if (ip < t->start || ip >= t->end)
		return 0;
	s->pc = ip;
	s->slot = slot;
	return 1;
}

/* What the driver asked for. ioremap_prot() counts as the variant with its cache mode. */
static __always_inline __u8 kind_asked(enum page_cache_mode pcm, bool encrypted)
{
	if (encrypted)
		return MMIOBPF_MAP_ENCRYPTED;
	switch (pcm) {
	case _PAGE_CACHE_MODE_WB:
		return MMIOBPF_MAP_CACHE;
	case _PAGE_CACHE_MODE_WC:
		return MMIOBPF_MAP_WC;
	case _PAGE_CACHE_MODE_WT:
		return MMIOBPF_MAP_WT;
	case _PAGE_CACHE_MODE_UC:
		return MMIOBPF_MAP_UC;
	default:
		return MMIOBPF_MAP_IOREMAP;
	}
}

SEC("fexit/__ioremap_caller")
int BPF_PROG(mapping_made, __u64 start, __u64 len, enum page_cache_mode pcm, void *caller,
	     bool encrypted, void *virt)
{
	struct phys_search p = { .start = start, .end = start + len, .dev = MMIOBPF_NO_DEV,
				 .bar = MMIOBPF_NO_BAR };
	struct text_search t = {};
	struct mmiobpf_map_req req = {};
	long err;

	if (!virt)
		return 0;
	bpf_loop(policy.phys, phys_search_step, &p, 0);
	/* The innermost address of a driver that is traced; its text range says the driver. */
	err = bpf_get_stack(ctx, t.stack, sizeof(t.stack), 0);
	bpf_loop(POLICY_STACK_DEPTH * POLICY_TEXT_RANGES, text_search_step, &t, 0);
	if (!policy.all && !t.pc && !(p.flags & POLICY_PHYS_WANTED)) {
		/* Without a stack, who knows. */
		if (err < 0)
			__sync_fetch_and_add(&refused, 1);
		return 0;
	}

	req.virt = (__u64)virt;
	req.phys = start;
	req.len = len;
	req.pc = t.pc ? t.pc : (__u64)caller;
	req.dev = p.dev;
	req.bar = p.bar;
	req.bar_off = p.dev == MMIOBPF_NO_DEV ? 0 : start - p.bar_start;
	req.kind = kind_asked(pcm, encrypted);
	req.flags = p.flags & POLICY_PHYS_DENIED ? 0 : policy.arm_flags;
	if (t.pc && t.slot < POLICY_TEXT_RANGES)
		__builtin_memcpy(req.driver, text[t.slot].driver, sizeof(req.driver));
	err = mmiobpf_map_add(&req);
	if (err < 0 && err != -ENODEV)
		__sync_fetch_and_add(&refused, 1);
	return 0;
}
