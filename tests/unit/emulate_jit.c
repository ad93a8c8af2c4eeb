// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs one instruction on the CPU. Behind the instruction is a jump back that changes no register:
 *
 *   jit_enter: flags and registers from jit_cpu, jmp *jit_code
 *              code: <insn> jmp *0(%rip) .quad jit_back
 *   jit_back:  registers to jit_cpu, own stack again, flags to jit_cpu
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <asm/prctl.h>
#include <sys/syscall.h>

#include "emulate_jit.h"

#define CODE_SIZE		4096
#define GS_DISTANCE		0x10000
#define FLAGS_ARITHMETIC	0x8d5ULL	/* CF PF AF ZF SF OF */
#define FLAGS_ALWAYS		0x202	/* bit 1, and interrupts, which popf ignores here */

struct emulate_cpu jit_cpu;
u64 jit_stack;
u8 *jit_code;
void jit_enter(void);
void jit_back(void);

#define LOAD(n, reg)	"	movq jit_cpu+8*" #n "(%rip), %" #reg "\n"
#define SAVE(n, reg)	"	movq %" #reg ", jit_cpu+8*" #n "(%rip)\n"
#define ALL(op) \
	op(0, rax) op(1, rcx) op(2, rdx) op(3, rbx) op(4, rsp) op(5, rbp) op(6, rsi) op(7, rdi) \
	op(8, r8) op(9, r9) op(10, r10) op(11, r11) op(12, r12) op(13, r13) op(14, r14) op(15, r15)

__asm__(".text\n"
	".globl jit_enter, jit_back\n"
	"jit_enter:\n"
	"	pushq %rbx\n"
	"	pushq %rbp\n"
	"	pushq %r12\n"
	"	pushq %r13\n"
	"	pushq %r14\n"
	"	pushq %r15\n"
	"	movq %rsp, jit_stack(%rip)\n"
	"	pushq jit_cpu+8*16(%rip)\n"
	"	popfq\n"
	ALL(LOAD)
	"	jmp *jit_code(%rip)\n"
	"jit_back:\n"
	ALL(SAVE)
	"	movq jit_stack(%rip), %rsp\n"
	"	pushfq\n"
	"	popq jit_cpu+8*16(%rip)\n"
	"	popq %r15\n"
	"	popq %r14\n"
	"	popq %r13\n"
	"	popq %r12\n"
	"	popq %rbp\n"
	"	popq %rbx\n"
	"	ret\n");

static const u8 *running;
static size_t running_len;

static bool may_fault;
static volatile int fault_signal;
static void *volatile fault_address;

/* On a stack of its own, as rsp may be anything. */
static void on_signal(int signal, siginfo_t *info, void *context)
{
	ucontext_t *interrupted = context;

	if (may_fault) {
		fault_signal = signal;
		fault_address = info->si_addr;
		interrupted->uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)jit_back;
		return;
	}
	printf("# signal %d from the instruction", signal);
	for (size_t i = 0; i < running_len; i++)
		printf(" %02x", running[i]);
	printf("\n");
	fflush(stdout);
	_exit(1);
}

int jit_catch_signals(void)
{
	static u8 stack[65536];
	stack_t alternative = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction action = {
		.sa_sigaction = on_signal, .sa_flags = SA_ONSTACK | SA_SIGINFO,
	};
	static const int signals[] = { SIGSEGV, SIGBUS, SIGILL, SIGTRAP };

	if (sigaltstack(&alternative, NULL))
		return -errno;
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (sigaction(signals[i], &action, NULL))
			return -errno;
	return 0;
}

static void *map_low(size_t size, int prot)
{
	return mmap(NULL, size, prot, MAP_SHARED | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
}

int jit_init(struct jit *j)
{
	unsigned long base;

	j->code = map_low(CODE_SIZE, PROT_READ | PROT_WRITE | PROT_EXEC);
	if (j->code == MAP_FAILED)
		return -errno;
	j->data = map_low(JIT_DATA_SIZE, PROT_READ | PROT_WRITE);
	if (j->data == MAP_FAILED)
		return -errno;
	/* an old size of 0 maps the same pages once more: mremap(2) */
	j->far_data = mremap(j->data, 0, JIT_DATA_SIZE, MREMAP_MAYMOVE);
	if (j->far_data == MAP_FAILED)
		return -errno;
	if ((uintptr_t)j->far_data >> 32 == 0)
		return -EADDRNOTAVAIL;
	memset(j->code, 0xcc, CODE_SIZE);
	if (syscall(SYS_arch_prctl, ARCH_GET_FS, &base))
		return -errno;
	j->fs_base = base;
	j->gs_base = (uintptr_t)j->far_data - GS_DISTANCE;
	if (syscall(SYS_arch_prctl, ARCH_SET_GS, j->gs_base))
		return -errno;
	jit_code = j->code;
	return 0;
}

void jit_deinit(struct jit *j)
{
	munmap(j->code, CODE_SIZE);
	munmap(j->data, JIT_DATA_SIZE);
	munmap(j->far_data, JIT_DATA_SIZE);
}

void jit_run(struct jit *j, const u8 *bytes, size_t len, struct emulate_cpu *cpu)
{
	static const u8 jump[] = { 0xff, 0x25, 0, 0, 0, 0 };
	void (*back)(void) = jit_back;
	u64 flags = cpu->flags;

	memcpy(j->code, bytes, len);
	memcpy(j->code + len, jump, sizeof(jump));
	memcpy(j->code + len + sizeof(jump), &back, sizeof(back));
	running = bytes;
	running_len = len;
	jit_cpu = *cpu;
	jit_cpu.flags = (flags & FLAGS_ARITHMETIC) | FLAGS_ALWAYS;
	jit_enter();
	*cpu = jit_cpu;
	cpu->flags = (flags & ~FLAGS_ARITHMETIC) | (jit_cpu.flags & FLAGS_ARITHMETIC);
}

int jit_try(struct jit *j, const u8 *bytes, size_t len, struct emulate_cpu *cpu, u64 *address)
{
	fault_signal = 0;
	fault_address = NULL;
	may_fault = true;
	jit_run(j, bytes, len, cpu);
	may_fault = false;
	*address = (uintptr_t)fault_address;
	return fault_signal;
}
