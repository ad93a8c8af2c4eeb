// SPDX-License-Identifier: GPL-2.0-or-later
/* The command: see usage(). */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"

enum {
	EQUAL = 0,
	DIFFERENT = 1,
	USAGE = 2,
};

/* A region that QEMU logs at another address than it is accessed at. */
struct moved {
	char region[32];
	uint64_t from, to;
};

struct options {
	struct range_list phys;
	struct moved moved;		/* region "": none */
	const char *regions[16];
	size_t region_count;
	const char *cpus;
	bool check_lost;
	uint64_t lost;
	bool only_declared;
	bool count;
	size_t most;
	const char *log, *device_log;
};

static void usage(FILE *out)
{
	fputs("usage: oracle [OPTIONS] LOG DEVICE-LOG\n"
	      "       oracle --count [--phys A-B]... [--region NAME]... DEVICE-LOG\n"
	      "       oracle --rules\n"
	      "\n"
	      "Compares a text log with the log that QEMU wrote of each access to a device\n"
	      "(tests/vm/guest --oracle): the accesses with their values, and the order of each CPU.\n"
	      "\n"
	      "  --phys A-B       physical addresses that count, both included; may be given again\n"
	      "                   (default: those of the MAP lines of LOG)\n"
	      "  --region NAME    of the device log, only this region counts; may be given again\n"
	      "  --moved NAME:FROM:TO  what the device log has of region NAME at FROM was accessed at TO:\n"
	      "                   rtl8139's memory BAR is an alias of its port BAR, and is logged there\n"
	      "  --only-declared  an access in LOG outside of these addresses is an extra one\n"
	      "  --lost N         N accesses are missing, and exactly where LOG says so\n"
	      "  --cpus FILE      the CPU of each access of LOG, a number a line\n"
	      "  --most N         differences to print (default 10)\n"
	      "  --count          print how many accesses the device log has there\n"
	      "  --rules          print what is known of QEMU's device models\n"
	      "\n"
	      "Exit status: 0 equal, 1 different, 2 wrong usage or a log that cannot be read.\n",
	      out);
}

static bool parse_range(struct range_list *list, const char *text)
{
	char *end;
	uint64_t first = strtoull(text, &end, 16), last;

	if (end == text || *end != '-')
		return false;
	text = end + 1;
	last = strtoull(text, &end, 16);
	if (end == text || *end || last < first)
		return false;
	range_add(list, first, last);
	return true;
}

static bool parse_number(const char *text, uint64_t *number)
{
	char *end;

	*number = strtoull(text, &end, 10);
	return end != text && !*end && *text != '-';
}

static const struct option long_options[] = {
	{ "phys", required_argument, NULL, 'p' }, { "region", required_argument, NULL, 'r' },
	{ "moved", required_argument, NULL, 'M' },
	{ "lost", required_argument, NULL, 'l' }, { "cpus", required_argument, NULL, 'c' },
	{ "most", required_argument, NULL, 'm' }, { "only-declared", no_argument, NULL, 'd' },
	{ "count", no_argument, NULL, 'n' },	  { "rules", no_argument, NULL, 'R' },
	{ "help", no_argument, NULL, 'h' },	  { NULL, 0, NULL, 0 },
};

static bool parse_option(struct options *o, int option)
{
	uint64_t number;

	switch (option) {
	case 'p': return parse_range(&o->phys, optarg);
	case 'r':
		if (o->region_count == sizeof(o->regions) / sizeof(o->regions[0]))
			return false;
		o->regions[o->region_count++] = optarg;
		return true;
	case 'M':
		return sscanf(optarg, "%31[^:]:%" SCNx64 ":%" SCNx64, o->moved.region, &o->moved.from,
			      &o->moved.to) == 3;
	case 'l': o->check_lost = true; return parse_number(optarg, &o->lost);
	case 'c': o->cpus = optarg; return true;
	case 'm':
		if (!parse_number(optarg, &number))
			return false;
		o->most = number;
		return true;
	case 'd': o->only_declared = true; return true;
	case 'n': o->count = true; return true;
	case 'R': rules_print(); exit(EQUAL);
	case 'h': usage(stdout); exit(EQUAL);
	default: return false;
	}
}

static bool parse_options(struct options *o, int argc, char **argv)
{
	int option;

	while ((option = getopt_long(argc, argv, "", long_options, NULL)) != -1)
		if (!parse_option(o, option))
			return false;
	if (argc - optind != (o->count ? 1 : 2))
		return false;
	o->log = argv[optind];
	o->device_log = argv[argc - 1];
	return true;
}

static int read_failed(const char *path, int err)
{
	if (err == -ENODATA)
		fprintf(stderr,
			"oracle: %s has no start mark: it is no log of tests/vm/guest --oracle\n",
			path);
	else if (err < 0)
		fprintf(stderr, "oracle: cannot read %s: %s\n", path, strerror(-err));
	else
		fprintf(stderr, "oracle: cannot understand line %d of %s\n", err, path);
	return USAGE;
}

