// SPDX-License-Identifier: GPL-2.0-or-later
#include "family.h"

#include <errno.h>
#include <string.h>

static const struct family *const families[] = {
	&family_e1000e,
};

#define FAMILIES (sizeof(families) / sizeof(families[0]))

static int has_id(const struct family *f, uint32_t id)
{
	for (const uint32_t *i = f->ids; i && *i; i++)
		if (*i == id)
			return 1;
	return 0;
}

const struct family *family_find(uint16_t vendor, uint16_t device, const char *driver)
{
	for (size_t i = 0; i < FAMILIES; i++)
		if (has_id(families[i], (uint32_t)vendor << 16 | device))
			return families[i];
	for (size_t i = 0; i < FAMILIES; i++)
		if (families[i]->driver && !strcmp(families[i]->driver, driver))
			return families[i];
	return NULL;
}

/*
 * One after the other: arrays lie between each other, so that no order would help, and the tables
 * are short.
 */
int family_register_find(const struct family *f, uint8_t bar, uint64_t offset,
			 struct family_match *match)
{
	for (size_t i = 0; i < f->nregisters; i++) {
		const struct family_register *r = &f->registers[i];
		uint32_t size = r->size ? r->size : 4;
		uint32_t stride = r->stride ? r->stride : size;
		uint64_t index;

		if (r->bar != bar || offset < r->offset)
			continue;
		index = (offset - r->offset) / stride;
		if (index >= (r->count ? r->count : 1) || (offset - r->offset) % stride >= size)
			continue;
		match->reg = r;
		match->index = (uint32_t)index;
		match->byte = (uint32_t)((offset - r->offset) % stride);
		return 0;
	}
	return -ENOENT;
}
