// SPDX-License-Identifier: GPL-2.0-or-later
#include "caps.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/capability.h>
#include <unistd.h>

void caps_answer_set(struct caps_answer *a, enum caps_state state, const char *fmt, ...)
{
	va_list ap;

	a->state = state;
	va_start(ap, fmt);
	vsnprintf(a->why, sizeof(a->why), fmt, ap);
	va_end(ap);
}

uint64_t caps_for_trace(void)
{
	return CAPS_BIT(CAP_SYS_ADMIN) | CAPS_BIT(CAP_BPF) | CAPS_BIT(CAP_PERFMON) |
	       CAPS_BIT(CAP_SYSLOG);
}

uint64_t caps_missing(uint64_t want)
{
	cap_t have = cap_get_proc();
	uint64_t missing = 0;

	for (int cap = 0; cap < 64; cap++) {
		cap_flag_value_t set = CAP_CLEAR;

		if (!(want & CAPS_BIT(cap)))
			continue;
		if (have)
			cap_get_flag(have, cap, CAP_EFFECTIVE, &set);
		if (set != CAP_SET)
			missing |= CAPS_BIT(cap);
	}
	if (have)
		cap_free(have);
	return missing;
}

const char *caps_format(uint64_t mask, char *buf, size_t size)
{
	size_t n = 0;

	buf[0] = '\0';
	for (int cap = 0; cap < 64; cap++) {
		char *name;

		if (!(mask & CAPS_BIT(cap)))
			continue;
		name = cap_to_name(cap);
		for (char *c = name; c && *c; c++)
			*c = (char)toupper((unsigned char)*c);
		if (n < size)
			n += (size_t)snprintf(buf + n, size - n, "%s%s", n ? ", " : "",
					      name ? name : "?");
		cap_free(name);
	}
	return buf;
}

/* The word in brackets of "[none] integrity confidentiality". Return: 0 or -errno. */
static int read_lockdown(const struct sys_root *root, char *word, size_t size)
{
	char line[64], *open;
	int err = sys_read_line(root->sys, line, sizeof(line), "kernel/security/lockdown");

	if (err)
		return err;
	open = strchr(line, '[');
	if (!open)
		return -EINVAL;
	snprintf(word, size, "%.*s", (int)strcspn(open + 1, "]"), open + 1);
	return 0;
}

void caps_lockdown(const struct sys_root *root, struct caps_answer *a)
{
	char word[32];
	int err = read_lockdown(root, word, sizeof(word));

	if (err == -ENOENT)
		caps_answer_set(a, CAPS_NO,
				"the kernel has no lockdown, or securityfs is not mounted");
	else if (err)
		caps_answer_set(a, CAPS_UNKNOWN, "/sys/kernel/security/lockdown: %s",
				strerror(-err));
	else if (!strcmp(word, "none"))
		caps_answer_set(a, CAPS_NO, "lockdown=none");
	else
		caps_answer_set(a, CAPS_YES, "lockdown=%s", word);
}

bool caps_lockdown_denies_bpf(const struct sys_root *root)
{
	char word[32];

	return !read_lockdown(root, word, sizeof(word)) && !strcmp(word, "confidentiality");
}

void caps_module_signature(const struct sys_root *root, struct caps_answer *a)
{
	char line[8];
	int err = sys_read_line(root->sys, line, sizeof(line),
				"module/module/parameters/sig_enforce");

	if (err == -ENOENT)
		caps_answer_set(a, CAPS_NO, "the kernel does not check module signatures");
	else if (err)
		caps_answer_set(a, CAPS_UNKNOWN, "/sys/module/module/parameters/sig_enforce: %s",
				strerror(-err));
	else if (line[0] == 'Y')
		caps_answer_set(a, CAPS_YES,
				"module.sig_enforce is set: the module must be signed with a key "
				"that the kernel trusts");
	else
		caps_answer_set(a, CAPS_NO, "module.sig_enforce is not set");
}

void caps_btf(const struct sys_root *root, struct caps_answer *a)
{
	char path[PATH_MAX];

	if (!sys_path(path, root->sys, "kernel/btf/vmlinux") && !access(path, F_OK))
		caps_answer_set(a, CAPS_YES, "/sys/kernel/btf/vmlinux");
	else
		caps_answer_set(a, CAPS_NO,
				"no /sys/kernel/btf/vmlinux: the kernel needs "
				"CONFIG_DEBUG_INFO_BTF");
}

void caps_tracer(const struct sys_root *root, struct caps_answer *a, char name[32])
{
	char line[32];
	int err = sys_read_line(root->sys, line, sizeof(line), "kernel/tracing/current_tracer");

	/* debugfs has it as well, and is what is mounted on older systems. */
	if (err == -ENOENT)
		err = sys_read_line(root->sys, line, sizeof(line),
				    "kernel/debug/tracing/current_tracer");
	if (name)
		snprintf(name, 32, "%s", line);
	if (err == -ENOENT)
		caps_answer_set(a, CAPS_UNKNOWN, "tracefs is not mounted on /sys/kernel/tracing");
	else if (err)
		caps_answer_set(a, CAPS_UNKNOWN, "/sys/kernel/tracing/current_tracer: %s",
				strerror(-err));
	else if (!strcmp(line, "nop"))
		caps_answer_set(a, CAPS_NO, "current_tracer is nop");
	else if (!strcmp(line, "mmiotrace"))
		caps_answer_set(a, CAPS_YES,
				"mmiotrace is in use; it and mmiobpf exclude each other");
	else
		caps_answer_set(a, CAPS_YES, "current_tracer is %s; it does not disturb", line);
}

void caps_dynamic_ftrace(const struct sys_root *root, struct caps_answer *a)
{
	char line[8];
	int err = sys_read_line(root->proc, line, sizeof(line), "sys/kernel/ftrace_enabled");

	if (err == -ENOENT)
		caps_answer_set(a, CAPS_NO, "the kernel needs CONFIG_FUNCTION_TRACER");
	else if (err)
		caps_answer_set(a, CAPS_UNKNOWN, "kernel.ftrace_enabled: %s", strerror(-err));
	else if (line[0] == '0')
		caps_answer_set(a, CAPS_NO, "kernel.ftrace_enabled is 0; set it with sysctl");
	else
		caps_answer_set(a, CAPS_YES, "kernel.ftrace_enabled is 1");
}

void caps_bpf(const struct sys_root *root, struct caps_answer *a)
{
	uint64_t missing = caps_missing(CAPS_BIT(CAP_BPF) | CAPS_BIT(CAP_PERFMON));
	char names[64];

	if (missing)
		caps_answer_set(a, CAPS_NO, "this process lacks %s",
				caps_format(missing, names, sizeof(names)));
	else if (caps_lockdown_denies_bpf(root))
		caps_answer_set(a, CAPS_NO,
				"lockdown=confidentiality: BPF may not read kernel memory");
	else
		caps_answer_set(a, CAPS_YES, "this process has CAP_BPF and CAP_PERFMON");
}
