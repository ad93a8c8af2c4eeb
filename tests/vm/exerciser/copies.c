// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Copies between a device and a user's memory, by the kernel's own copy_to_user() and
 * copy_from_user(): where the user's page is not there the hardware faults in the middle of a rep
 * movs, and goes on behind it, or ends with what is left.
 */
#include <linux/io.h>
#include <linux/mm.h>
#include <linux/mman.h>
#include <linux/uaccess.h>

#include "exerciser.h"

#define COPY_PAGE 64 /* of the memory behind the BAR */
#define COPY_LEN  (PAGE_SIZE + 1001) /* bytes; not a multiple of any width */
#define COPY_SKEW 13 /* of the first byte in its page */

enum copy_user {
	USER_THERE,
	USER_ABSENT,
	USER_SHORT,
	USER_NONE,
	USER_KINDS
};

static const char *const user_names[] = { "there", "absent", "short", "none" };

static u64 sum(const u8 *p, size_t len)
{
	u64 s = 0;

	while (len--)
		s = (s ^ *p++) * 0x100000001b3;
	return s;
}

static u64 user_sum(const u8 __user *p, size_t len)
{
	u64 s = 0;
	u8 byte;

	for (; len; len--, p++) {
		if (get_user(byte, p))
			break;
		s = (s ^ byte) * 0x100000001b3;
	}
	return s;
}

/* Three pages of a user's memory as @kind wants them; 0 when there are none. */
static unsigned long user_make(enum copy_user kind)
{
	unsigned long at = vm_mmap(NULL, 0, 3 * PAGE_SIZE, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, 0);
	unsigned long i;

	if (IS_ERR_VALUE(at))
		return 0;
	if (kind != USER_ABSENT)
		for (i = 0; i < 3 * PAGE_SIZE; i++)
			if (put_user((u8)(i * 5), (u8 __user *)at + i))
				return 0;
	if (kind == USER_SHORT)
		vm_munmap(at + PAGE_SIZE, 2 * PAGE_SIZE);
	else if (kind == USER_NONE)
		vm_munmap(at, 3 * PAGE_SIZE);
	return at;
}

static void memory_fill(u8 __iomem *view)
{
	unsigned int i;

	for (i = 0; i < 2 * PAGE_SIZE; i += 8)
		writeq(0x0101010101010101ull * (i % 251), view + i);
}

static int copy_one(bool to_user, enum copy_user kind, const struct exerciser_maps *maps,
		    struct answer *a)
{
	u8 __iomem *view = maps->ram_view + COPY_PAGE * PAGE_SIZE;
	void *device = (__force void *)maps->ram + COPY_PAGE * PAGE_SIZE + COPY_SKEW;
	unsigned long at = user_make(kind), left;
	u8 __user *user = (u8 __user *)at + COPY_SKEW;

	if (!at)
		return -ENOMEM;
	memory_fill(view);
	if (to_user)
		left = raw_copy_to_user(user, device, COPY_LEN);
	else
		left = raw_copy_from_user(device, user, COPY_LEN);
	answer_add(a, "%s user, %s: %lu left, sums %llx %llx\n", to_user ? "to" : "from",
		   user_names[kind], left, sum((__force u8 *)view, 2 * PAGE_SIZE),
		   user_sum((u8 __user *)at, 3 * PAGE_SIZE));
	vm_munmap(at, 3 * PAGE_SIZE);
	return 0;
}

int copy_run(const struct exerciser_maps *maps, struct answer *a)
{
	int kind, err = 0;

	for (kind = 0; !err && kind < USER_KINDS; kind++)
		err = copy_one(true, kind, maps, a);
	for (kind = 0; !err && kind < USER_KINDS; kind++)
		err = copy_one(false, kind, maps, a);
	return err;
}
