// SPDX-License-Identifier: GPL-2.0-or-later
/* Carries forms out, and says what they did. */
#include <linux/errno.h>
#include <linux/io.h>
#include <linux/irqflags.h>
#include <linux/linkage.h>
#include <linux/mm.h>
#include <linux/string.h>
#include <asm/fpu/api.h>
#include <asm/processor-flags.h>

#include "exerciser.h"
#include "forms.h"
#include "state.h"

/* See state.h. */
struct form_regs form_in, form_out;

/* For the forms: ordinary memory on the other side of a string, and edu's registers. */
u8 form_buffer[PAGE_SIZE];
void __iomem *form_edu;

/* Pages of the memory behind the BAR. One that is given back stays so: each form has its own. */
#define CROSS_PAGE    1 /* and the next */
#define GIVE_UP_PAGE  8 /* one for each form */
#define HALF_PAGE     16 /* two for each form */
#define STRING_PAGE   48 /* and the next */
#define STRING_OFFSET (PAGE_SIZE - 0x103)

enum form_group {
	GROUP_ACCESS,
	GROUP_KEPT,
	GROUP_SILENT,
	GROUP_GIVE_UP,
	GROUP_HALF
};

enum form_place {
	PLACE_IDENT, /* edu, read-only */
	PLACE_LIVE, /* edu, reads as the complement */
	PLACE_DMA, /* edu, a register like memory, 4 or 8 bytes wide */
	PLACE_RAM, /* memory behind a BAR, any width */
	PLACE_CROSS, /* the same, across a page */
	PLACE_STRING, /* the same, with a pattern in it */
};

struct form {
	const char *name;
	enum form_group group;
	enum form_place place;
	u8 base;
	u64 offset;
	u64 initial;
	void (*stub)(void);
};

#define DECLARE(group, name, place, base, offset, initial, ...) asmlinkage void form_##name(void);
#define ROW(group, name, place, base, offset, initial, ...) \
	{ #name, GROUP_##group, PLACE_##place, base, offset, initial, form_##name },

FORMS(DECLARE)
static const struct form forms[] = { FORMS(ROW) };

static const char *const group_names[] = { "access", "kept", "silent", "give-up", "half" };

static const char *const reg_names[16] = {
	"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
	"r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15",
};

/* All bytes differ, but where a form needs a small number: see forms.h. */
static const u64 seeds[16] = {
	[RAX] = 0x1122334480000001,
	[RCX] = 0xc0c1c2c3c4c5c603,
	[RDX] = 0x7,
	[RBX] = 0xb0b1b2b3b4b5b6b7,
	[RBP] = 0x5051525354555657,
	[RSI] = 2,
	[RDI] = -1,
	[R8] = 0x8081828384858687,
	[R9] = 0x9091929394959697,
	[R10] = 0x1a1b1c1d1e1f1011,
	[R11] = 0x2a2b2c2d2e2f2021,
	[R12] = 0x3a3b3c3d3e3f3031,
	[R13] = 0x4a4b4c4d4e4f4041,
	[R14] = 0x6a6b6c6d6e6f6061,
	[R15] = 0x7a7b7c7d7e7f7071,
};

static int group_find(const char *name)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(group_names); i++)
		if (!strcmp(group_names[i], name))
			return i;
	return -EINVAL;
}

int forms_count(const char *group)
{
	int wanted = group_find(group), count = 0;
	unsigned int i;

	if (wanted < 0)
		return wanted;
	for (i = 0; i < ARRAY_SIZE(forms); i++)
		count += forms[i].group == wanted;
	return count;
}

static const struct form *form_find(const char *group, unsigned long number)
{
	int wanted = group_find(group);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(forms); i++)
		if (forms[i].group == wanted && !number--)
			return &forms[i];
	return NULL;
}

