// SPDX-License-Identifier: GPL-2.0-or-later
/* The command: see usage(). */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat.h"

static void usage(FILE *out)
{
	fputs("usage: compat [--rules FILE] [--most N] OURS THEIRS\n"
	      "\n"
	      "Compares OURS, a log of `mmiobpf trace --compat`, with THEIRS, what mmiotrace printed for the\n"
	      "same driver: the shape of each line, the header, and the records in order. Times, map ids\n"
	      "and virtual addresses do not count; runs of equal reads are folded. What else differs must\n"
	      "be explained by a rule in FILE.\n"
	      "\n"
	      "Exit status: 0 the same, 1 not, 2 wrong usage or a file that cannot be read.\n",
	      out);
}

static void print_rules(const struct rule_list *rules)
{
	for (size_t i = 0; i < rules->count; i++)
		if (rules->at[i].used)
			printf("explained %zu times: %s\n", rules->at[i].used, rules->at[i].reason);
}

static int read_failed(const char *path, int err)
{
	if (err < 0)
		fprintf(stderr, "compat: cannot read %s: %s\n", path, strerror(-err));
	else
		fprintf(stderr, "compat: cannot understand line %d of %s\n", err, path);
	return 2;
}

static int compare(struct record_list *ours, struct record_list *theirs, struct rule_list *rules,
		   size_t most)
{
	size_t our_lines = ours->count, their_lines = theirs->count, differences;

	records_fold(ours, rules);
	records_fold(theirs, rules);
	differences = records_compare(ours, theirs, rules, most);
	print_rules(rules);
	printf("compat: ours %zu records, folded %zu, theirs %zu, folded %zu, %zu malformed, %zu differences\n",
	       our_lines, ours->count, their_lines, theirs->count,
	       ours->malformed + theirs->malformed, differences);
	/* Two empty logs have nothing in common. */
	return differences || ours->malformed || theirs->malformed || !our_lines;
}

static int run(const char *our_path, const char *their_path, const char *rules_path, size_t most)
{
	struct record_list ours = { 0 }, theirs = { 0 };
	struct rule_list rules = { 0 };
	int err, status;

	err = rules_path ? rules_init(&rules, rules_path) : 0;
	status = err ? read_failed(rules_path, err) : 0;
	if (!status) {
		err = records_init(&ours, our_path);
		status = err ? read_failed(our_path, err) : 0;
	}
	if (!status) {
		err = records_init(&theirs, their_path);
		status = err ? read_failed(their_path, err) : 0;
	}
	if (!status)
		status = compare(&ours, &theirs, &rules, most);
	records_deinit(&ours);
	records_deinit(&theirs);
	rules_deinit(&rules);
	return status;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "rules", required_argument, NULL, 'r' },
		{ "most", required_argument, NULL, 'm' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	const char *rules_path = NULL;
	size_t most = 20;
	int option;

	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (option) {
		case 'r': rules_path = optarg; break;
		case 'm': most = strtoul(optarg, NULL, 10); break;
		case 'h': usage(stdout); return 0;
		default: usage(stderr); return 2;
		}
	}
	if (argc - optind != 2) {
		usage(stderr);
		return 2;
	}
	return run(argv[optind], argv[optind + 1], rules_path, most);
}
