// SPDX-License-Identifier: GPL-2.0-or-later
/* The lines of the readable view, one function for each type of record. */
#include <stdbool.h>

#include "calls_put.h"
#include "calls_view.h"
#include "record.h"
#include "record_put.h"

/* --- accesses --- */

static char *put_op(char *p, const struct mmiobpf_rec_access *a)
{
	static const char *const names[] = { "access", "read", "write", "rmw" };

	if (a->flags & MMIOBPF_ACC_LOCKED)
		p = put_string(p, "locked_");
	p = put_string(p, names[a->dir & MMIOBPF_DIR_RMW]);
	return put_number(p, 8u * a->width);
}

/* What was read or written, with its fields; "?" when the record does not say. */
static char *put_side(struct calls_view *v, char *p, const struct mmiobpf_rec_access *a,
		      bool after, const struct family_match *match)
{
	if (!(a->flags & (after ? MMIOBPF_ACC_AFTER : MMIOBPF_ACC_BEFORE)))
		return put_string(p, "?");
	p = put_value(p, a, after);
	/* An access that goes beyond the register has bits of the next one. */
	if (match->reg && match->byte + a->width > (match->reg->size ? match->reg->size : 4u))
		return p;
	return view_fields(v, p, match, after ? a->after : a->before);
}

static char *put_poll(char *p, const struct mmiobpf_rec_access *a, const struct view_poll *poll)
{
	p = put_number(put_string(p, " x"), poll->count);
	p = put_duration(put_string(p, " in "), poll->length_ns, 1);
	if (poll->last == a->before)
		return p;
	p = put_string(p, ", first ");
	return put_value(p, a, false);
}

char *view_access(struct calls_view *v, char *p, const struct mmiobpf_rec_access *a,
		  const struct view_poll *poll)
{
	struct place at = places_find(&v->places, a->map_id, a->phys, a->bar, a->bar_off);
	struct mmiobpf_rec_access last = *a;
	bool folded = poll && poll->count > 1;
	uint64_t latency = a->latency_ns;
	struct family_match match;
	char *line;

	if (poll && poll->again)
		*p++ = '*';
	p = view_begin(v, p, &a->hdr, at.dev);
	/* The star has no column: it takes one of the blanks in front of the value. */
	line = poll && poll->again ? p - 1 : p;
	p = put_op(p, a);
	*p++ = '(';
	p = view_target(v, p, &at, &match);
	*p++ = ')';
	p = view_result(v, p, line, a->pc, a->dir & MMIOBPF_DIR_READ ? " = " : "<- ");
	if (folded) {
		last.before = poll->last;
		latency = poll->latency_ns / poll->count;
	}
	/* A wide record is longer than the copy. */
	if (a->dir & MMIOBPF_DIR_READ)
		p = put_side(v, p, folded ? &last : a, false, &match);
	if (a->dir == MMIOBPF_DIR_RMW)
		p = put_string(p, " <- ");
	if (a->dir & MMIOBPF_DIR_WRITE)
		p = put_side(v, p, a, true, &match);
	if (folded)
		p = put_poll(p, a, poll);
	if (v->opts.latency && latency) {
		p = put_duration(put_string(p, " <"), latency, 0);
		p = put_string(p, folded ? " each>" : ">");
	}
	if (poll && poll->cut)
		p = put_string(p, " <..>");
	*p++ = '\n';
	return p;
}

/* --- the other records --- */

static char *put_unknown(struct calls_view *v, char *p, const struct mmiobpf_rec_unknown *u)
{
	struct place at = places_find(&v->places, u->map_id, u->phys, u->bar, u->bar_off);
	struct family_match match;
	char *line;

	line = p = view_begin(v, p, &u->hdr, at.dev);
	p = put_string(p, u->dir ? record_dir_name(u->dir) : "access");
	if (u->width)
		p = put_number(p, 8u * u->width);
	*p++ = '(';
	p = view_target(v, p, &at, &match);
	*p++ = ')';
	p = view_result(v, p, line, u->pc, " = ");
	p = put_string(p, "? !!! not decoded: ");
	p = put_string(p, record_reason_name(u->reason));
	if (u->insn_len)
		p = put_insn(put_string(p, ", instruction "), u);
	return p;
}

static char *put_map(struct calls_view *v, char *p, const struct mmiobpf_rec_map *m)
{
	struct place at = places_find_map(&v->places, m);
	char *line;

	line = p = view_begin(v, p, &m->hdr, at.dev);
	p = put_string(p, record_map_kind_name(m->kind));
	p = put_hex(put_string(p, "(0x"), m->phys, 1);
	p = put_hex(put_string(p, ", 0x"), m->len, 1);
	*p++ = ')';
	p = view_result(v, p, line, m->pc, " = ");
	p = put_hex(put_string(p, "0x"), m->virt, 1);
	p = put_number(put_string(p, " (map "), m->map_id);
	if (at.kind == PLACE_BAR)
		p = put_place(put_string(p, ", "), &at);
	if (m->driver[0]) {
		p = put_string(p, ", ");
		p = put_escaped(p, m->driver, strnlen(m->driver, sizeof(m->driver)));
	}
	/* A text log does not say it. */
	if (v->has_session)
		p = put_string(put_string(p, ", "), record_cache_name(m->cache));
	return put_string(p, m->armed ? ")" : ", not armed)");
}

