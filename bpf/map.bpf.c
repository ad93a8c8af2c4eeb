// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which mappings are wanted: decided at the exit of every ioremap variant, before the driver has
 * the address, so that nothing can slip through.
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
	__u32 first;		/* of the stack, to look at */
};

/*
 * Step i looks at address i / POLICY_TEXT_RANGES behind the first and text range i %
 * POLICY_TEXT_RANGES. It must not depend on what an earlier step wrote: before 6.7 the verifier
 * looks at one step only, and takes what it finds there for what every step finds (ab5cfac139ab).
 */
static long text_search_step(__u32 i, struct text_search *s)
{
	__u32 depth = s->first + i / POLICY_TEXT_RANGES;
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

/*
 * Where the caller is on the stack: behind the variant, whose first instructions called the
 * trampoline.
 */
static __always_inline __u32 stack_caller(const __u64 *stack, __u64 func)
{
	__u32 i;

	for (i = 0; i < POLICY_STACK_DEPTH - 1; i++)
		if (stack[i] - func < 16)
			return i + 1;
	return 0;
}

static __noinline int mapping_made(void *ctx, __u64 start, __u64 len, __u64 virt, __u8 kind)
{
	struct phys_search p = { .start = start, .end = start + len, .dev = MMIOBPF_NO_DEV,
				 .bar = MMIOBPF_NO_BAR };
	struct text_search t = {};
	struct mmiobpf_map_req req = {};
	long err;

	if (!virt)
		return 0;
	bpf_loop(policy.phys, phys_search_step, &p, 0);
	/*
	 * The innermost address of a driver that is traced. Its own text ranges say the driver; the
	 * first address behind the ioremap variant is the caller otherwise.
	 */
	err = bpf_get_stack(ctx, t.stack, sizeof(t.stack), 0);
	t.first = stack_caller(t.stack, bpf_get_func_ip(ctx));
	bpf_loop(POLICY_STACK_DEPTH * POLICY_TEXT_RANGES, text_search_step, &t, 0);
	if (!policy.all && !t.pc && !(p.flags & POLICY_PHYS_WANTED)) {
		/* Without a stack, who knows. */
		if (err < 0)
			__sync_fetch_and_add(&refused, 1);
		return 0;
	}

	req.virt = virt;
	req.phys = start;
	req.len = len;
	req.pc = t.pc ? t.pc : t.stack[t.first & (POLICY_STACK_DEPTH - 1)];
	req.dev = p.dev;
	req.bar = p.bar;
	req.bar_off = p.dev == MMIOBPF_NO_DEV ? 0 : start - p.bar_start;
	req.kind = kind;
	req.flags = p.flags & POLICY_PHYS_DENIED ? 0 : policy.arm_flags;
	if (t.pc && t.slot < POLICY_TEXT_RANGES)
		__builtin_memcpy(req.driver, text[t.slot].driver, sizeof(req.driver));
	err = mmiobpf_map_add(&req);
	if (err < 0 && err != -ENODEV)
		__sync_fetch_and_add(&refused, 1);
	return 0;
}

#define MAPPING(name, kind)                                                                        \
	SEC("fexit/" #name)                                                                        \
	int BPF_PROG(exit_##name, __u64 start, __u64 len, void *virt)                              \
	{                                                                                          \
		return mapping_made(ctx, start, len, (__u64)virt, kind);     \
	}

MAPPING(ioremap, MMIOBPF_MAP_IOREMAP)
MAPPING(ioremap_uc, MMIOBPF_MAP_UC)
MAPPING(ioremap_wc, MMIOBPF_MAP_WC)
MAPPING(ioremap_wt, MMIOBPF_MAP_WT)
MAPPING(ioremap_cache, MMIOBPF_MAP_CACHE)
MAPPING(ioremap_encrypted, MMIOBPF_MAP_ENCRYPTED)

SEC("fexit/ioremap_prot")
int BPF_PROG(exit_ioremap_prot, __u64 start, __u64 len, unsigned long prot, void *virt)
{
	return mapping_made(ctx, start, len, (__u64)virt, MMIOBPF_MAP_PROT);
}
