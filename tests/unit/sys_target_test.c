// SPDX-License-Identifier: GPL-2.0-or-later
/* What the user asks for, on the machine of tests/data/sys. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "sys/target.h"
#include "sys_machine.h"

static struct target_set set;
static char why[512];

static enum target_error resolve_on(const struct sys_root *root, const char *driver, const char *pci,
				    const char *phys)
{
	struct target_request req = {
		.drivers = &driver, .ndrivers = driver ? 1 : 0,
		.pci = &pci, .npci = pci ? 1 : 0,
		.phys = &phys, .nphys = phys ? 1 : 0,
	};

	why[0] = '\0';
	return target_set_resolve(&set, root, &req, why, sizeof(why));
}

static enum target_error resolve(const char *driver, const char *pci, const char *phys)
{
	return resolve_on(&machine, driver, pci, phys);
}

static void expect_range(size_t i, uint64_t start, uint64_t end, uint32_t dev, uint8_t bar,
			 enum target_origin origin)
{
	assert_true(i < set.nranges);
	assert_int_equal(set.ranges[i].start, start);
	assert_int_equal(set.ranges[i].end, end);
	assert_int_equal(set.ranges[i].dev, dev);
	assert_int_equal(set.ranges[i].bar, bar);
	assert_int_equal(set.ranges[i].origin, origin);
}

static void loaded_module(void **state)
{
	(void)state;
	assert_int_equal(resolve("e1000e", NULL, NULL), TARGET_OK);
	assert_int_equal(set.ntext, 1);
	assert_int_equal(set.text[0].start, 0xffffffffc0a00000);
	assert_int_equal(set.text[0].end, 0xffffffffc0a03000);
	assert_string_equal(set.text[0].driver, "e1000e");
	assert_int_equal(set.nwatch, 1);
	assert_string_equal(set.watch[0].module, "e1000e");
	assert_int_equal(set.nranges, 4);
	expect_range(0, 0xfebc0000, 0xfebe0000, 0x18, 0, TARGET_BOUND);
	expect_range(1, 0xfeba0000, 0xfebc0000, 0x18, 1, TARGET_BOUND);
	expect_range(2, 0xfebf0000, 0xfebf4000, 0x18, 3, TARGET_BOUND);
	expect_range(3, 0xfeb40000, 0xfeb80000, 0x18, 6, TARGET_BOUND);
	assert_int_equal(set.ndenied, 7);
	assert_false(set.all);
	target_set_deinit(&set);

	/* a driver that has another name than its module, and text in two parts */
	assert_int_equal(resolve("xhci-hcd", NULL, NULL), TARGET_OK);
	assert_int_equal(set.ntext, 2);
	assert_string_equal(set.text[1].driver, "xhci-hcd");
	assert_string_equal(set.text[1].module, "xhci_pci");
	assert_string_equal(set.watch[0].module, "xhci_pci");
	assert_int_equal(set.nranges, 0);
	target_set_deinit(&set);

	/* a module that is no driver of these buses */
	assert_int_equal(resolve("snd-hda-intel", NULL, NULL), TARGET_OK);
	assert_int_equal(set.ntext, 1);
	assert_string_equal(set.watch[0].module, "snd_hda_intel");
	target_set_deinit(&set);
}

static void module_to_come(void **state)
{
	(void)state;
	assert_int_equal(resolve("nvme", NULL, NULL), TARGET_OK);
	assert_int_equal(set.ntext, 0);
	/* the device that waits for it, and not the one that another driver has */
	assert_int_equal(set.nranges, 1);
	expect_range(0, 0xfea00000, 0xfea04000, 0x20, 0, TARGET_AWAITED);
	assert_int_equal(set.nwatch, 1);
	assert_string_equal(set.watch[0].module, "nvme");
	assert_string_equal(set.watch[0].driver, "nvme");
	target_set_deinit(&set);

	/* no device of this machine is for it */
	assert_int_equal(resolve("e1000", NULL, NULL), TARGET_OK);
	assert_int_equal(set.nranges, 0);
	assert_int_equal(set.nwatch, 1);
	target_set_deinit(&set);
}

