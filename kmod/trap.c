// SPDX-License-Identifier: GPL-2.0-only
/*
 * The trap: what happens between a driver's instruction on an armed page and the next one.
 *
 *   driver:   mov %eax,(%rbx)          page not present
 *      |
 *   #PF -> fixup_exception(regs, X86_TRAP_PF, error, address)
 *      |        hooked by ftrace; the hook lets it return 1, "fixed"
 *      |
 *      +- mov family: decode, carry the access out through the alias window, set registers and ip, return
 *      |
 *      +- others:     base register -> alias window or a copy of the value, TF set, IF cleared, return
 *      |                 the instruction runs once, then #DB: registers and flags put right
 *      |
 *      +- the rest:   open the entry for good, report UNKNOWN, return: the instruction runs untraced
 *
 * The page itself stays closed in the first two, so no access of another CPU can pass unseen.
 *
 * Integer instructions of known operand width are stepped on a copy: the value is read from the device
 * first, the instruction works on the copy, and what it left there is written back. So a read-modify-write
 * shows both values. The device sees the same read and write as without us.
 *
 * Everything here runs with interrupts off, takes no lock, allocates nothing and does not loop.
 */
#include <linux/ftrace.h>
#include <linux/kdebug.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>
#include <asm/debugreg.h>
#include <asm/msr.h>
#include <asm/ptrace.h>
#include <asm/trap_pf.h>
#include <asm/trapnr.h>

#include "mmiobpf.h"
#include "decode.h"
#include "emulate.h"

#define CREATE_TRACE_POINTS
#include "events.h"

#define COPY_BYTES	16
#define OPERAND_MAX	64	/* the widest memory operand that is stepped */

/* A single step under way. One for each kind of context, as the windows are. */
struct trap_step {
	bool active;
	bool on_copy;
	u8 base;			/* register that was redirected */
	u8 opsize;			/* of the destination, for the case that it is the base register */
	u8 dst_is_base;
	u8 width;
	u8 dir;
	unsigned long ip;
	unsigned long base_value;	/* as the driver has it */
	unsigned long base_redirected;
	unsigned long flags;		/* TF and IF as the driver has them */
	void *alias;			/* first byte of the access */
	u64 copy[COPY_BYTES / 8] __aligned(COPY_BYTES);
	u64 before;			/* what the device returned */
	u64 t_read;			/* ns that the read took */
};

/*
 * A driver's accesses come from few instructions. What they decode to is kept by address, and used when the
 * bytes are still the same: text is patched and modules come and go.
 */
struct trap_decoded {
	unsigned long ip;
	u64 bytes[COPY_BYTES / 8];
	struct insn insn;
};

#define DECODED_ENTRIES	64

struct trap_cpu {
	struct trap_decoded decoded[ALIAS_WINDOWS][DECODED_ENTRIES];
	struct trap_step step[ALIAS_WINDOWS];
	struct mmiobpf_rec_access access[ALIAS_WINDOWS];
	struct mmiobpf_rec_unknown unknown[ALIAS_WINDOWS];
};

/* One fault, while it is handled. */
struct trap {
	struct pt_regs *regs;
	struct region *region;
	struct trap_cpu *cpu;
	u64 addr;			/* virtual */
	u64 phys;
	int window;
	u8 bytes[COPY_BYTES] __aligned(8);
	size_t nbytes;
	const struct insn *insn;
};

DEFINE_PER_CPU(struct trap_counters, trap_counters);
/* Too large for the area that modules' static per-CPU data shares. */
static struct trap_cpu __percpu *trap_cpus;

void trap_counters_reset(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		memset(per_cpu_ptr(&trap_counters, cpu), 0, sizeof(struct trap_counters));
}

void trap_counters_sum(struct trap_counters *sum)
{
	int cpu;

	memset(sum, 0, sizeof(*sum));
	for_each_possible_cpu(cpu) {
		const struct trap_counters *c = per_cpu_ptr(&trap_counters, cpu);

		sum->emulated += READ_ONCE(c->emulated);
		sum->stepped += READ_ONCE(c->stepped);
		sum->undecoded += READ_ONCE(c->undecoded);
		sum->retried += READ_ONCE(c->retried);
		sum->foreign += READ_ONCE(c->foreign);
		sum->given_back += READ_ONCE(c->given_back);
		sum->emitted += READ_ONCE(c->emitted);
	}
}

