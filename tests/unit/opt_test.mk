# SPDX-License-Identifier: GPL-2.0-or-later
UNIT_opt_test := src/cmd/opt.c src/number.c
