/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the parts of the trap share: trap.c (the fault), step.c (the single step), record.c (what is
 * reported), hook.c (how the kernel gets here).
 */
#ifndef MMIOBPF_TRAP_H
#define MMIOBPF_TRAP_H

#include <linux/percpu.h>
#include <asm/ptrace.h>

#include "decode.h"
#include "mmiobpf.h"

#define COPY_BYTES	16
#define OPERAND_MAX	64	/* the widest memory operand that is stepped */

/* A single step under way. Never in an NMI, see step_refusal(). */
struct trap_step {
	bool active;
	bool on_copy;
	bool locked;			/* step_lock is held */
	u8 base;			/* register that was redirected */
	u8 opsize;			/* of the destination, when that is the base register */
	u8 dst_is_base;
	u8 width;
	u8 dir;
	unsigned long base_value;	/* as the driver has it */
	unsigned long base_redirected;
	unsigned long flags;		/* TF and IF as the driver has them */
	void *alias;			/* first byte of the access */
	u64 copy[COPY_BYTES / 8] __aligned(COPY_BYTES);
	u64 before;			/* what the device returned */
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

struct trap_cpu {
	struct trap_decoded decoded[ALIAS_WINDOWS][DECODED_ENTRIES];
	struct trap_step step;
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

/* Too large for the area that modules' static per-CPU data shares. */
extern struct trap_cpu __percpu *trap_cpus;

/*
 * trap.c: a not-present fault of the kernel in the vmalloc area. True: handled, go on. False: none
 * of ours.
 */
bool trap_fault(struct pt_regs *regs, u64 addr);

/* step.c: MMIOBPF_WHY_NONE when the instruction is on its way, else why it cannot be stepped. */
u8 step_start(struct trap *t);
extern struct notifier_block step_notifier;

/* record.c: what is known of the access before its values; the rest is the caller's. */
void access_begin(struct trap *t, u64 time_ns);
void unknown_fill(struct trap *t, u8 reason, u8 how);

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

static inline u64 value_cut(u64 value, u8 width)
{
	return width >= 8 ? value : value & ((1ULL << (width * 8)) - 1);
}

static inline void *trap_alias(const struct trap *t, u8 width)
{
	u64 offset = t->phys & ~PAGE_MASK;

	return alias_point(t->window, t->phys & PAGE_MASK, t->region->pgprot,
			   offset + width > PAGE_SIZE) + offset;
}

#endif
