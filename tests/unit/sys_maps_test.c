// SPDX-License-Identifier: GPL-2.0-or-later
/* Symbols, live mappings and the physical address map. */
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

#include "sys/iomem.h"
#include "sys/symbols.h"
#include "sys/vmalloc.h"
#include "sys_machine.h"

/* A root whose one file has the given text. */
static char temp[] = "/tmp/mmiobpf-maps-XXXXXX";
static struct sys_root one_file = { .proc = temp, .sys = temp, .modules = temp };

static void put_file(const char *name, const char *text)
{
	char path[128];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", temp, name);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static int make_temp(void **state)
{
	char path[128];

	(void)state;
	if (!mkdtemp(temp))
		return -1;
	snprintf(path, sizeof(path), "%s/sys", temp);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/sys/kernel", temp);
	return mkdir(path, 0700);
}

static int remove_temp(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -r %s", temp);
	return system(command);
}

static void symbols(void **state)
{
	struct symbols *s;
	struct symbol sym;
	uint64_t off;
	char buf[128];

	(void)state;
	assert_int_equal(symbols_new(&machine, &s), 0);
	assert_int_equal(symbols_count(s), 18);
	for (size_t i = 1; i < symbols_count(s); i++) {
		struct symbol before;

		symbols_at(s, i - 1, &before);
		symbols_at(s, i, &sym);
		assert_true(before.addr <= sym.addr);
	}
	assert_int_equal(symbols_lookup(s, 0xffffffffc0a00123, &sym, &off), 0);
	assert_string_equal(sym.name, "e1000_probe");
	assert_string_equal(sym.module, "e1000e");
	assert_int_equal(off, 0x123);
	assert_int_equal(symbols_lookup(s, 0xffffffff81000000, &sym, &off), 0);
	assert_string_equal(sym.name, "_stext");
	assert_string_equal(sym.module, "");
	/* behind a symbol of data, the text before it is still the nearest */
	assert_int_equal(symbols_lookup(s, 0xffffffffc0a10004, &sym, &off), 0);
	assert_string_equal(sym.name, "e1000_last");
	assert_int_equal(symbols_lookup(s, 0xffffffffc0d00000, &sym, &off), -ENOENT);
	assert_int_equal(symbols_lookup(s, 0x1000, &sym, &off), -ENOENT);
	assert_int_equal(symbols_lookup(s, UINT64_MAX, &sym, &off), -ENOENT);
	assert_string_equal(symbols_format(s, 0xffffffffc0a02b00, buf, sizeof(buf)),
			    "e1000_last+0x44 [e1000e]");
	assert_string_equal(symbols_format(s, 0xffffffff81000041, buf, sizeof(buf)), "startup+0x1");
	assert_string_equal(symbols_format(s, 0x1234, buf, sizeof(buf)), "0x1234");
	symbols_free(s);
}

static void hidden_symbols(void **state)
{
	struct symbols *s;

	(void)state;
	put_file("kallsyms", "0000000000000000 T _stext\n0000000000000000 t startup\n");
	assert_int_equal(symbols_new(&one_file, &s), -EPERM);
	put_file("kallsyms", "");
	assert_int_equal(symbols_new(&one_file, &s), -EPERM);
	assert_int_equal(symbols_new(&nowhere, &s), -ENOENT);
}

static void mappings(void **state)
{
	struct vmalloc_list list;

	(void)state;
	assert_int_equal(vmalloc_list_read(&machine, &list), 0);
	assert_int_equal(list.n, 3);
	assert_int_equal(list.hidden, 0);
	assert_int_equal(list.maps[1].virt, 0xffffc90000180000);
	assert_int_equal(list.maps[1].phys, 0xfebc0000);
	assert_int_equal(list.maps[1].len, 0x20000);
	assert_string_equal(list.maps[1].caller, "e1000_probe+0x1c2/0xf30 [e1000e]");
	assert_string_equal(list.maps[1].module, "e1000e");
	assert_string_equal(list.maps[2].caller, "pci_iomap_range+0x5c/0x90");
	assert_string_equal(list.maps[2].module, "");
	vmalloc_list_deinit(&list);
	assert_int_equal(vmalloc_list_read(&nowhere, &list), -ENOENT);
}

static void hidden_mappings(void **state)
{
	static const char hashed[] =
		"0x000000007758d3c9-0x00000000557c79ba    8192 probe+0x1/0x2 [drv] "
		"phys=0x00000000febc0000 ioremap\n";
	struct vmalloc_list list;
	char line[8];

	(void)state;
	put_file("vmallocinfo", hashed);
	assert_int_equal(vmalloc_list_read(&one_file, &list), 0);
	assert_int_equal(list.n, 1);
	assert_int_equal(list.hidden, 1);
	assert_int_equal(list.maps[0].virt, 0);
	assert_int_equal(list.maps[0].phys, 0xfebc0000);
	vmalloc_list_deinit(&list);

	/* The setting is put back, also when it did not help. */
	put_file("sys/kernel/kptr_restrict", "0\n");
	assert_int_equal(vmalloc_list_read_true(&one_file, &list), -EPERM);
	assert_int_equal(sys_read_line(temp, line, sizeof(line), "sys/kernel/kptr_restrict"), 0);
	assert_string_equal(line, "0");
	/* Somebody's decision stays. */
	put_file("sys/kernel/kptr_restrict", "2\n");
	assert_int_equal(vmalloc_list_read_true(&one_file, &list), -EPERM);
	assert_int_equal(sys_read_line(temp, line, sizeof(line), "sys/kernel/kptr_restrict"), 0);
	assert_string_equal(line, "2");
	assert_int_equal(list.n, 0);
}

static int count_ranges(void *ctx, const struct iomem_entry *e)
{
	(void)e;
	++*(int *)ctx;
	return 0;
}

static const char *denied_at(const struct iomem_list *list, uint64_t start)
{
	for (size_t i = 0; i < list->n; i++) {
		if (list->entries[i].start == start)
			return iomem_denied(&list->entries[i]);
	}
	return "not there";
}

static void addresses(void **state)
{
	struct iomem_list list;
	int n = 0;

	(void)state;
	assert_int_equal(iomem_list_read(&machine, &list), 0);
	assert_int_equal(list.n, 27);
	assert_int_equal(list.entries[4].start, 0xf0000);
	assert_int_equal(list.entries[4].end, 0x100000);
	assert_int_equal(list.entries[4].depth, 1);
	assert_string_equal(list.entries[4].name, "System ROM");
	assert_non_null(strstr(denied_at(&list, 0xfed00000), "HPET"));
	assert_non_null(strstr(denied_at(&list, 0xfec00000), "I/O APIC"));
	assert_non_null(strstr(denied_at(&list, 0xfee00000), "local APIC"));
	assert_non_null(strstr(denied_at(&list, 0x80000000), "configuration space"));
	assert_non_null(strstr(denied_at(&list, 0x100000), "memory"));
	assert_null(denied_at(&list, 0xfebc0000));
	assert_null(denied_at(&list, 0xfe000000));
	iomem_for_each_of_device(&list, "INTC1055:00", count_ranges, &n);
	assert_int_equal(n, 3);
	iomem_list_deinit(&list);
}

static void hidden_addresses(void **state)
{
	struct iomem_list list;

	(void)state;
	put_file("iomem", "00000000-00000000 : Reserved\n  00000000-00000000 : System RAM\n");
	assert_int_equal(iomem_list_read(&one_file, &list), -EPERM);
	put_file("iomem", "0000000-ffffffffffffffff : all\nxyz\n00002000-00001fff : backwards\n"
			  "00001000-00001fff : right\n");
	assert_int_equal(iomem_list_read(&one_file, &list), 0);
	assert_int_equal(list.n, 1);
	iomem_list_deinit(&list);
	assert_int_equal(iomem_list_read(&nowhere, &list), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(symbols),	   cmocka_unit_test(hidden_symbols),
		cmocka_unit_test(mappings),	   cmocka_unit_test(hidden_mappings),
		cmocka_unit_test(addresses),	   cmocka_unit_test(hidden_addresses),
	};

	return cmocka_run_group_tests_name("sys_maps", tests, make_temp, remove_temp);
}