/* In the list of modules when it was looked for there, and in no list of symbols. */
static void module_just_gone(void **state)
{
	(void)state;
	assert_int_equal(resolve("just_gone", NULL, NULL), TARGET_OK);
	assert_int_equal(set.ntext, 0);
	assert_int_equal(set.nwatch, 1);
	assert_string_equal(set.watch[0].module, "just_gone");
	target_set_deinit(&set);
}

static void builtin_driver(void **state)
{
	(void)state;
	assert_int_equal(resolve("ahci", NULL, NULL), TARGET_OK);
	assert_int_equal(set.ntext, 0);
	assert_int_equal(set.nwatch, 0);
	assert_int_equal(set.nranges, 2);
	expect_range(0, 0xfea10000, 0xfea11000, 0xfa, 5, TARGET_BUILTIN);
	/* no driver has this one yet, and it is the only one that has an alias for it */
	expect_range(1, 0xfea00000, 0xfea04000, 0x20, 0, TARGET_BUILTIN);
	assert_string_equal(set.ranges[1].driver, "ahci");
	target_set_deinit(&set);

	/* by the name of its driver, and by that of its module */
	assert_int_equal(resolve("tigerlake-pinctrl", NULL, NULL), TARGET_OK);
	assert_int_equal(set.nranges, 2);
	expect_range(0, 0xfd6d0000, 0xfd6e0000, MMIOBPF_NO_DEV, MMIOBPF_NO_BAR, TARGET_BUILTIN);
	expect_range(1, 0xfd6e0000, 0xfd6f0000, MMIOBPF_NO_DEV, MMIOBPF_NO_BAR, TARGET_BUILTIN);
	target_set_deinit(&set);
	assert_int_equal(resolve("pinctrl-tigerlake", NULL, NULL), TARGET_OK);
	assert_int_equal(set.nranges, 2);
	target_set_deinit(&set);

	/* one that does not say which module it is */
	assert_int_equal(resolve("pcieport", NULL, NULL), TARGET_OK);
	expect_range(0, 0xfe000000, 0xfe100000, 0x08, 0, TARGET_BUILTIN);
	target_set_deinit(&set);
}

static void by_address(void **state)
{
	(void)state;
	assert_int_equal(resolve(NULL, "00:03.0", NULL), TARGET_OK);
	assert_int_equal(set.nranges, 4);
	expect_range(0, 0xfebc0000, 0xfebe0000, 0x18, 0, TARGET_PCI);
	assert_string_equal(set.ranges[0].driver, "e1000e");
	target_set_deinit(&set);
	assert_int_equal(resolve(NULL, "0001:00:03.0", NULL), TARGET_OK);
	assert_int_equal(set.nranges, 1);
	assert_int_equal(set.ranges[0].dev, 0x10018);
	target_set_deinit(&set);
	assert_int_equal(resolve(NULL, NULL, "0xfd000000-0xfd000fff"), TARGET_OK);
	expect_range(0, 0xfd000000, 0xfd001000, MMIOBPF_NO_DEV, MMIOBPF_NO_BAR, TARGET_PHYS);
	assert_non_null(target_set_range(&set, 0xfd000fff, 0xfd002000));
	assert_null(target_set_range(&set, 0xfd001000, 0xfd002000));
	assert_null(target_set_range(&set, 0xfcfff000, 0xfd000000));
	target_set_deinit(&set);

	/* what was asked for by address stays so when a driver has it as well */
	assert_int_equal(resolve("e1000e", "00:03.0", NULL), TARGET_OK);
	assert_int_equal(set.nranges, 4);
	expect_range(0, 0xfebc0000, 0xfebe0000, 0x18, 0, TARGET_PCI);
	target_set_deinit(&set);
}

static void everything(void **state)
{
	struct target_request req = { .all = true };

	(void)state;
	assert_int_equal(target_set_resolve(&set, &machine, &req, why, sizeof(why)), TARGET_OK);
	assert_true(set.all);
	assert_non_null(target_set_denied(&set, 0xfed00000, 0xfed00001));
	assert_non_null(target_set_denied(&set, 0xfec00000, 0xfed00000));
	assert_null(target_set_denied(&set, 0xfec01000, 0xfed00000));
	target_set_deinit(&set);
}

static void wrong(const struct sys_root *root, const char *driver, const char *pci, const char *phys,
		  enum target_error e, bool usage, const char *text)
{
	enum target_error got = resolve_on(root, driver, pci, phys);

