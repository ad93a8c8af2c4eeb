/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The forms: instructions with a memory operand, each carried out on a device register as it
 * stands here.
 *
 * FORMS(F) has a line for each: F(group, name, place, base, offset, initial, instruction)
 *   group	ACCESS: recorded with its values; KEPT: the same, in a mapping that stays, as the
 *		result depends on the address; SILENT: carried out, reported without its value;
 *		GIVE_UP: the page is given back; HALF: one of two pages is, then both are accessed
 *   place	where the operand is, see enum form_place
 *   base	number of the register that gets the operand's address less offset
 *   initial	what is written to the operand before, 8 bytes
 * The other registers hold what forms.c seeds them with: rsi is 2, rdi -1, cl 3, edx 7, eax
 * 0x80000001.
 *
 * Not here, as they cannot be: rip-relative operands and 32-bit addresses (prefix 67), since no
 * device is mapped within 2 GiB of the text or below 4 GiB. Not run, as the guest's CPU lacks them:
 * AVX-512 and movdir64b (tests/unit has them).
 *
 * adcx and adox are not among them: in QEMU 7.2 they leave parts of the operand in the flags.
 *
 * Read by C and by the assembler, which makes a stub of each (forms_asm.S).
 */
#ifndef MMIOBPF_FORMS_H
#define MMIOBPF_FORMS_H

#define RAX	0
#define RCX	1
#define RDX	2
#define RBX	3
#define RSP	4
#define RBP	5
#define RSI	6
#define RDI	7
#define R8	8
#define R9	9
#define R10	10
#define R11	11
#define R12	12
#define R13	13
#define R14	14
#define R15	15

#define WORD	0x12345678
#define QUAD	0x8899aabb12345678

