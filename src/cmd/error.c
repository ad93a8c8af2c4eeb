// SPDX-License-Identifier: GPL-2.0-or-later
#include "error.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../sys/caps.h"
#include "../sys/device.h"
#include "cmd.h"

static void print_line(const char *prefix, const char *fmt, va_list ap)
{
	char text[1024];

	vsnprintf(text, sizeof(text), fmt, ap);
	fprintf(stderr, "mmiobpf: %s%s\n", prefix, text);
}

int error_say(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print_line("", fmt, ap);
	va_end(ap);
	return STATUS_FAILURE;
}

void warning_say(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print_line("warning: ", fmt, ap);
	va_end(ap);
}

/* What an errno means where it came from. @why NULL: strerror() says it well. */
static const struct rule {
	enum error_place place;
	int err;
	const char *why;
	const char *todo;
} rules[] = {
	{ ERROR_OUTPUT, ENOSPC, "the disk is full",
	  "what was written until then is kept and valid" },
	{ ERROR_OUTPUT, EDQUOT, "the disk quota is used up",
	  "what was written until then is kept and valid" },
	{ ERROR_OUTPUT, EFBIG, "the file has reached its size limit",
	  "what was written until then is kept and valid" },
	{ ERROR_OUTPUT, EPIPE, "the reader has closed the pipe",
	  "what it has read until then is valid" },
	{ ERROR_OUTPUT, ENOENT, NULL, "create the directory first" },
	{ ERROR_OUTPUT, ENOTEMPTY, "the directory is not empty", "name a new one" },
	{ ERROR_OUTPUT, ENOTDIR, "it is a file, or below one", "name a new directory" },
	{ ERROR_INPUT, ENOENT, "there is no such file", "check its name" },
	{ ERROR_INPUT, EISDIR, "it is a directory, and no capture is in it", "name a file" },
	{ ERROR_INPUT, ENOTSUP, "the capture was written by another version of this program",
	  "convert it with that version" },
	{ ERROR_INPUT, EPROTONOSUPPORT, "it is in no format that this program knows",
	  "it takes text logs of mmiobpf and of the kernel's mmiotrace, and QEMU's vfio_region events" },
	{ ERROR_MODULE, ENOENT, "the module mmiobpf is not loaded",
	  "load it with 'modprobe mmiobpf', or 'insmod' from the build tree" },
	{ ERROR_MODULE, ENOTTY, "the module and this program are of different versions",
	  "build and load both from the same source" },
	{ ERROR_LOAD, ENOENT, "it is not installed for this kernel",
	  "install it, or load build/kmod/RELEASE/mmiobpf.ko of the build tree with 'insmod'" },
	{ ERROR_LOAD, EKEYREJECTED, "the kernel takes only modules with a signature that it trusts",
	  "sign it with a key of this machine, or boot without module.sig_enforce" },
	{ ERROR_LOAD, ENOKEY, "the kernel does not know the key of its signature",
	  "enrol the key, or boot without module.sig_enforce" },
	{ ERROR_LOAD, ENOEXEC, "it was built for another kernel", "build it for this one" },
	{ ERROR_SESSION, ENOENT, "the module mmiobpf is not loaded",
	  "load it with 'modprobe mmiobpf', or 'insmod' from the build tree" },
	{ ERROR_SESSION, EPROTO, "the module and this program are of different versions",
	  "build and load both from the same source" },
	{ ERROR_SESSION, EOPNOTSUPP,
	  "ftrace is switched off (kernel.ftrace_enabled), or something else, such as a live patch, "
	  "holds the function that the module hooks", "switch it on with sysctl kernel.ftrace_enabled=1" },
	{ ERROR_SESSION, EBUSY, "another session is running", "wait for it, or end it" },
	{ ERROR_MARK, ENOENT, "the module mmiobpf is not loaded",
	  "load it, and start a session with 'mmiobpf trace' first" },
	{ ERROR_MARK, ENOTCONN, "no session is running", "start one with 'mmiobpf trace' first" },
	{ ERROR_MARK, EMSGSIZE, "the text is too long", "use at most 976 bytes" },
	{ ERROR_ATTACH, ENOENT, "the mapping is gone", "its driver has unmapped it meanwhile" },
	{ ERROR_ATTACH, EAGAIN, "too many mappings went away meanwhile to tell which are left",
	  "try again" },
	{ ERROR_ATTACH, EEXIST, "the mapping is traced already", "nothing needs to be done" },
	{ ERROR_ATTACH, EINVAL, "the page tables do not agree with it",
	  "report it with the output of 'mmiobpf info'" },
	{ ERROR_ATTACH, EPERM, "the kernel hides the addresses of its mappings",
	  "set kernel.kptr_restrict to 0 or 1 with sysctl" },
	{ ERROR_BPF, EINVAL, "the kernel does not accept the programs",
	  "Linux 6.1 or later with BTF is needed; see 'mmiobpf info'" },
	{ ERROR_BPF, ENOENT, "the kernel lacks something that they hook on",
	  "see 'mmiobpf info' for what this kernel has" },
	{ ERROR_BPF, ESRCH, "this kernel has no BTF, or the module none that fits it",
	  "use a kernel with CONFIG_DEBUG_INFO_BTF and build the module for it" },
	{ ERROR_RUN, ENOENT, "there is no such program", "check its name and PATH" },
	{ ERROR_RUN, EACCES, "the file may not be executed", "check its mode" },
	{ ERROR_SYS, EPERM, "the kernel hides it from this process", "run it as root" },
};

