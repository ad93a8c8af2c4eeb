# SPDX-License-Identifier: GPL-2.0-or-later
UNIT_sys_pci_test := src/sys/pci.c src/sys/lspci.c src/sys/root.c src/log/header.c \
		     src/log/text_writer.c \
		     src/log/line_buffer.c src/log/text_grammar.c src/log/record.c
UNIT_LIBS_sys_pci_test := -lpci
