# SPDX-License-Identifier: GPL-2.0-or-later
UNIT_log_chrome_test := src/log/chrome_writer.c src/log/reorder.c src/log/json_put.c src/json.c \
			src/log/record_put.c src/log/places.c src/log/line_buffer.c \
			src/log/record.c src/log/header.c
