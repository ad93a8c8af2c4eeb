# SPDX-License-Identifier: GPL-2.0-or-later
UNIT_log_record_test := src/log/record.c
