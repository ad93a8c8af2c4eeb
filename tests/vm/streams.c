// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * usage: streams RAM EDU LOG [COUNTS]
 *
 * Judges a log of what tests/vm/soak does, whose values say which CPU's worker made an access and the how
 * manieth it is. RAM and EDU are the physical addresses of the devices. For each worker and each place that it
 * uses, the lines of the log must be the ones that it makes, without a gap, but where the log says that records
 * were lost; then no more may be missing than it says.
 *
 * With COUNTS, the module's own counts (its parameter result), nothing else was done before or after the log:
 * then each stream is as long as the module says, and begins with its first access.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORKERS	     8
#define MAPPER	     15
#define MAPPER_PAGE  16
#define MAPPER_PAGES 8
#define PAGE	     4096ull
#define MASK	     0xfffffffu

/* What a worker does, by place. */
enum place {
	SHARED,
	OWN,
	EDU,
	MAPPED,
	PLACES
};

struct stream {
	bool begun;
	uint64_t first, next; /* line of the stream */
	uint64_t lost_before; /* losses that the log had told of when the last line came */
	uint64_t lines;
};

struct judge {
	uint64_t ram, edu;
	struct stream streams[16][PLACES];
	uint64_t lines, lost, missing, skipped;
	uint64_t line; /* of the log */
	bool failed;
};

/* A line of a log, and what the module's accesses say it has to be. */
struct access {
	uint64_t phys, value;
	unsigned int width;
	bool write;
};

static const char *const place_names[] = { "shared page", "own page", "edu", "mapped page" };

static void fails(struct judge *j, unsigned int w, enum place place, const char *why)
{
	if (!j->failed)
		printf("line %" PRIu64 ": worker %u, %s: %s\n", j->line, w, place_names[place],
		       why);
	j->failed = true;
}

static uint64_t value_of(unsigned int w, uint64_t k)
{
	return (uint64_t)w << 28 | (k & MASK);
}

/* Line @n of a stream, see tests/vm/soak/soak.h. */
static struct access line_of(const struct judge *j, unsigned int w, enum place place, uint64_t n)
{
	/* write; read; read and write of xchg; read */
	static const struct {
		unsigned int k;
		bool write;
	} own[5] = { { 2, true }, { 2, false }, { 2, false }, { 10, true }, { 10, false } };

	switch (place) {
	case SHARED:
		return (struct access){ j->ram + w * 8, value_of(w, n / 2 * 4), 4, n % 2 == 0 };
	case OWN:
		return (struct access){ j->ram + (1 + w) * PAGE,
					value_of(w, n / 5 * 16 + own[n % 5].k), 8,
					own[n % 5].write };
	case EDU: return (struct access){ j->edu + 4, value_of(w, n * 4 + 3), 4, true };
	default:
		return (struct access){ j->ram + (MAPPER_PAGE + n / 2 % MAPPER_PAGES) * PAGE +
						n % 2 * 4,
					value_of(w, n), 4, true };
	}
}

static bool equal(const struct access *a, const struct access *b)
{
	return a->phys == b->phys && a->value == b->value && a->width == b->width &&
	       a->write == b->write;
}

/* Number of the first line that has the access's value and direction. */
static uint64_t line_number(enum place place, const struct access *a)
{
	uint64_t k = a->value & MASK;

	switch (place) {
	case SHARED: return k / 4 * 2 + !a->write;
	case OWN: return k / 16 * 5 + (k % 16 == 10 ? 3 : 0) + !a->write;
	case EDU: return k / 4;
	default: return k;
	}
}

/* Behind a loss, or at the start. The two equal reads of an own page do not tell which one it is. */
static void stream_join(struct judge *j, unsigned int w, enum place place, const struct access *a)
{
	struct stream *s = &j->streams[w][place];
	uint64_t n = line_number(place, a);
	struct access expected = line_of(j, w, place, n);

	if (!equal(&expected, a)) {
		fails(j, w, place, "no such access was made");
	} else if (s->begun && n < s->next) {
		fails(j, w, place, "an access a second time, or out of order");
	} else if (place == OWN && n % 5 == 1) {
		j->skipped++;
	} else {
		if (s->begun)
			j->missing += n - s->next;
		else
			s->first = n;
		s->begun = true;
		s->next = n + 1;
		s->lost_before = j->lost;
	}
}

static void access_print(const char *what, const struct access *a)
{
	printf("  %s %c %u 0x%" PRIx64 " 0x%" PRIx64 "\n", what, a->write ? 'W' : 'R', a->width,
	       a->phys, a->value);
}

