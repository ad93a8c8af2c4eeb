# SPDX-License-Identifier: GPL-2.0-or-later
UNIT_events_fill_test := src/session/events_fill.c src/sys/irqs.c src/sys/symbols.c src/sys/pci.c \
			 src/sys/root.c src/number.c
UNIT_LIBS_events_fill_test := -lpci
