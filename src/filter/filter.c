// SPDX-License-Identifier: GPL-2.0-or-later
#include "filter.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <strings.h>

#include "../number.h"
#include "../sys/pci.h"

#define WORD_MAX 64

void filter_init(struct mmiobpf_filter *f)
{
	memset(f, 0, sizeof(*f));
}

/* --- words with commas between them --- */

/* The next word of *@text into @word. Return: 1, 0 at the end, -EINVAL: empty or too long. */
static int next_word(const char **text, char word[WORD_MAX])
{
	size_t n = strcspn(*text, ",");

	if (!**text)
		return 0;
	if (!n || n >= WORD_MAX || ((*text)[n] == ',' && !(*text)[n + 1]))
		return -EINVAL;
	memcpy(word, *text, n);
	word[n] = '\0';
	*text += n + ((*text)[n] == ',');
	return 1;
}

typedef int (*add_word)(struct mmiobpf_filter *f, const char *word, bool unwanted);

static int add_words(struct mmiobpf_filter *f, const char *text, bool unwanted, add_word add)
{
	char word[WORD_MAX];
	int ret;

	if (!*text)
		return -EINVAL;
	while ((ret = next_word(&text, word)) == 1) {
		ret = add(f, word, unwanted);
		if (ret)
			break;
	}
	return ret;
}

/* --- sets of bits --- */

static void add_bits(struct mmiobpf_filter_bits *b, uint32_t bits, bool unwanted)
{
	if (unwanted)
		b->unwanted |= bits;
	else
		b->want |= bits;
}

struct name {
	const char *name;
	uint32_t bits;
};

static int add_name(struct mmiobpf_filter_bits *b, const struct name *names, const char *word,
		    bool unwanted)
{
	for (; names->name; names++) {
		if (!strcmp(word, names->name)) {
			add_bits(b, names->bits, unwanted);
			return 0;
		}
	}
	return -EINVAL;
}

static int add_op(struct mmiobpf_filter *f, const char *word, bool unwanted)
{
	static const struct name names[] = {
		{ "read", MMIOBPF_OP_READ },	   { "write", MMIOBPF_OP_WRITE },
		{ "rmw", MMIOBPF_OP_RMW },	   { "access", MMIOBPF_OP_ACCESS },
		{ "unknown", MMIOBPF_OP_UNKNOWN }, { "map", MMIOBPF_OP_MAP },
		{ "unmap", MMIOBPF_OP_UNMAP },	   { "mark", MMIOBPF_OP_MARK },
		{ "irq", MMIOBPF_OP_IRQ },	   { "config", MMIOBPF_OP_CONFIG },
		{ "pmu", MMIOBPF_OP_PMU },	   { NULL, 0 },
	};

	return add_name(&f->ops, names, word, unwanted);
}

static int add_context(struct mmiobpf_filter *f, const char *word, bool unwanted)
{
	static const struct name names[] = {
		{ "task", 1u << MMIOBPF_CTX_TASK },
		{ "softirq", 1u << MMIOBPF_CTX_SOFTIRQ },
		{ "hardirq", 1u << MMIOBPF_CTX_HARDIRQ },
		{ "nmi", 1u << MMIOBPF_CTX_NMI },
		{ NULL, 0 },
	};

	return add_name(&f->contexts, names, word, unwanted);
}

static int add_width(struct mmiobpf_filter *f, const char *word, bool unwanted)
{
	uint64_t v;

	if (number_parse(word, &v) || !v || v > 64 || v & (v - 1))
		return -EINVAL;
	add_bits(&f->widths, (uint32_t)v, unwanted);
	return 0;
}

static int add_cpu(struct mmiobpf_filter *f, const char *word, bool unwanted)
{
	uint64_t *set = (uint64_t *)(unwanted ? f->cpus_not : f->cpus_want);
	uint64_t first, end;

	if (strchr(word, '-')) {
		if (number_parse_range(word, &first, &end))
			return -EINVAL;
	} else {
		if (number_parse(word, &first))
			return -EINVAL;
		end = first + 1;
	}
	if (first >= MMIOBPF_FILTER_CPUS || end > MMIOBPF_FILTER_CPUS)
		return -EINVAL;
	for (; first < end; first++)
		set[first / 64] |= 1ull << first % 64;
	if (unwanted)
		f->cpus_unwanted = 1;
	else
		f->cpus_wanted = 1;
	return 0;
}

