// SPDX-License-Identifier: GPL-2.0-or-later
/* Requests, and the devices that they are about. */
#include <linux/io.h>
#include <linux/module.h>
#include <linux/pci.h>

#include "soak.h"

static struct pci_dev *edu_device, *ram_device;
static struct soak_maps maps;

static int request_start(const char *line)
{
	unsigned long count;
	unsigned int pause_us;

	if (sscanf(line, "start %lu %u", &count, &pause_us) != 2 || !count || count % 16)
		return -EINVAL;
	return workers_start(&maps, count, pause_us);
}

/*
 * start COUNT PAUSE    each worker makes COUNT accesses, with a pause of PAUSE us after some
 * stop
 * map                  the mapper starts
 * unmap                and stops
 */
static int run_set(const char *line, const struct kernel_param *kp)
{
	if (sysfs_streq(line, "stop"))
		workers_stop();
	else if (sysfs_streq(line, "map"))
		return mapper_start(maps.ram_phys);
	else if (sysfs_streq(line, "unmap"))
		mapper_stop();
	else
		return request_start(line);
	return 0;
}

/* "run" or "end"; a line for each worker and the mapper: its number, its accesses, its wrong values. */
static int result_get(char *buffer, const struct kernel_param *kp)
{
	int len = sysfs_emit(buffer, "%s\n", workers_run() ? "run" : "end");
	unsigned long done, wrong;
	unsigned int i;

	for (i = 0; i < WORKERS; i++) {
		done = workers_done(i, &wrong);
		len += sysfs_emit_at(buffer, len, "%u %lu %lu\n", i, done, wrong);
	}
	len += sysfs_emit_at(buffer, len, "%u %lu 0\n", MAPPER, mapper_done());
	return len;
}

static const struct kernel_param_ops run_ops = { .set = run_set };
static const struct kernel_param_ops result_ops = { .get = result_get };

module_param_cb(run, &run_ops, NULL, 0200);
MODULE_PARM_DESC(run, "a request: start COUNT PAUSE, stop, map, unmap");
module_param_cb(result, &result_ops, NULL, 0400);
MODULE_PARM_DESC(result, "what has been done");

/* NULL when there is none, or when it cannot be switched on. */
static struct pci_dev *device_get(unsigned int vendor, unsigned int device)
{
	struct pci_dev *dev = pci_get_device(vendor, device, NULL);

	if (dev && pci_enable_device(dev)) {
		pci_dev_put(dev);
		dev = NULL;
	}
	return dev;
}

static void device_put(struct pci_dev *dev)
{
	if (!dev)
		return;
	pci_disable_device(dev);
	pci_dev_put(dev);
}

static void devices_put(void)
{
	if (maps.edu)
		iounmap(maps.edu);
	if (maps.ram)
		iounmap(maps.ram);
	device_put(edu_device);
	device_put(ram_device);
}

static int __init soak_init(void)
{
	edu_device = device_get(0x1234, 0x11e8);
	ram_device = device_get(0x1af4, 0x1110);
	if (edu_device && ram_device) {
		maps.ram_phys = pci_resource_start(ram_device, 2);
		maps.edu = ioremap(pci_resource_start(edu_device, 0), PAGE_SIZE);
		maps.ram = ioremap(maps.ram_phys, (1 + WORKERS) * PAGE_SIZE);
	}
	if (maps.edu && maps.ram)
		return 0;
	devices_put();
	return -ENODEV;
}

static void __exit soak_exit(void)
{
	workers_stop();
	mapper_stop();
	devices_put();
}

module_init(soak_init);
module_exit(soak_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Accesses from all CPUs for the soak test of mmiobpf");
