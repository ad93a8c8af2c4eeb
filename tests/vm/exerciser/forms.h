/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The forms: instructions with a memory operand, each carried out on a device register as it
 * stands here.
 *
 * FORMS(F) has a line for each: F(group, name, place, base, offset, initial, instruction)
 *   group	ACCESS: recorded with its values; SILENT: carried out, reported without its value;
 *		GIVE_UP: the page is given back
 *   place	where the operand is, see enum form_place
 *   base	number of the register that gets the operand's address less offset
 *   initial	what is written to the operand before, 8 bytes
 * The other registers hold what forms.c seeds them with: rsi is 2, rdi -1, cl 3, edx 7, eax
 * 0x80000001.
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
	F(ACCESS, movq_m,    DMA,   RBX, 0, QUAD, movq %xmm1, (%rbx)) \
	F(ACCESS, cross_add, CROSS, RBX, 0, QUAD, addq %r9, (%rbx)) \
	F(ACCESS, cross_mov, CROSS, RBX, 0, QUAD, movq (%rbx), %r9) \
	F(ACCESS, cross_put, CROSS, RBX, 0, QUAD, movq %r9, (%rbx))

#define FORMS_SILENT(F) \
	F(SILENT, movups_r,    RAM,   RBX, 0, QUAD, movups (%rbx), %xmm1) \
	F(SILENT, movups_m,    RAM,   RBX, 0, QUAD, movups %xmm1, (%rbx)) \
	F(SILENT, movdqa_r,    RAM,   RBX, 0x20, QUAD, movdqa 0x20(%rbx), %xmm1) \
	F(SILENT, movntdq,     RAM,   R13, 0, QUAD, movntdq %xmm1, (%r13)) \
	F(SILENT, paddd,       RAM,   RSI, 0, QUAD, paddd (%rsi), %xmm1) \
	F(SILENT, vmovups,     RAM,   RBX, 0, QUAD, vmovups (%rbx), %ymm1) \
	F(SILENT, cmpxchg16b,  RAM,   R8,  0, QUAD, cmpxchg16b (%r8)) \
	F(SILENT, cross_movups, CROSS, RBX, 0, QUAD, movups (%rbx), %xmm1)

#define FORMS_GIVE_UP(F) \
	F(GIVE_UP, data_add,     RAM, RBX, 0, WORD, addl %ebx, (%rbx)) \
	F(GIVE_UP, data_add_r,   RAM, RBX, 0, WORD, addl (%rbx), %ebx) \
	F(GIVE_UP, data_imul,    RAM, RBX, 0, WORD, imull (%rbx), %ebx) \
	F(GIVE_UP, data_xchg,    RAM, RBX, 0, WORD, xchgl %ebx, (%rbx)) \
	F(GIVE_UP, data_xadd,    RAM, RBX, 0, WORD, lock xaddq %rbx, (%rbx)) \
	F(GIVE_UP, data_cmpxchg, RAM, RAX, 0, WORD, cmpxchgl %r9d, (%rax)) \
	F(GIVE_UP, data_crc32,   RAM, RBX, 0, WORD, crc32l (%rbx), %ebx) \
	F(GIVE_UP, data_mul,     RAM, RAX, 0, WORD, mull (%rax)) \
	F(GIVE_UP, no_base,      RAM, RBX, 0, WORD, addl $1, (,%rbx,1)) \
	F(GIVE_UP, bt_register,  RAM, RBX, 0, WORD, btl %edx, (%rbx)) \
	F(GIVE_UP, push,         RAM, RBX, 0, QUAD, pushq (%rbx); popq %rcx) \
	F(GIVE_UP, lods,         RAM, RSI, 0, WORD, lodsl) \
	F(GIVE_UP, stos,         RAM, RDI, 0, WORD, stosl)

#define FORMS(F) \
	FORMS_ALU(F, add) FORMS_ALU(F, or) FORMS_ALU(F, adc) FORMS_ALU(F, sbb) \
	FORMS_ALU(F, and) FORMS_ALU(F, sub) FORMS_ALU(F, xor) FORMS_ALU(F, cmp) \
	FORMS_SHIFT(F, rol) FORMS_SHIFT(F, ror) FORMS_SHIFT(F, rcl) FORMS_SHIFT(F, rcr) \
	FORMS_SHIFT(F, shl) FORMS_SHIFT(F, shr) FORMS_SHIFT(F, sar) \
	FORMS_UNARY(F, inc) FORMS_UNARY(F, dec) FORMS_UNARY(F, neg) FORMS_UNARY(F, not) \
	FORMS_BASES(F) FORMS_SELF(F) FORMS_EXCHANGE(F) FORMS_BITS(F) FORMS_OTHER(F) \
	FORMS_SILENT(F) FORMS_GIVE_UP(F)

#endif
