// SPDX-License-Identifier: GPL-2.0-or-later
/* Requests, and the devices that they are about. */
#include <linux/io.h>
#include <linux/module.h>
#include <linux/pci.h>

#include "exerciser.h"

#define NAME_MAX_LEN 31

static struct pci_dev *edu_device, *ram_device;
static struct exerciser_maps maps;
static struct answer answer;

void answer_add(struct answer *a, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	a->len += vscnprintf(a->text + a->len, sizeof(a->text) - a->len, format, args);
	va_end(args);
}

/* --- mapping --- */

static void __iomem *bar_map(struct pci_dev *dev, int bar)
{
	if (!dev)
		return NULL;
	return ioremap(pci_resource_start(dev, bar), pci_resource_len(dev, bar));
}

static int request_map(void)
{
	if (maps.edu || maps.ram)
		return -EBUSY;
	maps.edu = bar_map(edu_device, 0);
	maps.ram = bar_map(ram_device, 2);
	if (maps.ram) {
		maps.ram_phys = pci_resource_start(ram_device, 2);
		maps.ram_len = pci_resource_len(ram_device, 2);
	}
	return maps.edu || maps.ram ? 0 : -ENODEV;
}

static int request_unmap(void)
{
	if (maps.edu)
		iounmap(maps.edu);
	if (maps.ram)
		iounmap(maps.ram);
	maps.edu = NULL;
	maps.ram = NULL;
	return 0;
}

/* --- requests --- */

static int request_loop(const char *kind, const char *number)
{
	unsigned long count;
	u64 ns;
	int err = kstrtoul(number, 0, &count);

	if (err || !count)
		return -EINVAL;
	if (!maps.edu)
		return -ENODEV;
	err = loop_run(kind, count, maps.edu, &ns);
	if (!err)
		answer_add(&answer, "%lu %llu\n", count, ns);
	return err;
}

static int request_context(const char *kind, const char *number)
{
	unsigned long count;
	int err = kstrtoul(number, 0, &count);

	if (err)
		return err;
	return maps.edu ? context_run(kind, count, maps.edu, &answer) : -ENODEV;
}

static int request_copies(void)
{
	return maps.ram && maps.ram_view ? copy_run(&maps, &answer) : -ENODEV;
}

static int request_count(const char *group)
{
	int count = forms_count(group);

	if (count >= 0)
		answer_add(&answer, "%d\n", count);
	return count < 0 ? count : 0;
}

static int request_form(const char *group, const char *text)
{
	unsigned long number;
	int err = kstrtoul(text, 0, &number);

	return err ? err : form_run(group, number, &maps, &answer);
}

static int request_random(const char *const words[3], bool edu)
{
	u64 number[3];
	int i, err;

	for (i = 0; i < 3; i++) {
		err = kstrtou64(words[i], 0, &number[i]);
		if (err)
			return err;
	}
	return (edu ? random_edu_run : random_run)(number[0], number[1], number[2], &maps, &answer);
}

/*
 * map                      map the BARs of the devices
 * unmap
 * loop KIND COUNT          answer: COUNT and the time in ns
 * context KIND COUNT       answer: wrong values; see context_run()
 * copies                   answer: what the copies did; see copy_run()
 * count GROUP              answer: how many forms the group has
 * form GROUP NUMBER        answer: what the form did
 * random SEED FIRST COUNT  answer: how many random instances differ; see random_run()
 * random-edu SEED FIRST COUNT
 */
static int run_set(const char *line, const struct kernel_param *kp)
{
	char text[4][NAME_MAX_LEN + 1] = {};
	const char *const words[3] = { text[1], text[2], text[3] };
	const char *word = text[0];
	int n = sscanf(line, "%31s %31s %31s %31s", text[0], text[1], text[2], text[3]);

	answer.len = 0;
	answer.text[0] = 0;
	if (n == 1 && !strcmp(word, "map"))
		return request_map();
	if (n == 1 && !strcmp(word, "unmap"))
		return request_unmap();
	if (n == 3 && !strcmp(word, "loop"))
		return request_loop(words[0], words[1]);
	if (n == 1 && !strcmp(word, "copies"))
		return request_copies();
	if (n == 3 && !strcmp(word, "context"))
		return request_context(words[0], words[1]);
	if (n == 2 && !strcmp(word, "count"))
		return request_count(words[0]);
	if (n == 3 && !strcmp(word, "form"))
		return request_form(words[0], words[1]);
	if (n == 4 && !strcmp(word, "random"))
		return request_random(words, false);
	if (n == 4 && !strcmp(word, "random-edu"))
		return request_random(words, true);
	return -EINVAL;
}

static int result_get(char *buffer, const struct kernel_param *kp)
{
	memcpy(buffer, answer.text, answer.len);
	return answer.len;
}

static const struct kernel_param_ops run_ops = { .set = run_set };
static const struct kernel_param_ops result_ops = { .get = result_get };

module_param_cb(run, &run_ops, NULL, 0200);
MODULE_PARM_DESC(run, "a request, see run_set()");
module_param_cb(result, &result_ops, NULL, 0400);
MODULE_PARM_DESC(result, "the answer to the last request");

/* --- devices --- */

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
	if (maps.ram_view)
		pci_iounmap(ram_device, maps.ram_view);
	device_put(edu_device);
	device_put(ram_device);
}

static int __init exerciser_init(void)
{
	int err = -ENODEV;

	edu_device = device_get(0x1234, 0x11e8);
	ram_device = device_get(0x1af4, 0x1110);
	/* By the PCI core and before any session: such a mapping belongs to none of our traces. */
	if (ram_device)
		maps.ram_view = pci_iomap(ram_device, 2, 0);
	if (edu_device || ram_device)
		err = random_setup();
	if (err)
		devices_put();
	return err;
}

static void __exit exerciser_exit(void)
{
	request_unmap();
	random_teardown();
	devices_put();
}

module_init(exerciser_init);
module_exit(exerciser_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Accesses to device registers for the tests of mmiobpf");
