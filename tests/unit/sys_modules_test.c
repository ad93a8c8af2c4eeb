// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "sys/modules.h"
#include "sys_machine.h"

static void names(void **state)
{
	char out[MODULE_NAME_LEN];

	(void)state;
	assert_true(module_name_equal("snd-hda-intel", "snd_hda_intel"));
	assert_false(module_name_equal("e1000", "e1000e"));
	assert_false(module_name_equal("e1000e", "e1000"));
	assert_true(module_name_equal("", ""));
	module_name_canonical("snd-hda-intel", out);
	assert_string_equal(out, "snd_hda_intel");
	module_name_canonical("a-name-that-is-much-longer-than-a-module-of-the-kernel-can-ever-have-got",
			      out);
	assert_int_equal(strlen(out), MODULE_NAME_LEN - 1);
}

static enum module_state find(const char *name)
{
	enum module_state s;

	assert_int_equal(module_find(&machine, name, &s), 0);
	return s;
}

static void states(void **state)
{
	enum module_state s;

	(void)state;
	assert_int_equal(find("e1000e"), MODULE_LOADED);
	assert_int_equal(find("snd-hda-intel"), MODULE_LOADED);
	assert_int_equal(find("ahci"), MODULE_BUILTIN);
	assert_int_equal(find("pinctrl_tigerlake"), MODULE_BUILTIN);
	assert_int_equal(find("e1000"), MODULE_AVAILABLE);
	assert_int_equal(find("nvme"), MODULE_AVAILABLE);
	/* only a dependency of another line */
	assert_int_equal(find("nvme_core"), MODULE_NONE);
	assert_int_equal(find("e100"), MODULE_NONE);
	assert_int_equal(find(""), MODULE_NONE);
	assert_int_equal(module_find(&nowhere, "e1000e", &s), 0);
	assert_int_equal(s, MODULE_NONE);
}

static void suggestions(void **state)
{
	static const struct {
		const char *typed, *meant;
	} cases[] = {
		{ "e1000x", "e1000e" }, { "e10000e", "e1000e" }, { "nvm", "nvme" },
		{ "snd-hda-intl", "snd_hda_intel" }, { "thunderbolt", "" }, { "x", "" },
		{ "", "" }, { "lonly", "lonely" },
	};
	char out[MODULE_NAME_LEN];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		module_suggest(&machine, cases[i].typed, out);
		if (!module_name_equal(out, cases[i].meant))
			fail_msg("\"%s\" gave \"%s\"", cases[i].typed, out);
	}
}

static void drivers(void **state)
{
	char driver[MODULE_NAME_LEN], module[MODULE_NAME_LEN];
	const char *bus;

	(void)state;
	assert_int_equal(driver_find(&machine, "e1000e", &bus, driver, module), 0);
	assert_string_equal(bus, "pci");
	assert_string_equal(driver, "e1000e");
	assert_string_equal(module, "e1000e");
	assert_int_equal(driver_find(&machine, "xhci-hcd", &bus, driver, module), 0);
	assert_string_equal(driver, "xhci_hcd");
	assert_string_equal(module, "xhci_pci");
	assert_int_equal(driver_find(&machine, "tigerlake_pinctrl", &bus, driver, module), 0);
	assert_string_equal(bus, "platform");
	assert_string_equal(driver, "tigerlake-pinctrl");
	assert_string_equal(module, "pinctrl_tigerlake");
	assert_int_equal(driver_find(&machine, "pcieport", &bus, driver, module), 0);
	assert_string_equal(module, "");
	assert_int_equal(driver_find(&machine, "nvme", &bus, driver, module), -ENOENT);
	assert_int_equal(driver_find(&nowhere, "e1000e", &bus, driver, module), -ENOENT);
}

static int append(void *ctx, const char *name)
{
	strcat(ctx, name);
	strcat(ctx, ";");
	return 0;
}

static int append_driver(void *ctx, const char *bus, const char *driver)
{
	strcat(ctx, bus);
	strcat(ctx, ":");
	return append(ctx, driver);
}

static int stop(void *ctx, const char *name)
{
	append(ctx, name);
	return 42;
}

static void devices(void **state)
{
	char text[512] = "";

	(void)state;
	assert_int_equal(driver_for_each_device(&machine, "pci", "e1000e", append, text), 0);
	assert_string_equal(text, "0000:00:03.0;");
	text[0] = '\0';
	assert_int_equal(driver_for_each_device(&machine, "pci", "e1000e", stop, text), 42);
	text[0] = '\0';
	assert_int_equal(driver_for_each_device(&machine, "platform", "lonely", append, text), 0);
	assert_string_equal(text, "");
	assert_int_equal(driver_for_each_of_module(&machine, "xhci-pci", append_driver, text), 0);
	assert_string_equal(text, "pci:xhci_hcd;");
	text[0] = '\0';
	assert_int_equal(driver_for_each_of_module(&machine, "nvme", append_driver, text), 0);
	assert_string_equal(text, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),   cmocka_unit_test(states), cmocka_unit_test(suggestions),
		cmocka_unit_test(drivers), cmocka_unit_test(devices),
	};

	return cmocka_run_group_tests_name("sys_modules", tests, NULL, NULL);
}
