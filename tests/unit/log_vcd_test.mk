# SPDX-License-Identifier: GPL-2.0-or-later
UNIT_log_vcd_test := src/log/vcd_writer.c src/log/vcd_vars.c src/log/record_put.c src/log/places.c \
		     src/log/line_buffer.c src/log/record.c src/log/header.c
