// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "sys/text.h"
#include "sys_machine.h"

static void expect_text(struct text_source *s, const char *module, size_t n,
			const struct text_range *expect)
{
	struct text_range *ranges;
	size_t got;

	assert_int_equal(text_source_ranges(s, module, &ranges, &got), 0);
	assert_int_equal(got, n);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(ranges[i].start, expect[i].start);
		assert_int_equal(ranges[i].end, expect[i].end);
	}
	free(ranges);
}

static void by_area(void **state)
{
	static const struct text_range e1000e[] = { { 0xffffffffc0a00000, 0xffffffffc0a03000 } };
	/* an area of several modules: the next one ends it */
	static const struct text_range hda[] = { { 0xffffffffc0c00000, 0xffffffffc0c04000 } };
	static const struct text_range codec[] = { { 0xffffffffc0c04000, 0xffffffffc0e00000 } };
	struct text_source *s;

	(void)state;
	assert_int_equal(text_source_new(&machine, &s), 0);
	expect_text(s, "e1000e", 1, e1000e);
	expect_text(s, "snd-hda-intel", 1, hda);
	expect_text(s, "snd_hda_codec", 1, codec);
	text_source_free(s);
}

static void by_symbols(void **state)
{
	/* no area is known: in two parts, each ended by something else's symbol */
	static const struct text_range xhci[] = {
		{ 0xffffffffc0b10000, 0xffffffffc0b10800 },
		{ 0xffffffffc0b11000, 0xffffffffc0b11400 },
	};
	/* its start code is elsewhere, and may go at any moment */
	static const struct text_range loading[] = { { 0xffffffffc0900000, 0xffffffffc0941000 } };
	struct text_source *s;
	struct text_range *ranges;
	size_t n;

	(void)state;
	assert_int_equal(text_source_new(&machine, &s), 0);
	expect_text(s, "xhci-pci", 2, xhci);
	expect_text(s, "still_loading", 1, loading);
	expect_text(s, "nvme", 0, NULL);	/* not loaded, or no longer */
	text_source_free(s);
	assert_int_equal(text_source_new(&nowhere, &s), 0);
	assert_int_equal(text_source_ranges(s, "e1000e", &ranges, &n), -ENOENT);
	text_source_free(s);
}

/* --- a machine of its own, whose switch can be written --- */

static char temp[] = "/tmp/mmiobpf-text-XXXXXX";

static void put_file(const char *name, const char *content)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", temp, name);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(content, f);
	fclose(f);
}

static void get_line(const char *name, char *line, size_t size)
{
	assert_int_equal(sys_read_line(temp, line, size, "%s", name), 0);
}

static void the_switch_is_put_back(void **state)
{
	static const struct text_range tiny[] = { { 0xffffffffc0100000, 0xffffffffc0101000 } };
	const struct sys_root root = { .proc = temp, .sys = temp, .modules = temp };
	struct text_range *ranges;
	struct text_source *s;
	char path[128], line[8];
	size_t n;

	(void)state;
	assert_non_null(mkdtemp(temp));
	snprintf(path, sizeof(path), "%s/sys", temp);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/sys/kernel", temp);
	mkdir(path, 0700);
	put_file("sys/kernel/kptr_restrict", "0\n");
	put_file("modules", "tiny 4096 0 - Live 0xffffffffc0100000\n");
	put_file("vmallocinfo", "0xffffffffc0100000-0xffffffffc0102000 8192 load_module pages=1\n");
	assert_int_equal(text_source_new(&root, &s), 0);
	expect_text(s, "tiny", 1, tiny);
	text_source_free(s);
	get_line("sys/kernel/kptr_restrict", line, sizeof(line));
	assert_string_equal(line, "0");

	/* Hashed, and somebody's decision: the symbols are asked, which are hidden as well. */
	put_file("sys/kernel/kptr_restrict", "2\n");
	put_file("vmallocinfo", "0x000000005f09a496-0x00000000c4e8437e 8192 load_module pages=1\n");
	put_file("kallsyms", "0000000000000000 t tiny_probe\t[tiny]\n");
	assert_int_equal(text_source_new(&root, &s), 0);
	assert_int_equal(text_source_ranges(s, "tiny", &ranges, &n), -EPERM);
	text_source_free(s);
	get_line("sys/kernel/kptr_restrict", line, sizeof(line));
	assert_string_equal(line, "2");
}

static int remove_machine(void **state)
{
	static const char *const names[] = { "sys/kernel/kptr_restrict", "sys/kernel", "sys", "modules",
					     "vmallocinfo", "kallsyms", "" };
	char path[128];

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", temp, names[i]);
		remove(path);
	}
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_area),
		cmocka_unit_test(by_symbols),
		cmocka_unit_test_teardown(the_switch_is_put_back, remove_machine),
	};

	return cmocka_run_group_tests_name("sys_text", tests, NULL, NULL);
}
