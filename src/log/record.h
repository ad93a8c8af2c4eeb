/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Helpers on records. Pure. */
#ifndef MMIOBPF_LOG_RECORD_H
#define MMIOBPF_LOG_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../../include/mmiobpf/record.h"

/* Room for the largest record of any type, aligned. */
union mmiobpf_rec_any {
	struct mmiobpf_rec_hdr hdr;
	struct mmiobpf_rec_access access;
	struct mmiobpf_rec_access_wide wide;
	struct mmiobpf_rec_unknown unknown;
	struct mmiobpf_rec_map map;
	struct mmiobpf_rec_unmap unmap;
	struct mmiobpf_rec_mark mark;
	struct mmiobpf_rec_irq irq;
	struct mmiobpf_rec_config config;
	struct mmiobpf_rec_pmu pmu;
	struct mmiobpf_rec_lost lost;
	struct mmiobpf_rec_session session;
	struct mmiobpf_rec_end end;
};

/**
 * record_check() - is this a record that the rest of the program may use?
 * @bytes: untrusted, aligned to 8
 * @n: bytes there; the record may be shorter than that
 *
 * Checks the size against the type and every field that is used as a length, an index or a shift:
 * width, dir, insn_len, mark length. Padding must be zero. Names need not be terminated.
 *
 * Return: size of the record in bytes, or -EINVAL: damaged, -EAGAIN: @n is too short for it,
 * -ENOTSUP: a type that this program does not know (its hdr.size bytes can be skipped).
 */
int record_check(const void *bytes, size_t n);

/**
 * record_is_wide() - an access with words of its own: the record is a struct
 * mmiobpf_rec_access_wide
 */
static inline bool record_is_wide(const struct mmiobpf_rec_access *a)
{
	return a->hdr.size >= sizeof(struct mmiobpf_rec_access_wide);
}

/**
 * record_words() - 8-byte words that the access covers: 1 up to 8 bytes of width, 8 for 64 bytes
 */
unsigned int record_words(const struct mmiobpf_rec_access *a);

/** record_word() - word @i of the value: @after picks the value written, else the value read */
uint64_t record_word(const struct mmiobpf_rec_access *a, bool after, unsigned int i);

/*
 * Names of the enums, as they appear in messages and later formats; "?" for a number that has
 * none.
 */
const char *record_type_name(unsigned int type);
const char *record_context_name(unsigned int context);
const char *record_dir_name(unsigned int dir);
const char *record_how_name(unsigned int how);
const char *record_cache_name(unsigned int cache);
const char *record_map_kind_name(unsigned int kind);
const char *record_reason_name(unsigned int reason);

#endif
