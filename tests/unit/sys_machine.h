/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine that tests/data/sys describes. Tests run at the root of the tree. */
#ifndef SYS_MACHINE_H
#define SYS_MACHINE_H

#include "sys/root.h"

static const struct sys_root machine = {
	.proc = "tests/data/sys/proc",
	.sys = "tests/data/sys/sys",
	.modules = "tests/data/sys/modules",
};

/* One that has nothing. */
static const struct sys_root nowhere = {
	.proc = "tests/data/none",
	.sys = "tests/data/none",
	.modules = "tests/data/none",
};

#endif
