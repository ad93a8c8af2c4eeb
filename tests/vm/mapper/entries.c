// SPDX-License-Identifier: GPL-2.0-or-later
/* Which pages a mapping is made of, and which of them are not present. */
#include <linux/mm.h>
#include <asm/pgtable.h>

#include "mapper.h"

void entries_count(const struct slot *s, struct answer *a)
{
	static const char *const names[] = { "4k", "2m", "1g" };
	unsigned int entries[3] = {}, closed[3] = {}, level, i;
	u64 addr = (u64)s->virt & PAGE_MASK, end = PAGE_ALIGN((u64)s->virt + s->len);

	while (addr < end) {
		pte_t *p = lookup_address(addr, &level);
		u64 size;

		if (!p || level < PG_LEVEL_4K || level > PG_LEVEL_1G) {
			answer_add(a, "nothing at 0x%llx\n", addr);
			return;
		}
		entries[level - PG_LEVEL_4K]++;
		if (!(READ_ONCE(*(u64 *)p) & _PAGE_PRESENT))
			closed[level - PG_LEVEL_4K]++;
		size = page_level_size(level);
		addr = (addr & ~(size - 1)) + size;
	}
	for (i = 0; i < ARRAY_SIZE(names); i++)
		answer_add(a, "%s%s %u/%u", i ? " " : "", names[i], closed[i], entries[i]);
	answer_add(a, "\n");
}
