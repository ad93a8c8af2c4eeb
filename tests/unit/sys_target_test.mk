# SPDX-License-Identifier: GPL-2.0-or-later
UNIT_sys_target_test := src/sys/target.c src/sys/target_list.c src/sys/pci.c src/sys/lspci.c \
			src/sys/text.c src/sys/kptr.c src/sys/modules.c src/sys/drivers.c src/sys/aliases.c src/sys/symbols.c src/sys/iomem.c \
			src/sys/root.c src/log/header.c src/number.c
UNIT_LIBS_sys_target_test := -lpci