/* --- lists of items --- */

static int add_pid(struct mmiobpf_filter *f, const char *word, bool unwanted)
{
	uint64_t v;

	if (number_parse(word, &v) || v > INT_MAX)
		return -EINVAL;
	if (f->npids == MMIOBPF_FILTER_ITEMS)
		return -E2BIG;
	f->pids[f->npids].pid = (uint32_t)v;
	f->pids[f->npids++].unwanted = unwanted;
	return 0;
}

/* A task's name has room for 15 bytes; of a longer one the kernel keeps the beginning. */
static int add_comm(struct mmiobpf_filter *f, const char *text, bool unwanted)
{
	struct mmiobpf_filter_comm *c = &f->comms[f->ncomms];

	if (!*text)
		return -EINVAL;
	if (f->ncomms == MMIOBPF_FILTER_ITEMS)
		return -E2BIG;
	memset(c, 0, sizeof(*c));
	memcpy(c->comm, text, strnlen(text, sizeof(c->comm) - 1));
	c->unwanted = unwanted;
	f->ncomms++;
	return 0;
}

static int add_value(struct mmiobpf_filter *f, const char *text, bool unwanted)
{
	struct mmiobpf_filter_value *v = &f->values[f->nvalues];
	size_t n = strcspn(text, "/");
	uint64_t value, mask = UINT64_MAX;
	char word[WORD_MAX];

	if (n >= sizeof(word))
		return -EINVAL;
	memcpy(word, text, n);
	word[n] = '\0';
	if (number_parse(word, &value) || (text[n] && number_parse(text + n + 1, &mask)))
		return -EINVAL;
	if (f->nvalues == MMIOBPF_FILTER_ITEMS)
		return -E2BIG;
	v->value = value & mask;
	v->mask = mask;
	v->unwanted = unwanted;
	f->nvalues++;
	return 0;
}

/* "A-B", "A+SIZE", or one address. */
static int parse_addresses(const char *text, struct mmiobpf_filter_range *r)
{
	uint64_t first, end;

	if (!number_parse_range(text, &first, &end)) {
		r->first = first;
		r->last = end - 1;
		return 0;
	}
	if (number_parse(text, &first))
		return -EINVAL;
	r->first = r->last = first;
	return 0;
}

/* "bar0", "bar0:0x100-0x1ff" */
static int parse_bar(const char *text, struct mmiobpf_filter_range *r)
{
	if (strncasecmp(text, "bar", 3) || text[3] < '0' || text[3] > '0' + PCI_DEV_ROM)
		return -EINVAL;
	r->bar = (uint8_t)(text[3] - '0');
	if (!text[4]) {
		r->first = 0;
		r->last = UINT64_MAX;
		return 0;
	}
	return text[4] == ':' ? parse_addresses(text + 5, r) : -EINVAL;
}

/* "00:03.0/bar0..." */
static int parse_device_bar(const char *text, const char *slash, struct mmiobpf_filter_range *r)
{
	char bdf[WORD_MAX];
	size_t n = (size_t)(slash - text);

	if (n >= sizeof(bdf))
		return -EINVAL;
	memcpy(bdf, text, n);
	bdf[n] = '\0';
	if (pci_parse_bdf(bdf, &r->dev))
		return -EINVAL;
	return parse_bar(slash + 1, r);
}

