# SPDX-License-Identifier: GPL-2.0-or-later
UNIT_sys_modules_test := src/sys/modules.c src/sys/drivers.c src/sys/root.c
