// SPDX-License-Identifier: GPL-2.0-or-later
/* Requests, mappings and single accesses. */
#include <linux/io.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/vmalloc.h>

#include "mapper.h"

#define SLOTS		16
#define MANY_MAX	20000

static struct slot slots[SLOTS];
static struct slot *many;
static unsigned int many_count;
static struct pci_dev *msix_device;
static struct answer answer;

void answer_add(struct answer *a, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	a->len += vscnprintf(a->text + a->len, sizeof(a->text) - a->len, format, args);
	va_end(args);
}

/* --- mapping --- */

int slot_map(struct slot *s, const char *kind, u64 phys, u64 len)
{
	if (!strcmp(kind, "uc-"))
		s->virt = ioremap(phys, len);
	else if (!strcmp(kind, "uc"))
		s->virt = ioremap_uc(phys, len);
	else if (!strcmp(kind, "wc"))
		s->virt = ioremap_wc(phys, len);
	else if (!strcmp(kind, "wt"))
		s->virt = ioremap_wt(phys, len);
	else if (!strcmp(kind, "cache"))
		s->virt = ioremap_cache(phys, len);
	else
		return -EINVAL;
	s->phys = phys;
	s->len = len;
	return s->virt ? 0 : -ENOMEM;
}

void slot_unmap(struct slot *s)
{
	if (s->virt)
		iounmap(s->virt);
	s->virt = NULL;
}

static void many_unmap(void)
{
	while (many_count)
		slot_unmap(&many[--many_count]);
	vfree(many);
	many = NULL;
}

/* @n mappings of a page each, of the pages from @phys on, one after the other. */
static int many_map(unsigned int n, u64 phys, unsigned int pages)
{
	u64 start;

	if (many || !n || n > MANY_MAX || !pages)
		return -EINVAL;
	many = vcalloc(n, sizeof(*many));
	if (!many)
		return -ENOMEM;
	start = ktime_get_ns();
	for (; many_count < n; many_count++) {
		u64 page = phys + (u64)(many_count % pages) * PAGE_SIZE;

		if (slot_map(&many[many_count], "uc-", page, PAGE_SIZE)) {
			many_unmap();
			return -ENOMEM;
		}
	}
	answer_add(&answer, "%u %llu\n", n, ktime_get_ns() - start);
	return 0;
}

/* --- access --- */

static int slot_read(const struct slot *s, u64 offset, unsigned int width)
{
	void __iomem *p = s->virt + offset;
	u64 value;

	switch (width) {
	case 1: value = readb(p); break;
	case 2: value = readw(p); break;
	case 4: value = readl(p); break;
	case 8: value = readq(p); break;
	default: return -EINVAL;
	}
	answer_add(&answer, "0x%llx\n", value);
	return 0;
}

static int slot_write(const struct slot *s, u64 offset, unsigned int width, u64 value)
{
	void __iomem *p = s->virt + offset;

	switch (width) {
	case 1: writeb(value, p); break;
	case 2: writew(value, p); break;
	case 4: writel(value, p); break;
	case 8: writeq(value, p); break;
	default: return -EINVAL;
	}
	return 0;
}

static int loop_read(const struct slot *s, u64 offset, unsigned int count)
{
	u64 start = ktime_get_ns();
	unsigned int i;

	for (i = 0; i < count; i++)
		readl(s->virt + offset);
	answer_add(&answer, "%u %llu\n", count, ktime_get_ns() - start);
	return 0;
}

/* --- what the PCI core maps --- */

static void msix_off(void)
{
	if (!msix_device)
		return;
	pci_free_irq_vectors(msix_device);
	pci_disable_device(msix_device);
	pci_dev_put(msix_device);
	msix_device = NULL;
}

static int msix_on(u64 bus, u64 devfn)
{
	int n;

	if (msix_device)
		return -EBUSY;
	msix_device = pci_get_domain_bus_and_slot(0, bus, devfn);
	if (!msix_device)
		return -ENODEV;
	if (pci_enable_device(msix_device)) {
		pci_dev_put(msix_device);
		msix_device = NULL;
		return -ENODEV;
	}
	n = pci_alloc_irq_vectors(msix_device, 1, 2, PCI_IRQ_MSIX);
	if (n < 0) {
		msix_off();
		return n;
	}
	answer_add(&answer, "%d\n", n);
	return 0;
}

/* --- requests --- */

static struct slot *slot_of(u64 number, bool used)
{
	struct slot *s = number < SLOTS ? &slots[number] : NULL;

	return s && !!s->virt == used ? s : NULL;
}

static bool slot_holds(const struct slot *s, u64 offset, u64 width)
{
	return s && offset < s->len && width <= s->len - offset;
}

