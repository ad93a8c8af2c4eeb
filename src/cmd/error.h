/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one place that turns an -errno and where it came from into the sentence that the user reads:
 * what was attempted, on what, why it failed, what to do.
 */
#ifndef MMIOBPF_CMD_ERROR_H
#define MMIOBPF_CMD_ERROR_H

/* Where an error came from. The same errno means different things in different places. */
enum error_place {
	ERROR_ANY,
	ERROR_OUTPUT,		/* writing a log or other output */
	ERROR_INPUT,		/* reading a log */
	ERROR_MODULE,		/* opening MMIOBPF_DEVICE, or its ioctls */
	ERROR_LOAD,		/* loading the kernel module */
	ERROR_SESSION,		/* opening MMIOBPF_DEVICE for a session */
	ERROR_MARK,		/* writing a marker */
	ERROR_ATTACH,		/* MMIOBPF_IOC_ATTACH on a live mapping */
	ERROR_BPF,		/* loading or attaching the BPF programs */
	ERROR_RUN,		/* starting the user's command */
	ERROR_SYS,		/* reading /proc and /sys */
};

/**
 * error_say() - "mmiobpf: " and a sentence on stderr
 * @fmt: without a full stop and newline
 *
 * Return: STATUS_FAILURE, so that a command can write: return error_say(...)
 */
int error_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/**
 * error_fail() - say that something failed
 * @place: where @err comes from
 * @err: -errno (its sign does not matter)
 * @fmt: what was attempted and on what: "write the log to %s"
 *
 * Prints "mmiobpf: cannot WHAT: WHY; WHAT TO DO". For EPERM and EACCES the reason is looked for: it
 * names the capability that is missing, or kernel lockdown. For EBUSY of ERROR_SESSION it names the
 * pid of the session that is running.
 *
 * Return: STATUS_FAILURE
 */
int error_fail(enum error_place place, int err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/** warning_say() - "mmiobpf: warning: " and a sentence on stderr */
void warning_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif
