// SPDX-License-Identifier: GPL-2.0-or-later
/* mmiobpf info: what this machine can do, component by component, and why not. */
#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "../json.h"
#include "../sys/caps.h"
#include "../sys/device.h"
#include "../sys/modules.h"
#include "cmd.h"
#include "error.h"

/* What several components need, asked once. */
struct machine {
	const struct sys_root *root;
	struct mmiobpf_info module;
	int module_err; /* of device_info() */
	enum module_state module_state;
	struct utsname uts;
};

static void info_kernel(const struct machine *m, struct caps_answer *a)
{
	unsigned int major = 0, minor = 0;
	bool enough;

	sscanf(m->uts.release, "%u.%u", &major, &minor);
	enough = major > 6 || (major == 6 && minor >= 1);
	caps_answer_set(a, enough ? CAPS_YES : CAPS_NO, "Linux %s %s%s", m->uts.release,
			m->uts.machine, enough ? "" : "; 6.1 or later is needed");
}

static void info_btf(const struct machine *m, struct caps_answer *a)
{
	caps_btf(m->root, a);
}

static void info_ftrace(const struct machine *m, struct caps_answer *a)
{
	caps_dynamic_ftrace(m->root, a);
}

static void info_lockdown(const struct machine *m, struct caps_answer *a)
{
	caps_lockdown(m->root, a);
}

static void info_signature(const struct machine *m, struct caps_answer *a)
{
	caps_module_signature(m->root, a);
}

static void info_tracer(const struct machine *m, struct caps_answer *a)
{
	caps_tracer(m->root, a, NULL);
}

static void info_cpus(const struct machine *m, struct caps_answer *a)
{
	unsigned int online, present;
	int err = cpu_counts(m->root, &online, &present);

	if (err)
		caps_answer_set(a, CAPS_UNKNOWN, "/sys/devices/system/cpu: %s", strerror(-err));
	else
		caps_answer_set(a, CAPS_YES, "%u online of %u; all stay online while tracing",
				online, present);
}

static bool module_is_loaded(const struct machine *m)
{
	return m->module_err != -ENOENT || m->module_state == MODULE_LOADED;
}

static bool kernel_has_modules(const struct machine *m)
{
	char path[PATH_MAX];

	return !sys_path(path, m->root->proc, "modules") && !access(path, F_OK);
}

static void info_module(const struct machine *m, struct caps_answer *a)
{
	if (!m->module_err && m->module.abi == MMIOBPF_ABI)
		caps_answer_set(a, CAPS_YES, "loaded, version %s, ABI %u", m->module.version,
				m->module.abi);
	else if (!m->module_err)
		caps_answer_set(a, CAPS_NO,
				"loaded, but with ABI %u, and this program has %u: "
				"build and load both from the same source",
				m->module.abi, MMIOBPF_ABI);
	else if (module_is_loaded(m))
		caps_answer_set(a, CAPS_UNKNOWN, "loaded; %s: %s%s", MMIOBPF_DEVICE,
				strerror(-m->module_err),
				m->module_err == -EACCES ? "; root is told its version" : "");
	else if (m->module_state == MODULE_AVAILABLE)
		caps_answer_set(a, CAPS_NO, "not loaded; 'modprobe mmiobpf' loads it");
	else if (!kernel_has_modules(m))
		caps_answer_set(a, CAPS_NO,
				"this kernel cannot load modules: it has no "
				"CONFIG_MODULES");
	else
		caps_answer_set(a, CAPS_NO, "not loaded, and not installed below %s",
				m->root->modules);
}

static void info_session(const struct machine *m, struct caps_answer *a)
{
	char comm[32] = "";

	if (m->module_err == -ENOENT && !module_is_loaded(m)) {
		caps_answer_set(a, CAPS_NO, "the module is not loaded");
	} else if (m->module_err) {
		caps_answer_set(a, CAPS_UNKNOWN, "%s: %s", MMIOBPF_DEVICE,
				strerror(-m->module_err));
	} else if (!m->module.session_pid) {
		if (m->module.regions)
			caps_answer_set(a, CAPS_NO, "none is running, and %u mappings are still held",
					m->module.regions);
		else
			caps_answer_set(a, CAPS_NO, "none is running");
	} else {
		sys_read_line(m->root->proc, comm, sizeof(comm), "%d/comm", m->module.session_pid);
		caps_answer_set(a, CAPS_YES, "process %d%s%s%s, %u mappings", m->module.session_pid,
				*comm ? " (" : "", comm, *comm ? ")" : "", m->module.regions);
	}
}

