// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Is our log an interleaving of what each CPU did?
 *
 * Our text log has no CPU. Two CPUs may make the same access, and then there are several ways to read the log. A
 * way is a position in each CPU's sequence. All ways are followed at once, access by access: an access of ours
 * moves a way on by one at each CPU whose next access is equal, and ends it where there is none. Ways that meet
 * are one. The log is in order when a way is left at the end. That is exact; if there are more than MAX_WAYS, those
 * that are furthest from the device log's own order are dropped, and a failure afterwards says that it was not
 * decided.
 *
 * Over a gap of n accesses a way may go on at any positions that are n further in sum, too many to try. But the
 * device log has an order of all CPUs as well. The module numbers an access and carries it out with interrupts
 * off, so that at any moment a CPU has at most one access that is numbered and not carried out, or the other way
 * round; two if it was split. So the positions after the gap are those of a moment in the device log, give or
 * take SLACK at each CPU.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"

#define MAX_WAYS   1024
#define BUCKETS	   4096 /* a power of two, several times MAX_WAYS */
#define MAX_CPUS   64
#define SLACK	   2
#define SLACK_MANY 1 /* with more than FEW_CPUS */
#define FEW_CPUS   4

struct cpu {
	int32_t number;
	uint32_t *at; /* index into the device log */
	uint32_t count, room;
};

struct ways {
	uint32_t *at; /* positions, one for each CPU, way after way */
	size_t count;
	bool full; /* some were dropped */
};

struct search {
	const struct access_list *ours, *theirs;
	struct cpu cpus[MAX_CPUS];
	size_t cpu_count;
	struct ways now, next;
	struct bucket {
		uint32_t round; /* of the search: another one's is empty */
		uint32_t way;
	} buckets[BUCKETS]; /* to find a way in next */
	uint32_t round;
};

static void *must_alloc(void *array, size_t count, size_t size)
{
	array = realloc(array, (count + 1) * size);
	if (!array) {
		fputs("oracle: out of memory\n", stderr);
		exit(2);
	}
	return array;
}

static struct cpu *cpu_get(struct search *s, int32_t number)
{
	for (size_t i = 0; i < s->cpu_count; i++)
		if (s->cpus[i].number == number)
			return &s->cpus[i];
	if (s->cpu_count == MAX_CPUS) {
		fputs("oracle: more CPUs than it can handle\n", stderr);
		exit(2);
	}
	s->cpus[s->cpu_count] = (struct cpu){ .number = number };
	return &s->cpus[s->cpu_count++];
}

static void search_init(struct search *s, const struct access_list *ours,
			const struct access_list *theirs)
{
	*s = (struct search){ .ours = ours, .theirs = theirs };
	for (size_t i = 0; i < theirs->count; i++) {
		struct cpu *cpu = cpu_get(s, theirs->at[i].cpu);

		if (cpu->count == cpu->room) {
			cpu->room = cpu->room ? 2 * cpu->room : 1024;
			cpu->at = must_alloc(cpu->at, cpu->room, sizeof(*cpu->at));
		}
		cpu->at[cpu->count++] = i;
	}
	s->now.at = must_alloc(NULL, (MAX_WAYS + 1) * s->cpu_count, sizeof(uint32_t));
	s->next.at = must_alloc(NULL, (MAX_WAYS + 1) * s->cpu_count, sizeof(uint32_t));
	memset(s->now.at, 0, s->cpu_count * sizeof(uint32_t));
	s->now.count = 1;
	s->round = 1;
}

static void search_deinit(struct search *s)
{
	for (size_t i = 0; i < s->cpu_count; i++)
		free(s->cpus[i].at);
	free(s->now.at);
	free(s->next.at);
}

static uint32_t *way_at(const struct search *s, const struct ways *ways, size_t i)
{
	return ways->at + i * s->cpu_count;
}

/* The way's place for one more is at the end of the array. */
static uint32_t *way_draft(const struct search *s, const uint32_t *from)
{
	uint32_t *draft = way_at(s, &s->next, s->next.count);

	memcpy(draft, from, s->cpu_count * sizeof(*draft));
	return draft;
}

/* Ways that are there already, and those for which there is no room, are not kept. */
static void way_keep_draft(struct search *s)
{
	const uint32_t *draft = way_at(s, &s->next, s->next.count);
	uint32_t hash = 0;

	for (size_t c = 0; c < s->cpu_count; c++)
		hash = (hash ^ draft[c]) * 0x9e3779b1u;
	for (hash ^= hash >> 15;; hash++) {
		struct bucket *b = &s->buckets[hash % BUCKETS];

		if (b->round != s->round) {
			if (s->next.count == MAX_WAYS)
				s->next.full = true;
			else
				*b = (struct bucket){ s->round, s->next.count++ };
			return;
		}
		if (!memcmp(way_at(s, &s->next, b->way), draft, s->cpu_count * sizeof(*draft)))
			return;
	}
}

static void ways_advance(struct search *s)
{
	struct ways old = s->now;

	s->now = s->next;
	s->now.full |= old.full;
	old.count = 0;
	old.full = false;
	s->next = old;
	s->round++;
}

static bool fits_cpu(const struct search *s, const uint32_t *way, size_t c,
		     const struct access *ours)
{
	const struct cpu *cpu = &s->cpus[c];

	if (way[c] == cpu->count || s->theirs->at[cpu->at[way[c]]].key != ours->key)
		return false;
	return ours->cpu == ORACLE_NO_CPU || ours->cpu == cpu->number;
}

