# SPDX-License-Identifier: GPL-2.0-or-later
UNIT_family_test := $(wildcard src/family/*.c) src/log/calls_put.c
