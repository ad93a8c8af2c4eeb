// SPDX-License-Identifier: GPL-2.0-or-later
/* The tables of the BPF programs, filled from targets and changed while they are in use. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "session/policy_fill.h"

static struct policy_text table[POLICY_TEXT_RANGES];

static unsigned int slots_used(void)
{
	unsigned int n = 0;

	for (size_t i = 0; i < POLICY_TEXT_RANGES; i++)
		n += table[i].start != 0;
	return n;
}

static const struct policy_text *slot(uint64_t start)
{
	for (size_t i = 0; i < POLICY_TEXT_RANGES; i++)
		if (table[i].start == start)
			return &table[i];
	return NULL;
}

/* Two drivers stay, go, or are loaded elsewhere; what the programs have added stays. */
static void renewed(void **state)
{
	static struct target_text old[] = { { 0x1000, 0x2000, "stays", "stays" },
					    { 0x3000, 0x4000, "goes", "goes" },
					    { 0x5000, 0x6000, "moves", "moves" } };
	static struct target_text new[] = { { 0x1000, 0x2000, "stays", "stays" },
					    { 0x7000, 0x7800, "moves", "moves" },
					    { 0x8000, 0x9000, "comes", "comes" },
					    { 0xa000, 0xb000, "seen", "seen" } };
	const struct target_set before = { .text = old, .ntext = 3 };
	const struct target_set now = { .text = new, .ntext = 4 };
	struct policy_text seen = { 0xa000, 0xb000, "seen" };

	(void)state;
	memset(table, 0, sizeof(table));
	assert_int_equal(policy_fill_text(table, &before), 0);
	table[POLICY_TEXT_RANGES - 1] = seen;
	assert_int_equal(policy_renew_text(table, &before, &now), 0);
	assert_int_equal(slots_used(), 4);
	assert_int_equal(slot(0x1000)->end, 0x2000);
	assert_string_equal(slot(0x1000)->driver, "stays");
	assert_null(slot(0x3000));
	assert_int_equal(slot(0x7000)->end, 0x7800);
	assert_string_equal(slot(0x7000)->driver, "moves");
	assert_string_equal(slot(0x8000)->driver, "comes");
	assert_ptr_equal(slot(0xa000), &table[POLICY_TEXT_RANGES - 1]);
	/* A free slot is a range that holds no address. */
	for (size_t i = 0; i < POLICY_TEXT_RANGES; i++)
		assert_true(table[i].start || !table[i].end);
}

/* A slot that a program is filling is not taken. */
static void no_room(void **state)
{
	static struct target_text new[] = { { 0x1000, 0x2000, "a", "a" }, { 0x3000, 0x4000, "b", "b" } };
	const struct target_set before = { 0 }, now = { .text = new, .ntext = 2 };

	(void)state;
	for (size_t i = 0; i < POLICY_TEXT_RANGES; i++)
		table[i] = (struct policy_text){ .start = POLICY_TEXT_TAKEN };
	table[7].start = 0;
	assert_int_equal(policy_renew_text(table, &before, &now), -E2BIG);
	assert_int_equal(table[7].start, 0x1000);
	assert_int_equal(policy_fill_text(table, &(struct target_set){
		.ntext = POLICY_TEXT_RANGES / 2 + 1 }), -E2BIG);
}

/* What is denied comes first, devices only as far as there is room. */
static void ranges(void **state)
{
	static struct policy_phys phys[POLICY_PHYS_RANGES];
	static struct target_denied denied[] = { { 0xfee00000, 0xfee01000, "the local APIC" } };
	static struct target_range wanted[POLICY_PHYS_RANGES];
	static struct pci_dev_info dev = { .dev = 0x18 };
	const struct pci_list pci = { .devs = &dev, .n = 1 };
	struct target_set set = { .denied = denied, .ndenied = 1, .ranges = wanted, .nranges = 2 };
	__u32 n = 0;

	(void)state;
	dev.start[0] = 0xfebc0000;
	dev.size[0] = 0x20000;
	dev.flags[0] = 0x200;	/* IORESOURCE_MEM, include/linux/ioport.h */
	wanted[0] = (struct target_range){ .start = 0x1000, .end = 0x2000, .origin = TARGET_BOUND };
	wanted[1] = (struct target_range){ .start = 0x3000, .end = 0x4000, .origin = TARGET_PHYS };
	assert_int_equal(policy_fill_phys(phys, &n, &set, &pci), 0);
	assert_int_equal(n, 3);
	assert_int_equal(phys[0].flags, POLICY_PHYS_DENIED);
	assert_int_equal(phys[0].start, 0xfee00000);
	assert_int_equal(phys[1].flags, POLICY_PHYS_WANTED);
	assert_int_equal(phys[1].start, 0x3000);
	assert_int_equal(phys[2].flags, 0);
	assert_int_equal(phys[2].dev, 0x18);
	assert_int_equal(phys[2].end, 0xfebe0000);

	for (size_t i = 0; i < POLICY_PHYS_RANGES; i++)
		wanted[i] = wanted[1];
	set.nranges = POLICY_PHYS_RANGES - 1;
	n = 0;
	assert_int_equal(policy_fill_phys(phys, &n, &set, &pci), 0);
	assert_int_equal(n, POLICY_PHYS_RANGES);
	set.nranges++;
	n = 0;
	assert_int_equal(policy_fill_phys(phys, &n, &set, &pci), -E2BIG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(renewed),
		cmocka_unit_test(no_room),
		cmocka_unit_test(ranges),
	};

	return cmocka_run_group_tests_name("policy_fill", tests, NULL, NULL);
}
