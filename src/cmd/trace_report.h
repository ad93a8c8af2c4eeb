/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verdict at the end of a trace: what was recorded, what was not, and whether the counts agree.
 */
#ifndef MMIOBPF_CMD_TRACE_REPORT_H
#define MMIOBPF_CMD_TRACE_REPORT_H

#include <stdint.h>

#include "../../include/mmiobpf/record.h"
#include "../session/session.h"

#define REPORT_PLACES	16

/* A place in the code whose accesses were not decoded. */
struct trace_report_place {
	uint64_t pc;
	uint64_t count;
	struct mmiobpf_rec_unknown first;
};

struct trace_report {
	uint64_t accesses;
	uint64_t undecoded;
	uint64_t lost;
	uint64_t irqs;		/* handlers begun */
	uint64_t configs;	/* accesses to configuration space */
	uint64_t maps;		/* armed ones */
	uint64_t maps_not_armed;
	struct trace_report_place places[REPORT_PLACES];
	unsigned int nplaces;
	uint64_t places_left_out;
};

void trace_report_init(struct trace_report *r);

/** trace_report_record() - count one record of the stream */
void trace_report_record(struct trace_report *r, const struct mmiobpf_rec_hdr *rec);

/** trace_report_end() - the counts as a record, for the log's end */
void trace_report_end(const struct trace_report *r, const struct session_stats *st,
		      struct mmiobpf_rec_end *end);

/**
 * trace_report_print() - the verdict on stderr
 * @written: the log holds what was recorded; false: writing it failed on the way, which was said
 *
 * Return: STATUS_OK, or STATUS_INCOMPLETE when something was lost, not decoded or not written, or
 * the counts disagree.
 */
int trace_report_print(const struct trace_report *r, const struct session_stats *st, bool written);

#endif
