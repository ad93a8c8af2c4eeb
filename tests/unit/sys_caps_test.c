// SPDX-License-Identifier: GPL-2.0-or-later
#include <linux/capability.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "sys/caps.h"
#include "sys_machine.h"

static char temp[] = "/tmp/mmiobpf-caps-XXXXXX";
static struct sys_root changed = { .proc = temp, .sys = temp, .modules = temp };

/* @text into a file below the temporary root, whose directories are made. */
static void put_file(const char *name, const char *text)
{
	char command[256];

	snprintf(command, sizeof(command), "mkdir -p $(dirname %s/%s) && printf '%%s\\n' '%s' > %s/%s",
		 temp, name, text, temp, name);
	assert_int_equal(system(command), 0);
}

static int make_temp(void **state)
{
	(void)state;
	return mkdtemp(temp) ? 0 : -1;
}

static int remove_temp(void **state)
{
	char command[64];

	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", temp);
	return system(command);
}

typedef void ask_fn(const struct sys_root *root, struct caps_answer *a);

static void expect(ask_fn *ask, const struct sys_root *root, enum caps_state state, const char *why)
{
	struct caps_answer a;

	ask(root, &a);
	if (a.state != state || !strstr(a.why, why))
		fail_msg("state %d, \"%s\", not \"%s\"", a.state, a.why, why);
}

static void tracer(const struct sys_root *root, struct caps_answer *a)
{
	caps_tracer(root, a, NULL);
}

static void kernel(void **state)
{
	char name[32];
	struct caps_answer a;

	(void)state;
	expect(caps_lockdown, &machine, CAPS_NO, "lockdown=none");
	expect(caps_lockdown, &nowhere, CAPS_NO, "no lockdown");
	put_file("kernel/security/lockdown", "none [integrity] confidentiality");
	expect(caps_lockdown, &changed, CAPS_YES, "lockdown=integrity");
	assert_false(caps_lockdown_denies_bpf(&changed));
	put_file("kernel/security/lockdown", "none integrity [confidentiality]");
	expect(caps_lockdown, &changed, CAPS_YES, "lockdown=confidentiality");
	assert_true(caps_lockdown_denies_bpf(&changed));
	assert_false(caps_lockdown_denies_bpf(&machine));
	put_file("kernel/security/lockdown", "none");
	expect(caps_lockdown, &changed, CAPS_UNKNOWN, "Invalid");

	expect(caps_module_signature, &machine, CAPS_NO, "not set");
	expect(caps_module_signature, &nowhere, CAPS_NO, "does not check");
	put_file("module/module/parameters/sig_enforce", "Y");
	expect(caps_module_signature, &changed, CAPS_YES, "must be signed");

	expect(caps_btf, &machine, CAPS_YES, "/sys/kernel/btf/vmlinux");
	expect(caps_btf, &nowhere, CAPS_NO, "CONFIG_DEBUG_INFO_BTF");

	expect(tracer, &machine, CAPS_NO, "nop");
	expect(tracer, &nowhere, CAPS_UNKNOWN, "not mounted");
	put_file("kernel/debug/tracing/current_tracer", "mmiotrace");
	caps_tracer(&changed, &a, name);
	assert_int_equal(a.state, CAPS_YES);
	assert_string_equal(name, "mmiotrace");
	put_file("kernel/tracing/current_tracer", "function");
	expect(tracer, &changed, CAPS_YES, "function");

	expect(caps_dynamic_ftrace, &machine, CAPS_YES, "1");
	expect(caps_dynamic_ftrace, &nowhere, CAPS_NO, "CONFIG_FUNCTION_TRACER");
	put_file("sys/kernel/ftrace_enabled", "0");
	expect(caps_dynamic_ftrace, &changed, CAPS_NO, "sysctl");
}

static void processor(void **state)
{
	unsigned int online, present;

	(void)state;
	assert_int_equal(cpu_counts(&machine, &online, &present), 0);
	assert_int_equal(online, 5);
	assert_int_equal(present, 8);
	assert_true(cpu_counts(&nowhere, &online, &present) < 0);
	put_file("devices/system/cpu/online", "0-3,x");
	put_file("devices/system/cpu/present", "0-3");
	assert_true(cpu_counts(&changed, &online, &present) < 0);
	put_file("devices/system/cpu/online", "3-0");
	assert_true(cpu_counts(&changed, &online, &present) < 0);

	assert_int_equal(cpu_has_flag(&machine, "pdpe1gb"), 1);
	assert_int_equal(cpu_has_flag(&machine, "pdpe1"), 0);
	assert_int_equal(cpu_has_flag(&machine, "hypervisor"), 0);
	assert_int_equal(cpu_has_flag(&machine, "only_on_the_second"), 0);
	assert_true(cpu_has_flag(&nowhere, "lm") < 0);
	expect(cpu_page_sizes, &machine, CAPS_YES, "4 KiB, 2 MiB, 1 GiB");
	put_file("cpuinfo", "flags\t\t: fpu pse");
	expect(cpu_page_sizes, &changed, CAPS_YES, "4 KiB, 2 MiB");
	expect(cpu_page_sizes, &nowhere, CAPS_UNKNOWN, "cpuinfo");

	expect(cpu_lbr, &machine, CAPS_NO, "no branch records");
	put_file("bus/event_source/devices/cpu/caps/branches", "32");
	expect(cpu_lbr, &changed, CAPS_YES, "32 entries");
	expect(cpu_bts, &machine, CAPS_NO, "intel_bts");
	put_file("bus/event_source/devices/intel_bts/type", "7");
	expect(cpu_bts, &changed, CAPS_YES, "intel_bts");
	expect(cpu_breakpoints, &machine, CAPS_NO, "breakpoint");
	put_file("bus/event_source/devices/breakpoint/type", "5");
	expect(cpu_breakpoints, &changed, CAPS_YES, "DR0");
}

static void process(void **state)
{
	uint64_t all = caps_for_trace();
	char buf[160], small[8];

	(void)state;
	assert_string_equal(caps_format(CAPS_BIT(CAP_SYS_ADMIN) | CAPS_BIT(CAP_SYS_RAWIO), buf,
					sizeof(buf)),
			    "CAP_SYS_RAWIO, CAP_SYS_ADMIN");
	assert_string_equal(caps_format(0, buf, sizeof(buf)), "");
	assert_int_equal(strlen(caps_format(all, small, sizeof(small))), 7);
	assert_int_equal(caps_missing(0), 0);
	/* No capability has this number, so nobody has it. */
	assert_int_equal(caps_missing(CAPS_BIT(63)), CAPS_BIT(63));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kernel),
		cmocka_unit_test(processor),
		cmocka_unit_test(process),
	};

	return cmocka_run_group_tests_name("sys_caps", tests, make_temp, remove_temp);
}
