// SPDX-License-Identifier: GPL-2.0-or-later
#include "symbolizer.h"

static int header_find(struct symbolizer *symbolizer, uint64_t pc, struct symbol_name *out)
{
	const struct header_symbolizer *s = (const struct header_symbolizer *)symbolizer;
	const struct log_symbol *sym = log_header_find_symbol(s->header, pc);

	if (!sym)
		return -ENOENT;
	*out = (struct symbol_name){ sym->name, sym->module, pc - sym->start };
	return 0;
}

void header_symbolizer_init(struct header_symbolizer *s, const struct log_header *header)
{
	s->symbolizer.find = header_find;
	s->symbolizer.free = NULL;
	s->header = header;
}
