// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Carries random instances out, each on ordinary memory and on a device, and compares what they
 * did to registers, flags and memory.
 *
 * The memory behind the BAR is prepared and looked at through another mapping, that is not traced:
 * so the log holds the instances' accesses and nothing else, and expect_add() says what they are.
 * Values come from the run on ordinary memory.
 */
#include <linux/debugfs.h>
#include <linux/errno.h>
#include <linux/io.h>
#include <linux/irqflags.h>
#include <linux/linkage.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/vmalloc.h>
#include <asm/fpu/api.h>
#include <asm/msr.h>
#include <asm/sync_core.h>

#include "forms.h"
#include "random.h"

#define BAR_OFFSET	0x80000 /* of the area: away from what the forms use */
#define EXPECT_ROOM	(8u << 20)
#define DIFFERENCES_MAX 8 /* described in the answer */

asmlinkage void random_stub(void);
extern const u64 random_code_offset; /* of the instruction in the stub */

/* Two runs of an instance. */
struct side {
	u8 *area; /* where the instruction works */
	u8 *other; /* the ordinary memory of a string instruction */
	struct form_regs in, out;
};

enum {
	PLAIN,
	TRACED,
	SIDES
};

static struct {
	u8 *code; /* writable mapping of the instruction's place */
	void *code_page;
	u8 __iomem *view; /* the area behind the BAR, not traced */
	u64 phys;
	u8 *plain, *other[SIDES];
	u8 *before_area, *before_other; /* for string_expect() */
	char *expected;
	size_t expected_len;
	bool expected_full;
	struct side side[SIDES];
	struct instance instance;
} state;

/* --- what the log must have --- */

void expect_add(bool write, u32 offset, const void *value, u8 width)
{
	u64 v = 0;

	if (state.expected_len > EXPECT_ROOM - 100) {
		state.expected_full = true;
		return;
	}
	memcpy(&v, value, width);
	state.expected_len +=
		scnprintf(state.expected + state.expected_len, 100, "%c %u 0x%llx 0x%llx\n",
			  write ? 'W' : 'R', width, state.phys + offset, v);
}

static void expect_operand(const struct instance *i, bool write, const u8 *value)
{
	unsigned int at, n;

	for (at = 0; at < i->width; at += n) {
		n = min(i->width - at, 8u);
		expect_add(write, i->offset + at, value + at, n);
	}
}

static ssize_t expected_read(struct file *file, char __user *to, size_t count, loff_t *pos)
{
	return simple_read_from_buffer(to, count, pos, state.expected, state.expected_len);
}

static const struct file_operations expected_fops = {
	.owner = THIS_MODULE,
	.read = expected_read,
	.llseek = default_llseek,
};

static struct dentry *expected_dir;

/* --- memory --- */

/* Content for both areas, the same; @mask makes equal elements likely. */
static void area_fill(struct random_state *s, s64 from, s64 to, u64 mask)
{
	from = max(from, 0ll) & ~7ll;
	to = min(to, (s64)RANDOM_AREA);
	for (; from < to; from += 8) {
		u64 value = random_next(s) & mask;

		memcpy(state.plain + from, &value, 8);
		writeq(value, state.view + from);
	}
}

static void other_fill(struct random_state *s, s64 from, s64 to, u64 mask)
{
	from = max(from, 0ll) & ~7ll;
	to = min(to, (s64)RANDOM_AREA);
	for (; from < to; from += 8) {
		u64 value = random_next(s) & mask;

		memcpy(state.other[PLAIN] + from, &value, 8);
		memcpy(state.other[TRACED] + from, &value, 8);
	}
}

static void operand_prepare(const struct instance *i, struct random_state *s)
{
	u64 mask = random_one_in(s, 8) ? 0 : ~0ull;

	area_fill(s, (s64)i->offset - 64, i->offset + 64, mask);
	if (!i->compare_len)
		return;
	memcpy(state.plain + i->offset, i->compare, i->compare_len);
	memcpy_toio(state.view + i->offset, i->compare, i->compare_len);
}