/* Whose access comes first in the device log is tried first, so that the first ways are the closest to it. */
static void step_way(struct search *s, const uint32_t *way, const struct access *ours)
{
	size_t fits[MAX_CPUS], count = 0, k;

	for (size_t c = 0; c < s->cpu_count; c++) {
		uint32_t head;

		if (!fits_cpu(s, way, c, ours))
			continue;
		head = s->cpus[c].at[way[c]];
		for (k = count++; k && s->cpus[fits[k - 1]].at[way[fits[k - 1]]] > head; k--)
			fits[k] = fits[k - 1];
		fits[k] = c;
	}
	for (k = 0; k < count; k++) {
		way_draft(s, way)[fits[k]]++;
		way_keep_draft(s);
	}
}

/* False, and the ways as they were, when the access fits no way. */
static bool step(struct search *s, const struct access *ours)
{
	for (size_t i = 0; i < s->now.count; i++)
		step_way(s, way_at(s, &s->now, i), ours);
	if (!s->next.count)
		return false;
	ways_advance(s);
	return true;
}

/* Positions after the first @count accesses of the device log. */
static void positions_at(const struct search *s, size_t count, int64_t *positions)
{
	for (size_t c = 0; c < s->cpu_count; c++) {
		const struct cpu *cpu = &s->cpus[c];
		uint32_t low = 0, high = cpu->count;

		while (low < high) {
			uint32_t middle = (low + high) / 2;

			if (cpu->at[middle] < count)
				low = middle + 1;
			else
				high = middle;
		}
		positions[c] = low;
	}
}

static bool reachable(const struct search *s, const int64_t *positions)
{
	for (size_t i = 0; i < s->now.count; i++) {
		const uint32_t *way = way_at(s, &s->now, i);
		size_t c = 0;

		while (c < s->cpu_count && positions[c] >= way[c])
			c++;
		if (c == s->cpu_count)
			return true;
	}
	return false;
}

/* @after: access of ours that follows at once, or NULL. */
static void try_deviation(struct search *s, int64_t total, const int *deviation,
			  const struct access *after)
{
	int64_t positions[MAX_CPUS], moment = total;
	uint32_t *draft;

	for (size_t c = 0; c < s->cpu_count; c++)
		moment -= deviation[c];
	if (moment < 0 || moment > (int64_t)s->theirs->count)
		return;
	positions_at(s, moment, positions);
	for (size_t c = 0; c < s->cpu_count; c++) {
		positions[c] += deviation[c];
		if (positions[c] < 0 || positions[c] > s->cpus[c].count)
			return;
	}
	if (!reachable(s, positions))
		return;
	draft = way_at(s, &s->next, s->next.count);
	for (size_t c = 0; c < s->cpu_count; c++)
		draft[c] = positions[c];
	for (size_t c = 0; after && c < s->cpu_count; c++)
		if (fits_cpu(s, draft, c, after))
			after = NULL;
	if (!after)
		way_keep_draft(s);
}

/* False, and the ways as they were, when there is no place @lost accesses further on. */
static bool skip(struct search *s, uint64_t lost, const struct access *after)
{
	const int slack = s->cpu_count > FEW_CPUS ? SLACK_MANY : SLACK;
	int deviation[MAX_CPUS];
	int64_t total = lost;
	size_t c;

	for (c = 0; c < s->cpu_count; c++) {
		total += way_at(s, &s->now, 0)[c];
		deviation[c] = -slack;
	}
	do {
		try_deviation(s, total, deviation, after);
		for (c = 0; c < s->cpu_count && ++deviation[c] > slack; c++)
			deviation[c] = -slack;
	} while (c < s->cpu_count);
	if (!s->next.count)
		return false;
	ways_advance(s);
	return true;
}

static bool at_end(const struct search *s)
{
	for (size_t i = 0; i < s->now.count; i++) {
		size_t c = 0;

		while (c < s->cpu_count && way_at(s, &s->now, i)[c] == s->cpus[c].count)
			c++;
		if (c == s->cpu_count)
			return true;
	}
	return false;
}

static void describe_break(const struct search *s, size_t ours, struct order_break *at)
{
	at->ours = ours;
	at->undecided = s->now.full;
	at->head_count = s->cpu_count;
	at->heads = must_alloc(NULL, s->cpu_count, sizeof(*at->heads));
	for (size_t c = 0; c < s->cpu_count; c++) {
		uint32_t position = way_at(s, &s->now, 0)[c];

		at->heads[c] =
			position < s->cpus[c].count ? s->cpus[c].at[position] : s->theirs->count;
	}
}

/* False when the gaps before access number @i do not fit. */
static bool skip_gaps(struct search *s, const struct text_log *gaps, size_t *gap, size_t i,
		      uint32_t *line)
{
	uint64_t lost = 0;

	for (; gaps && *gap < gaps->gap_count && gaps->gaps[*gap].before == i; ++*gap) {
		*line = gaps->gaps[*gap].line;
		lost += gaps->gaps[*gap].lost;
	}
	return !lost || skip(s, lost, i < s->ours->count ? &s->ours->at[i] : NULL);
}

bool order_check(const struct access_list *ours, const struct access_list *theirs,
		 const struct text_log *gaps, struct order_break *at)
{
	static struct search s;
	size_t gap = 0, i = 0;
	bool fits;

	search_init(&s, ours, theirs);
	*at = (struct order_break){ 0 };
	for (;; i++) {
		fits = skip_gaps(&s, gaps, &gap, i, &at->gap_line);
		if (!fits || i == ours->count)
			break;
		fits = step(&s, &ours->at[i]);
		if (!fits)
			break;
	}
	fits = fits && at_end(&s);
	if (!fits)
		describe_break(&s, i, at);
	search_deinit(&s);
	return fits;
}
