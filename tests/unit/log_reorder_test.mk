# SPDX-License-Identifier: GPL-2.0-or-later
UNIT_log_reorder_test := src/log/reorder.c src/log/record.c
