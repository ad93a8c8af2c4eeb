// SPDX-License-Identifier: GPL-2.0-or-later
#include "places.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* IORESOURCE_IO's bit in a BAR: ports, not memory. PCI Local Bus Specification 3.0, 6.2.5.1 */
#define BAR_IS_IO	0x1

#define MAPS_FIRST	64

void places_init(struct places *p)
{
	memset(p, 0, sizeof(*p));
}

void places_deinit(struct places *p)
{
	free(p->bars);
	free(p->maps);
	memset(p, 0, sizeof(*p));
}

static int bar_compare(const void *a, const void *b)
{
	const struct place_bar *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return 0;
}

int places_add_header(struct places *p, const struct log_header *header)
{
	struct place_bar *bars;
	size_t n = p->nbars;

	if (!header->ndevices)
		return 0;
	bars = realloc(p->bars, (n + header->ndevices * PCI_DEV_RESOURCES) * sizeof(*bars));
	if (!bars)
		return -ENOMEM;
	for (size_t d = 0; d < header->ndevices; d++) {
		const struct pci_dev_info *dev = &header->devices[d];

		for (uint8_t i = 0; i < PCI_DEV_RESOURCES; i++) {
			if (!dev->size[i] || !dev->start[i] || (dev->flags[i] & BAR_IS_IO))
				continue;
			/* A file may say anything: not beyond the end of the address space. */
			if (dev->size[i] - 1 > UINT64_MAX - dev->start[i])
				continue;
			bars[n++] = (struct place_bar){
				.start = dev->start[i],
				.end = dev->start[i] + dev->size[i] - 1,
				.dev = dev->dev,
				.bar = i,
			};
		}
	}
	qsort(bars, n, sizeof(*bars), bar_compare);
	p->bars = bars;
	p->nbars = n;
	return 0;
}

/* The BAR that holds @phys, or NULL. */
static const struct place_bar *bar_find(const struct places *p, uint64_t phys)
{
	size_t low = 0, high = p->nbars;

	/* The last one that does not start behind it. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (p->bars[middle].start <= phys)
			low = middle + 1;
		else
			high = middle;
	}
	return low && phys <= p->bars[low - 1].end ? &p->bars[low - 1] : NULL;
}

/* The slot of a mapping, or the free one where it would be. There is always a free one. */
static struct place_map *map_slot(struct place_map *maps, size_t size, uint32_t map_id)
{
	size_t i = map_id * 0x9e3779b1u & (size - 1);

	while (maps[i].len && maps[i].map_id != map_id)
		i = (i + 1) & (size - 1);
	return &maps[i];
}

static int maps_grow(struct places *p)
{
	size_t size = p->maps_size ? 2 * p->maps_size : MAPS_FIRST;
	struct place_map *maps = calloc(size, sizeof(*maps));

	if (!maps)
		return -ENOMEM;
	for (size_t i = 0; i < p->maps_size; i++)
		if (p->maps[i].len)
			*map_slot(maps, size, p->maps[i].map_id) = p->maps[i];
	free(p->maps);
	p->maps = maps;
	p->maps_size = size;
	return 0;
}

int places_add_map(struct places *p, const struct mmiobpf_rec_map *map)
{
	struct place_map *slot;

	if (!map->len)
		return 0;
	if (2 * (p->nmaps + 1) > p->maps_size && maps_grow(p))
		return -ENOMEM;
	slot = map_slot(p->maps, p->maps_size, map->map_id);
	p->nmaps += !slot->len;
	*slot = (struct place_map){
		.map_id = map->map_id,
		.dev = map->dev,
		.phys = map->phys,
		.len = map->len,
	};
	return 0;
}

static struct place place_in_bar(uint32_t dev, uint8_t bar, uint64_t offset)
{
	return (struct place){ .kind = PLACE_BAR, .dev = dev, .bar = bar, .offset = offset };
}

static struct place place_in_mapping(uint64_t base, uint64_t phys)
{
	return (struct place){ .kind = PLACE_MAPPING, .dev = MMIOBPF_NO_DEV,
			       .bar = MMIOBPF_NO_BAR, .base = base, .offset = phys - base };
}

struct place places_find(const struct places *p, uint32_t map_id, uint64_t phys, uint8_t bar,
			 uint64_t bar_off)
{
	const struct place_map *map =
		p->maps_size ? map_slot(p->maps, p->maps_size, map_id) : NULL;
	const struct place_bar *known;

	if (map && !map->len)
		map = NULL;
	if (bar != MMIOBPF_NO_BAR && map && map->dev != MMIOBPF_NO_DEV)
		return place_in_bar(map->dev, bar, bar_off);
	known = bar_find(p, phys);
	if (known)
		return place_in_bar(known->dev, known->bar, phys - known->start);
	/* Address and id come from a file: they need not belong together. */
	if (map && phys >= map->phys && phys - map->phys < map->len)
		return place_in_mapping(map->phys, phys);
	return (struct place){ .kind = PLACE_PHYS, .dev = MMIOBPF_NO_DEV, .bar = MMIOBPF_NO_BAR,
			       .offset = phys };
}

struct place places_find_map(const struct places *p, const struct mmiobpf_rec_map *map)
{
	const struct place_bar *known;

	if (map->bar != MMIOBPF_NO_BAR && map->dev != MMIOBPF_NO_DEV)
		return place_in_bar(map->dev, map->bar, map->bar_off);
	known = bar_find(p, map->phys);
	if (known)
		return place_in_bar(known->dev, known->bar, map->phys - known->start);
	return place_in_mapping(map->phys, map->phys);
}
