/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares a log of ours, written with --compat, with what mmiotrace printed for the same driver.
 *
 * Each line is read and printed again by mmiotrace's own formats: a line that does not come out as it was has
 * another shape. Then both logs are put side by side, records in order, apart from times, map ids and virtual
 * addresses; what differs must be explained by a rule that says why.
 */
#ifndef COMPAT_H
#define COMPAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum record_type {
	RECORD_VERSION,
	RECORD_PCIDEV,
	RECORD_LSPCI,
	RECORD_MAP,
	RECORD_UNMAP,
	RECORD_READ,
	RECORD_WRITE,
	RECORD_UNKNOWN,
	RECORD_MARK,
};

struct record {
	enum record_type type;
	uint32_t line; /* from 1 */
	uint32_t times; /* how many equal reads were folded into it */
	unsigned int width;
	int map; /* which mapping, counted in the order of the MAP lines; -1: none */
	uint64_t map_len;
	uint64_t phys, offset; /* offset in the mapping */
	uint64_t value;
	uint64_t pc;
	int pid;
	const char *text; /* its line; of a header or a marker all that counts */
};

struct record_list {
	struct record *at;
	size_t count, room;
	char *text;
	size_t malformed;
};

/* 0 or -errno. Lines that have another shape are printed and counted as malformed. */
int records_init(struct record_list *list, const char *path);
void records_deinit(struct record_list *list);
enum rule_kind {
	RULE_VOLATILE, /* the value may differ */
	RULE_ASYNC, /* may come at another place and in another number, but in both */
	RULE_WRONG, /* mmiotrace's value is wrong */
	RULE_OURS, /* a line that only we print */
	RULE_KINDS,
};

struct rule {
	enum rule_kind kind;
	uint64_t map_len, first, last;
	char word[16]; /* RULE_OURS: first word of the line */
	char *reason;
	size_t used;
};

struct rule_list {
	struct rule *at;
	size_t count;
};

/* 0, -errno, or the positive number of a line that cannot be understood. */
int rules_init(struct rule_list *list, const char *path);
void rules_deinit(struct rule_list *list);
struct rule *rule_find(struct rule_list *list, enum rule_kind kind, const struct record *r);

/* Keeps one of each run of reads of one register that return the same value, or one that may change. */
void records_fold(struct record_list *list, struct rule_list *rules);

/* Number of differences that no rule explains; prints the first @most. */
size_t records_compare(const struct record_list *ours, const struct record_list *theirs,
		       struct rule_list *rules, size_t most);

#endif
