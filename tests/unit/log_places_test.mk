# SPDX-License-Identifier: GPL-2.0-or-later
UNIT_log_places_test := src/log/places.c src/log/header.c
