/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the parts of the trap share: trap.c (the fault), string.c (string instructions), step.c
 * (the single step), wide.c (accesses of more than 8 bytes), record.c (what is reported), hook.c
 * (how the kernel gets here).
 */
#ifndef MMIOBPF_TRAP_H
#define MMIOBPF_TRAP_H

#include <linux/percpu.h>
#include <asm/ptrace.h>

#include "decode.h"
#include "mmiobpf.h"

#define COPY_BYTES	16
#define OPERAND_MAX	64	/* the widest memory operand */
#define OPERAND_WORDS	(OPERAND_MAX / 8)

/* A place on an armed mapping. */
struct trap_place {
	struct region *region;
	u64 addr;			/* virtual */
	u64 phys;
};

/* A single step under way. Never in an NMI, see step_refusal(). */
struct trap_step {
	/* The copy that the instruction works on, at the same offset in 64 bytes as its operand. */
	u64 copy[2 * OPERAND_WORDS] __aligned(OPERAND_MAX);
	bool active;
	bool on_copy;
	u8 base;			/* register that was redirected */
	u8 opsize;			/* of the destination, when that is the base register */
	u8 dst_is_base;
	u8 width;
	u8 dir;
	unsigned long base_value;	/* as the driver has it */
	unsigned long base_redirected;
	unsigned long flags;		/* TF and IF as the driver has them */
	void *alias;			/* first byte of the access */
	void *operand;			/* in the copy */
	u64 before[OPERAND_WORDS];	/* what the device returned */
	u64 t_read;			/* ns that the read took */
};

/*
 * A driver's accesses come from few instructions. What they decode to is kept by address, and used
 * when the bytes are still the same: text is patched and modules come and go.
 */
struct trap_decoded {
	unsigned long ip;
	u64 bytes[COPY_BYTES / 8];
	struct insn insn;
};

#define DECODED_ENTRIES	64

/* Records are made here: BPF copies them. A move from device to device has two. */
struct trap_cpu {
	struct trap_step step;
	struct trap_decoded decoded[ALIAS_CONTEXTS][DECODED_ENTRIES];
	struct mmiobpf_rec_access_wide access[ALIAS_CONTEXTS][ALIAS_SIDES];
	union {
		struct mmiobpf_rec_unknown rec;
		struct mmiobpf_rec_access_wide room;	/* what the tracepoint may read */
	} unknown[ALIAS_CONTEXTS];
};

/* One fault, while it is handled. */
struct trap {
	struct pt_regs *regs;
	struct trap_cpu *cpu;
	struct trap_place at;
	int context;			/* enum alias_context */
	u8 bytes[COPY_BYTES] __aligned(8);
	size_t nbytes;
	const struct insn *insn;
	struct trap_operand *other;
};

/* An operand in memory that is not there, which is for the kernel to handle. */
struct trap_operand {
	bool faults;
	bool write;
	u8 width;
	u64 addr;
};

enum trap_end {
	TRAP_NOT_OURS,
	TRAP_DONE,		/* go on, at the instruction or behind it */
	TRAP_OTHER,		/* the fault is that of the instruction's other operand */
};

/* Too large for the area that modules' static per-CPU data shares. */
extern struct trap_cpu __percpu *trap_cpus;

/*
 * trap.c: a not-present fault of the kernel in the vmalloc area. TRAP_OTHER fills @other.
 */
enum trap_end trap_fault(struct pt_regs *regs, u64 addr, struct trap_operand *other);
/* Fills @p but for its region. */
static inline void place_set(struct trap_place *p, u64 addr)
{
	p->addr = addr;
	p->phys = p->region->phys + (addr - p->region->start);
}

/* Behind the instruction, as if it had run. */
static inline void trap_advance(struct trap *t)
{
	t->regs->ip += t->insn->len;
	/* Set by the fault, so that a breakpoint on this instruction is not hit again. */
	t->regs->flags &= ~(unsigned long)X86_EFLAGS_RF;
}

