/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The reading end of the rings: many in, one stream in sequence order out. Accesses come in rings of
 * slots (bpf/policy.h), the rest in a BPF ring buffer.
 *
 * A record takes its sequence number after its place in a ring is reserved (bpf/record.bpf.c). So
 * when number n has been seen, and every ring has then been read up to where its producer was, a
 * number below n that did not come will never come: it is lost, and its place is known.
 */
#ifndef MMIOBPF_SESSION_RING_H
#define MMIOBPF_SESSION_RING_H

#include <stddef.h>
#include <stdint.h>

#include "../../include/mmiobpf/record.h"

struct ring_set;
struct ring_position;
struct ring_slot;

/* What a record is handed to. @rec is valid during the call. What is not 0 ends the drain. */
typedef int (*ring_fn)(void *ctx, const struct mmiobpf_rec_hdr *rec);

/** ring_set_new() - an empty set. Return: 0 or -ENOMEM */
int ring_set_new(struct ring_set **out);
void ring_set_free(struct ring_set *set);

/**
 * ring_set_add() - map a ring into the process
 * @fd: map of type BPF_MAP_TYPE_RINGBUF; may be closed afterwards
 * @size: its bytes, a power of two
 *
 * Source of the layout: kernel/bpf/ringbuf.c, and the kernel's Documentation/bpf/ringbuf.rst.
 * Return: 0 or -errno.
 */
int ring_set_add(struct ring_set *set, int fd, size_t size);

/**
 * ring_set_add_slots() - a ring of slots, mapped already
 * @position: where it is; the reader's count in it is written to
 * @slots: @nslots of them, a power of two
 *
 * Both are the caller's and must stay until ring_set_free(). Return: 0 or -ENOMEM.
 */
int ring_set_add_slots(struct ring_set *set, struct ring_position *position,
		       const struct ring_slot *slots, size_t nslots);

/**
 * ring_set_drain() - hand over what can be told to be in order
 * @fn, @ctx: gets the records, and a MMIOBPF_REC_LOST record where numbers are missing
 *
 * Return: number of records handed over, -EBADMSG when a ring holds something that is no record, or
 * what
 * @fn returned.
 */
long ring_set_drain(struct ring_set *set, ring_fn fn, void *ctx);

/**
 * ring_set_finish() - hand over all that is left; the producers have stopped
 * @next_seq: the number that the next record would have had: what is missing below it is lost
 */
long ring_set_finish(struct ring_set *set, uint64_t next_seq, ring_fn fn, void *ctx);

/** ring_set_lost() - records lost so far, by the gaps */
uint64_t ring_set_lost(const struct ring_set *set);

#endif
