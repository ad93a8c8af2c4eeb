// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * usage: windows [--idle] DIR DEVICE-LOG
 *
 * Judges traces that attach to drivers at work, each of which sees a window of what the drivers do.
 * DEVICE-LOG is QEMU's, of tests/vm/guest --oracle, and may be a FIFO, as it is large; then it is judged while
 * it is made, and ends with the guest's command. Each trace left marks in it, bytes on port 0x80:
 *
 *	0x10  before the trace starts
 *	0x11  everything is armed
 *	0x12  from here on it may end
 *	0x13  the trace has ended
 *
 * Trace number N, from 1 in the order of the marks, has its log in DIR/log.N. Of each:
 *
 * - an access between 0x11 and 0x12 to an address of its MAP lines is in the log, with its value;
 * - an access in the log is in the device log between 0x10 and 0x13;
 * - of each address the log has accesses that follow each other in the device log without a gap; where several
 *   CPUs use it, of each of them, as far as their values tell who it was: the log's order of CPUs that access a
 *   device at the same time need not be the device's;
 * - of each CPU and page the same, where values tell which accesses of the device log it are: a CPU that
 *   has met the closed page meets it every time until it is opened.
 *
 * Without --idle, each trace must have seen something while all was armed.
 *
 * Registers of 8 bytes that a device splits are not met by drivers at work, and not provided for.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARK_BEFORE 0x10
#define MARK_ARMED  0x11
#define MARK_ENDS   0x12
#define MARK_AFTER  0x13
#define MARK_START  0x4d /* of tests/vm/guest-init; what firmware wrote before is nothing */
#define MARK_END    0x6d

#define PAGE 4096
#define CPUS 64

struct access {
	uint64_t phys;
	uint64_t value;
	int cpu; /* of the device log */
	uint8_t width;
	bool write;
	bool inner; /* of the device log: between MARK_ARMED and MARK_ENDS */
	bool traced; /* found in the log */
	bool sure; /* ... and the values say which one it is */
	size_t at; /* position before sorting */
};

struct list {
	struct access *a;
	size_t n, room;
};

struct range {
	uint64_t first, last;
};

struct window {
	unsigned int number;
	struct list device, log;
	struct range maps[64];
	size_t nmaps;
	unsigned int phase; /* last mark */
	bool started; /* the guest's command runs */
};

/* ambiguous: addresses whose values fit in more than one place */
struct total {
	bool idle; /* allowed */
	unsigned int windows, failed;
	size_t accesses, inner, ambiguous;
};

static void die(const char *what, const char *name)
{
	fprintf(stderr, "windows: %s %s\n", what, name);
	exit(2);
}

static void list_add(struct list *l, const struct access *a)
{
	if (l->n == l->room) {
		l->room = l->room ? 2 * l->room : 4096;
		l->a = reallocarray(l->a, l->room, sizeof(*l->a));
		if (!l->a)
			die("no memory for", "a log");
	}
	l->a[l->n] = *a;
	l->a[l->n].at = l->n;
	l->n++;
}

static bool window_wants(const struct window *w, uint64_t phys)
{
	for (size_t i = 0; i < w->nmaps; i++)
		if (phys >= w->maps[i].first && phys <= w->maps[i].last)
			return true;
	return false;
}

/* --- the trace's log --- */

static bool fails(const struct window *w, const char *why, uint64_t phys)
{
	printf("trace %u: %s, at 0x%" PRIx64 "\n", w->number, why, phys);
	return false;
}

static void log_line(struct window *w, const char *line)
{
	struct access a = { 0 };
	uint64_t phys, len;
	unsigned int width;
	char dir;

	if (sscanf(line, "MAP %*s %*s 0x%" SCNx64 " %*s 0x%" SCNx64, &phys, &len) == 2) {
		if (w->nmaps == sizeof(w->maps) / sizeof(w->maps[0]))
			die("too many mappings in", "a log");
		w->maps[w->nmaps++] = (struct range){ phys, phys + len - 1 };
	} else if (sscanf(line, "%c %u %*s %*s 0x%" SCNx64 " 0x%" SCNx64, &dir, &width, &a.phys,
			  &a.value) == 4 &&
		   (dir == 'R' || dir == 'W')) {
		a.width = width;
		a.write = dir == 'W';
		list_add(&w->log, &a);
	}
}

/* False: the log tells of a loss, or of something undecoded. */
static bool log_read(struct window *w, const char *dir)
{
	char path[512], *line = NULL;
	size_t room = 0;
	bool good = true;
	FILE *f;

	snprintf(path, sizeof(path), "%s/log.%u", dir, w->number);
	f = fopen(path, "re");
	if (!f)
		die("cannot read", path);
	while (getline(&line, &room, f) > 0) {
		if (!strncmp(line, "UNKNOWN", 7) || strstr(line, " Lost "))
			good = fails(w, "lost or undecoded", 0);
		log_line(w, line);
	}
	free(line);
	fclose(f);
	return good;
}

/* --- matching --- */