/* --- records ------------------------------------------------------------------------------------- */

static u8 context_now(void)
{
	if (in_nmi())
		return MMIOBPF_CTX_NMI;
	if (in_hardirq())
		return MMIOBPF_CTX_HARDIRQ;
	if (in_serving_softirq())
		return MMIOBPF_CTX_SOFTIRQ;
	return MMIOBPF_CTX_TASK;
}

static void rec_fill_at(struct mmiobpf_rec_hdr *hdr, u16 type, u16 size, bool irqs_on, u64 time_ns)
{
	hdr->seq = 0;
	hdr->time_ns = time_ns;
	hdr->type = type;
	hdr->size = size;
	hdr->cpu = raw_smp_processor_id();
	hdr->context = context_now();
	hdr->irqs_on = irqs_on;
	hdr->pid = current->pid;
	hdr->tgid = current->tgid;
	memcpy(hdr->comm, current->comm, sizeof(hdr->comm));
}

void rec_fill(struct mmiobpf_rec_hdr *hdr, u16 type, u16 size, bool irqs_on)
{
	rec_fill_at(hdr, type, size, irqs_on, ktime_get_mono_fast_ns());
}

void rec_emit(const struct mmiobpf_rec_hdr *hdr)
{
	trap_count(emitted);
	trace_mmiobpf_record(hdr);
}

static void access_begin(struct trap *t, u64 time_ns)
{
	struct mmiobpf_rec_access *a = &t->cpu->access[t->window];

	rec_fill_at(&a->hdr, MMIOBPF_REC_ACCESS, sizeof(*a), t->regs->flags & X86_EFLAGS_IF,
		    time_ns);
	a->map_id = t->region->map_id;
	a->phys = t->phys;
	a->bar_off = arm_bar_offset(t->region, t->phys);
	a->bar = t->region->req.bar;
	a->pc = t->regs->ip;
	a->width = t->insn->width;
	a->flags = t->insn->lock ? MMIOBPF_ACC_LOCKED : 0;
	a->pad = 0;
	a->before = 0;
	a->after = 0;
}

static void unknown_fill(struct trap *t, u8 reason, u8 how)
{
	struct mmiobpf_rec_unknown *u = &t->cpu->unknown[t->window];

	memset(u, 0, sizeof(*u));
	rec_fill(&u->hdr, MMIOBPF_REC_UNKNOWN, sizeof(*u), t->regs->flags & X86_EFLAGS_IF);
	u->map_id = t->region->map_id;
	u->phys = t->phys;
	u->bar_off = arm_bar_offset(t->region, t->phys);
	u->bar = t->region->req.bar;
	u->pc = t->regs->ip;
	u->width = t->insn->width;
	u->dir = t->insn->dir;
	u->reason = reason;
	u->how = how;
	u->insn_len = min_t(size_t, t->nbytes, sizeof(u->insn));
	memcpy(u->insn, t->bytes, u->insn_len);
}

/* --- registers ----------------------------------------------------------------------------------- */

static const u8 reg_at[16] = {
	offsetof(struct pt_regs, ax), offsetof(struct pt_regs, cx), offsetof(struct pt_regs, dx),
	offsetof(struct pt_regs, bx), offsetof(struct pt_regs, sp), offsetof(struct pt_regs, bp),
	offsetof(struct pt_regs, si), offsetof(struct pt_regs, di), offsetof(struct pt_regs, r8),
	offsetof(struct pt_regs, r9), offsetof(struct pt_regs, r10), offsetof(struct pt_regs, r11),
	offsetof(struct pt_regs, r12), offsetof(struct pt_regs, r13), offsetof(struct pt_regs, r14),
	offsetof(struct pt_regs, r15),
};

static unsigned long *reg_ptr(struct pt_regs *regs, u8 reg)
{
	return (void *)regs + reg_at[reg & 15];
}

/* Not a loop over reg_at[]: this is on the way of every access. */
static void regs_load(const struct pt_regs *regs, u64 r[16])
{
	r[0] = regs->ax;
	r[1] = regs->cx;
	r[2] = regs->dx;
	r[3] = regs->bx;
	r[4] = regs->sp;
	r[5] = regs->bp;
	r[6] = regs->si;
	r[7] = regs->di;
	r[8] = regs->r8;
	r[9] = regs->r9;
	r[10] = regs->r10;
	r[11] = regs->r11;
	r[12] = regs->r12;
	r[13] = regs->r13;
	r[14] = regs->r14;
	r[15] = regs->r15;
}

