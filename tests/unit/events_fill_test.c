// SPDX-License-Identifier: GPL-2.0-or-later
/* Whose interrupts and configuration space are wanted, on the machine of tests/data/sys. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "session/events_fill.h"
#include "sys_machine.h"

#define NIC	(3 << 3)
#define UNBOUND (4 << 3)

/* A range of a device is that device's; one that was given by address is that of whom it touches. */
static void devices(void **state)
{
	static struct pci_dev_info devs[2] = { { .dev = 0x18 }, { .dev = 0x20 } };
	static struct target_range ranges[4];
	const struct pci_list pci = { .devs = devs, .n = 2 };
	struct target_set set = { .ranges = ranges, .nranges = 4 };
	__u32 table[POLICY_DEVICES], n = 77;

	(void)state;
	devs[1].start[2] = 0xfebc0000;
	devs[1].size[2] = 0x20000;
	devs[1].flags[2] = 0x200;	/* IORESOURCE_MEM, include/linux/ioport.h */
	ranges[0] = (struct target_range){ .start = 0x1000, .end = 0x2000, .dev = 0x30 };
	ranges[1] = (struct target_range){ .start = 0x3000, .end = 0x4000, .dev = 0x30 };
	ranges[2] = (struct target_range){ .start = 0xfebdffff, .end = 0xfebe0000,
					   .dev = MMIOBPF_NO_DEV };
	ranges[3] = (struct target_range){ .start = 0xfebe0000, .end = 0xfebe1000,
					   .dev = MMIOBPF_NO_DEV };
	assert_int_equal(events_fill_devices(table, &n, &set, &pci), 0);
	assert_int_equal(n, 2);
	assert_int_equal(table[0], 0x30);
	assert_int_equal(table[1], 0x20);
}

static void devices_too_many(void **state)
{
	static struct target_range ranges[POLICY_DEVICES + 1];
	const struct pci_list pci = { 0 };
	struct target_set set = { .ranges = ranges, .nranges = POLICY_DEVICES };
	__u32 table[POLICY_DEVICES], n;

	(void)state;
	for (__u32 i = 0; i <= POLICY_DEVICES; i++)
		ranges[i].dev = i;
	assert_int_equal(events_fill_devices(table, &n, &set, &pci), 0);
	assert_int_equal(n, POLICY_DEVICES);
	set.nranges++;
	assert_int_equal(events_fill_devices(table, &n, &set, &pci), -E2BIG);
}

/* MSI-X instead of the line; a device without a driver has none, and one that is not there neither. */
static void irqs(void **state)
{
	static __u8 table[POLICY_IRQS];
	const __u32 wanted[] = { NIC, UNBOUND, 0xffff };
	struct pci_list pci;
	unsigned int marked = 0;

	(void)state;
	assert_int_equal(pci_list_read(&machine, &pci), 0);
	assert_int_equal(events_fill_irqs(table, wanted, 3, &pci, &machine), 0);
	for (unsigned int i = 0; i < POLICY_IRQS; i++)
		marked += table[i];
	assert_int_equal(marked, 2);
	assert_int_equal(table[25] + table[26], 2);
	pci_list_deinit(&pci);
}

static void irq_line(void **state)
{
	static __u8 table[POLICY_IRQS];
	static struct pci_dev_info dev = { .dev = 0x50, .irq = 11, .driver = "e1000" };
	const struct pci_list pci = { .devs = &dev, .n = 1 };

	(void)state;
	assert_int_equal(events_fill_irqs(table, &dev.dev, 1, &pci, &machine), 0);
	assert_int_equal(table[11], 1);
	table[11] = 0;
	dev.irq = POLICY_IRQS;
	assert_int_equal(events_fill_irqs(table, &dev.dev, 1, &pci, &machine), 0);
	assert_null(memchr(table, 1, sizeof(table)));
}

/* The functions behind /sys and /proc are callers, and so is a module's of such a name. */
static void accessors(void **state)
{
	static const char symbols[] = "ffffffff81000000 T _stext\n"
				      "ffffffff81001000 t pci_read\n"
				      "ffffffff81001040 T raw_pci_read\n"
				      "ffffffff81002000 T pci_read_config_word\n"
				      "ffffffff81002000 T pci_read_config_alias\n"
				      "ffffffff81002080 t pci_read_config\n"
				      "ffffffff81003000 D pci_write\n"
				      "ffffffffc0a00000 t pci_bus_read_config_byte\t[mine]\n";
	struct policy_function table[POLICY_ACCESSORS] = { 0 };
	char dir[] = "/tmp/events_fill.XXXXXX", path[64];
	struct sys_root root = { .proc = dir, .sys = dir, .modules = dir };
	FILE *f;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/kallsyms", dir);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(symbols, f);
	fclose(f);
	assert_int_equal(events_fill_accessors(table, &root), 0);
	unlink(path);
	rmdir(dir);
	assert_int_equal(table[0].start, 0xffffffff81001000);
	assert_int_equal(table[0].end, 0xffffffff81001040);
	assert_int_equal(table[1].start, 0xffffffff81002000);
	assert_int_equal(table[1].end, 0xffffffff81002080);
	assert_int_equal(table[2].end, 0xffffffff81002080);
	assert_int_equal(table[3].start, 0);
	assert_int_equal(events_fill_accessors(table, &nowhere), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(devices),
		cmocka_unit_test(devices_too_many),
		cmocka_unit_test(irqs),
		cmocka_unit_test(irq_line),
		cmocka_unit_test(accessors),
	};

	return cmocka_run_group_tests_name("events_fill", tests, NULL, NULL);
}
