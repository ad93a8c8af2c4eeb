// SPDX-License-Identifier: GPL-2.0-or-later
#include "target.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../array.h"
#include "../number.h"
#include "iomem.h"
#include "pci.h"
#include "text.h"

#define LAPIC_START	0xfee00000ull
#define LAPIC_END	0xfee01000ull

/* The machine, read once, and where the answer goes. */
struct resolver {
	struct target_set *set;
	const struct sys_root *root;
	struct pci_list pci;
	struct iomem_list iomem;
	struct text_source *text;	/* of the loaded drivers */
	char *why;
	size_t why_size;

	/* the driver that is looked at */
	const char *driver;
	enum target_origin origin;
	enum target_error error;	/* of a walk's function */
};

__attribute__((format(printf, 3, 4)))
static enum target_error explain(struct resolver *r, enum target_error e, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(r->why, r->why_size, fmt, ap);
	va_end(ap);
	return e;
}

static enum target_error system_error(struct resolver *r, int err, const char *what)
{
	if (err == -EPERM || err == -EACCES)
		return explain(r, TARGET_SYSTEM,
			       "cannot read %s: the kernel hides it from this process; run it as "
			       "root", what);
	return explain(r, TARGET_SYSTEM, "cannot read %s: %s", what, strerror(-err));
}

static void copy_name(char out[MMIOBPF_NAME_LEN], const char *name)
{
	snprintf(out, MMIOBPF_NAME_LEN, "%s", name);
}

/* --- ranges --- */

static bool have_range(const struct target_set *set, uint64_t start, uint64_t end)
{
	for (size_t i = 0; i < set->nranges; i++) {
		if (set->ranges[i].start <= start && set->ranges[i].end >= end)
			return true;
	}
	return false;
}

static enum target_error add_range(struct resolver *r, const struct target_range *range)
{
	struct target_range *added;

	if (have_range(r->set, range->start, range->end))
		return TARGET_OK;
	added = array_push(r->set->ranges, r->set->nranges);
	if (!added)
		return system_error(r, -ENOMEM, "the targets");
	*added = *range;
	return TARGET_OK;
}

/* A range that the user named must be one that can be armed. */
static enum target_error check_allowed(struct resolver *r, const struct target_range *range,
				       const char *name)
{
	const struct target_denied *d = target_set_denied(r->set, range->start, range->end);

	if (!d)
		return TARGET_OK;
	return explain(r, TARGET_DENIED,
		       "cannot trace %s: it touches 0x%" PRIx64 "-0x%" PRIx64 ", %s; choose a "
		       "range without it", name, d->start, d->end - 1, d->name);
}

/* All memory BARs of a device. Return: how many, or -1 and r->error is set. */
static int add_bars(struct resolver *r, const struct pci_dev_info *d)
{
	char bdf[PCI_BDF_LEN];
	int n = 0;

	for (unsigned int bar = 0; bar < PCI_DEV_RESOURCES; bar++) {
		struct target_range range = {
			.start = d->start[bar],
			.end = d->start[bar] + d->size[bar],
			.dev = d->dev,
			.bar = (uint8_t)bar,
			.origin = (uint8_t)r->origin,
		};

		if (!pci_bar_is_mem(d, bar))
			continue;
		copy_name(range.driver, r->driver ? r->driver : d->driver);
		if (r->origin == TARGET_PCI)
			r->error = check_allowed(r, &range, pci_format_bdf(d->dev, bdf));
		if (r->error == TARGET_OK)
			r->error = add_range(r, &range);
		if (r->error != TARGET_OK)
			return -1;
		n++;
	}
	return n;
}

/* --- drivers --- */

struct device_walk {
	struct resolver *r;
	const char *bus;
	unsigned int devices;
	unsigned int ranges;
};

static int add_iomem(void *ctx, const struct iomem_entry *e)
{
	struct device_walk *w = ctx;
	struct target_range range = {
		.start = e->start,
		.end = e->end,
		.dev = MMIOBPF_NO_DEV,
		.bar = MMIOBPF_NO_BAR,
		.origin = (uint8_t)w->r->origin,
	};

	copy_name(range.driver, w->r->driver);
	w->r->error = add_range(w->r, &range);
	w->ranges++;
	return w->r->error != TARGET_OK;
}

