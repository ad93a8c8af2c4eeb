// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "log/text_writer.h"
#include "log_memory.h"
#include "sys/pci.h"
#include "sys_machine.h"

static void addresses(void **state)
{
	static const struct {
		const char *text;
		int err;
		uint32_t dev;
	} cases[] = {
		{ "0000:00:1f.2", 0, 0xfa },
		{ "00:1f.2", 0, 0xfa },
		{ "0:3.0", 0, 0x18 },
		{ "0001:02:03.4", 0, 0x1021c },
		{ "ffff:ff:1f.7", 0, 0xffffffff },
		{ "FFFF:FF:1F.7", 0, 0xffffffff },
		{ "10000:00:00.0", -ERANGE, 0 },
		{ "00:20.0", -EINVAL, 0 },
		{ "00:1f.8", -EINVAL, 0 },
		{ "100:00.0", -EINVAL, 0 },
		{ "00:1f", -EINVAL, 0 },
		{ "00:1f.", -EINVAL, 0 },
		{ "00.1f:2", -EINVAL, 0 },
		{ ":00:1f.2", -EINVAL, 0 },
		{ "00:1f.2 ", -EINVAL, 0 },
		{ "-1:1f.2", -EINVAL, 0 },
		{ "0x0:1f.2", -EINVAL, 0 },
		{ "0000:00:00:1f.2", -EINVAL, 0 },
		{ "e1000e", -EINVAL, 0 },
		{ "", -EINVAL, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint32_t dev = 0;
		int err = pci_parse_bdf(cases[i].text, &dev);

		if (err != cases[i].err || dev != cases[i].dev)
			fail_msg("\"%s\": error %d, device %x", cases[i].text, err, dev);
	}
}

static void formatting(void **state)
{
	char buf[PCI_BDF_LEN];

	(void)state;
	assert_string_equal(pci_format_bdf(0xfa, buf), "0000:00:1f.2");
	assert_string_equal(pci_format_bdf(0xffffffff, buf), "ffff:ff:1f.7");
}

/* The PCIDEV lines must be what the kernel's own list says, in its order. */
static void as_the_kernel_prints_them(void **state)
{
	struct pci_list list;
	struct log_header h;
	struct memory_sink sink;
	struct log_writer *w;

	(void)state;
	assert_int_equal(pci_list_read(&machine, &list), 0);
	assert_int_equal(list.n, 7);
	log_header_init(&h);
	for (size_t i = 0; i < list.n; i++)
		log_header_add_device(&h, &list.devs[i]);
	memory_sink_init(&sink);
	assert_int_equal(text_writer_new(&sink.sink, 0, &w), 0);
	assert_int_equal(log_writer_begin(w, &h), 0);
	assert_string_equal(sink.text,
		"VERSION 20070824\n"
		"PCIDEV 0000 808629c0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 \n"
		"PCIDEV 00fb 80862930 0 0 0 0 0 701 0 0 0 0 0 0 40 0 0 compat\n"
		"PCIDEV 0018 10de1eb8 0 800000000c 0 0 0 0 0 0 100000000 0 0 0 0 0 0 \n"
		"PCIDEV 0018 808610d3 1b febc0000 feba0000 c041 febf0000 0 0 feb40000 20000 20000 "
		"20 4000 0 0 40000 e1000e\n"
		"PCIDEV 0008 80863420 a fe000000 0 0 0 0 0 0 100000 0 0 0 0 0 0 pcieport\n"
		/* not in the kernel's list: behind it, by address */
		"PCIDEV 0020 1b360010 b fea00004 0 0 0 0 0 0 4000 0 0 0 0 0 0 \n"
		"PCIDEV 00fa 80862922 10 0 0 0 0 c061 fea10000 0 0 0 0 0 20 1000 0 ahci\n");
	log_writer_free(w);
	memory_sink_deinit(&sink);
	log_header_deinit(&h);
	pci_list_deinit(&list);
}

static void lookup(void **state)
{
	const struct pci_dev_info *d;
	struct pci_list list;
	unsigned int bar;
	uint64_t off;

	(void)state;
	assert_int_equal(pci_list_read(&machine, &list), 0);
	d = pci_list_find(&list, 0x18);
	assert_non_null(d);
	assert_int_equal(d->vendor, 0x8086);
	assert_true(pci_bar_is_mem(d, 0));
	assert_false(pci_bar_is_mem(d, 2));	/* I/O ports */
	assert_false(pci_bar_is_mem(d, 4));	/* not there */
	assert_null(pci_list_find(&list, 0x19));
	assert_int_equal(pci_list_find(&list, 0x10018)->vendor, 0x10de);

	d = pci_list_lookup(&list, 0xfebc0008, &bar, &off);
	assert_int_equal(d->dev, 0x18);
	assert_int_equal(bar, 0);
	assert_int_equal(off, 8);
	d = pci_list_lookup(&list, 0xfebf3fff, &bar, &off);
	assert_int_equal(bar, 3);
	assert_int_equal(off, 0x3fff);
	assert_null(pci_list_lookup(&list, 0xfebf4000, &bar, &off));
	assert_null(pci_list_lookup(&list, 0xc040, &bar, &off));
	assert_null(pci_list_lookup(&list, 0, &bar, &off));
	d = pci_list_lookup(&list, 0x80ffffffff, &bar, &off);
	assert_int_equal(d->dev, 0x10018);
	pci_list_deinit(&list);

	assert_int_equal(pci_list_read(&nowhere, &list), 0);
	assert_int_equal(list.n, 0);
}

/* lspci is a program of the machine: what it prints becomes lines, and its absence is no error. */
static void lspci(void **state)
{
	static const char script[] = "#!/bin/sh\nprintf 'one %s\\n\\n\\tthree\\n' \"$1\"\n";
	char dir[] = "/tmp/mmiobpf-lspci-XXXXXX", path[64], *old = strdup(getenv("PATH"));
	struct log_header h;
	FILE *f;

	(void)state;
	assert_non_null(mkdtemp(dir));
	log_header_init(&h);
	assert_int_equal(setenv("PATH", dir, 1), 0);
	assert_int_equal(pci_read_lspci(&h), 0);
	assert_int_equal(h.nlspci, 0);
	snprintf(path, sizeof(path), "%s/lspci", dir);
	f = fopen(path, "w");
	fwrite(script, 1, sizeof(script) - 1, f);
	fclose(f);
	setenv("PATH", old, 1);
	snprintf(path, sizeof(path), "chmod 755 %s/lspci", dir);
	assert_int_equal(system(path), 0);
	setenv("PATH", dir, 1);
	assert_int_equal(pci_read_lspci(&h), 0);
	setenv("PATH", old, 1);
	assert_int_equal(h.nlspci, 3);
	assert_string_equal(h.lspci[0], "one -v");
	assert_string_equal(h.lspci[1], "");
	assert_string_equal(h.lspci[2], "\tthree");
	log_header_deinit(&h);
	snprintf(path, sizeof(path), "%s/lspci", dir);
	unlink(path);
	rmdir(dir);
	free(old);
}

static void names(void **state)
{
	struct pci_dev_info d = { .dev = 0x18, .vendor = 0xfffe, .device = 0xabcd };
	struct pci_names *n;
	char buf[256];

	(void)state;
	assert_int_equal(pci_names_open(&machine, &n), 0);
	pci_names_describe(n, &d, buf, sizeof(buf));
	/* no data base knows that device: its numbers are there */
	assert_non_null(strstr(buf, "abcd"));
	assert_true(strstr(buf, "Ethernet controller: ") == buf || strstr(buf, "Class 0200: ") == buf);
	pci_names_close(n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses), cmocka_unit_test(formatting),
		cmocka_unit_test(as_the_kernel_prints_them), cmocka_unit_test(lookup),
		cmocka_unit_test(lspci),     cmocka_unit_test(names),
	};

	return cmocka_run_group_tests_name("sys_pci", tests, NULL, NULL);
}