static void strings_prepare(const struct instance *i, struct random_state *s)
{
	const struct random_string *str = &i->string;
	s64 reach = RANDOM_MARGIN;
	bool compares = str->opcode == 0xa6 || str->opcode == 0xae;
	u64 mask = compares ? 0x0100000000000100 : ~0ull;

	if (compares)
		state.instance.in.r[RAX] &= mask;
	area_fill(s, str->source - reach, str->source + reach, mask);
	area_fill(s, str->destination - reach, str->destination + reach, mask);
	other_fill(s, str->source - reach, str->source + reach, mask);
	other_fill(s, str->destination - reach, str->destination + reach, mask);
	memcpy(state.before_area, state.plain, RANDOM_AREA);
	memcpy(state.before_other, state.other[PLAIN], RANDOM_AREA);
}

/* --- a run --- */

static void code_write(const struct instance *i)
{
	memcpy(state.code, i->code, i->len);
	memset(state.code + i->len, 0x90, RANDOM_CODE_LEN - i->len);
}

static void address_set(const struct instance *i, struct form_regs *in, u64 target)
{
	u64 gs = 0;

	if (i->gs)
		rdmsrl(MSR_GS_BASE, gs);
	target -= i->disp + gs;
	if (i->base == INSTANCE_NO_REG)
		in->r[i->index] = target >> i->scale;
	else if (i->index == INSTANCE_NO_REG)
		in->r[i->base] = target;
	else
		in->r[i->base] = target - (in->r[i->index] << i->scale);
}

static void string_addresses_set(const struct instance *i, struct side *side)
{
	const struct random_string *str = &i->string;

	side->in.r[RSI] = (u64)(str->sides & SIDE_SOURCE ? side->area : side->other) + str->source;
	side->in.r[RDI] =
		(u64)(str->sides & SIDE_DESTINATION ? side->area : side->other) + str->destination;
}

static void instance_run(const struct instance *i, struct side *side)
{
	kernel_fpu_begin();
	if (!i->irqs_on)
		local_irq_disable();
	side->in = i->in;
	if (i->is_string)
		string_addresses_set(i, side);
	else
		address_set(i, &side->in, (u64)side->area + i->offset);
	side->in.flags |= native_save_fl() & ~(u64)(ARITHMETIC_FLAGS | X86_EFLAGS_DF);
	form_in = side->in;
	sync_core();
	random_stub();
	side->out = form_out;
	if (!i->irqs_on)
		local_irq_enable();
	kernel_fpu_end();
}

/* --- comparison --- */

/*
 * Equal but for the place of the area: both the same, both as far from where they were, or both
 * loaded in the same part and as before in the rest.
 */
static bool register_same(const struct form_regs *in, const struct form_regs *out,
			  const struct form_regs *in2, const struct form_regs *out2, int n)
{
	static const u64 parts[] = { 0xff, 0xff00, 0xffff };
	unsigned int k;

	if (out->r[n] == out2->r[n] || out->r[n] - in->r[n] == out2->r[n] - in2->r[n])
		return true;
	/* A conditional load that was not taken clears the upper half all the same. */
	if (out->r[n] == (u32)in->r[n] && out2->r[n] == (u32)in2->r[n])
		return true;
	for (k = 0; k < ARRAY_SIZE(parts); k++)
		if (!((out->r[n] ^ out2->r[n]) & parts[k]) &&
		    !((out->r[n] ^ in->r[n]) & ~parts[k]) &&
		    !((out2->r[n] ^ in2->r[n]) & ~parts[k]))
			return true;
	return false;
}

