# SPDX-License-Identifier: GPL-2.0-or-later
UNIT_error_test := src/cmd/error.c src/cmd/cmd.c src/cmd/opt.c src/number.c src/sys/caps.c \
		   src/sys/device.c src/sys/root.c
UNIT_LIBS_error_test := -lcap