static int add_device(void *ctx, const char *device)
{
	struct device_walk *w = ctx;
	const struct pci_dev_info *d;
	uint32_t dev;
	int n;

	w->devices++;
	if (strcmp(w->bus, "pci"))
		return iomem_for_each_of_device(&w->r->iomem, device, add_iomem, w);
	d = pci_parse_bdf(device, &dev) ? NULL : pci_list_find(&w->r->pci, dev);
	if (!d)
		return 0;
	n = add_bars(w->r, d);
	if (n < 0)
		return 1;
	w->ranges += (unsigned int)n;
	return 0;
}

static int add_driver_devices(void *ctx, const char *bus, const char *driver)
{
	struct device_walk *w = ctx;
	int ret;

	w->bus = bus;
	ret = driver_for_each_device(w->r->root, bus, driver, add_device, w);
	if (ret < 0)
		w->r->error = system_error(w->r, ret, "the driver's devices");
	return ret;
}

static enum target_error add_watch(struct resolver *r, const char *module)
{
	struct target_watch *w = array_push(r->set->watch, r->set->nwatch);

	if (!w)
		return system_error(r, -ENOMEM, "the targets");
	module_name_canonical(module, w->module);
	copy_name(w->driver, r->driver);
	return TARGET_OK;
}

static enum target_error add_text(struct resolver *r, const char *module)
{
	struct text_range *ranges;
	size_t n;
	int err = text_source_ranges(r->text, module, &ranges, &n);

	if (err == -ENOENT)
		return explain(r, TARGET_SYSTEM,
			       "cannot trace driver \"%s\": there is no /proc/kallsyms to find "
			       "its module %s; a kernel with CONFIG_KALLSYMS is needed",
			       r->driver, module);
	if (err)
		return system_error(r, err, "the addresses of the module in /proc");
	for (size_t i = 0; i < n; i++) {
		struct target_text *t = array_push(r->set->text, r->set->ntext);

		if (!t) {
			err = -ENOMEM;
			break;
		}
		t->start = ranges[i].start;
		t->end = ranges[i].end;
		copy_name(t->driver, r->driver);
		module_name_canonical(module, t->module);
	}
	free(ranges);
	return err ? system_error(r, err, "the targets") : TARGET_OK;
}

/* Devices of one driver, or of all drivers of a module when @bus is NULL. */
static enum target_error add_devices(struct resolver *r, struct device_walk *w, const char *bus,
				     const char *name)
{
	int ret;

	r->error = TARGET_OK;
	if (bus)
		ret = add_driver_devices(w, bus, name);
	else
		ret = driver_for_each_of_module(r->root, name, add_driver_devices, w);
	if (ret < 0 && r->error == TARGET_OK)
		r->error = system_error(r, ret, "the module's drivers");
	return r->error;
}

/* Devices that have no driver yet, and that this one will get. */
static enum target_error add_unbound(struct resolver *r, struct device_walk *w, const char *module)
{
	static const char *const buses[] = { "pci", "platform" };

	for (size_t i = 0; r->error == TARGET_OK && i < sizeof(buses) / sizeof(buses[0]); i++) {
		int ret;

		w->bus = buses[i];
		ret = module_for_each_unbound_device(r->root, module, w->bus, add_device, w);
		if (ret < 0)
			r->error = system_error(r, ret, "the aliases of modules");
	}
	return r->error;
}

/*
 * A module that is not loaded yet: its code on the stack tells its mappings, when it is there. Probe
 * functions that end in a jump into a subsystem (ehci_pci, ohci_pci) are not: so the memory of the
 * devices that it will get is wanted, too.
 */
static enum target_error resolve_available(struct resolver *r, const char *module)
{
	struct device_walk w = { .r = r };
	enum target_error e = add_watch(r, module);

	r->origin = TARGET_AWAITED;
	r->error = TARGET_OK;
	return e == TARGET_OK ? add_unbound(r, &w, module) : e;
}

/* A module that has just been unloaded has no code any more: it may be loaded again. */
static enum target_error resolve_loaded(struct resolver *r, const char *module)
{
	struct device_walk w = { .r = r };
	size_t ntext = r->set->ntext;
	enum target_error e;