static void registers_compare(const struct instance *i, char *what, size_t size)
{
	const struct side *p = &state.side[PLAIN], *t = &state.side[TRACED];
	size_t len = 0;
	int n;

	for (n = 0; n < 16; n++) {
		bool same = p->out.r[n] == t->out.r[n];

		if (!same && (i->address_regs & (1 << n)))
			same = register_same(&p->in, &p->out, &t->in, &t->out, n);
		if (n != RSP && !same)
			len += scnprintf(what + len, size - len, " r%d=%llx,%llx", n, p->out.r[n],
					 t->out.r[n]);
	}
	if (p->out.flags != t->out.flags)
		len += scnprintf(what + len, size - len, " flags=%llx,%llx", p->out.flags,
				 t->out.flags);
	for (n = 0; n < 16; n++)
		if (memcmp(p->out.vector[n], t->out.vector[n], sizeof(p->out.vector[n])))
			len += scnprintf(what + len, size - len, " ymm%d=%llx:%llx,%llx:%llx", n,
					 p->out.vector[n][1], p->out.vector[n][0],
					 t->out.vector[n][1], t->out.vector[n][0]);
}

static void memory_compare(char *what, size_t size)
{
	size_t len = strlen(what);
	u32 at;

	if (memcmp(state.plain, (__force void *)state.view, RANDOM_AREA)) {
		for (at = 0; state.plain[at] == readb(state.view + at); at++)
			;
		scnprintf(what + len, size - len, " memory at %x=%x,%x", at, state.plain[at],
			  readb(state.view + at));
		memcpy_toio(state.view, state.plain, RANDOM_AREA);
	}
	if (memcmp(state.other[PLAIN], state.other[TRACED], RANDOM_AREA)) {
		strlcat(what, " ordinary memory", size);
		memcpy(state.other[TRACED], state.other[PLAIN], RANDOM_AREA);
	}
}

/* --- requests --- */

static void difference_show(const struct instance *i, u64 number, const char *what,
			    struct answer *a)
{
	answer_add(a, "instance %llu, %*ph, irqs %s, in %llx:%s\n", number, i->len, i->code,
		   i->irqs_on ? "on" : "off", i->in.flags, what);
}

/* Returns what is different, empty when nothing is. */
static const char *instance_try(struct instance *i, struct random_state *s)
{
	static char what[600];
	struct side *sides = state.side;
	u8 value[32];

	what[0] = '\0';
	if (i->is_string)
		strings_prepare(i, s);
	else
		operand_prepare(i, s);
	memcpy(value, state.plain + i->offset, sizeof(value));
	code_write(i);
	instance_run(i, &sides[PLAIN]);
	if (i->is_string) {
		string_expect(i, state.before_area, state.before_other);
		if (memcmp(state.before_area, state.plain, RANDOM_AREA))
			strlcat(what, " string_expect() is wrong", sizeof(what));
	}
	if (!i->is_string && (i->dir & RANDOM_READ))
		expect_operand(i, false, value);
	if (!i->is_string && (i->dir & RANDOM_WRITE))
		expect_operand(i, true, state.plain + i->offset);
	instance_run(i, &sides[TRACED]);
	registers_compare(i, what, sizeof(what));
	memory_compare(what, sizeof(what));
	return what;
}

static int random_begin(const struct exerciser_maps *maps)
{
	if (!maps->ram || !maps->ram_view)
		return -ENODEV;
	if (maps->ram_len < BAR_OFFSET + RANDOM_AREA)
		return -ENOSPC;
	state.view = maps->ram_view + BAR_OFFSET;
	state.phys = maps->ram_phys + BAR_OFFSET;
	state.side[TRACED].area = (__force u8 *)maps->ram + BAR_OFFSET;
	state.expected_len = 0;
	state.expected_full = false;
	memcpy_toio(state.view, state.plain, RANDOM_AREA);
	return 0;
}

