# SPDX-License-Identifier: GPL-2.0-or-later
UNIT_log_vfio_test := src/log/vfio_reader.c src/log/line_reader.c src/log/lines.c src/log/record.c src/log/header.c
