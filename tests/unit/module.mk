# SPDX-License-Identifier: GPL-2.0-or-later
#
# Unit tests: every tests/unit/NAME_test.c is one cmocka program under ASan and UBSan. It is linked
# with the sources that it names here, so that a test shows what it depends on:
#
#   UNIT_NAME_test		sources besides the test itself, from the root of the tree
#   UNIT_LIBS_NAME_test		libraries (-l...), cmocka is always there
#   UNIT_FLAGS_NAME_test	flags of the compiler, -D... or -f...
#   UNIT_SANITIZE_NAME_test	other sanitizers than $(UNIT_SANITIZE)
#
# A file tests/unit/NAME_test.mk is included, so that each test may bring its own lines.
# `make build/unit/NAME_test` builds one, `make check-unit-NAME` builds and runs it.
#
# TAP goes to build/check/unit-NAME.tap. A program that does not build, or dies before it prints its
# plan, leaves a "Bail out!" there.

UNIT_TESTS	:= $(sort $(patsubst tests/unit/%.c,%,$(wildcard tests/unit/*_test.c)))
UNIT_SANITIZE	:= -fsanitize=address,undefined -fno-sanitize-recover=undefined
UNIT_CFLAGS	:= -std=gnu11 -O1 -g $(WARN) -fno-omit-frame-pointer -Iinclude -Isrc -I. -MMD -MP

-include $(wildcard tests/unit/*_test.mk)

UNIT_DECODER		:= $(addprefix kmod/,decode.c decode_bytes.c decode_table.c decode_vex.c \
			     decode_evex.c)
UNIT_EMULATOR		:= $(addprefix kmod/,emulate.c emulate_integer.c emulate_native.c)
UNIT_ORACLE		:= $(addprefix tests/unit/,decode_zydis.c decode_kind.c)

UNIT_decode_test	:= $(UNIT_DECODER) $(UNIT_ORACLE)
UNIT_LIBS_decode_test	:= -lZydis
UNIT_decode_all_test	:= $(UNIT_DECODER) $(UNIT_ORACLE) tests/unit/decode_refused.c
UNIT_LIBS_decode_all_test := -lZydis
UNIT_JIT		:= $(addprefix tests/unit/,emulate_jit.c emulate_aim.c)

UNIT_emulate_test	:= $(UNIT_DECODER) $(UNIT_EMULATOR) $(UNIT_JIT)
UNIT_emulate_integer_test := $(UNIT_emulate_test)
UNIT_decode_width_test	:= $(UNIT_DECODER) kmod/emulate.c $(UNIT_JIT)
UNIT_decode_class_test	:= $(UNIT_DECODER) $(UNIT_EMULATOR)

UNIT_region_test	:= kmod/region.c
UNIT_FLAGS_region_test	:= -DREGION_COUNT_STEPS

# The same race under two sanitizers: frees too early, and accesses without order.
UNIT_region_race_test	:= kmod/region.c
UNIT_LIBS_region_race_test := -lpthread
UNIT_region_tsan_test	:= kmod/region.c
UNIT_SANITIZE_region_tsan_test := -fsanitize=thread
UNIT_LIBS_region_tsan_test := -lpthread

check-unit: $(UNIT_TESTS:%_test=check-unit-%) ## unit tests under ASan and UBSan, no kernel needed

# One rule for each: the sources are in a variable that has the test's name.
define unit_rule
UNIT_SAN_$(1) := $$(or $$(UNIT_SANITIZE_$(1)),$$(UNIT_SANITIZE))
$(B)/unit/$(1): tests/unit/$(1).c $(UNIT_$(1)) tests/unit/module.mk
	$$(say) UNIT $$@
	$$(Q)mkdir -p $$(@D)/obj/$(1)
	$$(Q)set -e; objs=; for src in tests/unit/$(1).c $(UNIT_$(1)); do \
		obj=$$(@D)/obj/$(1)/$$$$(echo $$$$src | tr / - ).o; \
		$$(CC) $$(UNIT_CFLAGS) $$(UNIT_SAN_$(1)) $(UNIT_FLAGS_$(1)) -MT $$@ -c -o $$$$obj $$$$src; \
		objs="$$$$objs $$$$obj"; \
	done; \
	$$(CC) $$(UNIT_SAN_$(1)) $(UNIT_FLAGS_$(1)) -o $$@ $$$$objs $(UNIT_LIBS_$(1)) -lcmocka

-include $(wildcard $(B)/unit/obj/$(1)/*.d)
endef
$(foreach test,$(UNIT_TESTS),$(eval $(call unit_rule,$(test))))

# Runs a program and keeps its TAP; the status is the TAP's, not make's, so that all of them run.
# cmocka prints the plan first, so a program that dies is short of results.
unit_run	= mkdir -p $(CHECK); tap=$(CHECK)/unit-$(1).tap; \
		CMOCKA_MESSAGE_OUTPUT=TAP $(2) > $$tap 2> $(CHECK)/unit-$(1).log; status=$$?; \
		cat $$tap; cat $(CHECK)/unit-$(1).log >&2; \
		if [ $$status -ne 0 ] && ! grep -q '^not ok' $$tap; then \
			echo "Bail out! $(2) ended with status $$status" | tee -a $$tap; \
		fi

.PHONY: check-unit
$(UNIT_TESTS:%_test=check-unit-%): check-unit-%:
	$(Q)if $(MAKE) $(B)/unit/$*_test; then \
		$(call unit_run,$*,$(B)/unit/$*_test); \
	else \
		mkdir -p $(CHECK); \
		echo "Bail out! tests/unit/$*_test.c does not build" | tee $(CHECK)/unit-$*.tap; \
	fi
.PHONY: $(UNIT_TESTS:%_test=check-unit-%)
