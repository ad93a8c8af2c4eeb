# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests in guests, and of the tools that judge them. Every tests/vm/NAME.bats writes build/check/vm-NAME.tap;
# `make check-vm-NAME` runs one. Tools: tests/vm/NAME.c or tests/vm/NAME/*.c become build/vm/NAME.

VM_TESTS	:= $(sort $(patsubst tests/vm/%.bats,%,$(wildcard tests/vm/*.bats)))
VM_TOOLS	:= $(addprefix $(B)/vm/,oracle compat poke diskload windows streams insnform)
# The judges are built with sanitizers as well: a wrong verdict is worse than a slow one.
VM_CFLAGS	:= -std=gnu11 -O2 -g $(WARN) -fsanitize=address,undefined -fno-sanitize-recover=undefined

check-vm: all $(VM_TESTS:%=check-vm-%) ## tests in guests: runner, oracle, drivers

vm-tools: $(VM_TOOLS) ## build the tools that judge the tests in guests

$(B)/vm/insnform: VM_LIBS := -lZydis

# Not a judge, and to run in a guest, at full speed.
$(B)/vm/diskload: VM_CFLAGS := -std=gnu11 -O2 -g $(WARN) -pthread

.SECONDEXPANSION:
$(VM_TOOLS): $(B)/vm/%: $$(wildcard tests/vm/%.c tests/vm/%/*.c tests/vm/%/*.h)
	$(say) CC $@
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(VM_CFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.c,$^) $(VM_LIBS)

# bats' status is in its TAP: the next file is run all the same. Without a plan, tests/summary fails.
$(VM_TESTS:%=check-vm-%): check-vm-%: $(VM_TOOLS)
	$(Q)mkdir -p $(CHECK)
	$(Q)bats --formatter tap tests/vm/$*.bats 2>&1 | tee $(CHECK)/vm-$*.tap

.PHONY: check-vm vm-tools $(VM_TESTS:%=check-vm-%)

# Longer forms of tests that `make check` runs, with a size. They go on for an hour or more.
TRACES		?= 500
ACCESSES	?= 10000000

soak: all $(VM_TOOLS) ## all CPUs at work while sessions, CPUs and mappings come and go, ACCESSES=10000000 on each kernel
	$(Q)tests/vm/soak-run $(ACCESSES)

soak-attach: all $(VM_TOOLS) ## attach to e1000e and nvme under load and detach, TRACES=500 times on each kernel
	$(Q)tests/vm/soak-attach $(TRACES)

.PHONY: soak soak-attach

SEED		?= 1
INSTANCES	?= 2000000

exercise: all $(VM_TOOLS) ## the exerciser with INSTANCES=2000000 random instances of SEED=1 on each kernel
	$(Q)EXERCISE_SEED=$(SEED) EXERCISE_COUNT=$(INSTANCES) EXERCISE_TIMEOUT=5400 bats tests/vm/exerciser.bats

.PHONY: exercise