	target_set_deinit(&set);
	if (got != e || strcmp(why, text))
		fail_msg("%d, not %d: %s", got, e, why);
	assert_int_equal(target_error_is_usage(got), usage);
}

static void wrong_targets(void **state)
{
	(void)state;
	wrong(&machine, NULL, NULL, NULL, TARGET_NONE, true,
	      "no target was given; use --driver, --pci, --phys or --all");
	wrong(&machine, "e1000x", NULL, NULL, TARGET_NO_DRIVER, false,
	      "cannot trace driver \"e1000x\": there is no such driver on the PCI and platform buses, "
	      "and no such module for this kernel; did you mean \"e1000e\"?");
	wrong(&machine, "thunderbolt", NULL, NULL, TARGET_NO_DRIVER, false,
	      "cannot trace driver \"thunderbolt\": there is no such driver on the PCI and platform "
	      "buses, and no such module for this kernel; 'mmiobpf trace' without a target lists what "
	      "there is");
	wrong(&machine, "lonely", NULL, NULL, TARGET_NO_DEVICE, false,
	      "cannot trace driver \"lonely\": it is built into the kernel and no device is bound to "
	      "it; name its device with --pci or --phys");
	wrong(&machine, "nothing_bound", NULL, NULL, TARGET_NO_DEVICE, false,
	      "cannot trace driver \"nothing_bound\": it is built into the kernel and no device is "
	      "bound to it; name its device with --pci or --phys");
	wrong(&machine, "empty", NULL, NULL, TARGET_NO_BAR, false,
	      "cannot trace driver \"empty\": it is built into the kernel, and its devices have no "
	      "memory of their own; name a range with --phys");
	wrong(&machine, NULL, "00:09.0", NULL, TARGET_NO_DEVICE, false,
	      "cannot trace PCI device 00:09.0: there is no device with that address; 'mmiobpf trace' "
	      "without a target lists what there is");
	wrong(&machine, NULL, "00:1f.3", NULL, TARGET_NO_BAR, false,
	      "cannot trace PCI device 00:1f.3: it has no memory BAR; name a range with --phys, or "
	      "another device");
	wrong(&machine, NULL, "e1000e", NULL, TARGET_BAD_BDF, true,
	      "\"e1000e\" is not a PCI address; it looks like 0000:00:1f.2 or 00:1f.2");
	wrong(&machine, NULL, NULL, "febc0000", TARGET_BAD_RANGE, true,
	      "\"febc0000\" is not an address range; it looks like 0xfebc0000-0xfebdffff or "
	      "0xfebc0000+128k");
	wrong(&machine, NULL, NULL, "0xfed00000+4k", TARGET_DENIED, false,
	      "cannot trace 0xfed00000+4k: it touches 0xfed00000-0xfed003ff, the HPET, which the "
	      "kernel's timekeeping reads; choose a range without it");
	wrong(&nowhere, "e1000e", NULL, NULL, TARGET_SYSTEM, false,
	      "cannot read /proc/iomem: No such file or directory");
}

static void list(void **state)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	(void)state;
	assert_int_equal(target_list_print(&machine, f), 0);
	fclose(f);
	assert_non_null(strstr(text, "--pci 0000:00:03.0  "));
	assert_non_null(strstr(text, "    --driver e1000e\n"
				     "    BAR 0  0xfebc0000  128K\n"
				     "    BAR 1  0xfeba0000  128K\n"
				     "    BAR 3  0xfebf0000  16K\n"
				     "    ROM    0xfeb40000  256K\n"));
	assert_non_null(strstr(text, "    BAR 0  0x8000000000  4G\n"));
	assert_non_null(strstr(text, "    no memory BAR: nothing to trace\n"));
	assert_non_null(strstr(text, "--driver tigerlake-pinctrl  INTC1055:00  0xfd6d0000  64K\n"));
	assert_null(strstr(text, "lonely"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loaded_module),  cmocka_unit_test(module_to_come),
		cmocka_unit_test(module_just_gone),
		cmocka_unit_test(builtin_driver), cmocka_unit_test(by_address),
		cmocka_unit_test(everything),	  cmocka_unit_test(wrong_targets),
		cmocka_unit_test(list),
	};

	return cmocka_run_group_tests_name("sys_target", tests, NULL, NULL);
}
