// SPDX-License-Identifier: GPL-2.0-or-later
/* Device, BAR and offset of an access: from its own record, from PCIDEV lines, from MAP lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "log/places.h"

static struct places places;

static int setup(void **state)
{
	struct pci_dev_info dev = {
		.dev = 0x18,
		.start = { 0xfeb80000, 0xfeba0000, 0xc040, 0, 0, 0, 0xfea00000 },
		.size = { 0x20000, 0x20000, 0x20, 0, 0, 0, 0x40000 },
		.flags = { 0, 0, 1, 0, 0, 0, 0 },
	};
	struct log_header h;

	(void)state;
	log_header_init(&h);
	log_header_add_device(&h, &dev);
	dev.dev = 0x20;
	memset(dev.start, 0, sizeof(dev.start));
	dev.start[0] = 0x4000000000;
	dev.start[1] = UINT64_MAX - 0xfff;
	dev.size[0] = 0x4000;
	dev.size[1] = 0x1001;	/* one byte too many: damage */
	log_header_add_device(&h, &dev);
	places_init(&places);
	assert_int_equal(places_add_header(&places, &h), 0);
	log_header_deinit(&h);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	places_deinit(&places);
	return 0;
}

static void add_map(uint32_t id, uint64_t phys, uint64_t len, uint32_t dev)
{
	struct mmiobpf_rec_map map = { .map_id = id, .phys = phys, .len = len, .dev = dev };

	assert_int_equal(places_add_map(&places, &map), 0);
}

static void expect_bar(struct place at, uint32_t dev, uint8_t bar, uint64_t offset)
{
	assert_int_equal(at.kind, PLACE_BAR);
	assert_int_equal(at.dev, dev);
	assert_int_equal(at.bar, bar);
	assert_int_equal(at.offset, offset);
}

static struct place find(uint32_t map_id, uint64_t phys)
{
	return places_find(&places, map_id, phys, MMIOBPF_NO_BAR, 0);
}

static void by_address(void **state)
{
	(void)state;
	expect_bar(find(1, 0xfeb80000), 0x18, 0, 0);
	expect_bar(find(1, 0xfeb9ffff), 0x18, 0, 0x1ffff);
	expect_bar(find(1, 0xfeba0000), 0x18, 1, 0);
	expect_bar(find(1, 0xfea00004), 0x18, PCI_DEV_ROM, 4);
	expect_bar(find(1, 0x4000003fff), 0x20, 0, 0x3fff);
	assert_int_equal(find(1, 0xfebc0000).kind, PLACE_PHYS);
	assert_int_equal(find(1, 0xfebc0000).offset, 0xfebc0000);
	assert_int_equal(find(1, 0x4000004000).kind, PLACE_PHYS);
	/* ports are another address space */
	assert_int_equal(find(1, 0xc044).kind, PLACE_PHYS);
	assert_int_equal(find(1, UINT64_MAX).kind, PLACE_PHYS);
	assert_int_equal(find(1, 0).kind, PLACE_PHYS);
}

static void by_record(void **state)
{
	(void)state;
	add_map(1, 0xd0000000, 0x1000, 0x30);
	expect_bar(places_find(&places, 1, 0xd0000010, 2, 0x210), 0x30, 2, 0x210);
	/* its mapping is not known: the address alone tells */
	expect_bar(places_find(&places, 9, 0xfeb80010, 2, 0x210), 0x18, 0, 0x10);
	assert_int_equal(places_find(&places, 9, 0xd0000010, 2, 0x210).kind, PLACE_PHYS);
}

static void by_mapping(void **state)
{
	struct mmiobpf_rec_map map = { .phys = 0xfeba1000, .dev = 0x18, .bar = 1, .bar_off = 0x1000 };

	(void)state;
	add_map(1, 0xfed00000, 0x400, MMIOBPF_NO_DEV);
	assert_int_equal(find(1, 0xfed000f0).kind, PLACE_MAPPING);
	assert_int_equal(find(1, 0xfed000f0).base, 0xfed00000);
	assert_int_equal(find(1, 0xfed000f0).offset, 0xf0);
	assert_int_equal(find(1, 0xfed00400).kind, PLACE_PHYS);
	assert_int_equal(find(1, 0xfecfffff).kind, PLACE_PHYS);
	/* an id that is used again means the later one */
	add_map(1, 0xfee00000, 0x400, MMIOBPF_NO_DEV);
	assert_int_equal(find(1, 0xfee00000).base, 0xfee00000);
	assert_int_equal(find(1, 0xfed00000).kind, PLACE_PHYS);
	/* one without a length holds nothing */
	add_map(2, 0xfed00000, 0, MMIOBPF_NO_DEV);
	assert_int_equal(find(2, 0xfed00000).kind, PLACE_PHYS);
	expect_bar(places_find_map(&places, &map), 0x18, 1, 0x1000);
	map.bar = MMIOBPF_NO_BAR;
	expect_bar(places_find_map(&places, &map), 0x18, 1, 0x1000);
	map.phys = 0xfed00000;
	assert_int_equal(places_find_map(&places, &map).kind, PLACE_MAPPING);
	assert_int_equal(places_find_map(&places, &map).base, 0xfed00000);
}

/* Far more than the table begins with, ids far apart. */
static void many_mappings(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 5000; i++)
		add_map(i * 0x10001, 0x100000000 + i * 0x1000ull, 0x1000, MMIOBPF_NO_DEV);
	assert_int_equal(places.nmaps, 5000);
	for (uint32_t i = 0; i < 5000; i++) {
		uint64_t base = 0x100000000 + i * 0x1000ull;

		assert_int_equal(find(i * 0x10001, base + 8).base, base);
		assert_int_equal(find(i * 0x10001, base + 8).offset, 8);
	}
	assert_int_equal(find(5000 * 0x10001u, 0x100000000).kind, PLACE_PHYS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(by_address, setup, teardown),
		cmocka_unit_test_setup_teardown(by_record, setup, teardown),
		cmocka_unit_test_setup_teardown(by_mapping, setup, teardown),
		cmocka_unit_test_setup_teardown(many_mappings, setup, teardown),
	};

	return cmocka_run_group_tests_name("log_places", tests, NULL, NULL);
}
