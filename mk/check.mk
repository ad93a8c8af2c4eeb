# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests. Each check-NAME writes TAP to build/check/NAME.tap (or NAME-*.tap) and goes on after a failure;
# tests/summary adds up, and is the one that decides.

CHECK		:= $(B)/check
CHECKS		:= house unit cli vm

check: ## install what is missing, build, run every test and count
	$(Q)$(MAKE) deps
	$(Q)$(MAKE) kernels
	$(Q)+$(submake) all
	$(Q)rm -rf $(CHECK)
	$(Q)mkdir -p $(CHECK)
	$(Q)status=0; \
	$(MAKE) -k $(CHECKS:%=check-%) || status=$$?; \
	tests/summary --status $$status $(CHECK) $(CHECKS)

check-house: ## test the house: include directions, licences, the BTF tools, install
	$(Q)mkdir -p $(CHECK)
	$(Q)bats --formatter tap tests/house 2>&1 | tee $(CHECK)/house.tap

# A room that has no tests yet is a failure of the whole, not a silent success: no rule, no TAP, no pass.
.PHONY: check check-house
