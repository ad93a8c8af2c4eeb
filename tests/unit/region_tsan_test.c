// SPDX-License-Identifier: GPL-2.0-or-later
/* The race of region_race_test.c under TSan; module.mk gives it its sanitizer. */
#include "region_race_test.c"
