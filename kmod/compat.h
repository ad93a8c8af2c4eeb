/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Everything that differs between the supported kernels, 6.1 to 6.12. Force-included by Kbuild; no
 * other file of the module asks for a version.
 */
#ifndef MMIOBPF_COMPAT_H
#define MMIOBPF_COMPAT_H

#include <linux/version.h>
#include <linux/btf.h>
#include <linux/btf_ids.h>

#if !IS_ENABLED(CONFIG_X86_64)
#error "mmiobpf traps x86-64 page faults only"
#endif

/* 2026-11-30, until 6.1 goes: __bpf_kfunc came with 6.3 (57e7c169cd6a). */
#ifndef __bpf_kfunc
#define __bpf_kfunc __used noinline
#endif

/* 2026-11-30, until 6.6 goes: the warning brackets came with 6.7 (391145ba2acc). */
#ifndef __bpf_kfunc_start_defs
#define __bpf_kfunc_start_defs()                                                                   \
	__diag_push();                                                                             \
	__diag_ignore_all("-Wmissing-prototypes", "kfuncs are called by BPF programs only")
#define __bpf_kfunc_end_defs() __diag_pop()
#endif

/* 2026-11-30, until 6.8 goes: kfunc sets must carry BTF_SET8_KFUNCS from 6.9 on (6f3189f38a3e). */
#ifndef BTF_KFUNCS_START
#define BTF_KFUNCS_START(name) BTF_SET8_START(name)
#define BTF_KFUNCS_END(name) BTF_SET8_END(name)
#endif

#endif
