// SPDX-License-Identifier: GPL-2.0-or-later
/* mmiobpf trace: record accesses into a log. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/signalfd.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

#include "../session/session.h"
#include "../sys/caps.h"
#include "cmd.h"
#include "error.h"
#include "trace_options.h"
#include "trace_output.h"
#include "trace_report.h"

/* How often the rings are looked at, in ms: their size is to cover the time between. */
#define DRAIN_INTERVAL	10

/* The command while it runs. */
struct trace {
	const struct trace_options *opts;
	const struct log_format *format;
	struct format_options heed;
	struct session *session;
	struct trace_output output;
	struct trace_report report;
	struct target_set renewed;
	pid_t child;		/* 0: none, or reaped */
	int child_status;
	int signals;		/* signalfd */
	int stopped_by;		/* signal, 0: none */
	int write_error;	/* -errno of the log; nothing is written after it */
};

static uint64_t now_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

/* --- the log --- */

static int trace_record(void *ctx, const struct mmiobpf_rec_hdr *rec)
{
	struct trace *t = ctx;

	trace_report_record(&t->report, rec);
	if (!t->write_error)
		t->write_error = log_writer_record(t->output.writer, rec);
	return 0;
}

static void header_fill_session(struct log_header *h, int argc, char **argv)
{
	struct mmiobpf_rec_session *s = &h->session;
	struct utsname uts;
	size_t used = 0;

	uname(&uts);
	s->hdr.type = MMIOBPF_REC_SESSION;
	s->hdr.size = sizeof(*s);
	s->hdr.time_ns = now_ns(CLOCK_MONOTONIC);
	s->hdr.pid = s->hdr.tgid = getpid();
	s->realtime_ns = now_ns(CLOCK_REALTIME);
	s->version = MMIOBPF_RECORD_VERSION;
	s->cpus = sysconf(_SC_NPROCESSORS_ONLN);
	snprintf(s->release, sizeof(s->release), "%.63s", uts.release);
	snprintf(s->machine, sizeof(s->machine), "%.63s", uts.machine);
	for (int i = 0; i < argc && used < sizeof(s->command); i++)
		used += snprintf(s->command + used, sizeof(s->command) - used, "%s%s", i ? " " : "",
				 argv[i]);
}

static int log_begin(struct trace *t, const struct pci_list *pci, int argc, char **argv)
{
	struct log_header h;
	int err = 0;

	log_header_init(&h);
	for (size_t i = 0; i < pci->n && !err; i++)
		err = log_header_add_device(&h, &pci->devs[i]);
	/* The kernel has no LSPCI lines. */
	if (!err && !t->opts->compat)
		err = pci_read_lspci(&h);
	header_fill_session(&h, argc, argv);
	if (!err)
		err = trace_output_open(&t->output, t->opts->output, t->opts->capture, t->format, &t->heed);
	if (!err)
		err = log_writer_begin(t->output.writer, &h);
	if (!err)
		err = log_writer_flush(t->output.writer);
	log_header_deinit(&h);
	return err ? trace_output_fail(&t->output, err) : STATUS_OK;
}

/* --- the traced command --- */

/*
 * The child waits for its turn until everything is armed, and says by the pipe when it cannot be
 * started.
 */
static int command_start(struct trace *t, char **argv)
{
	int fail[2], err = 0;
	sigset_t none;

	if (pipe2(fail, O_CLOEXEC))
		return -errno;
	t->child = fork();
	if (t->child < 0) {
		err = -errno;
		t->child = 0;
	} else if (!t->child) {
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		signal(SIGPIPE, SIG_DFL);
		signal(SIGXFSZ, SIG_DFL);
		execvp(argv[0], argv);
		err = -errno;
		if (write(fail[1], &err, sizeof(err)) < 0)
			_exit(126);
		_exit(127);
	}
	close(fail[1]);
	if (!err && read(fail[0], &err, sizeof(err)) == sizeof(err)) {
		waitpid(t->child, NULL, 0);
		t->child = 0;
	}
	close(fail[0]);
	return err;
}

static void child_reap(struct trace *t, int flags)
{
	int status;

	if (t->child && waitpid(t->child, &status, flags) == t->child) {
		t->child = 0;
		t->child_status =
			WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	}
}

/* --- the loop --- */