/*
 * The kernel's segments are flat but for gs, its per-CPU base (fs holds user space's). Nothing of a driver
 * is in either.
 */
static u64 segment_base(const struct insn *in)
{
	u64 base = 0;

	if (in->segment == 0x65)
		rdmsrl(MSR_GS_BASE, base);
	else if (in->segment == 0x64)
		rdmsrl(MSR_FS_BASE, base);
	return base;
}

/* --- device access ------------------------------------------------------------------------------- */

/* One access of the width that the driver used; the widths are checked by the callers. */
static u64 device_read(const void *p, u8 width)
{
	switch (width) {
	case 1: return *(const volatile u8 *)p;
	case 2: return *(const volatile u16 *)p;
	case 4: return *(const volatile u32 *)p;
	default: return *(const volatile u64 *)p;
	}
}

static void device_write(void *p, u8 width, u64 value)
{
	switch (width) {
	case 1: *(volatile u8 *)p = value; break;
	case 2: *(volatile u16 *)p = value; break;
	case 4: *(volatile u32 *)p = value; break;
	default: *(volatile u64 *)p = value; break;
	}
}

static u64 value_cut(u64 value, u8 width)
{
	return width >= 8 ? value : value & ((1ULL << (width * 8)) - 1);
}

static void *trap_alias(const struct trap *t, u8 width)
{
	u64 offset = t->phys & ~PAGE_MASK;

	return alias_point(t->window, t->phys & PAGE_MASK, t->region->pgprot,
			   offset + width > PAGE_SIZE) + offset;
}

/* --- emulation ----------------------------------------------------------------------------------- */

static void trap_emulate(struct trap *t, const u64 r[16])
{
	struct mmiobpf_rec_access *a = &t->cpu->access[t->window];
	const struct insn *in = t->insn;
	void *p = trap_alias(t, in->width);
	bool store = in->class == INSN_STORE_REG || in->class == INSN_STORE_IMM;
	u64 t0, t1, value;

	if (store) {
		value = emulate_store_value(in, r);
		t0 = ktime_get_mono_fast_ns();
		device_write(p, in->width, value);
		t1 = ktime_get_mono_fast_ns();
	} else {
		t0 = ktime_get_mono_fast_ns();
		value = device_read(p, in->width);
		t1 = ktime_get_mono_fast_ns();
	}
	access_begin(t, t0);
	a->latency_ns = min_t(u64, t1 - t0, U32_MAX);
	a->how = MMIOBPF_HOW_EMULATED;
	if (store) {
		a->dir = MMIOBPF_DIR_WRITE;
		a->flags |= MMIOBPF_ACC_AFTER;
		a->after = value;
	} else {
		u64 out[16];

		a->dir = MMIOBPF_DIR_READ;
		a->flags |= MMIOBPF_ACC_BEFORE;
		a->before = value;
		out[in->reg & 15] = r[in->reg & 15];
		emulate_load(in, out, value);
		*reg_ptr(t->regs, in->reg) = out[in->reg & 15];
	}
	t->regs->ip += in->len;
	trap_count(emulated);
	rec_emit(&a->hdr);
}

/* --- single step --------------------------------------------------------------------------------- */

static u8 step_refusal(const struct trap *t, const struct trap_step *st)
{
	const struct insn *in = t->insn;

	if (st->active)
		return MMIOBPF_WHY_BUSY;
	if (in->class == INSN_STRING || in->base == INSN_NO_REG || in->rip_relative || in->segment ||
	    in->addrsize != 8 || in->base == INSN_RSP)
		return MMIOBPF_WHY_NO_BASE;
	if (in->index == in->base || (in->src_regs & (1u << in->base)))
		return MMIOBPF_WHY_OPERAND;
	return MMIOBPF_WHY_NONE;
}

/*
 * The kernel may run with DEBUGCTL.BTF on while a user task is block-stepped; TF would then trap at the
 * next branch only. The debug trap's entry code sets it again by TIF_BLOCKSTEP (SDM volume 3, 17.4.3).
 */
