/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Puts records in the order of their times. The stream is in the order of sequence numbers: a time
 * is taken before the access and the number after it, so records of different CPUs, and those of an
 * NMI, may be out of order by the length of an access. A window of REORDER_SIZE records holds that.
 */
#ifndef MMIOBPF_LOG_REORDER_H
#define MMIOBPF_LOG_REORDER_H

#include <stddef.h>

#include "record.h"

#define REORDER_SIZE	256

struct reorder {
	union mmiobpf_rec_any *slots;	/* one more than the window has */
	uint16_t order[REORDER_SIZE];	/* slots of the window, by time, then as they came */
	size_t first, n;		/* of order */
	uint16_t spare;			/* the slot that is not in the window */
};

/** reorder_init() - an empty window. Return: 0 or -ENOMEM */
int reorder_init(struct reorder *r);
void reorder_deinit(struct reorder *r);

/**
 * reorder_push() - put a record in
 * @rec: checked; a copy is made
 *
 * Return: the earliest one when the window was full, valid until the next call, or NULL.
 */
const struct mmiobpf_rec_hdr *reorder_push(struct reorder *r, const struct mmiobpf_rec_hdr *rec);

/** reorder_pop() - the earliest one, or NULL. For the end: nothing is pushed afterwards */
const struct mmiobpf_rec_hdr *reorder_pop(struct reorder *r);

#endif
