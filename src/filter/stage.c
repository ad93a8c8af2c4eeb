// SPDX-License-Identifier: GPL-2.0-or-later
#include "stage.h"

#include <string.h>

#include "../log/record.h"

void filter_stage_init(struct filter_stage *s, const struct mmiobpf_filter *filter,
		       enum filter_changes changes)
{
	memset(s, 0, sizeof(*s));
	s->filter = *filter;
	s->changes = changes;
	places_init(&s->places);
	changed_init(&s->changed);
}

void filter_stage_deinit(struct filter_stage *s)
{
	places_deinit(&s->places);
	changed_deinit(&s->changed);
}

int filter_stage_begin(struct filter_stage *s, const struct log_header *header,
		       const struct mmiobpf_filter_range **missing)
{
	int err = filter_resolve(&s->filter, header->devices, header->ndevices, missing);

	if (err)
		return err;
	s->has_bar = filter_has_bar(&s->filter);
	return s->has_bar ? places_add_header(&s->places, header) : 0;
}

/* A record that does not say in which BAR it is, as if it did. */
static bool match_with_bar(const struct filter_stage *s, const struct mmiobpf_rec_hdr *rec)
{
	union mmiobpf_rec_any any;
	struct place at;

	memcpy(&any, rec, rec->size);
	if (rec->type == MMIOBPF_REC_ACCESS && any.access.bar == MMIOBPF_NO_BAR) {
		at = places_find(&s->places, any.access.map_id, any.access.phys, MMIOBPF_NO_BAR, 0);
		any.access.bar = at.bar;
		any.access.bar_off = at.offset;
	} else if (rec->type == MMIOBPF_REC_UNKNOWN && any.unknown.bar == MMIOBPF_NO_BAR) {
		at = places_find(&s->places, any.unknown.map_id, any.unknown.phys, MMIOBPF_NO_BAR,
				 0);
		any.unknown.bar = at.bar;
		any.unknown.bar_off = at.offset;
	}
	return mmiobpf_filter_match(&s->filter, &any.hdr);
}

int filter_stage_pass(struct filter_stage *s, const struct mmiobpf_rec_hdr *rec, bool *pass)
{
	bool is_changed;
	int err = 0;

	if (s->has_bar && rec->type == MMIOBPF_REC_MAP)
		err = places_add_map(&s->places, (const struct mmiobpf_rec_map *)rec);
	if (err)
		return err;
	*pass = s->has_bar ? match_with_bar(s, rec) : mmiobpf_filter_match(&s->filter, rec);
	if (!*pass || s->changes == FILTER_CHANGES_ALL || rec->type != MMIOBPF_REC_ACCESS)
		return 0;
	err = changed_access(&s->changed, (const struct mmiobpf_rec_access *)rec, &is_changed);
	*pass = is_changed == (s->changes == FILTER_CHANGES_ONLY);
	return err;
}
