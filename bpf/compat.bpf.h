/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the kernels' types differ. vmlinux.h is that of 6.12; what older ones have instead is here,
 * in flavours that CO-RE matches by the name before the three underscores.
 */
#ifndef MMIOBPF_COMPAT_BPF_H
#define MMIOBPF_COMPAT_BPF_H

/* 2026-11-30, until 6.1 goes: struct module had two layouts until 6.3 (ac3b43283923). */
struct module_layout___old {
	void *base;
	unsigned int size;
	unsigned int text_size;
} __attribute__((preserve_access_index));

struct module___old {
	struct module_layout___old core_layout;
	struct module_layout___old init_layout;
} __attribute__((preserve_access_index));

/*
 * 2026-12-01: the preemption count was in struct pcpu_hot from 6.2 to 6.14 (64701838bf05,
 * 46e8fff6d45f), and is a variable of its own before and after.
 */
extern const int __preempt_count __ksym __weak;
extern const struct pcpu_hot pcpu_hot __ksym __weak;

static __always_inline int preempt_count_get(void)
{
	if (&__preempt_count)
		return *(const int *)bpf_this_cpu_ptr(&__preempt_count);
	if (&pcpu_hot)
		return ((const struct pcpu_hot *)bpf_this_cpu_ptr(&pcpu_hot))->preempt_count;
	return 0;
}

#endif
