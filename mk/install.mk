# SPDX-License-Identifier: GPL-2.0-or-later
#
# Installation: the program, its manual pages, and the module's source where DKMS wants it.

DKMS_DIR	= $(DESTDIR)$(usrsrcdir)/mmiobpf-$(VERSION)
MAN_PAGES	:= $(wildcard man/*.[1-8])

install: program ## install program, man pages and DKMS source (DESTDIR, prefix)
	$(say) INSTALL $(DESTDIR)$(bindir)/mmiobpf
	$(Q)$(INSTALL) -d $(DESTDIR)$(bindir)
	$(Q)$(INSTALL) -m 755 $(PROGRAM) $(DESTDIR)$(bindir)/mmiobpf
	$(Q)for page in $(MAN_PAGES); do \
		dir=$(DESTDIR)$(mandir)/man$${page##*.}; \
		$(INSTALL) -d $$dir && $(INSTALL) -m 644 $$page $$dir/ || exit 1; \
	done
	$(Q)$(MAKE) install-module-source

install-module-source: ## install the module's source for DKMS only
	$(say) INSTALL $(DKMS_DIR)
	$(Q)$(INSTALL) -d $(DKMS_DIR)/kmod $(DKMS_DIR)/include/mmiobpf
	$(Q)$(INSTALL) -m 644 $(wildcard kmod/*.c kmod/*.h) kmod/Kbuild kmod/Makefile $(DKMS_DIR)/kmod/
	$(Q)$(INSTALL) -m 755 $(wildcard kmod/*.sh) $(DKMS_DIR)/kmod/
	$(Q)$(INSTALL) -m 644 include/mmiobpf/*.h $(DKMS_DIR)/include/mmiobpf/
	$(Q)$(INSTALL) -m 644 VERSION $(DKMS_DIR)/
	$(Q)sed 's/@VERSION@/$(VERSION)/g' kmod/dkms.conf > $(DKMS_DIR)/dkms.conf

.PHONY: install install-module-source
