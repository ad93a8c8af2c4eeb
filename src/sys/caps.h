/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What this machine and this process can do. Nothing here changes anything: no breakpoint is set
 * and no counter is left running.
 */
#ifndef MMIOBPF_SYS_CAPS_H
#define MMIOBPF_SYS_CAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "root.h"

enum caps_state {
	CAPS_NO,
	CAPS_YES,
	CAPS_UNKNOWN,		/* this process may not look */
};

struct caps_answer {
	enum caps_state state;
	char why[192];		/* where it is, or why not; no full stop */
};

/** caps_answer_set() - state and reason; the reason is cut to fit */
void caps_answer_set(struct caps_answer *a, enum caps_state state, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Capabilities that the program can need, as bits of a mask. */
#define CAPS_BIT(cap)	(1ull << (cap))

/**
 * caps_for_trace() - mask of the capabilities that a trace needs
 *
 * CAP_SYS_ADMIN (the device node, /proc/iomem), CAP_BPF and CAP_PERFMON (the programs), CAP_SYSLOG
 * (true kernel addresses).
 */
uint64_t caps_for_trace(void);

/**
 * caps_missing() - which of the wanted capabilities the process does not have in its effective set
 * @want: mask
 *
 * Return: mask of those that are missing.
 */
uint64_t caps_missing(uint64_t want);

/** caps_format() - "CAP_SYS_ADMIN, CAP_BPF" into @buf, cut to fit. Return: @buf */
const char *caps_format(uint64_t mask, char *buf, size_t size);

/** caps_lockdown() - kernel lockdown: CAPS_YES when "integrity" or "confidentiality" is in force */
void caps_lockdown(const struct sys_root *root, struct caps_answer *a);
/** caps_lockdown_denies_bpf() - lockdown=confidentiality: BPF may not read kernel memory */
bool caps_lockdown_denies_bpf(const struct sys_root *root);
/** caps_module_signature() - CAPS_YES when the kernel refuses modules without a valid signature */
void caps_module_signature(const struct sys_root *root, struct caps_answer *a);
/** caps_btf() - does the kernel have BTF? */
void caps_btf(const struct sys_root *root, struct caps_answer *a);
/**
 * caps_tracer() - the function tracer in use
 * @name: set to the tracer's name ("nop", "mmiotrace"), "" when it cannot be read; may be NULL
 *
 * CAPS_NO when it is nop. mmiotrace and mmiobpf exclude each other.
 */
void caps_tracer(const struct sys_root *root, struct caps_answer *a, char name[32]);
/**
 * caps_dynamic_ftrace() - can the module's hook be set, and is it not switched off
 * (kernel.ftrace_enabled)?
 */
void caps_dynamic_ftrace(const struct sys_root *root, struct caps_answer *a);
/** caps_bpf() - may this process load BPF programs? */
void caps_bpf(const struct sys_root *root, struct caps_answer *a);

/* sys/cpu.c: the processor. */

/** cpu_counts() - processors online and present. Return: 0 or -errno */
int cpu_counts(const struct sys_root *root, unsigned int *online, unsigned int *present);
/** cpu_has_flag() - does /proc/cpuinfo's flags line have this word? Return: 1, 0 or -errno */
int cpu_has_flag(const struct sys_root *root, const char *flag);
/** cpu_pmu_cycles() - the cycle counter, by opening it for this process */
void cpu_pmu_cycles(const struct sys_root *root, struct caps_answer *a);
/** cpu_lbr(), cpu_bts(), cpu_single_step() - sources of branch records */
void cpu_lbr(const struct sys_root *root, struct caps_answer *a);
void cpu_bts(const struct sys_root *root, struct caps_answer *a);
void cpu_single_step(const struct sys_root *root, struct caps_answer *a);
/** cpu_breakpoints() - hardware breakpoints: a fact of the architecture, none is opened */
void cpu_breakpoints(const struct sys_root *root, struct caps_answer *a);
/** cpu_page_sizes() - "4 KiB, 2 MiB, 1 GiB" */
void cpu_page_sizes(const struct sys_root *root, struct caps_answer *a);

#endif
