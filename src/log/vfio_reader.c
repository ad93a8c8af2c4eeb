// SPDX-License-Identifier: GPL-2.0-or-later
#define _GNU_SOURCE
#include "vfio_reader.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "line_reader.h"

#define NAME_MAX_LEN	64
#define REGIONS_MAX	256	/* of all devices; a machine has some dozens */

struct region {
	char name[NAME_MAX_LEN];	/* of the device, terminated */
	uint32_t index;
};

struct vfio_reader {
	struct line_reader base;
	uint64_t seq;
	uint64_t time_ns;		/* of the last event */
	struct region regions[REGIONS_MAX];	/* map id is the place in it, from 1 */
	uint32_t nregions;
};

struct event {
	bool write;
	uint64_t time_ns;		/* 0: the line does not say */
	uint64_t pid;
	struct region region;
	uint64_t offset;
	uint64_t value;
	uint64_t width;
};

/* --- one line --- */

struct cursor {
	const char *at, *end;
};

static bool take(struct cursor *c, const char *literal)
{
	size_t n = strlen(literal);

	if ((size_t)(c->end - c->at) < n || memcmp(c->at, literal, n))
		return false;
	c->at += n;
	return true;
}

static int digit(char ch)
{
	if (ch >= '0' && ch <= '9')
		return ch - '0';
	if (ch >= 'a' && ch <= 'f')
		return ch - 'a' + 10;
	return INT_MAX;
}

static bool take_number(struct cursor *c, int base, uint64_t max, uint64_t *out)
{
	const char *start = c->at;
	uint64_t v = 0;

	for (; c->at < c->end && digit(*c->at) < base; c->at++)
		if (__builtin_mul_overflow(v, (uint64_t)base, &v) ||
		    __builtin_add_overflow(v, (uint64_t)digit(*c->at), &v))
			return false;
	*out = v;
	return c->at > start && v <= max;
}

/* "PID@SECONDS.MICROSECONDS:", which ends at @end. Anything else before an event says nothing. */
static void parse_prefix(const char *line, const char *end, struct event *e)
{
	struct cursor c = { line, end };
	uint64_t pid, s, us;
	const char *dot;

	if (!take_number(&c, 10, INT_MAX, &pid) || !take(&c, "@") ||
	    !take_number(&c, 10, UINT64_MAX / 1000000000 - 1, &s))
		return;
	dot = c.at;
	if (!take(&c, ".") || !take_number(&c, 10, 999999, &us) || c.at - dot != 7 || !take(&c, ":"))
		return;
	if (c.at != end)
		return;
	e->pid = pid;
	e->time_ns = s * 1000000000 + us * 1000;
}

/* An event in the line: @c is set behind "(". The same words with one blank are an error message. */
static bool find_event(const char *line, size_t n, struct cursor *c, struct event *e)
{
	static const char word[] = "vfio_region_";
	const char *at = memmem(line, n, word, sizeof(word) - 1);

	if (!at || (at > line && at[-1] != ':' && at[-1] != ' '))
		return false;
	c->at = at + sizeof(word) - 1;
	c->end = line + n;
	e->write = take(c, "write");
	if (!e->write && !take(c, "read"))
		return false;
	if (!take(c, "  ("))
		return false;
	parse_prefix(line, at, e);
	return true;
}

static bool parse_region(struct cursor *c, struct region *r)
{
	static const char word[] = ":region";
	const char *at = memmem(c->at, (size_t)(c->end - c->at), word, sizeof(word) - 1);
	uint64_t index;
	size_t n;

	if (!at || at == c->at)
		return false;
	n = (size_t)(at - c->at);
	if (n >= sizeof(r->name) || memchr(c->at, '\0', n))
		return false;
	memset(r, 0, sizeof(*r));
	memcpy(r->name, c->at, n);
	c->at = at + sizeof(word) - 1;
	if (!take_number(c, 10, INT_MAX, &index))
		return false;
	r->index = (uint32_t)index;
	return true;
}

/* "NAME:region0+0x8, 4) = 0x10", or "NAME:region0+0x8, 0x10, 4)". Return: NULL or what is wrong. */
static const char *parse_event(struct cursor *c, struct event *e)
{
	bool ok = parse_region(c, &e->region) && take(c, "+0x") &&
		  take_number(c, 16, UINT64_MAX, &e->offset) && take(c, ", ");

	if (ok && e->write)
		ok = take(c, "0x") && take_number(c, 16, UINT64_MAX, &e->value) && take(c, ", ");
	ok = ok && take_number(c, 10, UINT64_MAX, &e->width) && take(c, ")");
	if (ok && !e->write)
		ok = take(c, " = 0x") && take_number(c, 16, UINT64_MAX, &e->value);
	if (!ok || (c->at < c->end && *c->at != '\r'))
		return "the line is no whole vfio_region event";
	if (!e->width || e->width > 8 || e->width & (e->width - 1))
		return "a width must be 1, 2, 4 or 8";
	return NULL;
}

/* --- records --- */

static void rec_begin(struct vfio_reader *r, uint16_t type, size_t size, const struct event *e)
{
	memset(&r->base.rec, 0, size);
	r->base.rec.hdr.type = type;
	r->base.rec.hdr.size = (uint16_t)size;
	r->base.rec.hdr.seq = r->seq++;
	r->base.rec.hdr.time_ns = r->time_ns;
	r->base.rec.hdr.pid = r->base.rec.hdr.tgid = (uint32_t)e->pid;
}

static uint8_t bar_of(const struct region *region)
{
	return region->index < PCI_DEV_RESOURCES ? (uint8_t)region->index : MMIOBPF_NO_BAR;
}

/* "0000:01:00.0", else MMIOBPF_NO_DEV: a mediated device has a UUID. */
static uint32_t dev_of(const char *name)
{
	struct cursor c = { name, name + strlen(name) };
	uint64_t domain, bus, slot, fn;

	if (!take_number(&c, 16, 0xffff, &domain) || !take(&c, ":") ||
	    !take_number(&c, 16, 0xff, &bus) || !take(&c, ":") ||
	    !take_number(&c, 16, 0x1f, &slot) || !take(&c, ".") ||
	    !take_number(&c, 16, 7, &fn) || c.at != c.end)
		return MMIOBPF_NO_DEV;
	return (uint32_t)(domain << 16 | bus << 8 | slot << 3 | fn);
}

/* The map id of a region, 0 when it is new. */
static uint32_t region_find(const struct vfio_reader *r, const struct region *region)
{
	for (uint32_t i = 0; i < r->nregions; i++)
		if (r->regions[i].index == region->index &&
		    !strcmp(r->regions[i].name, region->name))
			return i + 1;
	return 0;
}

static void put_map(struct vfio_reader *r, const struct event *e)
{
	struct mmiobpf_rec_map *m = &r->base.rec.map;

	r->regions[r->nregions++] = e->region;
	rec_begin(r, MMIOBPF_REC_MAP, sizeof(*m), e);
	m->map_id = r->nregions;
	m->len = VFIO_LENGTH;
	m->dev = dev_of(e->region.name);
	m->bar = bar_of(&e->region);
	m->armed = 1;
}

static void put_access(struct vfio_reader *r, const struct event *e, uint32_t map_id)
{
	struct mmiobpf_rec_access *a = &r->base.rec.access;

	rec_begin(r, MMIOBPF_REC_ACCESS, sizeof(*a), e);
	a->map_id = map_id;
	a->width = (uint16_t)e->width;
	a->dir = e->write ? MMIOBPF_DIR_WRITE : MMIOBPF_DIR_READ;
	a->flags = e->write ? MMIOBPF_ACC_AFTER : MMIOBPF_ACC_BEFORE;
	*(e->write ? &a->after : &a->before) = e->value;
	a->phys = e->offset;
	a->bar_off = e->offset;
	a->bar = bar_of(&e->region);
}

/* --- operations --- */

/* The line at the front. Return: 1: a record, 0: none, or -EBADMSG. */
static int vfio_line(struct line_reader *base, const struct line *l)
{
	struct vfio_reader *r = (struct vfio_reader *)base;
	struct event e = { 0 };
	struct cursor c;
	const char *why;
	uint32_t map_id;

	if (!find_event(l->at, l->len, &c, &e)) {
		lines_take(&base->lines, l);
		return 0;
	}
	why = parse_event(&c, &e);
	if (why)
		return line_reader_damaged(base, why);
	if (e.time_ns)
		r->time_ns = e.time_ns;
	map_id = region_find(r, &e.region);
	if (!map_id && r->nregions == REGIONS_MAX)
		return line_reader_damaged(base, "there are more regions than a machine has");
	/* The line stays for the access behind the mapping. */
	if (!map_id) {
		put_map(r, &e);
		return 1;
	}
	put_access(r, &e, map_id);
	lines_take(&base->lines, l);
	return 1;
}

int vfio_reader_new(struct log_source *src, struct log_reader **out)
{
	return line_reader_new(sizeof(struct vfio_reader), src, vfio_line, out);
}

bool vfio_reader_knows(const char *bytes, size_t n)
{
	while (n) {
		const char *nl = memchr(bytes, '\n', n);
		size_t len = nl ? (size_t)(nl - bytes) : n;
		struct event e;
		struct cursor c;

		if (find_event(bytes, len, &c, &e))
			return true;
		if (!nl)
			return false;
		n -= len + 1;
		bytes = nl + 1;
	}
	return false;
}
