# SPDX-License-Identifier: GPL-2.0-or-later
UNIT_log_calls_test := src/log/calls_writer.c src/log/calls_view.c src/log/calls_lines.c \
		       src/log/calls_poll.c src/log/symbolizer.c src/log/calls_put.c src/log/record_put.c \
		       src/log/places.c src/log/line_buffer.c src/log/record.c src/log/header.c \
		       $(wildcard src/family/*.c)