static void info_bpf(const struct machine *m, struct caps_answer *a)
{
	caps_bpf(m->root, a);
}

static void info_pmu(const struct machine *m, struct caps_answer *a)
{
	cpu_pmu_cycles(m->root, a);
}

static void info_lbr(const struct machine *m, struct caps_answer *a)
{
	cpu_lbr(m->root, a);
}

static void info_bts(const struct machine *m, struct caps_answer *a)
{
	cpu_bts(m->root, a);
}

static void info_single_step(const struct machine *m, struct caps_answer *a)
{
	cpu_single_step(m->root, a);
}

static void info_breakpoints(const struct machine *m, struct caps_answer *a)
{
	cpu_breakpoints(m->root, a);
}

static void info_page_sizes(const struct machine *m, struct caps_answer *a)
{
	cpu_page_sizes(m->root, a);
}

static void info_caps(const struct machine *m, struct caps_answer *a)
{
	uint64_t missing = caps_missing(caps_for_trace() | CAPS_BIT(CAP_SYS_RAWIO));
	char names[160];

	(void)m;
	if (missing)
		caps_answer_set(a, CAPS_NO, "missing: %s",
				caps_format(missing, names, sizeof(names)));
	else
		caps_answer_set(a, CAPS_YES, "%s",
				caps_format(caps_for_trace() | CAPS_BIT(CAP_SYS_RAWIO), names,
					    sizeof(names)));
}

static void info_trace_caps(const struct machine *m, struct caps_answer *a)
{
	uint64_t missing = caps_missing(caps_for_trace());
	char names[160];

	(void)m;
	caps_answer_set(a, missing ? CAPS_NO : CAPS_YES, "this process lacks %s",
			caps_format(missing, names, sizeof(names)));
}

/* The first of these that says no is the reason; @wanted is the answer that does not deny. */
struct condition {
	void (*ask)(const struct machine *m, struct caps_answer *a);
	enum caps_state wanted;
};

static void info_all_of(const struct machine *m, const struct condition *conditions, size_t n,
			const char *yes, struct caps_answer *a)
{
	for (size_t i = 0; i < n; i++) {
		conditions[i].ask(m, a);
		if (a->state == conditions[i].wanted)
			continue;
		a->state = a->state == CAPS_UNKNOWN ? CAPS_UNKNOWN : CAPS_NO;
		return;
	}
	caps_answer_set(a, CAPS_YES, "%s", yes);
}

static void info_no_mmiotrace(const struct machine *m, struct caps_answer *a)
{
	char tracer[32];

	caps_tracer(m->root, a, tracer);
	a->state = strcmp(tracer, "mmiotrace") ? CAPS_YES : CAPS_NO;
}

/* A module that is loaded has passed the checks that a locked-down kernel makes. */
static void info_module_usable(const struct machine *m, struct caps_answer *a)
{
	info_module(m, a);
	if (a->state != CAPS_NO || m->module_state != MODULE_AVAILABLE)
		return;
	caps_module_signature(m->root, a);
	if (a->state == CAPS_YES) {
		a->state = CAPS_UNKNOWN;
		return;
	}
	caps_lockdown(m->root, a);
	a->state = a->state == CAPS_YES ? CAPS_UNKNOWN : CAPS_YES;
}

static void info_invasive(const struct machine *m, struct caps_answer *a)
{
	static const struct condition conditions[] = {
		{ info_trace_caps, CAPS_YES },	  { info_kernel, CAPS_YES },
		{ info_btf, CAPS_YES },		  { info_ftrace, CAPS_YES },
		{ info_module_usable, CAPS_YES }, { info_bpf, CAPS_YES },
		{ info_no_mmiotrace, CAPS_YES },
	};

	info_all_of(m, conditions, sizeof(conditions) / sizeof(conditions[0]),
		    "this process may arm pages", a);
}

