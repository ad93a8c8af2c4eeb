# SPDX-License-Identifier: GPL-2.0-or-later
#
# The command line: what the program says and which status it ends with, where no kernel module is needed.
# Every tests/cli/NAME.bats writes build/check/cli-NAME.tap; `make check-cli-NAME` runs one.

CLI_TESTS	:= $(sort $(patsubst tests/cli/%.bats,%,$(wildcard tests/cli/*.bats)))

check-cli: $(CLI_TESTS:%=check-cli-%) ## command line: messages and statuses, no root needed

# bats' status is in its TAP: the next file is run all the same.
$(CLI_TESTS:%=check-cli-%): check-cli-%: program
	$(Q)mkdir -p $(CHECK)
	$(Q)bats --formatter tap tests/cli/$*.bats 2>&1 | tee $(CHECK)/cli-$*.tap

.PHONY: check-cli $(CLI_TESTS:%=check-cli-%)
