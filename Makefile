# SPDX-License-Identifier: GPL-2.0-or-later
#
# mmiobpf. `make help` lists the targets; `make V=1` shows the commands.
# Everything that is built goes below build/. Each room of the tree brings its own fragment.

VERSION		:= $(file < VERSION)
B		:= build

prefix		?= /usr/local
bindir		?= $(prefix)/bin
mandir		?= $(prefix)/share/man
# DKMS looks for module sources in this one place, whatever the prefix is.
usrsrcdir	?= /usr/src
DESTDIR		?=

CC		= gcc
CLANG		?= clang
BPFTOOL		?= $(or $(shell command -v bpftool),/usr/sbin/bpftool)
INSTALL		?= install
JOBS		?= $(shell nproc)
CFLAGS		?= -O2 -g
WARN		:= -Wall -Wextra -Werror

ifeq ($(V),1)
Q		:=
say		= @:
else
Q		:= @
MAKEFLAGS	+= --no-print-directory
say		= @printf '  %-9s %s\n'
endif

# A rule that makes its own -j must not fight with the one the caller gave.
submake		= $(MAKE) $(if $(findstring -j,$(MAKEFLAGS)),,-j$(JOBS))

all: program modules ## build the program, the BPF object and the module for every kernel at hand (default)

include mk/bpf.mk
include mk/program.mk
include mk/modules.mk
include mk/check.mk
include mk/install.mk
-include src/module.mk
-include tests/unit/module.mk
-include tests/cli/module.mk
-include tests/vm/module.mk
-include tests/fuzz/module.mk
-include bench/module.mk

deps: ## install the Debian packages that are missing (needs root when any is)
	$(Q)tools/deps

kernels: ## fetch the kernels that the guests boot into build/kernels/
	$(Q)tests/vm/kernels fetch $(KERNELS)

# Options of tests/vm/guest for the demonstration.
DEMO_GUEST	?= --kernel 6.12 --cpus 4 --timeout 180 --netdev user,id=net0 --device e1000e,netdev=net0

demo: deps ## trace e1000e in a guest: install, build, boot, load, link up, log and verdict
	$(Q)$(MAKE) kernels
	$(Q)+$(submake) all
	$(Q)tests/vm/guest $(DEMO_GUEST) -- $(CURDIR)/tests/vm/demo.sh

bench: deps ## measure the cost of an access in a guest: untraced, mmiotrace, mmiobpf
	$(Q)$(MAKE) kernels
	$(Q)+$(submake) all
	$(Q)bench/run

vmlinux.h: ## write vmlinux/x86_64/vmlinux.h anew from a kernel's BTF (KERNEL_BTF=vmlinuz or BTF file)
	$(Q)tools/gen-vmlinux $(KERNEL_BTF) > vmlinux/x86_64/vmlinux.h.new
	$(Q)mv vmlinux/x86_64/vmlinux.h.new vmlinux/x86_64/vmlinux.h

format: ## list the C files that clang-format would change; informational
	$(Q)tools/format-check || true

clean: ## remove what was built; the fetched kernels stay
	$(Q)if [ -d $(B) ]; then find $(B) -mindepth 1 -maxdepth 1 ! -name kernels -exec rm -rf {} +; fi

distclean: clean ## remove build/ with the fetched kernels as well
	$(Q)rm -rf $(B)

help: ## show this list
	@awk -f tools/help.awk $(MAKEFILE_LIST)

.PHONY: all deps kernels demo bench vmlinux.h format clean distclean help
.DEFAULT_GOAL := all
# A target that failed half way must not look up to date.
.DELETE_ON_ERROR:
