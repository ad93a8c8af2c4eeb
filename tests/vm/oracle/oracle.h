/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares a text log of ours with the log that QEMU writes of every access that reaches a device.
 *
 * The two readers make the same thing of both logs, an array of accesses; rules bring to one form what QEMU's
 * device models show differently; the sets are compared, then the order, then what differs is described.
 */
#ifndef ORACLE_H
#define ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ORACLE_NO_CPU (-1)

struct access {
	uint64_t phys;
	uint64_t value;
	uint32_t line; /* in its file, from 1 */
	int32_t cpu; /* ORACLE_NO_CPU where the log does not tell */
	uint32_t key; /* set by sets_compare(): equal for equal accesses */
	uint32_t shape; /* the same, but for the value */
	uint8_t width; /* bytes */
	bool write;
	const char *text; /* its line */
	const char *region; /* device log: the region's name and a quote character behind it */
	uint32_t region_len;
	uint64_t region_id; /* its address in QEMU */
};

struct access_list {
	struct access *at;
	size_t count, room;
};

/* Addresses first to last, both included. */
struct range {
	uint64_t first, last;
};

struct range_list {
	struct range *at;
	size_t count, room;
};

/* "MARK time Lost n events.": n are missing before access number before. */
struct gap {
	size_t before;
	uint64_t lost;
	uint32_t line;
};

/* One of our text logs. Owns its text. */
struct text_log {
	char *text;
	struct access_list accesses;
	struct range_list maps;
	struct gap *gaps;
	size_t gap_count, gap_room;
	size_t unknown; /* accesses that were not decoded */
	uint32_t unknown_line; /* of the first */
};

/* QEMU's log between the marks of tests/vm/guest. Owns its text. */
struct device_log {
	char *text;
	struct access_list accesses; /* by CPUs, in the order in which they reached the devices */
};

/* How many of each; what is here and there with another value counts as different only. */
struct set_difference {
	uint64_t missing, extra, different;
	uint32_t keys, shapes;
};

/* The text of a file, NUL-terminated, to be freed by the caller; NULL with errno set. */
char *file_read(const char *path);
void access_add(struct access_list *list, const struct access *a);
void range_add(struct range_list *list, uint64_t first, uint64_t last);
bool range_has(const struct range_list *list, uint64_t phys);
bool region_is(const struct access *a, const char *name);

/*
 * Readers: 0, -errno when the file cannot be read, or the positive number of a line that cannot be understood.
 * text_log_init() takes the CPU of each access from the file cpus, a number a line, when it is not NULL.
 */
int text_log_init(struct text_log *log, const char *path, const char *cpus);
/* Drops the accesses outside of the ranges. */
void text_log_keep(struct text_log *log, const struct range_list *ranges);
void text_log_deinit(struct text_log *log);
/* -ENODATA when the log has no start mark. */
int device_log_init(struct device_log *log, const char *path);
void device_log_deinit(struct device_log *log);

/* Brings both sides to one form, see rules.c. */
void rules_apply(struct access_list *ours, struct access_list *theirs, struct text_log *log);
void rules_print(void);

struct set_difference sets_compare(struct access_list *ours, struct access_list *theirs);

/* Where the order broke. */
struct order_break {
	size_t ours; /* first access of ours that fits no way, or their number at the end */
	size_t *heads; /* per CPU of theirs: the next access, or the number of all; to be freed */
	size_t head_count;
	bool undecided; /* too many ways to look at all of them */
	uint32_t gap_line; /* of the last gap before it, 0 when there is none */
};

/*
 * True when ours is an interleaving of what each CPU did, with the gaps (none when NULL), see order.c. False:
 * where it breaks is in @at.
 */
bool order_check(const struct access_list *ours, const struct access_list *theirs,
		 const struct text_log *gaps, struct order_break *at);

/* Describe, at most @most differences. */
void diff_print(const struct access_list *ours, const struct access_list *theirs,
		const struct set_difference *sets, size_t most);
void order_print(const struct access_list *ours, const struct access_list *theirs,
		 const struct order_break *at);

#endif