static void stream_line(struct judge *j, unsigned int w, enum place place, const struct access *a)
{
	struct stream *s = &j->streams[w][place];
	struct access expected = line_of(j, w, place, s->next);
	bool failed = j->failed;

	s->lines++;
	if (s->begun && equal(&expected, a)) {
		s->next++;
		s->lost_before = j->lost;
	} else if (!s->begun || s->lost_before != j->lost) {
		stream_join(j, w, place, a);
	} else {
		fails(j, w, place, "not the access that comes next, and no loss was reported");
	}
	if (j->failed && !failed) {
		access_print("found   ", a);
		access_print("expected", &expected);
	}
}

static void access_judge(struct judge *j, const struct access *a)
{
	unsigned int w = a->value >> 28;
	uint64_t page = (a->phys - j->ram) / PAGE;

	j->lines++;
	if (a->value >> 32 || (w >= WORKERS && w != MAPPER))
		fails(j, 0, SHARED, "a value that nobody wrote");
	else if (a->phys == j->edu + 4)
		stream_line(j, w, EDU, a);
	else if (page == 0)
		stream_line(j, w, SHARED, a);
	else if (page <= WORKERS)
		stream_line(j, w, OWN, a);
	else
		stream_line(j, w, MAPPED, a);
}

/* R|W width time mapid phys value pc pid */
static bool access_parse(const char *line, struct access *a)
{
	char *at;

	a->write = line[0] == 'W';
	a->width = strtoul(line + 2, &at, 10);
	for (int i = 0; i < 2 && at; i++) /* time, map id */
		at = strchr(at + 1, ' ');
	if (!at)
		return false;
	a->phys = strtoull(at, &at, 16);
	a->value = strtoull(at, &at, 16);
	return *at == ' ';
}

static int log_judge(struct judge *j, const char *path)
{
	FILE *f = fopen(path, "re");
	char *line = NULL;
	size_t room = 0;

	if (!f) {
		fprintf(stderr, "streams: cannot read %s\n", path);
		return 2;
	}
	while (getline(&line, &room, f) > 0) {
		struct access a;
		uint64_t n;

		j->line++;
		if ((line[0] == 'R' || line[0] == 'W') && line[1] == ' ') {
			if (access_parse(line, &a))
				access_judge(j, &a);
			else
				fails(j, 0, SHARED, "no access");
		} else if (sscanf(line, "MARK %*s Lost %" SCNu64, &n) == 1) {
			j->lost += n;
		} else if (!strncmp(line, "UNKNOWN", 7)) {
			fails(j, 0, SHARED, "undecoded");
		}
	}
	free(line);
	fclose(f);
	return 0;
}

static uint64_t lines_of(enum place place, uint64_t accesses)
{
	return place == SHARED ? accesses / 2
	       : place == OWN  ? accesses / 16 * 5
	       : place == EDU  ? accesses / 4
			       : accesses;
}

static void count_judge(struct judge *j, unsigned int w, uint64_t accesses)
{
	for (enum place p = 0; p < PLACES; p++) {
		const struct stream *s = &j->streams[w][p];
		uint64_t lines = (w == MAPPER) == (p == MAPPED) ? lines_of(p, accesses) : 0;

		if (s->first || s->next != lines || (!j->lost && s->lines != lines))
			fails(j, w, p, "the log has not all that the module has done");
	}
}

static int counts_judge(struct judge *j, const char *path)
{
	FILE *f = fopen(path, "re");
	unsigned int w, workers = 0;
	uint64_t accesses;
	char word[8];

	if (!f || fscanf(f, "%7s", word) != 1) {
		fprintf(stderr, "streams: cannot read %s\n", path);
		return 2;
	}
	for (; fscanf(f, "%u %" SCNu64 " %*u", &w, &accesses) == 2 && w < 16; workers++)
		count_judge(j, w, accesses);
	fclose(f);
	return workers == WORKERS + 1 ? 0 : 2;
}

int main(int argc, char **argv)
{
	static struct judge j;
	int err;

	if (argc != 4 && argc != 5) {
		fputs("usage: streams RAM EDU LOG [COUNTS]\n", stderr);
		return 2;
	}
	j.ram = strtoull(argv[1], NULL, 16);
	j.edu = strtoull(argv[2], NULL, 16);
	err = log_judge(&j, argv[3]);
	if (!err && argc == 5)
		err = counts_judge(&j, argv[4]);
	if (err)
		return err;
	if (j.missing > j.lost)
		fails(&j, 0, SHARED, "more is missing than was reported lost");
	printf("streams: %" PRIu64 " accesses, %" PRIu64 " lost, %" PRIu64
	       " of them between others, %s\n",
	       j.lines, j.lost, j.missing, j.failed ? "wrong" : "right");
	return j.failed;
}