int random_run(u64 seed, u64 first, u64 count, const struct exerciser_maps *maps, struct answer *a)
{
	u64 number, different = 0;
	int err = random_begin(maps);

	for (number = first; !err && number < first + count; number++) {
		struct random_state s = { seed * 0x9e3779b97f4a7c15 + number * 0xd1b54a32d192ed03 };
		const char *what;

		if (random_one_in(&s, 8))
			instance_make_string(&state.instance, &s);
		else
			instance_make(&state.instance, &s, false);
		what = instance_try(&state.instance, &s);
		if (*what && different++ < DIFFERENCES_MAX)
			difference_show(&state.instance, number, what, a);
		if (state.expected_full)
			err = -ENOSPC;
		cond_resched();
	}
	if (!err)
		answer_add(a, "%llu instances, %llu different\n", count, different);
	return err;
}

/* On edu the register keeps what was written; the device log has the values. */
static const char *edu_try(struct instance *i, struct random_state *s, u8 __iomem *edu)
{
	static char what[600];
	struct side *sides = state.side;
	u64 value;

	what[0] = '\0';
	operand_prepare(i, s);
	memcpy(&value, state.plain + i->offset, 8);
	writeq(value, edu);
	code_write(i);
	instance_run(i, &sides[PLAIN]);
	sides[TRACED].area = (__force u8 *)edu - i->offset;
	instance_run(i, &sides[TRACED]);
	registers_compare(i, what, sizeof(what));
	value = readq(edu);
	if (memcmp(&value, state.plain + i->offset, i->width))
		scnprintf(what + strlen(what), sizeof(what) - strlen(what), " register=%llx,%llx",
			  *(u64 *)(state.plain + i->offset), value);
	return what;
}

int random_edu_run(u64 seed, u64 first, u64 count, const struct exerciser_maps *maps,
		   struct answer *a)
{
	u64 number, different = 0;

	if (!maps->edu || !maps->ram_view)
		return -ENODEV;
	state.view = maps->ram_view + BAR_OFFSET;
	for (number = first; number < first + count; number++) {
		struct random_state s = { seed * 0x9e3779b97f4a7c15 + number * 0xd1b54a32d192ed03 };
		const char *what;

		instance_make(&state.instance, &s, true);
		what = edu_try(&state.instance, &s, maps->edu + EDU_DMA_SOURCE);
		if (*what && different++ < DIFFERENCES_MAX)
			difference_show(&state.instance, number, what, a);
		cond_resched();
	}
	answer_add(a, "%llu instances, %llu different\n", count, different);
	return 0;
}

/* --- begin and end --- */

static void *area_alloc(void)
{
	return vmalloc(RANDOM_AREA);
}

int random_setup(void)
{
	u8 *code = (u8 *)random_stub + random_code_offset;
	struct page *page = vmalloc_to_page(code);

	state.plain = area_alloc();
	state.other[PLAIN] = area_alloc();
	state.other[TRACED] = area_alloc();
	state.before_area = area_alloc();
	state.before_other = area_alloc();
	state.expected = vmalloc(EXPECT_ROOM);
	if (page)
		state.code_page = vmap(&page, 1, VM_MAP, PAGE_KERNEL);
	if (!state.plain || !state.other[PLAIN] || !state.other[TRACED] || !state.before_area ||
	    !state.before_other || !state.expected || !state.code_page) {
		random_teardown();
		return -ENOMEM;
	}
	memset(state.plain, 0, RANDOM_AREA);
	memset(state.other[PLAIN], 0, RANDOM_AREA);
	memset(state.other[TRACED], 0, RANDOM_AREA);
	state.code = state.code_page + offset_in_page(code);
	state.side[PLAIN].area = state.plain;
	state.side[PLAIN].other = state.other[PLAIN];
	state.side[TRACED].other = state.other[TRACED];
	expected_dir = debugfs_create_dir("mmiobpf_exerciser", NULL);
	debugfs_create_file("expected", 0400, expected_dir, NULL, &expected_fops);
	return 0;
}

void random_teardown(void)
{
	debugfs_remove(expected_dir);
	if (state.code_page)
		vunmap(state.code_page);
	vfree(state.plain);
	vfree(state.other[PLAIN]);
	vfree(state.other[TRACED]);
	vfree(state.before_area);
	vfree(state.before_other);
	vfree(state.expected);
}