/* Number of a form in its group. */
static unsigned long form_number(const struct form *f)
{
	const struct form *other;
	unsigned long number = 0;

	for (other = forms; other < f; other++)
		number += other->group == f->group;
	return number;
}

/* Where the form's operand is in the memory behind the BAR. */
static unsigned long form_ram_offset(const struct form *f)
{
	unsigned long page = f->place == PLACE_CROSS ? CROSS_PAGE : 0;

	if (f->place == PLACE_STRING)
		return STRING_PAGE * PAGE_SIZE + STRING_OFFSET;
	if (f->group == GROUP_GIVE_UP)
		page = GIVE_UP_PAGE + form_number(f);
	else if (f->group == GROUP_HALF)
		page = HALF_PAGE + 2 * form_number(f);
	return page * PAGE_SIZE + (f->place == PLACE_CROSS ? PAGE_SIZE - 4 : RAM_OFFSET);
}

static void __iomem *form_place(const struct form *f, const struct exerciser_maps *maps)
{
	void __iomem *edu = maps->edu, *ram = maps->ram;

	switch (f->place) {
	case PLACE_IDENT: return edu ? edu + EDU_IDENT : NULL;
	case PLACE_LIVE: return edu ? edu + EDU_LIVENESS : NULL;
	case PLACE_DMA: return edu ? edu + EDU_DMA_SOURCE : NULL;
	default: return ram ? ram + form_ram_offset(f) : NULL;
	}
}

/*
 * What is around the operand, by a mapping that is not traced. For strings, the same bytes on both
 * sides, but for one, which ends a repeated comparison.
 */
static void surroundings_init(const struct form *f, const struct exerciser_maps *maps)
{
	unsigned long offset = form_ram_offset(f);
	void __iomem *at = maps->ram_view + offset;
	unsigned int i;

	if (f->place == PLACE_RAM || f->place == PLACE_CROSS)
		memset_io(maps->ram_view + (offset & PAGE_MASK), 0x5a, 2 * PAGE_SIZE);
	if (f->place != PLACE_STRING)
		return;
	for (i = 0; i < sizeof(form_buffer); i++)
		form_buffer[i] = i * 7 + 1;
	memset_io(maps->ram_view + (offset & PAGE_MASK), 0x5a, 2 * PAGE_SIZE);
	memcpy_toio(at, form_buffer, sizeof(form_buffer));
	writeb(0, at + 0x92);
	form_edu = maps->edu ? maps->edu + EDU_DMA_SOURCE : NULL;
	for (i = 0; form_edu && i < 24; i += 8)
		writeq(0x1122334455667788 + i, form_edu + i);
}

static u64 sum(u64 start, const u8 *p, size_t len)
{
	while (len--)
		start = (start ^ *p++) * 0x100000001b3;
	return start;
}

/* Of all that a form could have changed, seen by a mapping that is not traced. */
static void memory_show(const struct form *f, const struct exerciser_maps *maps, struct answer *a)
{
	const u8 *at = (__force u8 *)maps->ram_view + (form_ram_offset(f) & PAGE_MASK);

	if (f->place == PLACE_RAM || f->place == PLACE_CROSS)
		answer_add(a, " sum=%llx", sum(0, at, 2 * PAGE_SIZE));
	if (f->place == PLACE_STRING)
		answer_add(a, " sum=%llx,%llx", sum(0, at, 2 * PAGE_SIZE),
			   sum(0, form_buffer, sizeof(form_buffer)));
}

static void operand_init(const struct form *f, void __iomem *p)
{
	switch (f->place) {
	case PLACE_IDENT: break;
	case PLACE_LIVE: writel(f->initial, p); break;
	case PLACE_DMA: writeq(f->initial, p); break;
	case PLACE_STRING: break;
	default:
		writeq(f->initial, p);
		writeq(~f->initial, p + 8);
		writeq(0x0123456789abcdef, p + 16);
		writeq(0xfedcba9876543210, p + 24);
		writeq(0x0f1e2d3c4b5a6978, p + 32);
	}
}