static const struct rule *find_rule(enum error_place place, int err)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (rules[i].place == place && rules[i].err == err)
			return &rules[i];
	}
	return NULL;
}

/* What is wanted of the process at that place. */
static uint64_t caps_wanted(enum error_place place)
{
	switch (place) {
	case ERROR_LOAD:
		return CAPS_BIT(CAP_SYS_MODULE);
	case ERROR_SESSION:
	case ERROR_BPF:
	case ERROR_ATTACH:
		return caps_for_trace();
	case ERROR_MODULE:
	case ERROR_MARK:
		/* The device node has mode 0600: only its owner, or who may ignore modes. */
		return CAPS_BIT(CAP_DAC_OVERRIDE);
	default:
		return 0;
	}
}

/* EPERM and EACCES: a missing capability, or a kernel that is locked down? Return: length or 0. */
static int explain_denied(enum error_place place, char *buf, size_t size)
{
	uint64_t missing = caps_missing(caps_wanted(place));
	const struct sys_root *root = sys_root_live();
	struct caps_answer a;
	char names[160];

	if (missing)
		return snprintf(buf, size, "this process lacks %s; run it as root",
				caps_format(missing, names, sizeof(names)));
	caps_lockdown(root, &a);
	if ((place == ERROR_LOAD || place == ERROR_SESSION) && a.state == CAPS_YES)
		return snprintf(buf, size,
				"kernel lockdown forbids tracing of memory-mapped I/O, as it does the "
				"kernel's mmiotrace (%s); boot without lockdown", a.why);
	if (place == ERROR_BPF && caps_lockdown_denies_bpf(root))
		return snprintf(buf, size,
				"kernel lockdown forbids it (%s); boot with lockdown=none or, where "
				"Secure Boot sets it, without Secure Boot", a.why);
	return 0;
}

/* Without BTF, libbpf fails with one errno or another. */
static int explain_no_btf(char *buf, size_t size)
{
	struct caps_answer a;

	caps_btf(sys_root_live(), &a);
	if (a.state != CAPS_NO)
		return 0;
	return snprintf(buf, size, "%s; use a kernel that has it", a.why);
}

static int explain_busy(char *buf, size_t size)
{
	struct mmiobpf_info info;

	if (device_info(&info) || info.session_pid <= 0)
		return 0;
	return snprintf(buf, size,
			"another session is running, of process %d; wait for it, or end it with "
			"'kill %d'", info.session_pid, info.session_pid);
}

static void explain(enum error_place place, int err, char *buf, size_t size)
{
	const struct rule *rule;

	if ((err == EPERM || err == EACCES) && explain_denied(place, buf, size))
		return;
	if (place == ERROR_BPF && explain_no_btf(buf, size))
		return;
	if (err == EBUSY && place == ERROR_SESSION && explain_busy(buf, size))
		return;
	rule = find_rule(place, err);
	snprintf(buf, size, "%s%s%s", rule && rule->why ? rule->why : strerror(err),
		 rule ? "; " : "", rule ? rule->todo : "");
}

int error_fail(enum error_place place, int err, const char *fmt, ...)
{
	char what[512], why[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	explain(place, abs(err), why, sizeof(why));
	return error_say("cannot %s: %s", what, why);
}
