/* SPDX-License-Identifier: GPL-2.0-only */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM mmiobpf

#if !defined(MMIOBPF_EVENTS_H) || defined(TRACE_HEADER_MULTI_READ)
#define MMIOBPF_EVENTS_H

#include <linux/tracepoint.h>
#include "../include/mmiobpf/record.h"

/*
 * The one tracepoint. It has no format in tracefs on purpose: its consumers are BPF programs, which
 * read the record by its type in this module's BTF. Fired with interrupts off.
 */
DECLARE_TRACE(mmiobpf_record,
	TP_PROTO(const struct mmiobpf_rec_hdr *hdr),
	TP_ARGS(hdr));

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE events
#include <trace/define_trace.h>