static bool region_counts(const struct options *o, const struct access *a)
{
	for (size_t i = 0; i < o->region_count; i++)
		if (region_is(a, o->regions[i]))
			return true;
	return !o->region_count;
}

/* Drops what is outside of the ranges, or with --phys and --region not asked for. */
static void device_log_keep(struct device_log *log, const struct range_list *ranges,
			    const struct options *o)
{
	struct access_list *list = &log->accesses;
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++)
		if ((!ranges->count || range_has(ranges, list->at[i].phys)) &&
		    region_counts(o, &list->at[i]))
			list->at[kept++] = list->at[i];
	list->count = kept;
}

/* Every access to the region, one for one: none can hide behind it. */
static void device_log_move(struct device_log *log, const struct moved *moved)
{
	for (size_t i = 0; moved->region[0] && i < log->accesses.count; i++) {
		struct access *a = &log->accesses.at[i];

		if (region_is(a, moved->region))
			a->phys += moved->to - moved->from;
	}
}

static int count(const struct options *o)
{
	struct device_log device;
	int err = device_log_init(&device, o->device_log);

	if (!err) {
		device_log_keep(&device, &o->phys, o);
		printf("%zu\n", device.accesses.count);
	}
	device_log_deinit(&device);
	return err ? read_failed(o->device_log, err) : EQUAL;
}

/* The gaps of the log against the number that is expected. */
static bool check_lost(const struct options *o, const struct text_log *log,
		       const struct set_difference *d)
{
	uint64_t reported = 0;

	for (size_t i = 0; i < log->gap_count; i++)
		reported += log->gaps[i].lost;
	if (reported != o->lost)
		printf("lost: the log reports %" PRIu64 ", not %" PRIu64 "\n", reported, o->lost);
	if (d->missing != o->lost)
		printf("lost: %" PRIu64 " are missing, not %" PRIu64 "\n", d->missing, o->lost);
	return reported == o->lost && d->missing == o->lost && !d->extra && !d->different;
}

static int compare(const struct options *o, struct text_log *log, struct device_log *device)
{
	struct access_list *ours = &log->accesses, *theirs = &device->accesses;
	size_t recorded = ours->count;
	struct set_difference d;
	struct order_break at;
	bool equal, order;

	rules_apply(ours, theirs, log);
	d = sets_compare(ours, theirs);
	equal = o->check_lost ? check_lost(o, log, &d) : !d.missing && !d.extra && !d.different;
	/* With accesses missing elsewhere than in a gap there is no order to speak of. */
	order = !equal || order_check(ours, theirs, o->check_lost ? log : NULL, &at);
	if (!equal)
		diff_print(ours, theirs, &d, o->most);
	if (!order) {
		order_print(ours, theirs, &at);
		free(at.heads);
	}
	if (log->unknown)
		printf("undecoded: %zu accesses, the first one in line %" PRIu32 "\n", log->unknown,
		       log->unknown_line);
	printf("oracle: %zu recorded, %zu in the device log, %" PRIu64 " missing, %" PRIu64
	       " extra, %" PRIu64 " different%s\n",
	       recorded, theirs->count, d.missing, d.extra, d.different,
	       order ? "" : ", out of order");
	return equal && order && !log->unknown ? EQUAL : DIFFERENT;
}

/* Reads both logs, as far as they count. */
static int read_logs(const struct options *o, struct text_log *log, struct device_log *device)
{
	const struct range_list *ranges = o->phys.count ? &o->phys : &log->maps;
	int err;

	err = text_log_init(log, o->log, o->cpus);
	if (err)
		return read_failed(o->log, err);
	err = device_log_init(device, o->device_log);
	if (err)
		return read_failed(o->device_log, err);
	device_log_move(device, &o->moved);
	if (!ranges->count) {
		fprintf(stderr, "oracle: %s has no MAP line: give the addresses with --phys\n",
			o->log);
		return USAGE;
	}
	device_log_keep(device, ranges, o);
	if (!o->only_declared)
		text_log_keep(log, ranges);
	return 0;
}

int main(int argc, char **argv)
{
	struct options o = { .most = 10 };
	struct device_log device = { 0 };
	struct text_log log = { 0 };
	int status;

	if (!parse_options(&o, argc, argv)) {
		usage(stderr);
		status = USAGE;
	} else if (o.count) {
		status = count(&o);
	} else {
		status = read_logs(&o, &log, &device);
		if (!status)
			status = compare(&o, &log, &device);
	}
	text_log_deinit(&log);
	device_log_deinit(&device);
	free(o.phys.at);
	return status;
}