/*
 * string.c: MMIOBPF_WHY_NONE when it was carried out, the first part of it was, or t->other tells what
 * is in the way.
 */
u8 trap_string(struct trap *t);
/* Once, before any of them. */
void trap_string_init(void);
/* movdir64b and its like; @regs as in the decoder. */
u8 trap_direct64(struct trap *t, const u64 regs[16]);
/* May the interrupted code access user memory? */
bool trap_user_allowed(const struct pt_regs *regs);

/* hook.c: was the page of user memory at @addr not to be had, a moment ago, by this task? */
bool trap_operand_refused(u64 addr, u8 width);

/* All of it. Partly user's is nobody's. */
static inline bool trap_operand_is_user(u64 addr, u8 width)
{
	return addr + width <= TASK_SIZE_MAX && addr + width > addr;
}


/* trap.c: base of the segment that the instruction names. */
u64 trap_segment_base(const struct insn *in);

/* step.c: MMIOBPF_WHY_NONE when the instruction is on its way, else why it cannot be stepped. */
u8 step_start(struct trap *t);
extern struct notifier_block step_notifier;

/*
 * wide.c: one access of 16, 32 or 64 bytes, by a vector register that keeps its value; @words are not
 * aligned. The instruction that faulted has shown that the CPU can.
 */
void wide_read(const void *p, u8 width, u64 *words);
void wide_write(void *p, u8 width, const u64 *words);

/*
 * record.c: what is known of an access before its values; the rest is the caller's. access_begin()
 * makes a wide record for more than 8 bytes, with its words cleared.
 */
struct mmiobpf_rec_access *access_begin(struct trap *t, const struct trap_place *p, int side,
					u64 time_ns);
void unknown_fill(struct trap *t, u8 reason, u8 how);
/* Hand over what was begun or filled; as rec_emit(). */
void access_emit(const struct trap *t, struct mmiobpf_rec_access *a);
void unknown_emit(const struct trap *t);
/* The same from the debug trap: the access, when its values are known, or the UNKNOWN record. */
void step_emit(struct trap_cpu *cpu, bool known);

/* By hardware number: rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8 to r15. */
extern const u8 trap_reg_at[16];

static inline unsigned long *reg_ptr(struct pt_regs *regs, u8 reg)
{
	return (void *)regs + trap_reg_at[reg & 15];
}

/* One access of the width that the driver used; the widths are checked by the callers. */
static inline u64 device_read(const void *p, u8 width)
{
	switch (width) {
	case 1: return *(const volatile u8 *)p;
	case 2: return *(const volatile u16 *)p;
	case 4: return *(const volatile u32 *)p;
	default: return *(const volatile u64 *)p;
	}
}

static inline void device_write(void *p, u8 width, u64 value)
{
	switch (width) {
	case 1: *(volatile u8 *)p = value; break;
	case 2: *(volatile u16 *)p = value; break;
	case 4: *(volatile u32 *)p = value; break;
	default: *(volatile u64 *)p = value; break;
	}
}

/* The alias of a place, for an access of @width bytes. */
static inline void *place_alias(const struct trap *t, const struct trap_place *p, int side,
				u8 width)
{
	u64 offset = p->phys & ~PAGE_MASK;

	return alias_point(t->context * ALIAS_SIDES + side, p->phys & PAGE_MASK, p->region->pgprot,
			   offset + width > PAGE_SIZE) + offset;
}

/* What became of the values of an access, into its record. */
static inline void access_set_before(struct mmiobpf_rec_access *a, u64 value)
{
	a->before = value;
	a->flags |= MMIOBPF_ACC_BEFORE;
}

static inline void access_set_after(struct mmiobpf_rec_access *a, u64 value)
{
	a->after = value;
	a->flags |= MMIOBPF_ACC_AFTER;
}

#endif