static void step_clear_btf(void)
{
	u64 debugctl;

	if (!test_thread_flag(TIF_BLOCKSTEP))
		return;
	rdmsrl(MSR_IA32_DEBUGCTLMSR, debugctl);
	wrmsrl(MSR_IA32_DEBUGCTLMSR, debugctl & ~(u64)DEBUGCTLMSR_BTF);
}

/* Reports at the start what is known then; the debug trap adds the values and emits. */
static void step_prepare_record(struct trap *t, const struct trap_step *st, u64 t0)
{
	struct mmiobpf_rec_access *a = &t->cpu->access[t->window];

	if (!st->on_copy) {
		unknown_fill(t, MMIOBPF_WHY_NO_VALUE, MMIOBPF_HOW_STEPPED);
		return;
	}
	access_begin(t, t0);
	a->dir = st->dir;
	a->how = MMIOBPF_HOW_STEPPED;
}

static u8 step_start(struct trap *t)
{
	struct trap_step *st = &t->cpu->step[t->window];
	const struct insn *in = t->insn;
	struct pt_regs *regs = t->regs;
	unsigned long *base;
	u64 t0;
	u8 why = step_refusal(t, st);

	if (why)
		return why;

	st->alias = trap_alias(t, in->width ? in->width : OPERAND_MAX);
	st->on_copy = in->width && in->width <= sizeof(u64) && in->dir;
	st->width = in->width;
	st->dir = in->dir;
	st->base = in->base;
	st->dst_is_base = !!(in->dst_regs & (1u << in->base));
	st->opsize = in->opsize;
	st->before = 0;
	st->t_read = 0;
	t0 = ktime_get_mono_fast_ns();
	if (st->on_copy && (in->dir & MMIOBPF_DIR_READ)) {
		st->before = device_read(st->alias, in->width);
		st->t_read = ktime_get_mono_fast_ns() - t0;
	}
	st->copy[0] = st->before;
	step_prepare_record(t, st, t0);

	base = reg_ptr(regs, in->base);
	st->base_value = *base;
	*base += (st->on_copy ? (u64)st->copy : (u64)st->alias) - t->addr;
	st->base_redirected = *base;
	st->flags = regs->flags & (X86_EFLAGS_TF | X86_EFLAGS_IF);
	regs->flags |= X86_EFLAGS_TF;
	regs->flags &= ~(unsigned long)X86_EFLAGS_IF;
	step_clear_btf();
	st->active = true;
	return MMIOBPF_WHY_NONE;
}

/* The base register gets its value back, or what the instruction loaded into it, or part of that. */
static unsigned long step_base_after(const struct trap_step *st, unsigned long now)
{
	if (!st->dst_is_base || now == st->base_redirected)
		return st->base_value;
	switch (st->opsize) {
	case 1: return (st->base_value & ~0xfful) | (now & 0xff);
	case 2: return (st->base_value & ~0xfffful) | (now & 0xffff);
	case 4:
		/* A conditional 32-bit load that was not taken still clears the upper half. */
		if (now == (u32)st->base_redirected)
			return (u32)st->base_value;
		return now;
	default: return now;
	}
}

static void step_finish_copy(struct trap_step *st, struct mmiobpf_rec_access *a)
{
	u64 ns = st->t_read;

	if (st->dir & MMIOBPF_DIR_READ) {
		a->before = st->before;
		a->flags |= MMIOBPF_ACC_BEFORE;
	}
	if (st->dir & MMIOBPF_DIR_WRITE) {
		u64 t0 = ktime_get_mono_fast_ns();

		a->after = value_cut(st->copy[0], st->width);
		a->flags |= MMIOBPF_ACC_AFTER;
		device_write(st->alias, st->width, a->after);
		ns += ktime_get_mono_fast_ns() - t0;
	}
	a->latency_ns = min_t(u64, ns, U32_MAX);
}

static void step_finish(struct trap_cpu *cpu, int window, struct pt_regs *regs)
{
	struct trap_step *st = &cpu->step[window];
	unsigned long *base = reg_ptr(regs, st->base);

	st->active = false;
	*base = step_base_after(st, *base);
	regs->flags &= ~(unsigned long)(X86_EFLAGS_TF | X86_EFLAGS_IF);
	regs->flags |= st->flags;
	if (st->on_copy) {
		step_finish_copy(st, &cpu->access[window]);
		trap_count(stepped);
		rec_emit(&cpu->access[window].hdr);
	} else {
		trap_count(undecoded);
		rec_emit(&cpu->unknown[window].hdr);
	}
}

