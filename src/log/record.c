// SPDX-License-Identifier: GPL-2.0-or-later
#include "record.h"

#include <errno.h>
#include <string.h>

/* Bytes of a record by type; an access may also be wide. 0: not a type. */
static const uint16_t record_sizes[] = {
	[MMIOBPF_REC_ACCESS] = sizeof(struct mmiobpf_rec_access),
	[MMIOBPF_REC_UNKNOWN] = sizeof(struct mmiobpf_rec_unknown),
	[MMIOBPF_REC_MAP] = sizeof(struct mmiobpf_rec_map),
	[MMIOBPF_REC_UNMAP] = sizeof(struct mmiobpf_rec_unmap),
	[MMIOBPF_REC_MARK] = sizeof(struct mmiobpf_rec_mark),
	[MMIOBPF_REC_IRQ] = sizeof(struct mmiobpf_rec_irq),
	[MMIOBPF_REC_CONFIG] = sizeof(struct mmiobpf_rec_config),
	[MMIOBPF_REC_PMU] = sizeof(struct mmiobpf_rec_pmu),
	[MMIOBPF_REC_LOST] = sizeof(struct mmiobpf_rec_lost),
	[MMIOBPF_REC_SESSION] = sizeof(struct mmiobpf_rec_session),
	[MMIOBPF_REC_END] = sizeof(struct mmiobpf_rec_end),
};

#define NTYPES (sizeof(record_sizes) / sizeof(record_sizes[0]))

/* The value bits that are valid must belong to directions that the access has. */
static bool values_ok(const struct mmiobpf_rec_access *a)
{
	unsigned int valid = a->flags & (MMIOBPF_ACC_BEFORE | MMIOBPF_ACC_AFTER);

	if (a->flags & ~(MMIOBPF_ACC_BEFORE | MMIOBPF_ACC_AFTER | MMIOBPF_ACC_LOCKED))
		return false;
	if (!valid)
		return false;
	if ((valid & MMIOBPF_ACC_BEFORE) && !(a->dir & MMIOBPF_DIR_READ))
		return false;
	return !(valid & MMIOBPF_ACC_AFTER) || (a->dir & MMIOBPF_DIR_WRITE);
}

static bool access_ok(const struct mmiobpf_rec_access *a)
{
	bool wide = record_is_wide(a);

	if (a->width == 0 || a->width > (wide ? 8 * MMIOBPF_WIDE_WORDS : 8))
		return false;
	if (a->dir == 0 || a->dir > MMIOBPF_DIR_RMW || a->pad)
		return false;
	return values_ok(a);
}

static bool unknown_ok(const struct mmiobpf_rec_unknown *u)
{
	static const uint8_t zero[sizeof(u->pad)];

	return u->insn_len <= sizeof(u->insn) && u->dir <= MMIOBPF_DIR_RMW &&
	       u->width <= 8 * MMIOBPF_WIDE_WORDS && !memcmp(u->pad, zero, sizeof(zero));
}

static bool body_ok(const struct mmiobpf_rec_hdr *hdr)
{
	const union mmiobpf_rec_any *any = (const void *)hdr;

	switch (hdr->type) {
	case MMIOBPF_REC_ACCESS:
		return access_ok(&any->access);
	case MMIOBPF_REC_UNKNOWN:
		return unknown_ok(&any->unknown);
	case MMIOBPF_REC_MAP:
		return any->map.pad == 0;
	case MMIOBPF_REC_UNMAP:
		return any->unmap.pad == 0;
	case MMIOBPF_REC_MARK:
		return any->mark.len <= MMIOBPF_MARK_LEN && any->mark.pad == 0;
	default:
		return true;
	}
}

int record_check(const void *bytes, size_t n)
{
	const struct mmiobpf_rec_hdr *hdr = bytes;
	bool size_ok;

	if (n < sizeof(*hdr))
		return -EAGAIN;
	if (hdr->size < sizeof(*hdr) || hdr->size % 8)
		return -EINVAL;
	if (hdr->type >= NTYPES)
		return n < hdr->size ? -EAGAIN : -ENOTSUP;
	size_ok = hdr->type != MMIOBPF_REC_NONE && hdr->size == record_sizes[hdr->type];
	if (hdr->type == MMIOBPF_REC_ACCESS && hdr->size == sizeof(struct mmiobpf_rec_access_wide))
		size_ok = true;
	if (!size_ok)
		return -EINVAL;
	if (n < hdr->size)
		return -EAGAIN;
	return body_ok(hdr) ? hdr->size : -EINVAL;
}

unsigned int record_words(const struct mmiobpf_rec_access *a)
{
	return (a->width + 7u) / 8;
}

uint64_t record_word(const struct mmiobpf_rec_access *a, bool after, unsigned int i)
{
	const struct mmiobpf_rec_access_wide *wide = (const void *)a;

	if (record_is_wide(a))
		return after ? wide->after[i] : wide->before[i];
	return after ? a->after : a->before;
}

#define NAME_OF(table, i) \
	((i) < sizeof(table) / sizeof((table)[0]) && (table)[i] ? (table)[i] : "?")

const char *record_type_name(unsigned int type)
{
	static const char *const names[] = {
		[MMIOBPF_REC_ACCESS] = "access", [MMIOBPF_REC_UNKNOWN] = "unknown",
		[MMIOBPF_REC_MAP] = "map",	 [MMIOBPF_REC_UNMAP] = "unmap",
		[MMIOBPF_REC_MARK] = "mark",	 [MMIOBPF_REC_IRQ] = "irq",
		[MMIOBPF_REC_CONFIG] = "config", [MMIOBPF_REC_PMU] = "pmu",
		[MMIOBPF_REC_LOST] = "lost",	 [MMIOBPF_REC_SESSION] = "session",
		[MMIOBPF_REC_END] = "end",
	};

	return NAME_OF(names, type);
}

const char *record_context_name(unsigned int context)
{
	static const char *const names[] = { "task", "softirq", "hardirq", "nmi" };

	return NAME_OF(names, context);
}

const char *record_dir_name(unsigned int dir)
{
	static const char *const names[] = { NULL, "read", "write", "rmw" };

	return NAME_OF(names, dir);
}

const char *record_how_name(unsigned int how)
{
	static const char *const names[] = { "none", "emulated", "stepped" };

	return NAME_OF(names, how);
}

const char *record_cache_name(unsigned int cache)
{
	static const char *const names[] = { "wb", "wc", "uc-", "uc", "wt", "wp" };

	return NAME_OF(names, cache);
}

const char *record_map_kind_name(unsigned int kind)
{
	static const char *const names[] = {
		"ioremap",	 "ioremap_uc",	 "ioremap_wc",	      "ioremap_wt",
		"ioremap_cache", "ioremap_prot", "ioremap_encrypted", "live",
	};

	return NAME_OF(names, kind);
}

const char *record_reason_name(unsigned int reason)
{
	static const char *const names[] = {
		"none",
		"instruction not recognised",
		"operand is not where the fault was",
		"no base register that can be redirected",
		"base register is also another operand",
		"reaches past the end of the mapping",
		"a step was under way",
		"value cannot be told",
		"not a data access",
	};

	return NAME_OF(names, reason);
}
