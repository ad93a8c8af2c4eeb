/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where an access goes, for people: device, BAR and offset. Captures carry that in their records; a
 * text log has physical addresses, which the BARs of its PCIDEV lines and its MAP lines explain.
 * Pure.
 */
#ifndef MMIOBPF_LOG_PLACES_H
#define MMIOBPF_LOG_PLACES_H

#include "header.h"

enum place_kind {
	PLACE_BAR,		/* a PCI device's BAR: dev, bar */
	PLACE_MAPPING,		/* a mapping that belongs to no BAR: base */
	PLACE_PHYS,		/* nothing is known of it: offset is the physical address */
};

struct place {
	enum place_kind kind;
	uint32_t dev;		/* as in a MAP record; MMIOBPF_NO_DEV when not PLACE_BAR */
	uint8_t bar;		/* 6 is the expansion ROM; MMIOBPF_NO_BAR when not PLACE_BAR */
	uint64_t base;		/* PLACE_MAPPING: physical address of its first byte, else 0 */
	uint64_t offset;	/* bytes from the start of the BAR or mapping */
};

struct place_bar {
	uint64_t start, end;	/* physical, the last byte included */
	uint32_t dev;
	uint8_t bar;
};

struct place_map {
	uint32_t map_id;
	uint32_t dev;
	uint64_t phys, len;
};

struct places {
	struct place_bar *bars;	/* sorted by start */
	size_t nbars;
	struct place_map *maps;	/* a hash table: size is a power of two, len 0 is a free slot */
	size_t nmaps, maps_size;
};

void places_init(struct places *p);
void places_deinit(struct places *p);

/** places_add_header() - learn the memory BARs of the header's devices. Return: 0 or -ENOMEM */
int places_add_header(struct places *p, const struct log_header *header);

/**
 * places_add_map() - learn a mapping. One with the id of an earlier one takes its place; it is
 * known until then, as another CPU's last access may come after the UNMAP.
 *
 * Return: 0 or -ENOMEM.
 */
int places_add_map(struct places *p, const struct mmiobpf_rec_map *map);

/**
 * places_find() - where is this?
 * @map_id: of the access
 * @phys: its physical address
 * @bar: MMIOBPF_NO_BAR when the record does not say
 * @bar_off: offset in @bar
 */
struct place places_find(const struct places *p, uint32_t map_id, uint64_t phys, uint8_t bar,
			 uint64_t bar_off);

/** places_find_map() - where does this mapping begin? */
struct place places_find_map(const struct places *p, const struct mmiobpf_rec_map *map);

#endif