static int by_address(const void *x, const void *y)
{
	const struct access *a = x, *b = y;

	if (a->phys != b->phys)
		return a->phys < b->phys ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

static bool equal(const struct access *a, const struct access *b)
{
	return a->value == b->value && a->width == b->width && a->write == b->write;
}

static bool run_at(struct access **device, struct access **log, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!equal(device[i], log[i]))
			return false;
	return true;
}

/* Of a run that starts at any place, the first to hold all that is inner. */
static bool match_run(struct access **device, size_t ndevice, struct access **log, size_t nlog,
		      struct total *t)
{
	size_t first = ndevice, last = 0, fits = 0, at = 0;

	for (size_t i = 0; i < ndevice; i++) {
		if (!device[i]->inner)
			continue;
		if (first == ndevice)
			first = i;
		last = i;
	}
	for (size_t k = 0; k + nlog <= ndevice; k++) {
		if (first < ndevice && (k > first || k + nlog <= last))
			continue;
		if (!run_at(device + k, log, nlog))
			continue;
		at = k;
		fits++;
	}
	for (size_t i = 0; i < ndevice; i++) {
		device[i]->traced = fits && i >= at && i < at + nlog;
		device[i]->sure = fits == 1 || !nlog;
	}
	t->ambiguous += fits > 1 && nlog;
	return fits;
}

/* The CPU of @a by its value, -1 when no CPU or more than one has made the same. */
static int cpu_by_value(const struct access *a, struct access **device, size_t ndevice)
{
	int cpu = -1;

	for (size_t i = 0; i < ndevice; i++) {
		if (!equal(a, device[i]) || device[i]->cpu == cpu)
			continue;
		if (cpu >= 0)
			return -1;
		cpu = device[i]->cpu;
	}
	return cpu;
}

/* The part of @list that is @cpu's, into @out. */
static size_t part_of(struct access **list, size_t n, int cpu, struct access **out)
{
	size_t part = 0;

	for (size_t i = 0; i < n; i++)
		if (list[i]->cpu == cpu)
			out[part++] = list[i];
	return part;
}

static bool match_cpus(struct access **device, size_t ndevice, struct access **log, size_t nlog,
		       struct total *t)
{
	struct access **parts = calloc(ndevice + nlog + 1, sizeof(*parts));
	bool good = true;

	if (!parts)
		die("no memory for", "a log");
	for (size_t i = 0; i < nlog; i++) {
		bool again = i && equal(log[i], log[i - 1]);

		log[i]->cpu = again ? log[i - 1]->cpu : cpu_by_value(log[i], device, ndevice);
		good &= log[i]->cpu >= 0;
	}
	for (int cpu = 0; good && cpu < CPUS; cpu++) {
		size_t n = part_of(device, ndevice, cpu, parts);

		good = match_run(parts, n, parts + n, part_of(log, nlog, cpu, parts + n), t);
	}
	free(parts);
	return good;
}

/* One address: @log must be a run in @device, of all CPUs or of each. */
static bool match_address(const struct window *w, struct access **device, size_t ndevice,
			  struct access **log, size_t nlog, struct total *t)
{
	if (match_run(device, ndevice, log, nlog, t) || match_cpus(device, ndevice, log, nlog, t))
		return true;
	printf("trace %u: %zu in the log, %zu on the device\n", w->number, nlog, ndevice);
	return fails(w, "no run of the device's accesses is that of the log",
		     ndevice ? device[0]->phys : log[0]->phys);
}

static struct access **pointers(struct list *l)
{
	struct access **p = calloc(l->n + 1, sizeof(*p));

	if (!p)
		die("no memory for", "a log");
	if (l->n)
		qsort(l->a, l->n, sizeof(*l->a), by_address);
	for (size_t i = 0; i < l->n; i++)
		p[i] = &l->a[i];
	return p;
}

static bool match(struct window *w, struct total *t)
{
	struct access **d = pointers(&w->device), **l = pointers(&w->log);
	size_t i = 0, j = 0;
	bool good = true;

	while (d[i] || l[j]) {
		uint64_t phys =
			!d[i] || (l[j] && l[j]->phys < d[i]->phys) ? l[j]->phys : d[i]->phys;
		size_t i0 = i, j0 = j;

		while (d[i] && d[i]->phys == phys)
			i++;
		while (l[j] && l[j]->phys == phys)
			j++;
		good &= match_address(w, d + i0, i - i0, l + j0, j - j0, t);
	}
	free(d);
	free(l);
	return good;
}

/* --- each CPU and page --- */