static int signals_block(sigset_t *old)
{
	sigset_t set;

	/* Inherited as ignored, it would let the command's status vanish. */
	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, old);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void signals_take(struct trace *t)
{
	struct signalfd_siginfo info;

	while (read(t->signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGCHLD)
			child_reap(t, WNOHANG);
		else
			t->stopped_by = info.ssi_signo;
	}
}

static int trace_loop(struct trace *t, bool has_command)
{
	uint64_t end = t->opts->duration ? now_ns(CLOCK_MONOTONIC) + t->opts->duration : UINT64_MAX;
	struct pollfd poll_signals = { .fd = t->signals, .events = POLLIN };

	while (!t->stopped_by && !t->write_error && (!has_command || t->child) &&
	       now_ns(CLOCK_MONOTONIC) < end) {
		long n = session_drain(t->session, trace_record, t);

		if (n < 0)
			return n;
		if (n && !t->write_error)
			t->write_error = log_writer_flush(t->output.writer);
		if (poll(&poll_signals, 1, session_is_hurried(t->session, n) ? 0 : DRAIN_INTERVAL) >
		    0)
			signals_take(t);
	}
	return 0;
}

static int trace_end(struct trace *t, int loop_error)
{
	struct session_stats st = { 0 };
	struct mmiobpf_rec_end end;
	int err = session_stop(t->session);

	if (!err && !loop_error)
		err = session_finish(t->session, trace_record, t) < 0 ? -EBADMSG : 0;
	if (!err)
		err = session_stats(t->session, &st);
	if (err || loop_error)
		return error_fail(ERROR_MODULE, loop_error ? loop_error : err,
				  "read the rest of the record");
	trace_report_end(&t->report, &st, &end);
	if (!t->write_error)
		t->write_error = log_writer_end(t->output.writer, &end);
	if (t->write_error)
		trace_output_fail(&t->output, t->write_error);
	return trace_report_print(&t->report, &st, !t->write_error);
}

/*
 * A command that still runs is told to end and waited for. Not after SIGINT, which a terminal sends
 * to both, and not when the log could not be written, which is none of its business.
 */
static void command_end(struct trace *t)
{
	if (t->child && t->stopped_by != SIGINT && !t->write_error)
		kill(t->child, t->stopped_by ? t->stopped_by : SIGTERM);
	while (t->child)
		child_reap(t, 0);
}

static int trace_run_session(struct trace *t, char **command)
{
	sigset_t old;
	int status = STATUS_OK, err = 0;

	t->signals = signals_block(&old);
	if (t->signals < 0)
		return error_fail(ERROR_ANY, -errno, "wait for signals");
	if (command)
		err = command_start(t, command);
	if (err)
		status = error_fail(ERROR_RUN, err, "run %s", command[0]);
	else
		err = trace_loop(t, command != NULL);
	if (status == STATUS_OK) {
		status = trace_end(t, err);
		sigprocmask(SIG_SETMASK, &old, NULL);
		command_end(t);
		if (t->write_error)
			status = STATUS_FAILURE;
		else if (status == STATUS_OK)
			status = t->child_status;
	}
	close(t->signals);
	return status;
}

/* --- setting up --- */

static bool tracer_allows(void)
{
	struct caps_answer a;
	char name[32];

	caps_tracer(sys_root_live(), &a, name);
	if (strcmp(name, "mmiotrace"))
		return true;
	error_say(
		"cannot start a trace: the kernel's own mmiotrace is in use, and the two exclude each other; "
		"write nop to /sys/kernel/tracing/current_tracer first");
	return false;
}

static int session_take(struct trace *t)
{
	int err = session_open(&t->session);

	if (err == -ENOENT) {
		err = session_load_module();
		if (err)
			return error_fail(ERROR_LOAD, err, "load the kernel module mmiobpf");
		err = session_open(&t->session);
	}
	if (err)
		return error_fail(ERROR_SESSION, err, "start a trace");
	return STATUS_OK;
}

static enum target_error targets_find(const struct trace_options *o, struct target_set *set,
				      char *why, size_t why_size)
{
	struct target_request req = {
		.drivers = o->drivers.items, .ndrivers = o->drivers.n,
		.pci = o->pci.items, .npci = o->pci.n,
		.phys = o->phys.items, .nphys = o->phys.n,
		.all = o->all,
	};

	return target_set_resolve(set, sys_root_live(), &req, why, why_size);
}

