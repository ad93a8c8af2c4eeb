# SPDX-License-Identifier: GPL-2.0-or-later
UNIT_sys_text_test := src/sys/text.c src/sys/kptr.c src/sys/modules.c src/sys/drivers.c src/sys/symbols.c src/sys/root.c
