# SPDX-License-Identifier: GPL-2.0-or-later
UNIT_sys_maps_test := src/sys/symbols.c src/sys/vmalloc.c src/sys/kptr.c src/sys/iomem.c src/sys/root.c
