# SPDX-License-Identifier: GPL-2.0-or-later
#
# The program: all of src/, linked into build/mmiobpf.

PROGRAM		:= $(B)/mmiobpf
PROGRAM_SRCS	:= $(sort $(shell find src -name '*.c'))
PROGRAM_OBJS	:= $(PROGRAM_SRCS:%.c=$(B)/obj/%.o)
PROGRAM_LIBS	:= -lbpf -lelf -lz -llzma -lzstd -lpci -lkmod -lcap

# The skeleton is generated: as a system header its warnings are not ours.
PROGRAM_CPPFLAGS := -Iinclude -Isrc -isystem $(B)/bpf -DMMIOBPF_VERSION='"$(VERSION)"'
PROGRAM_CFLAGS	:= -std=gnu11 $(WARN)

$(B)/obj/src/%.o: src/%.c mk/program.mk VERSION | $(BPF_SKEL)
	$(say) CC $@
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(PROGRAM_CPPFLAGS) $(CPPFLAGS) $(PROGRAM_CFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(PROGRAM): $(PROGRAM_OBJS)
	$(say) LD $@
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(PROGRAM_OBJS) $(PROGRAM_LIBS) $(LDLIBS)

program: $(PROGRAM) ## build the program only

-include $(PROGRAM_OBJS:.o=.d)

.PHONY: program
