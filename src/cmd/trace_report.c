// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../log/record.h"
#include "../sys/symbols.h"
#include "cmd.h"
#include "error.h"

void trace_report_init(struct trace_report *r)
{
	memset(r, 0, sizeof(*r));
}

static void place_count(struct trace_report *r, const struct mmiobpf_rec_unknown *u)
{
	for (unsigned int i = 0; i < r->nplaces; i++) {
		if (r->places[i].pc == u->pc) {
			r->places[i].count++;
			return;
		}
	}
	if (r->nplaces == REPORT_PLACES) {
		r->places_left_out++;
		return;
	}
	r->places[r->nplaces++] =
		(struct trace_report_place){ .pc = u->pc, .count = 1, .first = *u };
}

void trace_report_record(struct trace_report *r, const struct mmiobpf_rec_hdr *rec)
{
	switch (rec->type) {
	case MMIOBPF_REC_ACCESS:
		r->accesses++;
		break;
	case MMIOBPF_REC_UNKNOWN:
		r->undecoded++;
		place_count(r, (const struct mmiobpf_rec_unknown *)rec);
		break;
	case MMIOBPF_REC_IRQ:
		if (!((const struct mmiobpf_rec_irq *)rec)->exit)
			r->irqs++;
		break;
	case MMIOBPF_REC_CONFIG:
		r->configs++;
		break;
	case MMIOBPF_REC_LOST:
		r->lost += ((const struct mmiobpf_rec_lost *)rec)->count;
		break;
	case MMIOBPF_REC_MAP:
		if (((const struct mmiobpf_rec_map *)rec)->armed)
			r->maps++;
		else
			r->maps_not_armed++;
		break;
	}
}

void trace_report_end(const struct trace_report *r, const struct session_stats *st,
		      struct mmiobpf_rec_end *end)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	memset(end, 0, sizeof(*end));
	end->hdr.type = MMIOBPF_REC_END;
	end->hdr.size = sizeof(*end);
	end->hdr.seq = st->next_seq;
	end->hdr.time_ns = ts.tv_sec * 1000000000ull + ts.tv_nsec;
	end->accesses = r->accesses;
	end->faults = st->faults;
	end->lost = r->lost;
	end->undecoded = r->undecoded;
	end->retried = st->retried;
}

static void places_print(const struct trace_report *r)
{
	struct symbols *symbols = NULL;
	char where[256];

	if (!r->nplaces)
		return;
	symbols_new(sys_root_live(), &symbols);
	for (unsigned int i = 0; i < r->nplaces; i++) {
		const struct trace_report_place *p = &r->places[i];

		if (symbols)
			symbols_format(symbols, p->pc, where, sizeof(where));
		else
			snprintf(where, sizeof(where), "0x%" PRIx64, (uint64_t)p->pc);
		fprintf(stderr, "mmiobpf: undecoded %" PRIu64 " times at %s:", p->count, where);
		for (unsigned int b = 0; b < p->first.insn_len; b++)
			fprintf(stderr, " %02x", p->first.insn[b]);
		fprintf(stderr, " (%s)%s\n", record_reason_name(p->first.reason),
			p->first.how == MMIOBPF_HOW_NONE ? ", its page is no longer recorded" : "");
	}
	if (r->places_left_out)
		fprintf(stderr, "mmiobpf: undecoded %" PRIu64 " times at other places\n",
			r->places_left_out);
	symbols_free(symbols);
}

/*
 * Every fault ends as an access, as some of a string instruction, as an undecoded one, or is tried
 * again; and every access is a record, or lost.
 */
static bool counts_agree(const struct trace_report *r, const struct session_stats *st)
{
	uint64_t carried_out = st->emulated + st->stepped;

	return st->faults == carried_out + st->strings + st->undecoded + st->retried &&
	       r->accesses <= carried_out + st->elements && r->undecoded <= st->undecoded &&
	       r->lost == st->lost && !st->missed;
}

int trace_report_print(const struct trace_report *r, const struct session_stats *st, bool written)
{
	bool agree = counts_agree(r, st);
	bool complete = agree && written && !r->lost && !r->undecoded && !st->refused;

	places_print(r);
	fprintf(stderr,
		"mmiobpf: %" PRIu64 " accesses recorded, %" PRIu64
		" page faults on armed pages, %" PRIu64 " lost, %" PRIu64 " undecoded: %s\n",
		r->accesses, st->faults, r->lost, r->undecoded,
		complete ? "complete" : "incomplete");
	if (st->retried)
		fprintf(stderr,
			"mmiobpf: %" PRIu64
			" of the faults were no access: a page had just been given back, or "
			"the instruction was clflush or its like\n",
			st->retried);
	if (st->strings)
		fprintf(stderr,
			"mmiobpf: %" PRIu64 " of the accesses were made by string instructions, "
			"with %" PRIu64 " faults\n",
			st->elements, st->strings);
	if (r->irqs)
		fprintf(stderr, "mmiobpf: %" PRIu64 " interrupts recorded\n", r->irqs);
	if (r->configs)
		fprintf(stderr, "mmiobpf: %" PRIu64 " accesses to configuration space recorded\n",
			r->configs);
	if (r->maps_not_armed)
		fprintf(stderr,
			"mmiobpf: %" PRIu64
			" mappings were recorded without their accesses: cached, "
			"write-combined, or needed by the kernel's core\n",
			r->maps_not_armed);
	if (st->refused)
		warning_say("%" PRIu64 " mappings could not be recorded", st->refused);
	if (!agree)
		warning_say("the counts disagree: %" PRIu64 " emulated, %" PRIu64
			    " stepped, %" PRIu64 " of string instructions with %" PRIu64
			    " faults, %" PRIu64 " undecoded, %" PRIu64 " retried, %" PRIu64
			    " records lost and %" PRIu64 " missed by the kernel's count",
			    st->emulated, st->stepped, st->elements, st->strings, st->undecoded,
			    st->retried, st->lost, st->missed);
	if (!r->maps && !r->maps_not_armed)
		warning_say(
			"no mapping of the targets was seen; was the driver loaded before the trace began?");
	return complete ? STATUS_OK : STATUS_INCOMPLETE;
}