/*
 * The debug trap is entered like an NMI, so in_nmi() does not tell whose step it is. A step inside an NMI
 * ends before the NMI does, so if there is one it is the one.
 */
static int step_notify(struct notifier_block *nb, unsigned long val, void *data)
{
	struct die_args *args = data;
	unsigned long *dr6;
	struct trap_cpu *cpu;
	int window;

	if (val != DIE_DEBUG)
		return NOTIFY_DONE;
	dr6 = (unsigned long *)ERR_PTR(args->err);
	if (!(*dr6 & DR_STEP))
		return NOTIFY_DONE;
	cpu = this_cpu_ptr(trap_cpus);
	window = cpu->step[ALIAS_NMI].active ? ALIAS_NMI : ALIAS_NORMAL;
	if (!cpu->step[window].active)
		return NOTIFY_DONE;
	step_finish(cpu, window, args->regs);
	*dr6 &= ~DR_STEP;
	/* A breakpoint that was hit at the same time is for others to handle. */
	return *dr6 & DR_TRAP_BITS ? NOTIFY_DONE : NOTIFY_STOP;
}

static struct notifier_block step_notifier = {
	.notifier_call = step_notify,
	.priority = INT_MAX,
};

/* --- the fault ----------------------------------------------------------------------------------- */

/*
 * The instruction was fetched just now, so its bytes are mapped; those behind it need not be when it ends
 * near the end of a page.
 */
static size_t insn_fetch(u8 bytes[COPY_BYTES], unsigned long ip)
{
	size_t n = PAGE_SIZE - (ip & ~PAGE_MASK);

	if (likely(n >= COPY_BYTES)) {
		memcpy(bytes, (const void *)ip, COPY_BYTES);
		return INSN_MAX_LEN;
	}
	memset(bytes, 0, COPY_BYTES);
	memcpy(bytes, (const void *)ip, n);
	if (n < INSN_MAX_LEN &&
	    !copy_from_kernel_nofault(bytes + n, (const void *)ip + n, INSN_MAX_LEN - n))
		n = INSN_MAX_LEN;
	return n;
}

static void trap_give_up(struct trap *t, u8 why)
{
	unknown_fill(t, why, MMIOBPF_HOW_NONE);
	trap_count(undecoded);
	/* Reported first: nothing may come between the record and the untraced access. */
	rec_emit(&t->cpu->unknown[t->window].hdr);
	arm_give_back(t->region, t->addr);
}

/* Stands for what could not be decoded. */
static const struct insn insn_unknown;

static const struct insn *trap_decode(struct trap *t)
{
	unsigned long ip = t->regs->ip;
	struct trap_decoded *d;
	u64 words[COPY_BYTES / 8];

	d = &t->cpu->decoded[t->window][(ip ^ ip >> 6) % DECODED_ENTRIES];
	t->nbytes = insn_fetch(t->bytes, ip);
	memcpy(words, t->bytes, sizeof(words));
	if (d->ip == ip && d->bytes[0] == words[0] && d->bytes[1] == words[1])
		return &d->insn;
	d->ip = 0;
	if (insn_decode(&d->insn, t->bytes, t->nbytes))
		return NULL;
	d->bytes[0] = words[0];
	d->bytes[1] = words[1];
	d->ip = ip;
	return &d->insn;
}

static u8 trap_carry_out(struct trap *t)
{
	const struct insn *in = trap_decode(t);
	u64 r[16];

	t->insn = in ? in : &insn_unknown;
	if (!in)
		return MMIOBPF_WHY_DECODE;
	t->nbytes = in->len;
	if (in->class == INSN_STRING)
		return MMIOBPF_WHY_NO_BASE;
	regs_load(t->regs, r);
	if (insn_effective_address(in, r, t->regs->ip + in->len, segment_base(in)) != t->addr)
		return MMIOBPF_WHY_ADDRESS;
	if (t->addr + (in->width ? in->width : OPERAND_MAX) > t->region->end)
		return MMIOBPF_WHY_EDGE;
	switch (in->class) {
	case INSN_STORE_REG:
	case INSN_STORE_IMM:
	case INSN_LOAD:
	case INSN_LOAD_ZX:
	case INSN_LOAD_SX:
		trap_emulate(t, r);
		return MMIOBPF_WHY_NONE;
	default:
		return step_start(t);
	}
}

