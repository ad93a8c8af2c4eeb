/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A stub for each form. */
#include "stub.S"

#define STUB(group, name, place, base, offset, initial, ...) \
	SYM_FUNC_START(form_##name); \
	form_enter; \
	__VA_ARGS__; \
	form_leave; \
	RET; \
	SYM_FUNC_END(form_##name);

.text
FORMS(STUB)
