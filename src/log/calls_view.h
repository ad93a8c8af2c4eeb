/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of the readable view: what is on them, and what must be known for that. Pure. */
#ifndef MMIOBPF_LOG_CALLS_VIEW_H
#define MMIOBPF_LOG_CALLS_VIEW_H

#include "../family/family.h"
#include "calls_writer.h"
#include "places.h"

#define VIEW_LINE_MAX	8192	/* bytes of the longest line, with what put_*() writes behind it */

struct view_device {
	uint32_t dev;
	const struct family *family; /* NULL: not known */
};

struct calls_view {
	struct calls_options opts;
	struct places places;
	struct view_device *devices;
	size_t ndevices;
	bool has_session;	/* the log has a session's header: a capture, or live */
	uint64_t realtime;	/* add it to a time for nanoseconds since 1970; may wrap */
	uint64_t last_ns;	/* time of the line before, 0: none */
	/* The first that was seen, and whether there was another one. */
	bool has_cpu, many_cpus, many_devs;
	uint16_t cpu;
	uint32_t dev;
	/* Columns grow with what was on the lines so far. */
	size_t call_width, caller_width;
};

/* Reads of one register, folded into one line; all but the last had the same value. */
struct view_poll {
	uint64_t count;
	uint64_t last;		/* value of the last read */
	uint64_t length_ns;	/* from the first to the last */
	uint64_t latency_ns;	/* sum */
	bool again;		/* stands for a line above as well: begins with a star */
	bool cut;		/* an interrupt came: ends in <..> */
};

void view_init(struct calls_view *v, const struct calls_options *options);
void view_deinit(struct calls_view *v);

/** view_add_header() - learn devices and times. Return: 0 or -ENOMEM */
int view_add_header(struct calls_view *v, const struct log_header *header);

/** view_note() - learn which CPUs and devices there are, mappings too. Return: 0 or -ENOMEM */
int view_note(struct calls_view *v, const struct mmiobpf_rec_hdr *rec);

/*
 * A line with its newline, appended at @p, which has room for VIEW_LINE_MAX bytes.
 * Return: the next free byte.
 */
char *view_access(struct calls_view *v, char *p, const struct mmiobpf_rec_access *a,
		  const struct view_poll *poll);
/** view_other() - a record that is neither ACCESS nor IRQ nor LOST; nothing for an unknown type */
char *view_other(struct calls_view *v, char *p, const struct mmiobpf_rec_hdr *rec);
/** view_irq() - @ns: how long the handler took; 0: not known */
char *view_irq(struct calls_view *v, char *p, const struct mmiobpf_rec_irq *irq, uint64_t ns);

/** view_begin() - what a line begins with: time, CPU, device. @dev may be MMIOBPF_NO_DEV */
char *view_begin(struct calls_view *v, char *p, const struct mmiobpf_rec_hdr *hdr, uint32_t dev);

/** view_target() - "STATUS", "BAR0+0x10": where an access goes, as the options want it */
char *view_target(struct calls_view *v, char *p, const struct place *at,
		  struct family_match *match);

/** view_result() - from the call on: blanks, caller, and the sign before a value: " = ", "<- " */
char *view_result(struct calls_view *v, char *p, const char *line, uint64_t pc, const char *sign);

/** view_fields() - " (FD|LU)", where the register has fields and the options want them */
char *view_fields(struct calls_view *v, char *p, const struct family_match *match, uint64_t value);

#endif