static int add_range(struct mmiobpf_filter *f, const char *text, bool unwanted)
{
	struct mmiobpf_filter_range r = { .dev = MMIOBPF_NO_DEV, .bar = MMIOBPF_NO_BAR };
	const char *slash = strchr(text, '/');
	int err;

	if (slash)
		err = parse_device_bar(text, slash, &r);
	else if (!strncasecmp(text, "bar", 3))
		err = parse_bar(text, &r);
	else
		err = parse_addresses(text, &r);
	if (err)
		return err;
	if (f->nranges == MMIOBPF_FILTER_ITEMS)
		return -E2BIG;
	r.unwanted = unwanted;
	f->ranges[f->nranges++] = r;
	return 0;
}

static int add_function(struct mmiobpf_filter *f, const char *text, bool unwanted)
{
	struct mmiobpf_filter_range r = { .dev = MMIOBPF_NO_DEV, .bar = MMIOBPF_NO_BAR };

	if (parse_addresses(text, &r))
		return -EINVAL;
	if (f->nfunctions == MMIOBPF_FILTER_ITEMS)
		return -E2BIG;
	r.unwanted = unwanted;
	f->functions[f->nfunctions++] = r;
	return 0;
}

static const struct {
	add_word add;
	bool words; /* several, with commas */
	const char *expect;
} fields[] = {
	[FILTER_RANGE] = { add_range, false,
			   "addresses such as 0xfeb00000-0xfeb0ffff or 0xfeb00000+64k, or a BAR such as "
			   "bar0, bar0:0x100-0x1ff or 00:03.0/bar0:0x100-0x1ff" },
	[FILTER_OP] = { add_op, true,
			"some of read, write, rmw, access, unknown, map, unmap, mark, irq, config, pmu" },
	[FILTER_WIDTH] = { add_width, true, "some of 1, 2, 4, 8, 16, 32, 64" },
	[FILTER_VALUE] = { add_value, false, "a number such as 0x10, or with a mask 0x10/0xff" },
	[FILTER_FUNCTION] = { add_function, false,
			      "addresses of code such as 0xffffffffc0340000-0xffffffffc03400ff or "
			      "0xffffffffc0340000+256" },
	[FILTER_PID] = { add_pid, true, "numbers of threads or processes such as 175 or 175,176" },
	[FILTER_COMM] = { add_comm, false, "the name of a task" },
	[FILTER_CPU] = { add_cpu, true, "CPUs below 1024 such as 3 or 0,2-5" },
	[FILTER_CONTEXT] = { add_context, true, "some of task, softirq, hardirq, nmi" },
};

int filter_add(struct mmiobpf_filter *f, enum filter_field field, const char *text,
	       const char **why)
{
	bool unwanted = *text == '!';

	*why = fields[field].expect;
	text += unwanted;
	return fields[field].words ? add_words(f, text, unwanted, fields[field].add)
				   : fields[field].add(f, text, unwanted);
}

/* --- BARs of devices --- */

static const struct pci_dev_info *find_device(const struct pci_dev_info *devices, size_t n,
					      const struct mmiobpf_filter_range *r)
{
	for (size_t i = 0; i < n; i++)
		if (devices[i].dev == r->dev && devices[i].size[r->bar])
			return &devices[i];
	return NULL;
}

int filter_resolve(struct mmiobpf_filter *f, const struct pci_dev_info *devices, size_t n,
		   const struct mmiobpf_filter_range **missing)
{
	for (uint32_t i = 0; i < f->nranges; i++) {
		struct mmiobpf_filter_range *r = &f->ranges[i];
		const struct pci_dev_info *d;
		uint64_t last;

		if (r->dev == MMIOBPF_NO_DEV)
			continue;
		d = find_device(devices, n, r);
		if (!d || r->first >= d->size[r->bar]) {
			*missing = r;
			return -ENODEV;
		}
		last = d->size[r->bar] - 1;
		r->last = d->start[r->bar] + (r->last < last ? r->last : last);
		r->first += d->start[r->bar];
		r->dev = MMIOBPF_NO_DEV;
		r->bar = MMIOBPF_NO_BAR;
	}
	return 0;
}

bool filter_has_bar(const struct mmiobpf_filter *f)
{
	for (uint32_t i = 0; i < f->nranges; i++)
		if (f->ranges[i].bar != MMIOBPF_NO_BAR)
			return true;
	return false;
}