	r->origin = TARGET_BOUND;
	e = add_text(r, module);
	if (e == TARGET_OK && r->set->ntext == ntext)
		return resolve_available(r, module);
	if (e == TARGET_OK)
		e = add_watch(r, module);
	return e == TARGET_OK ? add_devices(r, &w, NULL, module) : e;
}

static enum target_error resolve_builtin(struct resolver *r, const char *bus, const char *driver,
					 const char *module)
{
	struct device_walk w = { .r = r };
	enum target_error e;

	r->origin = TARGET_BUILTIN;
	e = add_devices(r, &w, bus, bus ? driver : module);
	if (e == TARGET_OK)
		e = add_unbound(r, &w, module);
	if (e != TARGET_OK || w.ranges)
		return e;
	if (w.devices)
		return explain(r, TARGET_NO_BAR,
			       "cannot trace driver \"%s\": it is built into the kernel, and its "
			       "devices have no memory of their own; name a range with --phys",
			       r->driver);
	return explain(r, TARGET_NO_DEVICE,
		       "cannot trace driver \"%s\": it is built into the kernel and no device is "
		       "bound to it; name its device with --pci or --phys", r->driver);
}

static enum target_error no_driver(struct resolver *r)
{
	char near[MODULE_NAME_LEN];

	module_suggest(r->root, r->driver, near);
	return explain(r, TARGET_NO_DRIVER,
		       "cannot trace driver \"%s\": there is no such driver on the PCI and "
		       "platform buses, and no such module for this kernel; %s%s%s", r->driver,
		       *near ? "did you mean \"" : "'mmiobpf trace' without a target lists what "
						   "there is",
		       near, *near ? "\"?" : "");
}

static enum target_error resolve_driver(struct resolver *r, const char *name)
{
	char driver[MODULE_NAME_LEN], module[MODULE_NAME_LEN] = "";
	enum module_state state;
	const char *bus = NULL;
	int err;

	r->driver = name;
	err = driver_find(r->root, name, &bus, driver, module);
	if (err && err != -ENOENT)
		return system_error(r, err, "the drivers in /sys/bus");
	if (!module[0])
		module_name_canonical(name, module);
	err = module_find(r->root, module, &state);
	if (err)
		return system_error(r, err, "the list of modules");
	if (state == MODULE_LOADED)
		return resolve_loaded(r, module);
	if (bus)
		return resolve_builtin(r, bus, driver, module);
	if (state == MODULE_BUILTIN)
		return resolve_builtin(r, NULL, NULL, module);
	return state == MODULE_AVAILABLE ? resolve_available(r, module) : no_driver(r);
}

/* --- devices and ranges --- */

static enum target_error resolve_pci(struct resolver *r, const char *text)
{
	const struct pci_dev_info *d;
	uint32_t dev;
	int n;

	if (pci_parse_bdf(text, &dev))
		return explain(r, TARGET_BAD_BDF,
			       "\"%s\" is not a PCI address; it looks like 0000:00:1f.2 or 00:1f.2",
			       text);
	d = pci_list_find(&r->pci, dev);
	if (!d)
		return explain(r, TARGET_NO_DEVICE,
			       "cannot trace PCI device %s: there is no device with that address; "
			       "'mmiobpf trace' without a target lists what there is", text);
	r->driver = NULL;
	r->origin = TARGET_PCI;
	r->error = TARGET_OK;
	n = add_bars(r, d);
	if (n < 0)
		return r->error;
	if (!n)
		return explain(r, TARGET_NO_BAR,
			       "cannot trace PCI device %s: it has no memory BAR; name a range "
			       "with --phys, or another device", text);
	return TARGET_OK;
}

static enum target_error resolve_phys(struct resolver *r, const char *text)
{
	struct target_range range = { .dev = MMIOBPF_NO_DEV, .bar = MMIOBPF_NO_BAR,
				      .origin = TARGET_PHYS };
	enum target_error e;