static int by_cpu_and_page(const void *x, const void *y)
{
	const struct access *a = x, *b = y;

	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	if (a->phys / PAGE != b->phys / PAGE)
		return a->phys / PAGE < b->phys / PAGE ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

static bool runs_of_cpus(struct window *w)
{
	struct list *d = &w->device;
	enum {
		BEFORE,
		IN,
		BEHIND
	} state = BEFORE;
	bool good = true;

	if (d->n)
		qsort(d->a, d->n, sizeof(*d->a), by_cpu_and_page);
	for (size_t i = 0; i < d->n; i++) {
		const struct access *a = &d->a[i];

		if (!i || a->cpu != a[-1].cpu || a->phys / PAGE != a[-1].phys / PAGE)
			state = BEFORE;
		if (!a->sure)
			continue;
		if (a->traced && state == BEHIND)
			good = fails(w, "a CPU missed the page's trap in between", a->phys);
		if (a->traced)
			state = IN;
		else if (state == IN)
			state = BEHIND;
	}
	return good;
}

static void window_judge(struct window *w, const char *dir, struct total *t)
{
	struct list kept = { 0 };
	size_t inner = 0;
	bool good = log_read(w, dir);

	for (size_t i = 0; i < w->device.n; i++) {
		if (!window_wants(w, w->device.a[i].phys))
			continue;
		list_add(&kept, &w->device.a[i]);
		inner += w->device.a[i].inner;
	}
	free(w->device.a);
	w->device = kept;
	if (!t->idle && (!w->log.n || !inner))
		good = fails(w, "nothing was traced", 0);
	good &= match(w, t);
	good &= runs_of_cpus(w);
	t->windows++;
	t->failed += !good;
	t->accesses += w->log.n;
	t->inner += inner;
}

/* --- the device log --- */

/* False at the end of the guest's command. */
static bool window_mark(struct window *w, unsigned int mark, const char *dir, struct total *t)
{
	if (mark == MARK_START) {
		w->number = 0;
		w->phase = MARK_AFTER;
		w->started = true;
	}
	if (!w->started || mark < MARK_BEFORE || mark > MARK_AFTER)
		return !w->started || mark != MARK_END;
	if (mark != (w->phase == MARK_AFTER ? MARK_BEFORE : w->phase + 1))
		die("a mark is missing in", "the device log");
	w->phase = mark;
	if (mark == MARK_BEFORE) {
		free(w->log.a);
		w->number++;
		w->device.n = 0;
		w->log = (struct list){ 0 };
		w->nmaps = 0;
	} else if (mark == MARK_AFTER) {
		window_judge(w, dir, t);
	}
	return true;
}

/* The number behind @name, from *@at on, which moves on. False: it is not there. */
static bool field(const char **at, const char *name, uint64_t *number)
{
	const char *p = strstr(*at, name);
	char *end;

	if (!p)
		return false;
	p += strlen(name);
	*number = strtoull(p, &end, 0);
	*at = end;
	return end != p;
}

/* memory_region_ops_write cpu 0 mr 0x55d0 addr 0xfebf0000 value 0x10 size 4 name 'nvme' */
static bool device_line(const char *line, struct access *a)
{
	static const char event[] = "memory_region_ops_";
	uint64_t cpu, size;

	if (strncmp(line, event, sizeof(event) - 1))
		return false;
	a->write = line[sizeof(event) - 1] == 'w';
	if (!field(&line, " cpu ", &cpu) || !field(&line, " addr ", &a->phys) ||
	    !field(&line, " value ", &a->value) || !field(&line, " size ", &size))
		return false;
	a->cpu = (int)cpu;
	a->width = size;
	/* -1: a device's own access to the bus, such as an interrupt message */
	return a->cpu >= 0 && a->cpu < CPUS;
}

static FILE *device_open(const char *path)
{
	/* For writing too, or a guest that boots again would look like the end. */
	int fd = open(path, O_RDWR | O_CLOEXEC);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");

	if (!f)
		die("cannot read", path);
	return f;
}

static void device_read(const char *path, const char *dir, struct total *t)
{
	struct window w = { .phase = MARK_AFTER };
	char *line = NULL;
	size_t room = 0;
	FILE *f = device_open(path);
	bool ended = false;

	while (!ended && getline(&line, &room, f) > 0) {
		bool is_mark = strstr(line, "'ioport80'");
		struct access a = { 0 };

		/* Between the traces are most of the lines. */
		if ((w.phase == MARK_AFTER && !is_mark) || !device_line(line, &a))
			continue;
		if (is_mark && a.write) {
			ended = !window_mark(&w, a.value, dir, t);
		} else if (!is_mark) {
			a.inner = w.phase == MARK_ARMED;
			list_add(&w.device, &a);
		}
	}
	if (w.phase != MARK_AFTER)
		die("a trace has no end in", path);
	free(w.device.a);
	free(w.log.a);
	free(line);
	fclose(f);
}

int main(int argc, char **argv)
{
	struct total t = { 0 };

	if (argc == 4 && !strcmp(argv[1], "--idle")) {
		t.idle = true;
		argv++;
		argc--;
	}
	if (argc != 3) {
		fputs("usage: windows [--idle] DIR DEVICE-LOG\n", stderr);
		return 2;
	}
	device_read(argv[2], argv[1], &t);
	printf("windows: %u traces, %u wrong; %zu accesses recorded, %zu while all was armed, "
	       "%zu registers in more than one place\n",
	       t.windows, t.failed, t.accesses, t.inner, t.ambiguous);
	return t.failed || !t.windows || !t.inner;
}