/*
 * A not-present fault of the kernel in the vmalloc area. True: handled, go on. False: none of ours.
 * A region may have been given back between the fault and here: then the entry is open, and the access
 * succeeds when it is tried again.
 */
static bool trap_fault(struct pt_regs *regs, u64 addr)
{
	struct trap t;
	u8 why;

	t.region = arm_find(addr);
	if (!t.region || !t.region->armed) {
		bool present = arm_is_present(addr);

		if (present)
			trap_count(retried);
		else
			trap_count(foreign);
		return present;
	}
	t.regs = regs;
	t.addr = addr;
	t.phys = t.region->phys + (addr - t.region->start);
	t.cpu = this_cpu_ptr(trap_cpus);
	t.window = in_nmi() ? ALIAS_NMI : ALIAS_NORMAL;
	why = trap_carry_out(&t);
	if (why)
		trap_give_up(&t, why);
	return true;
}

/* --- hooks --------------------------------------------------------------------------------------- */

/* What fixup_exception() is replaced by for our faults: "fixed". */
static notrace int fixup_done(void)
{
	return 1;
}

static notrace void fixup_hook(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
			       struct ftrace_regs *fregs)
{
	struct pt_regs *args = ftrace_get_regs(fregs);

	/* int fixup_exception(struct pt_regs *regs, int trapnr, unsigned long error_code, unsigned long addr) */
	if ((int)args->si != X86_TRAP_PF || (args->dx & (X86_PF_PROT | X86_PF_USER | X86_PF_INSTR)))
		return;
	if (!is_vmalloc_addr((void *)args->cx))
		return;
	if (trap_fault((struct pt_regs *)args->di, args->cx))
		args->ip = (unsigned long)fixup_done;
}

static notrace void iounmap_hook(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *op,
				 struct ftrace_regs *fregs)
{
	struct pt_regs *args = ftrace_get_regs(fregs);

	arm_unmap(args->di, parent_ip);
}

/*
 * FTRACE_OPS_FL_RECURSION: no help of ftrace's recursion guard is wanted, which would drop a fault that
 * comes while another is handled, in an NMI. The fault hook touches nothing that is armed.
 */
static struct ftrace_ops fixup_ops = {
	.func = fixup_hook,
	.flags = FTRACE_OPS_FL_SAVE_REGS | FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_RECURSION,
};

static struct ftrace_ops iounmap_ops = {
	.func = iounmap_hook,
	.flags = FTRACE_OPS_FL_SAVE_REGS,
};

/*
 * The filters are set once: ftrace_free_filter() leaves the ops pointing at what it freed, so they must not
 * be used again after it.
 */
int trap_hooks_init(void)
{
	int err;

	trap_cpus = alloc_percpu(struct trap_cpu);
	if (!trap_cpus)
		return -ENOMEM;
	err = ftrace_set_filter(&fixup_ops, "fixup_exception", strlen("fixup_exception"), 1);
	if (!err)
		err = ftrace_set_filter(&iounmap_ops, "iounmap", strlen("iounmap"), 1);
	if (err)
		trap_hooks_deinit();
	return err;
}

void trap_hooks_deinit(void)
{
	ftrace_free_filter(&iounmap_ops);
	ftrace_free_filter(&fixup_ops);
	free_percpu(trap_cpus);
}

int trap_hooks_register(void)
{
	int err = register_die_notifier(&step_notifier);

	if (err)
		return err;
	err = register_ftrace_function(&fixup_ops);
	if (err)
		goto out_notifier;
	err = register_ftrace_function(&iounmap_ops);
	if (err)
		goto out_fixup;
	return 0;
out_fixup:
	unregister_ftrace_function(&fixup_ops);
out_notifier:
	unregister_die_notifier(&step_notifier);
	return err;
}

void trap_hooks_unregister(void)
{
	unregister_ftrace_function(&iounmap_ops);
	unregister_ftrace_function(&fixup_ops);
	unregister_die_notifier(&step_notifier);
}
