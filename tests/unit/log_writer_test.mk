# SPDX-License-Identifier: GPL-2.0-or-later
UNIT_log_writer_test := src/log/text_writer.c src/log/line_buffer.c src/log/text_grammar.c \
			src/log/record.c src/log/header.c
