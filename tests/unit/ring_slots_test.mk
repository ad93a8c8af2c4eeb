# SPDX-License-Identifier: GPL-2.0-or-later
UNIT_ring_slots_test := src/session/ring.c src/log/record.c
UNIT_LIBS_ring_slots_test := -lpthread
