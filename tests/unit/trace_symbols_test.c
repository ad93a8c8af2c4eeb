// SPDX-License-Identifier: GPL-2.0-or-later
/* Names for the addresses of a capture, on the machine of tests/data/sys. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cmd/trace_symbols.h"
#include "sys_machine.h"

static struct symbolizer *symbolizer;

static void expect(uint64_t pc, uint64_t start, const char *name, const char *module)
{
	struct symbol_name found;

	assert_int_equal(symbolizer_find(symbolizer, pc, &found), 0);
	assert_int_equal(pc - found.offset, start);
	assert_string_equal(found.name, name);
	assert_string_equal(found.module, module);
}

static void expect_none(uint64_t pc)
{
	struct symbol_name found;

	assert_int_equal(symbolizer_find(symbolizer, pc, &found), -ENOENT);
}

static void named(void **state)
{
	(void)state;
	expect(0xffffffff81a00010, 0xffffffff81a00000, "ioremap", "");
	expect(0xffffffffc0a01f10, 0xffffffffc0a01f00, "e1000_remove", "e1000e");
	expect(0xffffffffc0c00123, 0xffffffffc0c00000, "azx_probe", "snd_hda_intel");
	/* the code of its start, in an area of its own */
	expect(0xffffffffc0940020, 0xffffffffc0940010, "init_it", "still_loading");
}

/* Not the name of what lies before it. */
static void not_named(void **state)
{
	(void)state;
	/* in a module that has no symbol there: that of another module is the nearest */
	expect_none(0xffffffffc0c04100);
	/* behind the end of e1000e, and in no module */
	expect_none(0xffffffffc0a4b000);
	/* a module that is unloading, and has no symbols any more */
	expect_none(0xffffffffc0910010);
	expect_none(0x1000);
}

static void no_machine(void **state)
{
	struct symbolizer *s;

	(void)state;
	assert_int_equal(trace_symbols_new(&nowhere, &s), -ENOENT);
	symbolizer_free(NULL);
}

static int setup(void **state)
{
	(void)state;
	return trace_symbols_new(&machine, &symbolizer);
}

static int teardown(void **state)
{
	(void)state;
	symbolizer_free(symbolizer);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(named),
		cmocka_unit_test(not_named),
		cmocka_unit_test(no_machine),
	};

	return cmocka_run_group_tests_name("trace_symbols", tests, setup, teardown);
}
