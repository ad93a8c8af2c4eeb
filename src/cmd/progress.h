/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A bar on stderr that says how far long work is. */
#ifndef MMIOBPF_CMD_PROGRESS_H
#define MMIOBPF_CMD_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	bool on;
	bool shown;
	uint64_t size;		/* of all the work in bytes, 0 when not known */
	uint64_t next_ns;	/* when it is to be drawn again, CLOCK_MONOTONIC */
};

/**
 * progress_init() - nothing is drawn for the first half second, nor ever where stderr is no terminal
 * @size: of all the work in bytes, 0 when not known
 * @output_is_stdout: the bar stays away when stdout is a terminal as well
 */
void progress_init(struct progress *p, uint64_t size, bool output_is_stdout);

/** progress_update() - @done bytes are done. Cheap enough for every thousand records */
void progress_update(struct progress *p, uint64_t done);

/** progress_clear() - take the bar away; before any message */
void progress_clear(struct progress *p);

#endif
