# SPDX-License-Identifier: GPL-2.0-or-later
UNIT_trace_symbols_test := src/cmd/trace_symbols.c src/sys/symbols.c src/sys/modules.c src/sys/drivers.c src/sys/root.c
