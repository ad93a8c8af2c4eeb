# SPDX-License-Identifier: GPL-2.0-or-later
#
# Fuzzing with libFuzzer. `make fuzz` runs until something is found or FUZZ_SECONDS are over; inputs that reach
# new code are kept in build/fuzz/corpus. `make check` runs the seeds and a few seconds more.

FUZZ_SECONDS	?= 600
FUZZ_SHORT	:= 5
FUZZ_FLAGS	:= -std=gnu11 -O1 -g $(WARN) -fsanitize=fuzzer,address,undefined \
		   -fno-sanitize-recover=undefined -Iinclude -Isrc
FUZZ_TARGETS	:= text_reader vfio_reader ctf_reader

FUZZ_text_reader := src/log/text_reader.c src/log/text_fast.c src/log/text_fields.c src/log/line_reader.c src/log/lines.c \
		    src/log/text_writer.c src/log/line_buffer.c src/log/text_grammar.c \
		    src/log/record.c src/log/header.c
FUZZ_CORPUS_text_reader := tests/fuzz/corpus/text

FUZZ_vfio_reader := src/log/vfio_reader.c src/log/line_reader.c src/log/lines.c src/log/record.c src/log/header.c
FUZZ_CORPUS_vfio_reader := tests/fuzz/corpus/vfio

FUZZ_ctf_reader	:= $(addprefix src/log/,ctf_reader.c ctf_stream.c ctf_writer.c ctf_layout.c ctf_metadata.c \
		   pc_set.c record.c header.c sink_fd.c source_fd.c)
FUZZ_CORPUS_ctf_reader := tests/fuzz/corpus/ctf
FUZZ_LIBS_ctf_reader := -lz

.SECONDEXPANSION:
$(FUZZ_TARGETS:%=$(B)/fuzz/%): $(B)/fuzz/%: tests/fuzz/%_fuzz.c $$(FUZZ_$$*) $(wildcard src/log/*.h) \
		tests/unit/log_memory.h tests/unit/capture_memory.h tests/fuzz/module.mk
	$(say) FUZZ $@
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) $(FUZZ_FLAGS) -o $@ $< $(FUZZ_$*) $(FUZZ_LIBS_$*)

fuzz: $(FUZZ_TARGETS:%=$(B)/fuzz/%) ## fuzz the readers for FUZZ_SECONDS each (default 600)
	$(Q)set -e; for target in $(FUZZ_TARGETS); do \
		mkdir -p $(B)/fuzz/corpus/$$target; \
		$(MAKE) fuzz-$$target; \
	done

$(FUZZ_TARGETS:%=fuzz-%): fuzz-%: $(B)/fuzz/%
	$(Q)cd $(B)/fuzz && ./$* -max_total_time=$(FUZZ_SECONDS) -max_len=16384 corpus/$* \
		$(CURDIR)/$(FUZZ_CORPUS_$*)

# Two results each: the seeds, which are always the same, and some seconds of new inputs.
check-fuzz: $(FUZZ_TARGETS:%=check-fuzz-%) ## run the fuzz targets on their seeds and for some seconds

$(FUZZ_TARGETS:%=check-fuzz-%): check-fuzz-%:
	$(Q)mkdir -p $(CHECK) $(B)/fuzz/short
	$(Q)tap=$(CHECK)/unit-fuzz-$*.tap; log=$(CHECK)/unit-fuzz-$*.log; \
	echo 1..2 > $$tap; \
	$(MAKE) $(B)/fuzz/$* > $$log 2>&1; \
	if $(B)/fuzz/$* $(FUZZ_CORPUS_$*)/* >> $$log 2>&1; \
	then echo "ok 1 - fuzz $*: seeds"; else echo "not ok 1 - fuzz $*: seeds"; fi >> $$tap; \
	if $(B)/fuzz/$* -max_total_time=$(FUZZ_SHORT) -max_len=4096 -artifact_prefix=$(B)/fuzz/ \
		$(B)/fuzz/short $(FUZZ_CORPUS_$*) >> $$log 2>&1; \
	then echo "ok 2 - fuzz $*: $(FUZZ_SHORT) seconds"; \
	else echo "not ok 2 - fuzz $*: $(FUZZ_SHORT) seconds; see $$log"; fi >> $$tap; \
	cat $$tap

check-unit: check-fuzz

.PHONY: fuzz check-fuzz $(FUZZ_TARGETS:%=fuzz-%) $(FUZZ_TARGETS:%=check-fuzz-%)
