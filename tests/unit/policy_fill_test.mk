# SPDX-License-Identifier: GPL-2.0-or-later
UNIT_policy_fill_test := src/session/policy_fill.c src/sys/pci.c src/sys/root.c
UNIT_LIBS_policy_fill_test := -lpci
