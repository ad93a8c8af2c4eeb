# SPDX-License-Identifier: GPL-2.0-or-later
#
# The module, once per kernel: for the running one if its headers are here, and for each in build/kernels/.
# kmod/Makefile does the work; here is only the choice of kernels.

KERNELS		?= 6.1 6.12 6.1-rt 6.12-rt
RUNNING		:= $(shell uname -r)

header_dir	= $(firstword $(wildcard /usr/src/linux-headers-$(1) /lib/modules/$(1)/build))
FETCHED		:= $(notdir $(patsubst %/,%,$(wildcard $(B)/kernels/*/)))
RELEASES	:= $(sort $(FETCHED) $(if $(call header_dir,$(RUNNING)),$(RUNNING)))

MODULES		:= $(RELEASES:%=$(B)/kmod/%/mmiobpf.ko)
BTFIDS		:= $(B)/tools/btfids
VMLINUX_BTF	:= $(B)/tools/vmlinux-btf

# kbuild knows what has changed, make does not: it is asked every time, and says nothing when all is done.
$(MODULES): $(B)/kmod/%/mmiobpf.ko: FORCE
	$(Q)if [ -z "$(call header_dir,$*)" ]; then \
		echo "error: cannot build the module for kernel $*: its headers are not installed." \
		     "Run 'make deps', or install linux-headers-$*." >&2; exit 1; fi
	$(Q)+$(MAKE) -C kmod KDIR=$(call header_dir,$*) \
		$(if $(wildcard $(B)/kernels/$*/boot/vmlinuz-$*),KERNEL_BTF=$(CURDIR)/$(B)/kernels/$*/boot/vmlinuz-$*) \
		V=$(V)

modules: $(MODULES) ## build the module for the running kernel and those in build/kernels/
ifeq ($(RELEASES),)
	$(Q)echo "error: no kernel to build the module for: no headers for the running kernel $(RUNNING)," \
		"and nothing in $(B)/kernels/. Install linux-headers-$(RUNNING)," \
		"or run 'make deps kernels' to build for the kernels of the test guests" \
		"($(KERNELS)), or 'make -C kmod KDIR=/usr/src/linux-headers-...' for another one." >&2; exit 1
endif

FORCE:
.PHONY: modules FORCE
