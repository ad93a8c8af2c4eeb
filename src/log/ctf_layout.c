// SPDX-License-Identifier: GPL-2.0-or-later
#include "ctf_layout.h"

#include <errno.h>
#include <string.h>

#include "header.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a capture is little-endian");

#define SIZE(s, m)	sizeof(((struct s *)0)->m)
#define ITEMS_OF(s, m)	(SIZE(s, m) / SIZE(s, m[0]))

/* A number; a number with another name; an array; an array whose length the field before says. */
#define NUMBER(s, m, type)		{ #m, type, offsetof(struct s, m), SIZE(s, m), 1, false }
#define NUMBER_AS(name, s, m, type)	{ name, type, offsetof(struct s, m), SIZE(s, m), 1, false }
#define ARRAY(s, m, type) \
	{ #m, type, offsetof(struct s, m), SIZE(s, m[0]), ITEMS_OF(s, m), false }
#define ARRAY_AS(name, s, m, type) \
	{ name, type, offsetof(struct s, m), SIZE(s, m[0]), ITEMS_OF(s, m), false }
#define COUNTED(s, m, type) \
	{ #m, type, offsetof(struct s, m), SIZE(s, m[0]), ITEMS_OF(s, m), true }

/* The types are declared in ctf_metadata.c: u8 to u64 decimal, x8 to x64 hexadecimal. */
#define ACCESS_FIELDS(s, p)                                                                        \
	NUMBER_AS("map_id", s, p map_id, "u32"), NUMBER_AS("width", s, p width, "u16"),            \
	NUMBER_AS("dir", s, p dir, "dir_t"), NUMBER_AS("how", s, p how, "how_t"),                  \
	NUMBER_AS("phys", s, p phys, "x64"), NUMBER_AS("bar_off", s, p bar_off, "x64"),            \
	NUMBER_AS("pc", s, p pc, "x64"), NUMBER_AS("latency_ns", s, p latency_ns, "u32"),          \
	NUMBER_AS("bar", s, p bar, "u8"), NUMBER_AS("flags", s, p flags, "x8"),                    \
	NUMBER_AS("before", s, p before, "x64"), NUMBER_AS("after", s, p after, "x64")

static const struct ctf_field access_fields[] = {
	ACCESS_FIELDS(mmiobpf_rec_access, ),
};

static const struct ctf_field wide_fields[] = {
	ACCESS_FIELDS(mmiobpf_rec_access_wide, acc.),
	ARRAY_AS("words_before", mmiobpf_rec_access_wide, before, "x64"),
	ARRAY_AS("words_after", mmiobpf_rec_access_wide, after, "x64"),
};

static const struct ctf_field unknown_fields[] = {
	NUMBER(mmiobpf_rec_unknown, map_id, "u32"),
	NUMBER(mmiobpf_rec_unknown, width, "u16"),
	NUMBER(mmiobpf_rec_unknown, dir, "dir_t"),
	NUMBER(mmiobpf_rec_unknown, how, "how_t"),
	NUMBER(mmiobpf_rec_unknown, phys, "x64"),
	NUMBER(mmiobpf_rec_unknown, bar_off, "x64"),
	NUMBER(mmiobpf_rec_unknown, pc, "x64"),
	NUMBER(mmiobpf_rec_unknown, bar, "u8"),
	NUMBER(mmiobpf_rec_unknown, reason, "reason_t"),
	NUMBER(mmiobpf_rec_unknown, insn_len, "u8"),
	ARRAY(mmiobpf_rec_unknown, insn, "x8"),
};

static const struct ctf_field map_fields[] = {
	NUMBER(mmiobpf_rec_map, map_id, "u32"),
	NUMBER(mmiobpf_rec_map, kind, "kind_t"),
	NUMBER(mmiobpf_rec_map, cache, "cache_t"),
	NUMBER(mmiobpf_rec_map, bar, "u8"),
	NUMBER(mmiobpf_rec_map, armed, "u8"),
	NUMBER(mmiobpf_rec_map, phys, "x64"),
	NUMBER(mmiobpf_rec_map, virt, "x64"),
	NUMBER(mmiobpf_rec_map, len, "x64"),
	NUMBER(mmiobpf_rec_map, pc, "x64"),
	NUMBER(mmiobpf_rec_map, bar_off, "x64"),
	NUMBER(mmiobpf_rec_map, dev, "x32"),
	ARRAY(mmiobpf_rec_map, driver, "text_t"),
};

static const struct ctf_field unmap_fields[] = {
	NUMBER(mmiobpf_rec_unmap, map_id, "u32"),
	NUMBER(mmiobpf_rec_unmap, pc, "x64"),
};

static const struct ctf_field mark_fields[] = {
	NUMBER(mmiobpf_rec_mark, len, "u32"),
	COUNTED(mmiobpf_rec_mark, text, "text_t"),
};

static const struct ctf_field irq_fields[] = {
	NUMBER(mmiobpf_rec_irq, irq, "u32"),
	NUMBER(mmiobpf_rec_irq, exit, "u8"),
	NUMBER(mmiobpf_rec_irq, handled, "u8"),
	NUMBER(mmiobpf_rec_irq, ordinal, "u64"),
	ARRAY(mmiobpf_rec_irq, name, "text_t"),
};

static const struct ctf_field config_fields[] = {
	NUMBER(mmiobpf_rec_config, dev, "x32"),
	NUMBER(mmiobpf_rec_config, offset, "x16"),
	NUMBER(mmiobpf_rec_config, width, "u8"),
	NUMBER(mmiobpf_rec_config, dir, "dir_t"),
	NUMBER(mmiobpf_rec_config, value, "x32"),
	NUMBER(mmiobpf_rec_config, result, "s32"),
	NUMBER(mmiobpf_rec_config, pc, "x64"),
};

static const struct ctf_field pmu_fields[] = {
	NUMBER(mmiobpf_rec_pmu, event, "u32"),
	NUMBER(mmiobpf_rec_pmu, overflow, "u32"),
	NUMBER(mmiobpf_rec_pmu, value, "u64"),
	NUMBER(mmiobpf_rec_pmu, enabled_ns, "u64"),
	NUMBER(mmiobpf_rec_pmu, running_ns, "u64"),
	NUMBER(mmiobpf_rec_pmu, pc, "x64"),
};

static const struct ctf_field lost_fields[] = {
	NUMBER(mmiobpf_rec_lost, count, "u64"),
};

static const struct ctf_field session_fields[] = {
	NUMBER(mmiobpf_rec_session, version, "u32"),
	NUMBER(mmiobpf_rec_session, cpus, "u32"),
	NUMBER(mmiobpf_rec_session, realtime_ns, "u64"),
	ARRAY(mmiobpf_rec_session, release, "text_t"),
	ARRAY(mmiobpf_rec_session, machine, "text_t"),
	ARRAY(mmiobpf_rec_session, command, "text_t"),
};

static const struct ctf_field end_fields[] = {
	NUMBER(mmiobpf_rec_end, accesses, "u64"),
	NUMBER(mmiobpf_rec_end, faults, "u64"),
	NUMBER(mmiobpf_rec_end, lost, "u64"),
	NUMBER(mmiobpf_rec_end, undecoded, "u64"),
	NUMBER(mmiobpf_rec_end, retried, "u64"),
};

static const struct ctf_field device_fields[] = {
	NUMBER(pci_dev_info, dev, "x32"),
	NUMBER(pci_dev_info, vendor, "x16"),
	NUMBER(pci_dev_info, device, "x16"),
	NUMBER(pci_dev_info, irq, "u32"),
	ARRAY(pci_dev_info, start, "x64"),
	ARRAY(pci_dev_info, size, "x64"),
	ARRAY(pci_dev_info, flags, "x64"),
	ARRAY(pci_dev_info, driver, "text_t"),
};

static const struct ctf_field lspci_fields[] = {
	NUMBER(ctf_text, len, "u32"),
	COUNTED(ctf_text, text, "text_t"),
};

static const struct ctf_field symbol_fields[] = {
	NUMBER(ctf_symbol, pc, "x64"),
	NUMBER(ctf_symbol, start, "x64"),
	ARRAY(ctf_symbol, module, "text_t"),
	NUMBER(ctf_symbol, len, "u32"),
	COUNTED(ctf_symbol, name, "text_t"),
};

static const struct ctf_field closed_fields[] = {
	NUMBER(ctf_closed, records, "u64"),
};

#define LAYOUT(id, name, s, f)	{ id, name, sizeof(struct s), f, sizeof(f) / sizeof((f)[0]) }

static const struct ctf_layout layouts[] = {
	LAYOUT(MMIOBPF_REC_ACCESS, "access", mmiobpf_rec_access, access_fields),
	LAYOUT(MMIOBPF_REC_UNKNOWN, "unknown", mmiobpf_rec_unknown, unknown_fields),
	LAYOUT(MMIOBPF_REC_MAP, "map", mmiobpf_rec_map, map_fields),
	LAYOUT(MMIOBPF_REC_UNMAP, "unmap", mmiobpf_rec_unmap, unmap_fields),
	LAYOUT(MMIOBPF_REC_MARK, "mark", mmiobpf_rec_mark, mark_fields),
	LAYOUT(MMIOBPF_REC_IRQ, "irq", mmiobpf_rec_irq, irq_fields),
	LAYOUT(MMIOBPF_REC_CONFIG, "config", mmiobpf_rec_config, config_fields),
	LAYOUT(MMIOBPF_REC_PMU, "pmu", mmiobpf_rec_pmu, pmu_fields),
	LAYOUT(MMIOBPF_REC_LOST, "lost", mmiobpf_rec_lost, lost_fields),
	LAYOUT(MMIOBPF_REC_SESSION, "session", mmiobpf_rec_session, session_fields),
	LAYOUT(MMIOBPF_REC_END, "end", mmiobpf_rec_end, end_fields),
	LAYOUT(CTF_ACCESS_WIDE, "access_wide", mmiobpf_rec_access_wide, wide_fields),
	LAYOUT(CTF_DEVICE, "device", pci_dev_info, device_fields),
	LAYOUT(CTF_LSPCI, "lspci", ctf_text, lspci_fields),
	LAYOUT(CTF_SYMBOL, "symbol", ctf_symbol, symbol_fields),
	LAYOUT(CTF_CLOSED, "closed", ctf_closed, closed_fields),
};

#define NLAYOUTS (sizeof(layouts) / sizeof(layouts[0]))

const struct ctf_layout *ctf_layout_find(unsigned int id)
{
	if (id >= 1 && id <= MMIOBPF_REC_END)
		return &layouts[id - 1];
	if (id >= CTF_ACCESS_WIDE && id <= CTF_CLOSED)
		return &layouts[MMIOBPF_REC_END + id - CTF_ACCESS_WIDE];
	return NULL;
}

const struct ctf_layout *ctf_layout_at(size_t i)
{
	return i < NLAYOUTS ? &layouts[i] : NULL;
}

/* Mostly numbers: a copy of a size that is known is one instruction. */
static void copy_number(void *to, const void *from, size_t n)
{
	switch (n) {
	case 1: memcpy(to, from, 1); break;
	case 2: memcpy(to, from, 2); break;
	case 4: memcpy(to, from, 4); break;
	default: memcpy(to, from, 8);
	}
}

/* The length of a counted array is the 32-bit number before it. */
static uint32_t counted_items(const struct ctf_field *f, const void *of)
{
	uint32_t count;

	memcpy(&count, (const char *)of + f[-1].at, sizeof(count));
	return count;
}

size_t ctf_layout_put(const struct ctf_layout *l, const void *from, uint8_t *to)
{
	uint8_t *at = to;

	for (size_t i = 0; i < l->nfields; i++) {
		const struct ctf_field *f = &l->fields[i];
		const char *field = (const char *)from + f->at;
		size_t n = f->size;

		if (f->count == 1) {
			copy_number(at, field, n);
		} else {
			n *= f->counted ? counted_items(f, from) : f->count;
			memcpy(at, field, n);
		}
		at += n;
	}
	return (size_t)(at - to);
}

long ctf_layout_get(const struct ctf_layout *l, const uint8_t *from, size_t n, void *to)
{
	const uint8_t *at = from, *end = from + n;

	for (size_t i = 0; i < l->nfields; i++) {
		const struct ctf_field *f = &l->fields[i];
		size_t items = f->counted ? counted_items(f, to) : f->count, bytes = items * f->size;

		if (items > f->count || bytes > (size_t)(end - at))
			return -EBADMSG;
		if (f->count == 1)
			copy_number((char *)to + f->at, at, bytes);
		else
			memcpy((char *)to + f->at, at, bytes);
		at += bytes;
	}
	return at - from;
}