static int targets_resolve(const struct trace_options *o, struct target_set *set)
{
	char why[512];
	enum target_error e = targets_find(o, set, why, sizeof(why));

	if (e == TARGET_OK)
		return STATUS_OK;
	if (e == TARGET_NONE) {
		error_say(
			"nothing to trace was named; give --driver, --pci, --phys or --all. Targets here:");
		target_list_print(sys_root_live(), stderr);
		return STATUS_USAGE;
	}
	error_say("%s", why);
	return target_error_is_usage(e) ? STATUS_USAGE : STATUS_FAILURE;
}

/*
 * A driver that was loaded since the targets were resolved, and before the programs could see it, is
 * found now. One that cannot be resolved any more keeps what was known of it.
 */
static int targets_renew(struct trace *t)
{
	char why[512];

	/* Only drivers come and go; what else can be named is where it was. */
	if (!t->opts->drivers.n ||
	    targets_find(t->opts, &t->renewed, why, sizeof(why)) != TARGET_OK)
		return 0;
	return session_renew(t->session, &t->renewed);
}

static int session_arm(struct trace *t, const struct target_set *set, const struct pci_list *pci)
{
	struct session_options so = {
		.buffer_size = t->opts->buffer_size,
		.arm_cached = t->opts->cached,
		.irqs = t->opts->irqs,
		.config = t->opts->config,
	};
	unsigned int live;
	int err = session_load(t->session, &so, set, pci);

	if (err)
		return error_fail(ERROR_BPF, err, "load the BPF programs%s%s%s",
				  *session_explain(t->session) ? " (" : "", session_explain(t->session),
				  *session_explain(t->session) ? ")" : "");
	err = targets_renew(t);
	if (!err)
		err = session_attach_live(t->session, &live);
	if (err)
		return error_fail(ERROR_ATTACH, err, "arm the mappings that exist already");
	return STATUS_OK;
}

static int trace_with_targets(struct trace *t, const struct target_set *set, int argc, char **argv,
			      char **command)
{
	struct pci_list pci = { 0 };
	int status, err = pci_list_read(sys_root_live(), &pci);

	if (err)
		return error_fail(ERROR_SYS, err, "read the list of PCI devices");
	trace_report_init(&t->report);
	/*
	 * The log is opened when nobody else can be tracing into it, and its header, which takes its
	 * time, is written before anything is armed.
	 */
	status = session_take(t);
	if (status == STATUS_OK)
		status = log_begin(t, &pci, argc, argv);
	if (status == STATUS_OK)
		status = session_arm(t, set, &pci);
	if (status == STATUS_OK)
		status = trace_run_session(t, command);
	session_close(t->session);
	target_set_deinit(&t->renewed);
	err = trace_output_close(&t->output);
	if (err && !t->write_error)
		status = trace_output_fail(&t->output, err);
	pci_list_deinit(&pci);
	return status;
}

static int trace_run(int argc, char **argv)
{
	struct trace_options o;
	struct trace t = { .opts = &o };
	struct target_set set = { 0 };
	struct opt_rest rest;
	int status;

	trace_options_init(&o);
	if (command_begin(&cmd_trace, &o, argc, argv, &rest, &status)) {
		status = trace_options_check(&o, &rest, &t.format, &t.heed);
		if (status == STATUS_OK && caps_missing(caps_for_trace()) &&
		    (o.drivers.n || o.pci.n || o.phys.n || o.all))
			status = error_fail(ERROR_SESSION, -EPERM, "start a trace");
		if (status == STATUS_OK)
			status = targets_resolve(&o, &set);
		if (status == STATUS_OK)
			status = tracer_allows() ? trace_with_targets(&t, &set, argc, argv,
								      rest.argc ? rest.argv : NULL)
						 : STATUS_FAILURE;
	}
	target_set_deinit(&set);
	trace_options_deinit(&o);
	return status;
}

const struct command cmd_trace = {
	.name = "trace",
	.summary = "record accesses into a log",
	.usage = "[OPTION...] [-- COMMAND [ARG...]]",
	.about =
		"Records every memory-mapped I/O access of the targets, with all CPUs online, as a text log in\n"
		"mmiotrace's format. Ends with COMMAND, after --duration, or on SIGINT or SIGTERM, and then says\n"
		"what was recorded. A driver may be traced from its loading on, or attached to while it runs.\n"
		"Exit status 3 says that the record is incomplete; else it is that of COMMAND.\n",
	.options = trace_options_table,
	.run = trace_run,
};