static void info_non_invasive(const struct machine *m, struct caps_answer *a)
{
	static const struct condition conditions[] = {
		{ info_bpf, CAPS_YES },
		{ info_btf, CAPS_YES },
	};

	info_all_of(m, conditions, sizeof(conditions) / sizeof(conditions[0]),
		    "this process may count and sample", a);
}

static const struct component {
	const char *name;
	void (*ask)(const struct machine *m, struct caps_answer *a);
} components[] = {
	{ "kernel", info_kernel },
	{ "btf", info_btf },
	{ "ftrace", info_ftrace },
	{ "lockdown", info_lockdown },
	{ "module-signatures", info_signature },
	{ "tracer", info_tracer },
	{ "cpus", info_cpus },
	{ "module", info_module },
	{ "session", info_session },
	{ "bpf", info_bpf },
	{ "pmu-cycles", info_pmu },
	{ "branch-lbr", info_lbr },
	{ "branch-bts", info_bts },
	{ "branch-step", info_single_step },
	{ "breakpoints", info_breakpoints },
	{ "page-sizes", info_page_sizes },
	{ "capabilities", info_caps },
	{ "invasive", info_invasive },
	{ "non-invasive", info_non_invasive },
};

#define NCOMPONENTS (sizeof(components) / sizeof(components[0]))

static const char *state_name(enum caps_state state)
{
	switch (state) {
	case CAPS_YES: return "yes";
	case CAPS_NO: return "no";
	default: return "unknown";
	}
}

static void print_table(const struct machine *m)
{
	printf("%-18s %-8s %s\n", "COMPONENT", "STATE", "WHERE OR WHY");
	for (size_t i = 0; i < NCOMPONENTS; i++) {
		struct caps_answer a;

		components[i].ask(m, &a);
		printf("%-18s %-8s %s\n", components[i].name, state_name(a.state), a.why);
	}
}

static void print_json(const struct machine *m)
{
	struct json j;

	json_init(&j, stdout);
	json_open_object(&j, NULL);
	json_string(&j, "version", MMIOBPF_VERSION);
	json_number(&j, "abi", MMIOBPF_ABI);
	json_open_array(&j, "components");
	for (size_t i = 0; i < NCOMPONENTS; i++) {
		struct caps_answer a;

		components[i].ask(m, &a);
		json_open_object(&j, NULL);
		json_string(&j, "name", components[i].name);
		json_string(&j, "state", state_name(a.state));
		json_string(&j, "why", a.why);
		json_close_object(&j);
	}
	json_close_array(&j);
	json_close_object(&j);
	json_deinit(&j);
}

struct info_options {
	bool json;
};

static const struct opt info_options[] = {
	{ "json", 0, NULL, "print JSON", OPT_FLAG, offsetof(struct info_options, json), NULL,
	  NULL },
	OPT_END,
};

static int run_info(int argc, char **argv)
{
	struct machine m = { .root = sys_root_live() };
	struct info_options o = { .json = false };
	struct opt_rest rest;
	int status, err;

	if (!command_begin(&cmd_info, &o, argc, argv, &rest, &status))
		return status;
	if (rest.argc)
		return command_usage_error(&cmd_info, "\"%s\" is not expected", rest.argv[0]);
	uname(&m.uts);
	m.module_err = device_info(&m.module);
	err = module_find(m.root, "mmiobpf", &m.module_state);
	if (err)
		return error_fail(ERROR_SYS, err, "read the list of modules");
	if (o.json)
		print_json(&m);
	else
		print_table(&m);
	return command_finish_stdout(STATUS_OK);
}

const struct command cmd_info = {
	.name = "info",
	.summary = "what this machine can do, component by component, and why not",
	.usage = "[OPTION...]",
	.about =
		"Say what this machine and this process can do, one component a line: yes, no or\n"
		"unknown, and where it is or why not. \"invasive\" is whether pages may be armed,\n"
		"\"non-invasive\" whether counting is allowed. Works without root, which\n"
		"sees more.\n",
	.options = info_options,
	.run = run_info,
};
