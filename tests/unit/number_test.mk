# SPDX-License-Identifier: GPL-2.0-or-later
UNIT_number_test := src/number.c
