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

#endif