	if (number_parse_range(text, &range.start, &range.end))
		return explain(r, TARGET_BAD_RANGE,
			       "\"%s\" is not an address range; it looks like "
			       "0xfebc0000-0xfebdffff or 0xfebc0000+128k", text);
	e = check_allowed(r, &range, text);
	return e == TARGET_OK ? add_range(r, &range) : e;
}

/* --- all of it --- */

static enum target_error add_denied(struct resolver *r, uint64_t start, uint64_t end,
				    const char *name)
{
	struct target_denied *d = array_push(r->set->denied, r->set->ndenied);

	if (!d)
		return system_error(r, -ENOMEM, "the targets");
	*d = (struct target_denied){ .start = start, .end = end, .name = name };
	return TARGET_OK;
}

static enum target_error add_all_denied(struct resolver *r)
{
	enum target_error e = TARGET_OK;

	for (size_t i = 0; e == TARGET_OK && i < r->iomem.n; i++) {
		const struct iomem_entry *entry = &r->iomem.entries[i];
		const char *name = iomem_denied(entry);

		if (name)
			e = add_denied(r, entry->start, entry->end, name);
	}
	/*
	 * Not in the map of every kernel; the address is the architecture's (SDM volume 3,
	 * 11.4.1).
	 */
	if (e == TARGET_OK && !target_set_denied(r->set, LAPIC_START, LAPIC_END))
		e = add_denied(r, LAPIC_START, LAPIC_END,
			       "the local APIC, which every interrupt needs");
	return e;
}

static enum target_error read_machine(struct resolver *r)
{
	int err = pci_list_read(r->root, &r->pci);

	if (err)
		return system_error(r, err, "the PCI devices in /sys/bus/pci");
	err = iomem_list_read(r->root, &r->iomem);
	if (err)
		return system_error(r, err, "/proc/iomem");
	err = text_source_new(r->root, &r->text);
	if (err)
		return system_error(r, err, "the loaded modules");
	return add_all_denied(r);
}

static enum target_error resolve_all(struct resolver *r, const struct target_request *req)
{
	enum target_error e = read_machine(r);

	/*
	 * Ranges that are asked for by name come first: they are not to be shadowed by a
	 * driver's.
	 */
	for (size_t i = 0; e == TARGET_OK && i < req->npci; i++)
		e = resolve_pci(r, req->pci[i]);
	for (size_t i = 0; e == TARGET_OK && i < req->nphys; i++)
		e = resolve_phys(r, req->phys[i]);
	for (size_t i = 0; e == TARGET_OK && i < req->ndrivers; i++)
		e = resolve_driver(r, req->drivers[i]);
	return e;
}

enum target_error target_set_resolve(struct target_set *set, const struct sys_root *root,
				     const struct target_request *req, char *why, size_t why_size)
{
	struct resolver r = { .set = set, .root = root, .why = why, .why_size = why_size };
	enum target_error e;

	memset(set, 0, sizeof(*set));
	set->all = req->all;
	if (!req->all && !req->npci && !req->nphys && !req->ndrivers)
		return explain(&r, TARGET_NONE,
			       "no target was given; use --driver, --pci, --phys or --all");
	e = resolve_all(&r, req);
	text_source_free(r.text);
	iomem_list_deinit(&r.iomem);
	pci_list_deinit(&r.pci);
	return e;
}

void target_set_deinit(struct target_set *set)
{
	free(set->text);
	free(set->watch);
	free(set->ranges);
	free(set->denied);
	memset(set, 0, sizeof(*set));
}

bool target_error_is_usage(enum target_error e)
{
	return e == TARGET_NONE || e == TARGET_BAD_BDF || e == TARGET_BAD_RANGE;
}

const struct target_denied *target_set_denied(const struct target_set *set, uint64_t start,
					      uint64_t end)
{
	for (size_t i = 0; i < set->ndenied; i++) {
		if (set->denied[i].start < end && start < set->denied[i].end)
			return &set->denied[i];
	}
	return NULL;
}

const struct target_range *target_set_range(const struct target_set *set, uint64_t start,
					    uint64_t end)
{
	for (size_t i = 0; i < set->nranges; i++) {
		if (set->ranges[i].start < end && start < set->ranges[i].end)
			return &set->ranges[i];
	}
	return NULL;
}
