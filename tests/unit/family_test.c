// SPDX-License-Identifier: GPL-2.0-or-later
/* Families of devices: who is found, arrays between each other, fields; the tables themselves. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "family/family.h"
#include "log/calls_put.h"

static void found(void **state)
{
	(void)state;
	assert_ptr_equal(family_find(0x8086, 0x10d3, ""), &family_e1000e);
	assert_ptr_equal(family_find(0x8086, 0xffff, "e1000e"), &family_e1000e);
	assert_null(family_find(0x8086, 0x10d4, "e1000"));
	assert_null(family_find(0, 0, ""));
}

static void expect(const struct family *f, uint8_t bar, uint64_t offset, uint64_t value,
		   const char *name, const char *fields)
{
	struct family_match m;
	char buf[1024];

	assert_int_equal(family_register_find(f, bar, offset, &m), 0);
	*put_register(buf, &m) = '\0';
	assert_string_equal(buf, name);
	*put_fields(buf, &m, value) = '\0';
	assert_string_equal(buf, fields);
}

static void registers(void **state)
{
	struct family_match m;

	(void)state;
	expect(&family_e1000e, 0, 0x8, 0x80080783, "STATUS",
	       "FD|LU|SPEED=1000|ASDV=1000|PHYRA|GIO_MASTER_EN|0x80000000");
	expect(&family_e1000e, 0, 0xa, 0x08, "STATUS+2", "GIO_MASTER_EN");
	expect(&family_e1000e, 0, 0x20, 0x14431234, "MDIC", "DATA=0x1234|REG=3|PHY=2|OP=write|READY");
	expect(&family_e1000e, 0, 0x5404, 0x80005634, "RAH[0]", "ADDR=0x5634|AV");
	expect(&family_e1000e, 0, 0x5408, 0, "RAL[1]", "");
	expect(&family_e1000e, 0, 0x547c, 0, "RAH[15]", "");
	expect(&family_e1000e, 0, 0x2918, 0, "RDT[1]", "");
	expect(&family_e1000e, 3, 0x2c, 1, "MSIX_CTRL[2]", "MASKED");
	expect(&family_e1000e, 0, 0x18, 0xff, "CTRL_EXT", "");
	expect(&family_pci_config, 0, 4, 0x107, "COMMAND", "IO|MEM|MASTER|SERR");
	expect(&family_pci_config, 0, 0x14, 0, "BAR[1]", "");
	assert_int_equal(family_register_find(&family_e1000e, 1, 0x8, &m), -ENOENT);
	assert_int_equal(family_register_find(&family_e1000e, 0, 0x5480, &m), -ENOENT);
	assert_int_equal(family_register_find(&family_e1000e, 0, 0x100000008, &m), -ENOENT);
	assert_int_equal(family_register_find(&family_pci_config, 0, 0x40, &m), -ENOENT);
}

/* Every entry is found where it says it is, so none hides another; the bits of a field adjoin. */
static void check_table(const struct family *f)
{
	for (size_t i = 0; i < f->nregisters; i++) {
		const struct family_register *r = &f->registers[i];
		uint32_t size = r->size ? r->size : 4;
		uint64_t taken = 0;

		for (uint32_t n = 0; n < (r->count ? r->count : 1u); n++) {
			struct family_match m;
			uint64_t at = r->offset + (uint64_t)n * (r->stride ? r->stride : size);

			assert_int_equal(family_register_find(f, r->bar, at, &m), 0);
			assert_ptr_equal(m.reg, r);
			assert_int_equal(m.index, n);
			assert_int_equal(m.byte, 0);
		}
		for (const struct family_field *field = r->fields; field && field->mask; field++) {
			uint64_t low = field->mask >> __builtin_ctzll(field->mask);

			assert_int_equal(low & (low + 1), 0);
			assert_int_equal(taken & field->mask, 0);
			assert_true(size >= 8 || field->mask >> (8 * size) == 0);
			taken |= field->mask;
		}
	}
}

static void tables(void **state)
{
	(void)state;
	check_table(&family_e1000e);
	check_table(&family_pci_config);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(found),
		cmocka_unit_test(registers),
		cmocka_unit_test(tables),
	};

	return cmocka_run_group_tests_name("family", tests, NULL, NULL);
}
