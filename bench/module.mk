# SPDX-License-Identifier: GPL-2.0-or-later
#
# The tools of the measurements, which run in guests, and the rates. `make bench` is in the top Makefile.

BENCH_TOOLS	:= $(B)/bench/floor $(B)/bench/randread $(B)/bench/arm
BENCH_CFLAGS	:= -std=gnu11 -O2 -g $(WARN) -pthread

# Where the mappings are, the program knows how to find out.
$(B)/bench/floor $(B)/bench/arm: $(addprefix $(B)/obj/src/sys/,vmalloc.o root.o kptr.o)

$(BENCH_TOOLS): $(B)/bench/%: bench/%.c bench/module.mk
	$(say) CC $@
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(BENCH_CFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.c %.o,$^)

bench-tools: $(BENCH_TOOLS) ## build the tools of the measurements

bench-rates: deps ## measure the rates of e1000e and nvme in guests: untraced, mmiotrace, mmiobpf
	$(Q)$(MAKE) kernels
	$(Q)+$(submake) all
	$(Q)bench/rates

bench-maps: deps bench-tools ## measure what mappings cost: to find, to arm, to give back, memory
	$(Q)$(MAKE) kernels
	$(Q)+$(submake) all
	$(Q)bench/maps

.PHONY: bench-tools bench-rates bench-maps
