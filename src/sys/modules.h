/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel modules and drivers: what is loaded, what could be, where its text is, which devices it
 * has.
 */
#ifndef MMIOBPF_SYS_MODULES_H
#define MMIOBPF_SYS_MODULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "root.h"

#define MODULE_NAME_LEN 64

enum module_state {
	MODULE_NONE,		/* this kernel has no such module */
	MODULE_AVAILABLE,	/* can be loaded */
	MODULE_LOADED,
	MODULE_BUILTIN,
};

/** module_name_equal() - names as the kernel compares them: '-' and '_' are alike */
bool module_name_equal(const char *a, const char *b);

/** module_name_canonical() - the spelling of /proc/modules: '_' only. Cut to fit */
void module_name_canonical(const char *name, char out[MODULE_NAME_LEN]);

/**
 * module_find() - what is NAME?
 * @root: machine
 * @name: module, either spelling; no aliases
 * @state: set
 *
 * Source: /proc/modules, then modules.builtin and modules.dep of the kernel's module directory.
 * Return: 0 or -errno.
 */
int module_find(const struct sys_root *root, const char *name, enum module_state *state);

/* A line of /proc/modules. */
struct module_loaded {
	char name[MODULE_NAME_LEN];
	uint64_t base;		/* of its code; 0: hidden from this process */
	uint64_t size;		/* bytes of all of it; its data may be elsewhere */
	bool live;		/* else it is being loaded or unloaded */
};

/**
 * modules_loaded_read() - the modules that are loaded
 * @root: machine
 * @out: set to an array that the caller frees
 * @n: set to its length
 *
 * Source: kernel/module/procfs.c, m_show(). A kernel without modules has none. Return: 0 or -errno.
 */
int modules_loaded_read(const struct sys_root *root, struct module_loaded **out, size_t *n);

/**
 * module_suggest() - the name of a driver or module of this kernel that is nearest to a mistyped
 * one
 * @root: machine
 * @name: as typed
 * @out: set to the nearest name that is at most 2 edits away, or to ""
 */
void module_suggest(const struct sys_root *root, const char *name, char out[MODULE_NAME_LEN]);

/**
 * driver_find() - does a bus have a driver of that name, and which module is it in?
 * @root: machine
 * @name: driver as in /sys/bus/BUS/drivers: pci and platform buses are looked at, also with '-' for
 *        '_'
 * @bus: set to the bus's name ("pci"), static
 * @driver: set to the driver's own spelling
 * @module: set to its module, or "" when it is built in (or its module does not say)
 *
 * Return: 0, -ENOENT, or -errno.
 */
int driver_find(const struct sys_root *root, const char *name, const char **bus,
		char driver[MODULE_NAME_LEN], char module[MODULE_NAME_LEN]);

/**
 * driver_for_each() - all pci and platform drivers
 * @fn: called for each; what is not 0 ends the walk and is returned
 */
int driver_for_each(const struct sys_root *root,
		    int (*fn)(void *ctx, const char *bus, const char *driver), void *ctx);

/**
 * driver_for_each_of_module() - the pci and platform drivers that a module has registered
 * @module: either spelling; it may be built in
 */
int driver_for_each_of_module(const struct sys_root *root, const char *module,
			      int (*fn)(void *ctx, const char *bus, const char *driver), void *ctx);

/**
 * driver_for_each_device() - devices that are bound to a driver
 * @root: machine
 * @bus: "pci" or "platform"
 * @driver: driver's own spelling
 * @fn: called with the device's name; what is not 0 ends the walk
 *
 * Return: 0, what @fn returned, or -errno.
 */
int driver_for_each_device(const struct sys_root *root, const char *bus, const char *driver,
			   int (*fn)(void *ctx, const char *device), void *ctx);

/**
 * module_for_each_unbound_device() - devices that a driver is about to get
 * @root: machine
 * @module: the module, either spelling; loadable or built in
 * @bus: "pci" or "platform"
 * @fn: called with the name of each device that has no driver and that the module has an alias for;
 *      what is not 0 ends the walk
 *
 * Return: 0, what @fn returned, or -errno. Without modules.alias and
 * modules.builtin.modinfo there is none.
 */
int module_for_each_unbound_device(const struct sys_root *root, const char *module,
				   const char *bus, int (*fn)(void *ctx, const char *device),
				   void *ctx);

#endif