/* Every operation of the arithmetic group, with all its kinds of operands. */
#define FORMS_ALU(F, op) \
	F(ACCESS, op##_m_r,   DMA, RBX, 0, WORD, op##l %r9d, (%rbx)) \
	F(ACCESS, op##_m_i8,  DMA, RBX, 0, WORD, op##l $-5, (%rbx)) \
	F(ACCESS, op##_m_i32, DMA, RBX, 0, WORD, op##l $0x1020304, (%rbx)) \
	F(ACCESS, op##_r_m,   DMA, RBX, 0, WORD, op##l (%rbx), %ecx) \
	F(ACCESS, op##_m_r_q, DMA, RBX, 0, QUAD, op##q %r9, (%rbx)) \
	F(ACCESS, op##_r_m_q, DMA, RBX, 0, QUAD, op##q (%rbx), %r10) \
	F(ACCESS, op##_m_r_w, RAM, RBX, 0, QUAD, op##w %r9w, (%rbx)) \
	F(ACCESS, op##_r_m_w, RAM, RBX, 0, QUAD, op##w (%rbx), %cx) \
	F(ACCESS, op##_m_r_b, RAM, RBX, 0, QUAD, op##b %ch, (%rbx)) \
	F(ACCESS, op##_r_m_b, RAM, RBX, 0, QUAD, op##b (%rbx), %dh)

#define FORMS_SHIFT(F, op) \
	F(ACCESS, op##_1,  DMA, RBX, 0, 0x92345679, op##l (%rbx)) \
	F(ACCESS, op##_i,  DMA, RBX, 0, 0x92345679, op##l $7, (%rbx)) \
	F(ACCESS, op##_cl, DMA, RBX, 0, 0x92345679, op##l %cl, (%rbx))

#define FORMS_UNARY(F, op) \
	F(ACCESS, op##_l, DMA,  RBX, 0, WORD, op##l (%rbx)) \
	F(ACCESS, op##_q, DMA,  RBX, 0, QUAD, op##q (%rbx)) \
	F(ACCESS, op##_b, RAM,  RBX, 0, QUAD, op##b (%rbx)) \
	F(ACCESS, op##_live, LIVE, RBX, 0, WORD, op##l (%rbx))

/* n: number; q, d: its names; s: another register; x, xoff: an index and 8 times its seed */
#define FORMS_BASE(F, r, n, q, d, s, x, xoff) \
	F(ACCESS, base_rmw_##r,   DMA,   n, 0, WORD, addl s, (q)) \
	F(ACCESS, base_read_##r,  IDENT, n, 0, 0, addl (q), s) \
	F(ACCESS, base_disp8_##r, DMA,   n, 0x10, WORD, orl $0x10203, 0x10(q)) \
	F(ACCESS, base_disp32_##r, DMA,  n, 0x12345678, WORD, incl 0x12345678(q)) \
	F(ACCESS, base_sib_##r,   DMA,   n, xoff - 0x70, WORD, subl $7, -0x70(q,x,8)) \
	F(ACCESS, base_load_##r,  DMA,   n, 0, WORD, movl (q), d) \
	F(ACCESS, base_movbe_##r, DMA,   n, 0, WORD, movbe (q), d) \
	F(ACCESS, base_imul_##r,  DMA,   n, 0, WORD, imull $3, (q), d) \
	F(ACCESS, base_movbe_q_##r, DMA, n, 0, QUAD, movbe (q), q)

#define FORMS_BASES(F) \
	FORMS_BASE(F, rax, RAX, %rax, %eax, %r9d, %rsi, 16) \
	FORMS_BASE(F, rcx, RCX, %rcx, %ecx, %r9d, %rsi, 16) \
	FORMS_BASE(F, rdx, RDX, %rdx, %edx, %r9d, %rsi, 16) \
	FORMS_BASE(F, rbx, RBX, %rbx, %ebx, %r9d, %rdi, -8) \
	FORMS_BASE(F, rbp, RBP, %rbp, %ebp, %r9d, %rdi, -8) \
	FORMS_BASE(F, rsi, RSI, %rsi, %esi, %r9d, %rdi, -8) \
	FORMS_BASE(F, rdi, RDI, %rdi, %edi, %r9d, %rsi, 16) \
	FORMS_BASE(F, r8,  R8,  %r8,  %r8d, %r9d, %rsi, 16) \
	FORMS_BASE(F, r9,  R9,  %r9,  %r9d, %ecx, %rsi, 16) \
	FORMS_BASE(F, r10, R10, %r10, %r10d, %r9d, %rdi, -8) \
	FORMS_BASE(F, r11, R11, %r11, %r11d, %r9d, %rsi, 16) \
	FORMS_BASE(F, r12, R12, %r12, %r12d, %r9d, %rsi, 16) \
	FORMS_BASE(F, r13, R13, %r13, %r13d, %r9d, %rsi, 16) \
	FORMS_BASE(F, r14, R14, %r14, %r14d, %r9d, %rdi, -8) \
	FORMS_BASE(F, r15, R15, %r15, %r15d, %r9d, %rsi, 16)

/* The destination is the base register, whole or in part, always or on a condition. */
#define FORMS_SELF(F) \
	F(ACCESS, self_popcnt,   DMA, RBX, 0, WORD, popcntl (%rbx), %ebx) \
	F(ACCESS, self_lzcnt,    DMA, RBX, 0, WORD, lzcntl (%rbx), %ebx) \
	F(ACCESS, self_tzcnt,    DMA, RBX, 0, WORD, tzcntl (%rbx), %ebx) \
	F(ACCESS, self_bsf,      DMA, RBX, 0, WORD, bsfl (%rbx), %ebx) \
	F(ACCESS, self_bsf_0,    DMA, RBX, 0, 0, bsfl (%rbx), %ebx) \
	F(ACCESS, self_bsr_0_q,  DMA, RBX, 0, 0, bsrq (%rbx), %rbx) \
	F(ACCESS, self_cmovz,    DMA, RBX, 0, WORD, cmovzl (%rbx), %ebx) \
	F(ACCESS, self_cmovnz,   DMA, RBX, 0, WORD, cmovnzl (%rbx), %ebx) \
	F(ACCESS, self_cmovz_q,  DMA, RBX, 0, QUAD, cmovzq (%rbx), %rbx) \
	F(ACCESS, self_cmovnz_q, DMA, RBX, 0, QUAD, cmovnzq (%rbx), %rbx) \
	F(ACCESS, self_rorx,     DMA, RBX, 0, WORD, rorx $3, (%rbx), %ebx) \
	F(ACCESS, self_mulx_lo,  DMA, RBX, 0, WORD, mulx (%rbx), %ebx, %ecx) \
	F(ACCESS, self_mulx_hi,  DMA, RBX, 0, WORD, mulx (%rbx), %ecx, %ebx) \
	F(ACCESS, self_blsr,     DMA, RBX, 0, WORD, blsr (%rbx), %ebx) \
	F(ACCESS, self_mul,      DMA, RDX, 0, 0xf2345678, mull (%rdx)) \
	F(ACCESS, self_mul_q,    DMA, RDX, 0, QUAD, mulq (%rdx)) \
	F(ACCESS, self_mul_w,    RAM, RDX, 0, 0x1234ffff, mulw (%rdx)) \
	F(ACCESS, self_movbe_w,  RAM, RBX, 0, QUAD, movbe (%rbx), %bx) \
	F(ACCESS, self_imul_w,   RAM, RBX, 0, QUAD, imulw $3, (%rbx), %bx) \
	F(ACCESS, self_popcnt_w, RAM, RBX, 0, QUAD, popcntw (%rbx), %bx) \
	F(ACCESS, self_cmovz_w,  RAM, RBX, 0, QUAD, cmovzw (%rbx), %bx) \
	F(ACCESS, self_cmovnz_w, RAM, RBX, 0, QUAD, cmovnzw (%rbx), %bx) \
	F(ACCESS, self_mov_b,    RAM, RBX, 0, QUAD, movb (%rbx), %bl) \
	F(ACCESS, self_mov_h,    RAM, RBX, 0, QUAD, movb (%rbx), %bh) \
	F(ACCESS, self_mov_w,    RAM, RBX, 0, QUAD, movw (%rbx), %bx) \
	F(ACCESS, self_movzx,    RAM, RBX, 0, QUAD, movzbl (%rbx), %ebx) \
	F(ACCESS, self_movsx,    RAM, RBX, 0, 0xfe, movsbq (%rbx), %rbx)

#define FORMS_EXCHANGE(F) \
	F(ACCESS, xchg,          DMA,  RBX, 0, WORD, xchgl %r9d, (%rbx)) \
	F(ACCESS, xchg_live,     LIVE, RBX, 0, WORD, xchgl %r9d, (%rbx)) \
	F(ACCESS, xchg_q,        DMA,  RBX, 0, QUAD, xchgq %r9, (%rbx)) \
	F(ACCESS, xchg_b,        RAM,  RBX, 0, QUAD, xchgb %ah, (%rbx)) \
	F(ACCESS, xadd,          DMA,  RBX, 0, WORD, xaddl %r9d, (%rbx)) \
	F(ACCESS, xadd_lock,     DMA,  RBX, 0, WORD, lock xaddl %r9d, (%rbx)) \
	F(ACCESS, xadd_w,        RAM,  RBX, 0, QUAD, xaddw %cx, (%rbx)) \
	F(ACCESS, cmpxchg_yes,   DMA,  RBX, 0, 0x80000001, cmpxchgl %r9d, (%rbx)) \
	F(ACCESS, cmpxchg_no,    DMA,  RBX, 0, WORD, cmpxchgl %r9d, (%rbx)) \
	F(ACCESS, cmpxchg_lock,  DMA,  RBX, 0, 0x80000001, lock cmpxchgl %r9d, (%rbx)) \
	F(ACCESS, cmpxchg_q,     DMA,  RBX, 0, QUAD, cmpxchgq %r9, (%rbx)) \
	F(ACCESS, cmpxchg_b,     RAM,  RBX, 0, 1, cmpxchgb %ch, (%rbx)) \
	F(ACCESS, cmpxchg8b_yes, DMA,  R8, 0, 0x780000001, cmpxchg8b (%r8)) \
	F(ACCESS, cmpxchg8b_no,  DMA,  R8, 0, QUAD, lock cmpxchg8b (%r8)) \
	F(ACCESS, or_lock,       DMA,  RBX, 0, WORD, lock orl $0x10203, (%rbx)) \
	F(ACCESS, add_lock_b,    RAM,  RBX, 0, QUAD, lock addb $3, (%rbx))

#define FORMS_BITS(F) \
	F(ACCESS, bt,      DMA, RBX, 0, WORD, btl $3, (%rbx)) \
	F(ACCESS, bts,     DMA, RBX, 0, WORD, btsl $7, (%rbx)) \
	F(ACCESS, btr,     DMA, RBX, 0, WORD, btrl $3, (%rbx)) \
	F(ACCESS, btc,     DMA, RBX, 0, WORD, btcl $31, (%rbx)) \
	F(ACCESS, bts_q,   DMA, RBX, 0, QUAD, btsq $62, (%rbx)) \
	F(ACCESS, bts_w,   RAM, RBX, 0, QUAD, lock btsw $15, (%rbx)) \
	F(ACCESS, shld,    DMA, RBX, 0, WORD, shldl $9, %r9d, (%rbx)) \
	F(ACCESS, shrd,    DMA, RBX, 0, WORD, shrdl %cl, %r9d, (%rbx)) \
	F(ACCESS, setc,    RAM, RBX, 0, QUAD, setc (%rbx)) \
	F(ACCESS, setnz,   RAM, RBX, 0, QUAD, setnz (%rbx)) \
	F(ACCESS, andn,    DMA, RBX, 0, WORD, andn (%rbx), %r9d, %ecx) \
	F(ACCESS, bextr,   DMA, RBX, 0, WORD, bextr %ecx, (%rbx), %r9d) \
	F(ACCESS, shlx,    DMA, RBX, 0, WORD, shlx %ecx, (%rbx), %r9d) \
	F(ACCESS, sarx_q,  DMA, RBX, 0, QUAD, sarx %rcx, (%rbx), %r9) \
	F(ACCESS, bzhi,    DMA, RBX, 0, WORD, bzhi %ecx, (%rbx), %r9d) \
	F(ACCESS, pext,    DMA, RBX, 0, WORD, pext (%rbx), %r9d, %ecx) \
	F(ACCESS, pdep,    DMA, RBX, 0, WORD, pdep (%rbx), %r9d, %ecx) \
	F(ACCESS, crc32,   DMA, RBX, 0, WORD, crc32l (%rbx), %ecx) \
	F(ACCESS, crc32_b, RAM, RBX, 0, QUAD, crc32b (%rbx), %ecx)

#define FORMS_OTHER(F) \
	F(ACCESS, test_r,    DMA,   RBX, 0, WORD, testl %r9d, (%rbx)) \
	F(ACCESS, test_i,    IDENT, RBX, 0, 0, testl $0x10000, (%rbx)) \
	F(ACCESS, test_b,    RAM,   RBX, 0, QUAD, testb $0x80, (%rbx)) \
	F(ACCESS, cmov_z,    DMA,   RBX, 0, WORD, cmovzl (%rbx), %r9d) \
	F(ACCESS, cmov_nz,   DMA,   RBX, 0, WORD, cmovnzl (%rbx), %r9d) \
	F(ACCESS, cmov_c_w,  RAM,   RBX, 0, QUAD, cmovcw (%rbx), %r9w) \
	F(ACCESS, imul_r,    DMA,   RBX, 0, WORD, imull (%rbx), %r9d) \
	F(ACCESS, imul_i,    DMA,   RBX, 0, WORD, imull $0x12345, (%rbx), %r9d) \
	F(ACCESS, imul_1,    DMA,   RBX, 0, WORD, imull (%rbx)) \
	F(ACCESS, mul_b,     RAM,   RBX, 0, QUAD, mulb (%rbx)) \
	F(ACCESS, div,       DMA,   RBX, 0, WORD, divl (%rbx)) \
	F(ACCESS, idiv,      DMA,   RBX, 0, WORD, idivl (%rbx)) \
	F(ACCESS, div_q,     DMA,   RBX, 0, QUAD, divq (%rbx)) \
	F(ACCESS, movbe_r,   DMA,   RBX, 0, WORD, movbe (%rbx), %r9d) \
	F(ACCESS, movbe_w,   RAM,   RBX, 0, QUAD, movbe (%rbx), %r9w) \
	F(ACCESS, movbe_m,   DMA,   RBX, 0, WORD, movbe %r9d, (%rbx)) \
	F(ACCESS, movbe_m_q, DMA,   RBX, 0, QUAD, movbe %r9, (%rbx)) \
	F(ACCESS, movnti,    DMA,   RBX, 0, WORD, movnti %r9d, (%rbx)) \
	F(ACCESS, mulx,      DMA,   RBX, 0, WORD, mulx (%rbx), %r9d, %ecx) \
	F(ACCESS, mov_seg,   RAM,   RBX, 0, QUAD, movw %ss, (%rbx)) \
	F(ACCESS, movd_r,    DMA,   RBX, 0, WORD, movd (%rbx), %xmm1) \
	F(ACCESS, movd_m,    DMA,   RBX, 0, WORD, movd %xmm1, (%rbx)) \
	F(ACCESS, movq_r,    DMA,   RBX, 0, QUAD, movq (%rbx), %xmm1) \
	F(ACCESS, movq_m,    DMA,   RBX, 0, QUAD, movq %xmm1, (%rbx))

#define FORMS_STACK(F) \
	F(ACCESS, push,        RAM, RBX, 0, QUAD, pushq (%rbx); popq %rcx) \
	F(ACCESS, pop,         RAM, RBX, 0, QUAD, pushq %r9; popq (%rbx))

/* Bits outside of the operand that the address names, on both sides of it. */
#define FORMS_BIT_STRINGS(F) \
	F(ACCESS, bt_reg,      RAM, RBX, 0, QUAD, btl %edx, (%rbx)) \
	F(ACCESS, bts_reg_up,  RAM, RBX, 0, QUAD, movl $100, %ecx; lock btsl %ecx, (%rbx)) \
	F(ACCESS, btr_reg_down, RAM, RBX, -8, QUAD, movl $-33, %ecx; btrl %ecx, (%rbx)) \
	F(ACCESS, btc_reg_q,   RAM, RBX, -8, QUAD, movq $-3, %rcx; btcq %rcx, (%rbx)) \
	F(ACCESS, btc_reg_w,   RAM, RBX, -8, QUAD, movw $-17, %cx; btcw %cx, (%rbx))

/* Destination and source vectors are xmm1 and xmm2. */
#define FORMS_VECTOR(F) \
	F(ACCESS, movups_r,    RAM, RBX, 0, QUAD, movups (%rbx), %xmm1) \
	F(ACCESS, movups_m,    RAM, RBX, 0, QUAD, movups %xmm1, (%rbx)) \
	F(ACCESS, movups_r_odd, RAM, RBX, 0, QUAD, movups 3(%rbx), %xmm1) \
	F(ACCESS, movups_m_odd, RAM, RBX, 0, QUAD, movups %xmm1, 3(%rbx)) \
	F(ACCESS, movaps_r,    RAM, RBX, 0, QUAD, movaps (%rbx), %xmm1) \
	F(ACCESS, movaps_m,    RAM, RBX, 0, QUAD, movaps %xmm1, (%rbx)) \
	F(ACCESS, movdqa_r,    RAM, RBX, 0x20, QUAD, movdqa 0x20(%rbx), %xmm1) \
	F(ACCESS, movdqa_m,    RAM, RBX, 0x20, QUAD, movdqa %xmm1, 0x20(%rbx)) \
	F(ACCESS, movdqu_r,    RAM, RBX, 0, QUAD, movdqu (%rbx), %xmm1) \
	F(ACCESS, movdqu_m,    RAM, RBX, 0, QUAD, movdqu %xmm1, (%rbx)) \
	F(ACCESS, lddqu,       RAM, RBX, 0, QUAD, lddqu 1(%rbx), %xmm1) \
	F(ACCESS, movntdq,     RAM, R13, 0, QUAD, movntdq %xmm1, (%r13)) \
	F(ACCESS, movntps,     RAM, R13, 0, QUAD, movntps %xmm1, (%r13)) \
	F(ACCESS, movntdqa,    RAM, RBX, 0, QUAD, movntdqa (%rbx), %xmm1) \
	F(ACCESS, vmovups_r,   RAM, RBX, 0, QUAD, vmovups (%rbx), %ymm1) \
	F(ACCESS, vmovups_m,   RAM, RBX, 0, QUAD, vmovups %ymm1, (%rbx)) \
	F(ACCESS, vmovups_r_odd, RAM, RBX, 0, QUAD, vmovups 1(%rbx), %ymm1) \
	F(ACCESS, vmovups_m_odd, RAM, RBX, 0, QUAD, vmovups %ymm1, 1(%rbx)) \
	F(ACCESS, vmovdqa_r,   RAM, RBX, 0, QUAD, vmovdqa (%rbx), %ymm1) \
	F(ACCESS, vmovdqa_m,   RAM, RBX, 0, QUAD, vmovdqa %ymm1, (%rbx)) \
	F(ACCESS, vmovdqu_x,   RAM, RBX, 0, QUAD, vmovdqu (%rbx), %xmm1) \
	F(ACCESS, vmovntdq,    RAM, RBX, 0, QUAD, vmovntdq %ymm1, (%rbx)) \
	F(ACCESS, vmovntps,    RAM, RBX, 0, QUAD, vmovntps %ymm1, (%rbx)) \
	F(ACCESS, vmovntdqa,   RAM, RBX, 0, QUAD, vmovntdqa (%rbx), %ymm1) \
	F(ACCESS, movss_r,     DMA, RBX, 0, WORD, movss (%rbx), %xmm1) \
	F(ACCESS, movss_m,     DMA, RBX, 0, WORD, movss %xmm1, (%rbx)) \
	F(ACCESS, movsd_r,     DMA, RBX, 0, QUAD, movsd (%rbx), %xmm1) \
	F(ACCESS, movsd_m,     DMA, RBX, 0, QUAD, movsd %xmm1, (%rbx)) \
	F(ACCESS, movhps_r,    DMA, RBX, 0, QUAD, movhps (%rbx), %xmm1) \
	F(ACCESS, movhps_m,    DMA, RBX, 0, QUAD, movhps %xmm1, (%rbx)) \
	F(ACCESS, movlps_r,    DMA, RBX, 0, QUAD, movlps (%rbx), %xmm1) \
	F(ACCESS, movlps_m,    DMA, RBX, 0, QUAD, movlps %xmm1, (%rbx)) \
	F(ACCESS, movhpd_r,    DMA, RBX, 0, QUAD, movhpd (%rbx), %xmm1) \
	F(ACCESS, movlpd_m,    DMA, RBX, 0, QUAD, movlpd %xmm1, (%rbx)) \
	F(ACCESS, pinsrb,      RAM, RBX, 0, QUAD, pinsrb $5, (%rbx), %xmm1) \
	F(ACCESS, pinsrw,      RAM, RBX, 0, QUAD, pinsrw $5, (%rbx), %xmm1) \
	F(ACCESS, pinsrd,      DMA, RBX, 0, QUAD, pinsrd $2, (%rbx), %xmm1) \
	F(ACCESS, pinsrq,      DMA, RBX, 0, QUAD, pinsrq $1, (%rbx), %xmm1) \
	F(ACCESS, pextrb,      RAM, RBX, 0, QUAD, pextrb $5, %xmm1, (%rbx)) \
	F(ACCESS, pextrw,      RAM, RBX, 0, QUAD, pextrw $5, %xmm1, (%rbx)) \
	F(ACCESS, pextrd,      DMA, RBX, 0, QUAD, pextrd $2, %xmm1, (%rbx)) \
	F(ACCESS, pextrq,      DMA, RBX, 0, QUAD, pextrq $1, %xmm1, (%rbx)) \
	F(ACCESS, paddd,       RAM, RSI, 0, QUAD, paddd (%rsi), %xmm1) \
	F(ACCESS, pxor,        RAM, RSI, 0, QUAD, pxor (%rsi), %xmm1) \
	F(ACCESS, addps,       RAM, RSI, 0, 0x3f8000003f800000, addps (%rsi), %xmm1) \
	F(ACCESS, addss,       DMA, RSI, 0, 0x3f800000, addss (%rsi), %xmm1) \
	F(ACCESS, ucomiss,     DMA, RSI, 0, 0x3f800000, ucomiss (%rsi), %xmm1) \
	F(ACCESS, vpaddd,      RAM, RSI, 0, QUAD, vpaddd 1(%rsi), %ymm2, %ymm1) \
	F(ACCESS, cvtsi2sd,    DMA, RSI, 0, WORD, cvtsi2sdl (%rsi), %xmm1) \
	F(ACCESS, cvttss2si,   DMA, RSI, 0, 0x42280000, cvttss2si (%rsi), %ecx) \
	F(ACCESS, cmpxchg16b,  RAM, R8,  0, QUAD, cmpxchg16b (%r8)) \
	F(ACCESS, cmpxchg16b_lock, RAM, R8, 0, QUAD, lock cmpxchg16b (%r8))

/*
 * Across a page, four bytes on the first and the rest on the second. mmiotrace opens the first
 * page and steps; the second one faults in that step, which it calls a "recursive probe hit" and
 * hands on to the kernel: an oops in the driver, with interrupts off, which panics
 * (kmmio_handler() in arch/x86/mm/kmmio.c).
 */
#define FORMS_CROSS(F) \
	F(ACCESS, cross_add,   CROSS, RBX, 0, QUAD, addq %r9, (%rbx)) \
	F(ACCESS, cross_lock,  CROSS, RBX, 0, QUAD, lock xaddq %r9, 1(%rbx)) \
	F(ACCESS, cross_mov,   CROSS, RBX, 0, QUAD, movq (%rbx), %r9) \
	F(ACCESS, cross_put,   CROSS, RBX, 0, QUAD, movq %r9, (%rbx)) \
	F(ACCESS, cross_mov_w, CROSS, RBX, 0, QUAD, movw 3(%rbx), %r9w) \
	F(ACCESS, cross_put_l, CROSS, RBX, 0, QUAD, movl %r9d, 1(%rbx)) \
	F(ACCESS, cross_movups, CROSS, RBX, 0, QUAD, movups (%rbx), %xmm1) \
	F(ACCESS, cross_movups_m, CROSS, RBX, 0, QUAD, movups %xmm1, (%rbx)) \
	F(ACCESS, cross_vmovups, CROSS, RBX, 0, QUAD, vmovups (%rbx), %ymm1) \
	F(ACCESS, cross_vmovups_m, CROSS, RBX, 0, QUAD, vmovups %ymm1, (%rbx)) \
	F(ACCESS, cross_movsd, CROSS, RBX, 0, QUAD, movsd (%rbx), %xmm1) \
	F(ACCESS, cross_div,   CROSS, RBX, 0, QUAD, divl 2(%rbx)) \
	F(ACCESS, cross_push,  CROSS, RBX, 0, QUAD, pushq (%rbx); popq %rcx) \
	F(ACCESS, cross_pop,   CROSS, RBX, 0, QUAD, pushq %r9; popq (%rbx)) \
	F(ACCESS, cross_stos,  CROSS, RDI, 0, QUAD, stosq) \
	F(ACCESS, cross_lods,  CROSS, RSI, 0, QUAD, lodsq) \
	F(ACCESS, cross_movs,  CROSS, RSI, 0, QUAD, leaq form_buffer(%rip), %rdi; movsq)

/* One width of the string instructions. 200 elements are more than one fault carries out. */
#define FORMS_STRING(F, s) \
	F(ACCESS, lods##s,          STRING, RSI, 0, 0, lods##s) \
	F(ACCESS, rep_lods##s,      STRING, RSI, 0, 0, movl $5, %ecx; rep lods##s) \
	F(ACCESS, stos##s,          STRING, RDI, 0, 0, stos##s) \
	F(ACCESS, rep_stos##s,      STRING, RDI, 0, 0, movl $200, %ecx; rep stos##s) \
	F(ACCESS, rep_stos##s##_0,  STRING, RDI, 0, 0, xorl %ecx, %ecx; rep stos##s) \
	F(ACCESS, rep_stos##s##_1,  STRING, RDI, 0, 0, movl $1, %ecx; rep stos##s) \
	F(ACCESS, down_stos##s,     STRING, RDI, -0x700, 0, \
		movl $200, %ecx; std; rep stos##s; cld) \
	F(ACCESS, down_lods##s,     STRING, RSI, -0x10, 0, std; lods##s; cld) \
	F(ACCESS, scas##s,          STRING, RDI, 0, 0, scas##s) \
	F(ACCESS, repe_scas##s,     STRING, RDI, 0, 0, movl $9, %ecx; repe scas##s) \
	F(ACCESS, repne_scas##s,    STRING, RDI, 0, 0, movl $99, %ecx; repne scas##s) \
	F(ACCESS, down_scas##s,     STRING, RDI, -0x700, 0, \
		movl $99, %ecx; std; repne scas##s; cld) \
	F(ACCESS, movs##s##_from,   STRING, RSI, 0, 0, leaq form_buffer(%rip), %rdi; movs##s) \
	F(ACCESS, movs##s##_to,     STRING, RDI, 0, 0, leaq form_buffer(%rip), %rsi; movs##s) \
	F(ACCESS, rep_movs##s##_from, STRING, RSI, 0, 0, \
		leaq form_buffer(%rip), %rdi; movl $200, %ecx; rep movs##s) \
	F(ACCESS, rep_movs##s##_to, STRING, RDI, 0, 0, \
		leaq form_buffer(%rip), %rsi; movl $200, %ecx; rep movs##s) \
	F(ACCESS, down_movs##s##_from, STRING, RSI, -0x700, 0, \
		leaq form_buffer + 0x700(%rip), %rdi; movl $200, %ecx; std; rep movs##s; cld) \
	F(ACCESS, down_movs##s##_to, STRING, RDI, -0x700, 0, \
		leaq form_buffer + 0x700(%rip), %rsi; movl $200, %ecx; std; rep movs##s; cld) \
	F(ACCESS, cmps##s##_from,   STRING, RSI, 0, 0, leaq form_buffer(%rip), %rdi; cmps##s) \
	F(ACCESS, repe_cmps##s##_from, STRING, RSI, 0, 0, \
		leaq form_buffer(%rip), %rdi; movl $200, %ecx; repe cmps##s) \
	F(ACCESS, repe_cmps##s##_to, STRING, RDI, 0, 0, \
		leaq form_buffer(%rip), %rsi; movl $200, %ecx; repe cmps##s) \
	F(ACCESS, repne_cmps##s,    STRING, RDI, 0, 0, \
		leaq form_buffer + 8(%rip), %rsi; movl $200, %ecx; repne cmps##s) \
	F(ACCESS, down_cmps##s,     STRING, RSI, -0x40, 0, \
		leaq form_buffer + 0x40(%rip), %rdi; movl $7, %ecx; std; repe cmps##s; cld)

/*
 * Device memory on both sides. mmiotrace steps a string instruction as one: it opens the page of
 * the first fault, and meets the second page inside its step, as in FORMS_CROSS(): an oops.
 */
#define FORMS_BOTH(F, s) \
	F(KEPT, movs##s##_both,     STRING, RSI, 0, 0, leaq 0x800(%rsi), %rdi; movs##s) \
	F(KEPT, rep_movs##s##_both, STRING, RSI, 0, 0, \
		leaq 0x800(%rsi), %rdi; movl $200, %ecx; rep movs##s) \
	F(KEPT, rep_movs##s##_overlap, STRING, RSI, 0, 0, \
		leaq 3(%rsi), %rdi; movl $50, %ecx; rep movs##s) \
	F(KEPT, down_movs##s##_both, STRING, RSI, -0x680, 0, \
		leaq 0x101(%rsi), %rdi; movl $200, %ecx; std; rep movs##s; cld) \
	F(KEPT, cmps##s##_both,     STRING, RSI, 0, 0, leaq 8(%rsi), %rdi; cmps##s) \
	F(KEPT, repe_cmps##s##_both, STRING, RSI, 0, 0, \
		leaq (%rsi), %rdi; movl $100, %ecx; repe cmps##s)

/* From one device to another; edu's registers 0x80 to 0x97 take 8 bytes. */
#define FORMS_DEVICES(F) \
	F(KEPT, movs_edu_ram, STRING, RDI, 0, 0, movq form_edu(%rip), %rsi; movsq) \
	F(KEPT, movs_ram_edu, STRING, RSI, 0, 0, movq form_edu(%rip), %rdi; movsq) \
	F(KEPT, rep_movs_edu_ram, STRING, RDI, 0, 0, \
		movq form_edu(%rip), %rsi; movl $3, %ecx; rep movsq) \
	F(KEPT, rep_movs_ram_edu, STRING, RSI, 0, 0, \
		movq form_edu(%rip), %rdi; movl $3, %ecx; rep movsq) \
	F(KEPT, cmps_edu_ram, STRING, RDI, 0, 0, movq form_edu(%rip), %rsi; cmpsq)

/* The base of gs is another one for each CPU. */
#define FORGET movl $0, %eax; movl $0, %ecx; movl $0, %edx; movl $0, %ebx

/* What they do depends on the address: in a mapping that stays, untraced and traced. */
#define FORMS_KEPT(F) \
	F(KEPT, data_mov,     RAM, RBX, 0, WORD, movq %rbx, (%rbx)) \
	F(KEPT, data_add,     RAM, RBX, 0, WORD, addl %ebx, (%rbx)) \
	F(KEPT, data_add_r,   RAM, RBX, 0, WORD, addl (%rbx), %ebx) \
	F(KEPT, data_imul,    RAM, RBX, 0, WORD, imull (%rbx), %ebx) \
	F(KEPT, data_xchg,    RAM, RBX, 0, WORD, xchgl %ebx, (%rbx)) \
	F(KEPT, data_xadd,    RAM, RBX, 0, WORD, lock xaddq %rbx, (%rbx)) \
	F(KEPT, data_cmpxchg, RAM, RAX, 0, WORD, cmpxchgl %r9d, (%rax)) \
	F(KEPT, data_crc32,   RAM, RBX, 0, WORD, crc32l (%rbx), %ebx) \
	F(KEPT, data_mul,     RAM, RAX, 0, WORD, mull (%rax)) \
	F(KEPT, data_index,   RAM, RBX, 0, WORD, \
		shrq $1, %rbx; addl $1, (%rbx,%rbx,1)) \
	F(KEPT, no_base,      RAM, RBX, 0, WORD, addl $1, (,%rbx,1)) \
	F(KEPT, no_base_load, RAM, RBX, 0, WORD, shrq $2, %rbx; movl (,%rbx,4), %ecx) \
	F(KEPT, gs_add,       RAM, RBX, 0, WORD, \
		movl $MSR_GS_BASE, %ecx; rdmsr; shlq $32, %rdx; orq %rdx, %rax; \
		subq %rax, %rbx; addl $1, %gs:(%rbx); FORGET) \
	F(KEPT, gs_load,      RAM, RBX, 0, WORD, \
		movl $MSR_GS_BASE, %ecx; rdmsr; shlq $32, %rdx; orq %rdx, %rax; \
		subq %rax, %rbx; movl %gs:(%rbx), %r9d; FORGET)

/* Of no width that the decoder knows. They do not exist in kernels. */
#define FORMS_SILENT(F) \
	F(SILENT, x87_load,    RAM, RBX, 0, QUAD, flds (%rbx); fstp %st(0)) \
	F(SILENT, x87_store,   RAM, RBX, 0, QUAD, fldz; fstps (%rbx)) \
	F(SILENT, vmaskmov,    RAM, RBX, 0, QUAD, vmaskmovps (%rbx), %ymm2, %ymm1)

/* Stepped ones whose base register cannot be redirected. They do not exist in kernels. */
#define FORMS_GIVE_UP(F) \
	F(GIVE_UP, data_div,    RAM, RAX, 0, WORD, xorl %edx, %edx; divq (%rax)) \
	F(GIVE_UP, data_andn,   RAM, RBX, 0, WORD, andn (%rbx), %ebx, %ecx) \
	F(GIVE_UP, no_base_vec, RAM, RBX, 0, QUAD, movups (,%rbx,1), %xmm1)

/*
 * Across two pages of which one has just been given back, with the fault in the other one: the
 * first instruction is one of those above. In the second page, the fault's address is not the
 * operand's.
 */
#define FORMS_HALF(F) \
	F(HALF, first_add,   CROSS, RBX, 0, QUAD, movups -64(,%rbx,1), %xmm1; addq %r9, (%rbx)) \
	F(HALF, first_load,  CROSS, RBX, 0, QUAD, movups -64(,%rbx,1), %xmm1; movq (%rbx), %r9) \
	F(HALF, first_vec,   CROSS, RBX, 0, QUAD, movups -64(,%rbx,1), %xmm1; \
		movups (%rbx), %xmm2) \
	F(HALF, first_stos,  CROSS, RDI, 0, QUAD, movups -64(,%rdi,1), %xmm1; stosq) \
	F(HALF, second_add,  CROSS, RBX, 0, QUAD, movups 64(,%rbx,1), %xmm1; addq %r9, (%rbx)) \
	F(HALF, second_load, CROSS, RBX, 0, QUAD, movups 64(,%rbx,1), %xmm1; movq (%rbx), %r9) \
	F(HALF, second_vec,  CROSS, RBX, 0, QUAD, movups 64(,%rbx,1), %xmm1; \
		movups (%rbx), %xmm2) \
	F(HALF, second_stos, CROSS, RDI, 0, QUAD, movups 64(,%rdi,1), %xmm1; stosq)

#define FORMS(F) \
	FORMS_ALU(F, add) FORMS_ALU(F, or) FORMS_ALU(F, adc) FORMS_ALU(F, sbb) \
	FORMS_ALU(F, and) FORMS_ALU(F, sub) FORMS_ALU(F, xor) FORMS_ALU(F, cmp) \
	FORMS_SHIFT(F, rol) FORMS_SHIFT(F, ror) FORMS_SHIFT(F, rcl) FORMS_SHIFT(F, rcr) \
	FORMS_SHIFT(F, shl) FORMS_SHIFT(F, shr) FORMS_SHIFT(F, sar) \
	FORMS_UNARY(F, inc) FORMS_UNARY(F, dec) FORMS_UNARY(F, neg) FORMS_UNARY(F, not) \
	FORMS_BASES(F) FORMS_SELF(F) FORMS_EXCHANGE(F) FORMS_BITS(F) FORMS_OTHER(F) \
	FORMS_STACK(F) FORMS_BIT_STRINGS(F) FORMS_VECTOR(F) FORMS_CROSS(F) \
	FORMS_STRING(F, b) FORMS_STRING(F, w) FORMS_STRING(F, l) FORMS_STRING(F, q) \
	FORMS_BOTH(F, b) FORMS_BOTH(F, w) FORMS_BOTH(F, l) FORMS_BOTH(F, q) \
	FORMS_DEVICES(F) FORMS_KEPT(F) FORMS_SILENT(F) FORMS_GIVE_UP(F) FORMS_HALF(F)

#endif
