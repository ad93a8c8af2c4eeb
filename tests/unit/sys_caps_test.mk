# SPDX-License-Identifier: GPL-2.0-or-later
UNIT_sys_caps_test := src/sys/caps.c src/sys/cpu.c src/sys/root.c
UNIT_LIBS_sys_caps_test := -lcap
