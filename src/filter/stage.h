/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A filter between a reader and a writer, with what it has to remember. Pure. */
#ifndef MMIOBPF_FILTER_STAGE_H
#define MMIOBPF_FILTER_STAGE_H

#include "../log/places.h"
#include "changed.h"
#include "filter.h"

enum filter_changes {
	FILTER_CHANGES_ALL,
	FILTER_CHANGES_ONLY, /* accesses with another value than the one before */
	FILTER_CHANGES_NOT,
};

struct filter_stage {
	struct mmiobpf_filter filter;
	enum filter_changes changes;
	bool has_bar;
	struct places places; /* for records that do not say in which BAR they are */
	struct changed changed;
};

/** filter_stage_init() - @filter is copied */
void filter_stage_init(struct filter_stage *s, const struct mmiobpf_filter *filter,
		       enum filter_changes changes);
void filter_stage_deinit(struct filter_stage *s);

/**
 * filter_stage_begin() - learn the devices of the log, before its first record
 * @missing: as for filter_resolve()
 *
 * Return: 0, -ENODEV or -ENOMEM.
 */
int filter_stage_begin(struct filter_stage *s, const struct log_header *header,
		       const struct mmiobpf_filter_range **missing);

/** filter_stage_pass() - @pass: set: is this record wanted? Return: 0 or -ENOMEM */
int filter_stage_pass(struct filter_stage *s, const struct mmiobpf_rec_hdr *rec, bool *pass);

#endif
