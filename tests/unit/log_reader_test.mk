# SPDX-License-Identifier: GPL-2.0-or-later
UNIT_log_reader_test := src/log/text_reader.c src/log/text_fast.c src/log/text_fields.c src/log/line_reader.c src/log/lines.c src/log/text_writer.c \
			src/log/line_buffer.c src/log/text_grammar.c src/log/record.c src/log/header.c
