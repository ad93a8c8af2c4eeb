# SPDX-License-Identifier: GPL-2.0-or-later
#
# BPF: every bpf/*.bpf.c to one linked object and its skeleton. The same object serves all kernels (CO-RE).

BPF_SRCS	:= $(wildcard bpf/*.bpf.c)
BPF_OBJECT	:= $(if $(BPF_SRCS),$(B)/bpf/mmiobpf.bpf.o)
BPF_SKEL	:= $(if $(BPF_SRCS),$(B)/bpf/mmiobpf.skel.h)

BPF_CFLAGS	:= -target bpf -D__TARGET_ARCH_x86 -mcpu=v3 -g -O2 -Wall -Werror \
		   -Iinclude -Ivmlinux/x86_64 -Ibpf

# The parts keep a name of their own below parts/, so that bpf/mmiobpf.bpf.c could exist.
BPF_PARTS	:= $(BPF_SRCS:bpf/%.bpf.c=$(B)/bpf/parts/%.bpf.o)

$(B)/bpf/parts/%.bpf.o: bpf/%.bpf.c mk/bpf.mk
	$(say) CLANG-BPF $@
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) $(BPF_CFLAGS) -MMD -MP -c -o $@ $<

$(B)/bpf/mmiobpf.bpf.o: $(BPF_PARTS)
	$(say) BPF-LD $@
	$(Q)$(BPFTOOL) gen object $@ $(BPF_PARTS)

$(B)/bpf/mmiobpf.skel.h: $(B)/bpf/mmiobpf.bpf.o
	$(say) SKEL $@
	$(Q)$(BPFTOOL) gen skeleton $< name mmiobpf > $@

bpf: $(BPF_OBJECT) $(BPF_SKEL) ## build the BPF object and its skeleton only

-include $(BPF_PARTS:.o=.d)

.PHONY: bpf
