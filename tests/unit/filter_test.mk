# SPDX-License-Identifier: GPL-2.0-or-later
UNIT_filter_test := src/filter/filter.c src/filter/stage.c src/filter/changed.c src/number.c src/sys/pci.c \
		    src/sys/root.c src/log/places.c src/log/header.c