static void operand_show(const struct form *f, void __iomem *p, struct answer *a)
{
	switch (f->place) {
	case PLACE_IDENT: break;
	case PLACE_LIVE: answer_add(a, " memory=%x", readl(p)); break;
	case PLACE_DMA: answer_add(a, " memory=%llx", readq(p)); break;
	case PLACE_STRING: break;
	default: answer_add(a, " memory=%llx:%llx", readq(p + 8), readq(p));
	}
}

/*
 * The base register holds an address: only what does not depend on it is shown. The low 12 bits do
 * not; with 16 bits loaded into it, none of them is left of the address.
 */
static void base_show(const char *name, u64 was, u64 is, struct answer *a)
{
	if ((was ^ is) >> 8 == 0)
		answer_add(a, " %s=..%02llx", name, is & 0xff);
	else if ((was ^ is) >> 16 == 0)
		answer_add(a, " %s=..%04llx", name, is & 0xffff);
	else if (is == (u32)was)
		answer_add(a, " %s=low-half", name);
	else
		answer_add(a, " %s=%llx", name, is);
}

static void vector_show(int n, struct answer *a)
{
	const u64 *v = form_out.vector[n];

	answer_add(a, " ymm%d=%llx:%llx:%llx:%llx", n, v[3], v[2], v[1], v[0]);
}

static void registers_show(const struct form *f, struct answer *a)
{
	int i;

	for (i = 0; i < 16; i++) {
		if (i == RSP || form_in.r[i] == form_out.r[i])
			continue;
		if (i == f->base && f->place == PLACE_STRING && f->group == GROUP_ACCESS)
			answer_add(a, " %s+=%lld", reg_names[i], form_out.r[i] - form_in.r[i]);
		else if (i == f->base)
			base_show(reg_names[i], form_in.r[i], form_out.r[i], a);
		else
			answer_add(a, " %s=%llx", reg_names[i], form_out.r[i]);
	}
	answer_add(a, " flags=%llx", form_out.flags);
	for (i = 0; i < 16; i++)
		if (memcmp(form_in.vector[i], form_out.vector[i], sizeof(form_in.vector[i])))
			vector_show(i, a);
}

static void form_run_with(const struct form *f, const struct exerciser_maps *maps, u64 flags,
			  bool irqs_on, struct answer *a)
{
	void __iomem *p = form_place(f, maps);
	unsigned int i;

	surroundings_init(f, maps);
	operand_init(f, p);
	memcpy(form_in.r, seeds, sizeof(seeds));
	form_in.r[f->base] = (u64)(__force unsigned long)p - f->offset;
	for (i = 0; i < 64; i++)
		form_in.vector[i / 4][i % 4] =
			0x0102030405060708 * (i % 4 + 1) + 0x10 * (i / 4 - 1);
	memset(&form_out, 0, sizeof(form_out));
	kernel_fpu_begin();
	if (!irqs_on)
		local_irq_disable();
	form_in.flags = (native_save_fl() & ~(u64)ARITHMETIC_FLAGS) | flags;
	f->stub();
	if (!irqs_on)
		local_irq_enable();
	kernel_fpu_end();
	answer_add(a, "%s", f->name);
	registers_show(f, a);
	operand_show(f, p, a);
	memory_show(f, maps, a);
	answer_add(a, "\n");
}

int form_run(const char *group, unsigned long number, const struct exerciser_maps *maps,
	     struct answer *a)
{
	const struct form *f = form_find(group, number);

	if (!f)
		return -EINVAL;
	if (!form_place(f, maps) || !maps->ram_view)
		return -ENODEV;
	form_run_with(f, maps, 0, true, a);
	form_run_with(f, maps, ARITHMETIC_FLAGS, true, a);
	form_run_with(f, maps, ARITHMETIC_FLAGS, false, a);
	return 0;
}
