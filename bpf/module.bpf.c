// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where the code of a driver is that is loaded during the session.
 */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>
#include "policy.h"
#include "compat.bpf.h"

extern const volatile struct policy_config policy;
extern struct policy_text text[POLICY_TEXT_RANGES];
extern struct policy_watched watched[POLICY_WATCHED];
extern __u64 refused;

struct text_span {
	__u64 start;
	__u64 end;
};

static __always_inline void module_ranges(struct module *mod, struct text_span *core,
					  struct text_span *init)
{
	if (bpf_core_field_exists(mod->mem)) {
		core->start = (__u64)BPF_CORE_READ(mod, mem[MOD_TEXT].base);
		core->end = core->start + BPF_CORE_READ(mod, mem[MOD_TEXT].size);
		init->start = (__u64)BPF_CORE_READ(mod, mem[MOD_INIT_TEXT].base);
		init->end = init->start + BPF_CORE_READ(mod, mem[MOD_INIT_TEXT].size);
	} else {
		struct module___old *old = (void *)mod;

		core->start = (__u64)BPF_CORE_READ(old, core_layout.base);
		core->end = core->start + BPF_CORE_READ(old, core_layout.text_size);
		init->start = (__u64)BPF_CORE_READ(old, init_layout.base);
		init->end = init->start + BPF_CORE_READ(old, init_layout.text_size);
	}
}

/* Two modules may be loaded at the same time: a slot is taken first and filled then. */
static __always_inline void text_add(const struct text_span *r, const char *name)
{
	int i;

	if (!r->start || r->start == r->end)
		return;
	for (i = 0; i < POLICY_TEXT_RANGES; i++) {
		if (__sync_val_compare_and_swap(&text[i].start, 0, POLICY_TEXT_TAKEN))
			continue;
		__builtin_memcpy(text[i].driver, name, MMIOBPF_NAME_LEN);
		text[i].driver[MMIOBPF_NAME_LEN - 1] = 0;
		text[i].end = r->end;
		text[i].start = r->start;
		return;
	}
	__sync_fetch_and_add(&refused, 1);
}

#define NAME_WORDS (sizeof(struct policy_watched) / sizeof(__u64))

union module_name {
	char text[sizeof(struct policy_watched)];	/* padded with zeros */
	__u64 words[NAME_WORDS];
};

struct watch_search {
	union module_name name;
	bool found;
};

static long watch_search_step(__u32 i, struct watch_search *s)
{
	const __u64 *words;
	__u64 differ = 0;
	int k;

	if (i >= POLICY_WATCHED)
		return 1;
	words = (const __u64 *)watched[i].name;
	for (k = 0; k < NAME_WORDS; k++)
		differ |= words[k] ^ s->name.words[k];
	s->found = !differ;
	return s->found;
}

/*
 * Code that is freed, or that must have been, as another module is loaded there: that of a module's
 * start goes without a word when it has run.
 */
static __always_inline void text_forget(const struct text_span *r)
{
	int i;

	for (i = 0; i < POLICY_TEXT_RANGES; i++) {
		if (text[i].start >= r->end || r->start >= text[i].end)
			continue;
		/* The end first: with a start of 0 alone, every address below it would be inside. */
		*(volatile __u64 *)&text[i].end = 0;
		*(volatile __u64 *)&text[i].start = 0;
	}
}

SEC("tp_btf/module_load")
int BPF_PROG(module_load, struct module *mod)
{
	struct watch_search s = {};
	struct text_span core, init;

	module_ranges(mod, &core, &init);
	text_forget(&core);
	text_forget(&init);
	bpf_probe_read_kernel_str(s.name.text, sizeof(s.name.text), mod->name);
	bpf_loop(policy.watched, watch_search_step, &s, 0);
	if (!s.found)
		return 0;
	text_add(&core, s.name.text);
	text_add(&init, s.name.text);
	return 0;
}

SEC("tp_btf/module_free")
int BPF_PROG(module_free, struct module *mod)
{
	struct text_span core, init;

	module_ranges(mod, &core, &init);
	text_forget(&core);
	text_forget(&init);
	return 0;
}