/* What is about one slot. */
static int request_slot(const char *word, int n, u64 number, const u64 arg[3])
{
	struct slot *s = slot_of(number, true);

	if (!s)
		return -ENOENT;
	if (n == 2 && !strcmp(word, "unmap")) {
		slot_unmap(s);
		return 0;
	}
	if (n == 2 && !strcmp(word, "virt")) {
		answer_add(&answer, "0x%lx\n", (unsigned long)s->virt);
		return 0;
	}
	if (n == 2 && !strcmp(word, "entries")) {
		entries_count(s, &answer);
		return 0;
	}
	if (n == 2 && !strcmp(word, "race-unmap"))
		return race_unmap(s, &answer);
	if (n == 4 && !strcmp(word, "read") && slot_holds(s, arg[0], arg[1]))
		return slot_read(s, arg[0], arg[1]);
	if (n == 4 && !strcmp(word, "loop") && slot_holds(s, arg[0], 4))
		return loop_read(s, arg[0], arg[1]);
	if (n == 5 && !strcmp(word, "write") && slot_holds(s, arg[0], arg[1]))
		return slot_write(s, arg[0], arg[1], arg[2]);
	return -EINVAL;
}

/* What is about no slot. */
static int request_other(const char *word, int n, const u64 arg[4])
{
	if (n == 4 && !strcmp(word, "many"))
		return many_map(arg[0], arg[1], arg[2]);
	if (n == 1 && !strcmp(word, "many-unmap")) {
		many_unmap();
		return 0;
	}
	if (n == 3 && !strcmp(word, "msix"))
		return msix_on(arg[0], arg[1]);
	if (n == 1 && !strcmp(word, "msix-off")) {
		msix_off();
		return 0;
	}
	if (n == 4 && !strcmp(word, "race"))
		return race_start(arg[0], arg[1], arg[2]);
	if (n == 1 && !strcmp(word, "race-stop"))
		return race_stop(&answer);
	if (n == 3 && !strcmp(word, "lookup"))
		return lookup_measure(arg[0], arg[1], &answer);
	return -ENOTTY;
}

/*
 * map SLOT KIND PHYS LEN           KIND: uc-, uc, wc, wt, cache
 * unmap SLOT
 * virt SLOT                        answer: its address
 * entries SLOT                     answer: see entries_count()
 * read SLOT OFFSET WIDTH           answer: the value
 * write SLOT OFFSET WIDTH VALUE
 * loop SLOT OFFSET COUNT           reads of 4 bytes; answer: COUNT and the time in ns
 * race-unmap SLOT                  see race_unmap()
 * many N PHYS PAGES                N mappings of a page; answer: N and the time in ns
 * many-unmap
 * msix BUS DEVFN                   MSI-X on; answer: vectors
 * msix-off
 * race THREADS PHYS LEN            see race_start()
 * race-stop
 * lookup N COUNT                   see lookup_measure()
 */
static int run_set(const char *line, const struct kernel_param *kp)
{
	char word[16] = "", kind[8] = "";
	u64 number, arg[4] = {};
	struct slot *s;
	int n, err;

	answer.len = 0;
	answer.text[0] = '\0';
	if (sscanf(line, "map %lli %7s %lli %lli", &number, kind, &arg[0], &arg[1]) == 4) {
		s = slot_of(number, false);
		return s ? slot_map(s, kind, arg[0], arg[1]) : -EBUSY;
	}
	n = sscanf(line, "%15s %lli %lli %lli %lli", word, &arg[0], &arg[1], &arg[2], &arg[3]);
	err = request_other(word, n, arg);
	return err == -ENOTTY ? request_slot(word, n, arg[0], arg + 1) : err;
}

static int result_get(char *buffer, const struct kernel_param *kp)
{
	memcpy(buffer, answer.text, answer.len);
	return answer.len;
}

static const struct kernel_param_ops run_ops = { .set = run_set };
static const struct kernel_param_ops result_ops = { .get = result_get };

module_param_cb(run, &run_ops, NULL, 0200);
MODULE_PARM_DESC(run, "a request; see mapper.c");
module_param_cb(result, &result_ops, NULL, 0400);
MODULE_PARM_DESC(result, "the answer to the last request");

static int __init mapper_init(void)
{
	return 0;
}

static void __exit mapper_exit(void)
{
	unsigned int i;

	race_stop(&answer);
	msix_off();
	many_unmap();
	for (i = 0; i < SLOTS; i++)
		slot_unmap(&slots[i]);
}

module_init(mapper_init);
module_exit(mapper_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Mappings of devices for the tests of mmiobpf");