static char *put_unmap(struct calls_view *v, char *p, const struct mmiobpf_rec_unmap *u)
{
	char *line;

	line = p = view_begin(v, p, &u->hdr, MMIOBPF_NO_DEV);
	p = put_string(p, "iounmap(map ");
	if (u->map_id == UINT32_MAX)
		*p++ = '?';
	else
		p = put_number(p, u->map_id);
	*p++ = ')';
	if (!u->pc)
		return p;
	p = view_result(v, p, line, u->pc, "");
	while (p[-1] == ' ')
		p--;
	return p;
}

static char *put_config(struct calls_view *v, char *p, const struct mmiobpf_rec_config *c)
{
	struct family_match match = { .reg = NULL };
	bool raw = v->opts.names == CALLS_NAMES_RAW;
	char *line;

	line = p = view_begin(v, p, &c->hdr, c->dev);
	p = put_string(p, c->dir == MMIOBPF_DIR_WRITE ? "config_write" : "config_read");
	p = put_number(p, 8u * c->width);
	*p++ = '(';
	if (raw || family_register_find(&family_pci_config, 0, c->offset, &match))
		match.reg = NULL;
	if (!match.reg || v->opts.names == CALLS_NAMES_VERBOSE)
		p = put_hex(put_string(p, "0x"), c->offset, 1);
	if (match.reg && v->opts.names == CALLS_NAMES_VERBOSE)
		p = put_string(put_register(put_string(p, " /* "), &match), " */");
	else if (match.reg)
		p = put_register(p, &match);
	*p++ = ')';
	p = view_result(v, p, line, c->pc, c->dir == MMIOBPF_DIR_WRITE ? "<- " : " = ");
	p = put_hex(put_string(p, "0x"), c->value, 1);
	p = view_fields(v, p, &match, c->value);
	if (c->result)
		p = put_hex(put_string(p, " !!! failed: PCIBIOS 0x"), (uint32_t)c->result, 1);
	return p;
}

static char *put_pmu(struct calls_view *v, char *p, const struct mmiobpf_rec_pmu *s)
{
	char *line;

	line = p = view_begin(v, p, &s->hdr, MMIOBPF_NO_DEV);
	p = put_string(p, s->overflow ? "pmu_overflow(event " : "pmu_sample(event ");
	p = put_number(p, s->event);
	*p++ = ')';
	p = view_result(v, p, line, s->pc, " = ");
	return put_number(p, s->value);
}

char *view_irq(struct calls_view *v, char *p, const struct mmiobpf_rec_irq *irq, uint64_t ns)
{
	p = view_begin(v, p, &irq->hdr, MMIOBPF_NO_DEV);
	p = put_number(put_string(p, irq->exit ? "+++ IRQ " : "--- IRQ "), irq->irq);
	if (!irq->exit) {
		p = put_string(p, " (");
		p = put_escaped(p, irq->name, strnlen(irq->name, sizeof(irq->name)));
		*p++ = ')';
	} else {
		/* A handler that found nothing to do: on a shared line, or a spurious interrupt. */
		p = put_string(p, irq->handled ? " done" : " not handled");
	}
	if (irq->exit && ns)
		p = put_string(put_duration(put_string(p, " <"), ns, 0), ">");
	if (v->opts.names == CALLS_NAMES_VERBOSE)
		p = put_number(put_string(p, " at access "), irq->ordinal);
	return put_string(p, irq->exit ? " +++\n" : " ---\n");
}

char *view_other(struct calls_view *v, char *p, const struct mmiobpf_rec_hdr *rec)
{
	const union mmiobpf_rec_any *any = (const void *)rec;

	switch (rec->type) {
	case MMIOBPF_REC_UNKNOWN:
		p = put_unknown(v, p, &any->unknown);
		break;
	case MMIOBPF_REC_MAP:
		p = put_map(v, p, &any->map);
		break;
	case MMIOBPF_REC_UNMAP:
		p = put_unmap(v, p, &any->unmap);
		break;
	case MMIOBPF_REC_CONFIG:
		p = put_config(v, p, &any->config);
		break;
	case MMIOBPF_REC_PMU:
		p = put_pmu(v, p, &any->pmu);
		break;
	case MMIOBPF_REC_MARK:
		p = put_string(view_begin(v, p, rec, MMIOBPF_NO_DEV), "--- mark: ");
		p = put_string(put_escaped(p, any->mark.text, any->mark.len), " ---");
		break;
	default:
		return p;
	}
	*p++ = '\n';
	return p;
}
