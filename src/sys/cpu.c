// SPDX-License-Identifier: GPL-2.0-or-later
/* The processor: counters, branch records, breakpoints, page sizes. */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "caps.h"

/* Numbers in a list such as "0-3,5". Return: how many, or -EINVAL. */
static int count_list(const char *s)
{
	int n = 0;

	while (*s) {
		char *end;
		unsigned long first = strtoul(s, &end, 10), last = first;

		if (end == s)
			return -EINVAL;
		if (*end == '-') {
			s = end + 1;
			last = strtoul(s, &end, 10);
			if (end == s || last < first)
				return -EINVAL;
		}
		if (last > 1u << 20)
			return -EINVAL;
		n += (int)(last - first) + 1;
		s = *end == ',' ? end + 1 : end;
		if (*end && *end != ',')
			return -EINVAL;
	}
	return n;
}

static int count_cpus(const struct sys_root *root, const char *which, unsigned int *n)
{
	char line[1024];
	int ret = sys_read_line(root->sys, line, sizeof(line), "devices/system/cpu/%s", which);

	if (!ret)
		ret = count_list(line);
	if (ret < 0)
		return ret;
	*n = (unsigned int)ret;
	return 0;
}

int cpu_counts(const struct sys_root *root, unsigned int *online, unsigned int *present)
{
	int err = count_cpus(root, "online", online);

	return err ? err : count_cpus(root, "present", present);
}

int cpu_has_flag(const struct sys_root *root, const char *flag)
{
	char *line = NULL, *save, *word;
	size_t room = 0;
	int found = 0;
	FILE *f;
	int err = sys_open(root->proc, &f, "cpuinfo");

	if (err)
		return err;
	while (getline(&line, &room, f) > 0) {
		if (strncmp(line, "flags", 5))
			continue;
		for (word = strtok_r(line, " \t\n", &save); word && !found;
		     word = strtok_r(NULL, " \t\n", &save))
			found = !strcmp(word, flag);
		break;
	}
	free(line);
	fclose(f);
	return found;
}

void cpu_pmu_cycles(const struct sys_root *root, struct caps_answer *a)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.disabled = 1,
		.exclude_kernel = 1,
	};
	char paranoid[8] = "?";
	long fd = syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	int err = errno;

	if (fd >= 0) {
		close((int)fd);
		caps_answer_set(a, CAPS_YES, "the cycle counter can be opened");
	} else if (err == EACCES || err == EPERM) {
		sys_read_line(root->proc, paranoid, sizeof(paranoid),
			      "sys/kernel/perf_event_paranoid");
		caps_answer_set(a, CAPS_UNKNOWN,
				"kernel.perf_event_paranoid=%s denies it to this process",
				paranoid);
	} else if (err == ENOSYS) {
		caps_answer_set(a, CAPS_NO, "the kernel has no perf events");
	} else {
		caps_answer_set(a, CAPS_NO, "no hardware counter: %s%s", strerror(err),
				cpu_has_flag(root, "hypervisor") == 1
					? " (a virtual machine without one)"
					: "");
	}
}

void cpu_lbr(const struct sys_root *root, struct caps_answer *a)
{
	char line[16];

	/* arch/x86/events/core.c: there only when the PMU has branch records */
	if (!sys_read_line(root->sys, line, sizeof(line),
			   "bus/event_source/devices/cpu/caps/branches"))
		caps_answer_set(a, CAPS_YES, "%s entries", line);
	else
		caps_answer_set(a, CAPS_NO, "the PMU has no branch records that the kernel shows");
}

void cpu_bts(const struct sys_root *root, struct caps_answer *a)
{
	char line[16];

	if (!sys_read_line(root->sys, line, sizeof(line),
			   "bus/event_source/devices/intel_bts/type"))
		caps_answer_set(a, CAPS_YES, "perf event source intel_bts");
	else
		caps_answer_set(a, CAPS_NO, "no perf event source intel_bts");
}

void cpu_single_step(const struct sys_root *root, struct caps_answer *a)
{
	(void)root;
#ifdef __x86_64__
	caps_answer_set(a, CAPS_YES, "RFLAGS.TF, part of the architecture");
#else
	caps_answer_set(a, CAPS_NO, "not written for this architecture");
#endif
}

void cpu_breakpoints(const struct sys_root *root, struct caps_answer *a)
{
	char line[16];
	int err = sys_read_line(root->sys, line, sizeof(line),
				"bus/event_source/devices/breakpoint/type");

	if (err)
		caps_answer_set(a, CAPS_NO, "no perf event source breakpoint");
	else
#ifdef __x86_64__
		caps_answer_set(a, CAPS_YES, "4 (DR0 to DR3), 1, 2, 4 or 8 bytes each");
#else
		caps_answer_set(a, CAPS_YES, "their number is not known on this architecture");
#endif
}

void cpu_page_sizes(const struct sys_root *root, struct caps_answer *a)
{
	int pse = cpu_has_flag(root, "pse"), gb = cpu_has_flag(root, "pdpe1gb");

	if (pse < 0 || gb < 0)
		caps_answer_set(a, CAPS_UNKNOWN, "/proc/cpuinfo cannot be read");
	else
		caps_answer_set(a, CAPS_YES, "4 KiB%s%s", pse ? ", 2 MiB" : "",
				gb ? ", 1 GiB" : "");
}
