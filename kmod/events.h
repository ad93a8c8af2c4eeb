/* SPDX-License-Identifier: GPL-2.0-only */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM mmiobpf

#if !defined(MMIOBPF_EVENTS_H) || defined(TRACE_HEADER_MULTI_READ)
#define MMIOBPF_EVENTS_H

#include <linux/tracepoint.h>
#include "../include/mmiobpf/record.h"

/*
 * They have no format in tracefs on purpose: their consumers are BPF programs. Fired with interrupts
 * off.
 *
 * An access, known or UNKNOWN, is at the start of a buffer that a program of type raw_tracepoint.w
 * reads without a helper; that the type could also write is of no use. What an NMI does has a
 * tracepoint of its own: a BPF program that the NMI has interrupted would not run again.
 */
#undef MMIOBPF_TRACE_BUFFER
#ifdef DECLARE_TRACE_WRITABLE
#define MMIOBPF_TRACE_BUFFER(call, proto, args, size)                                              \
	DECLARE_TRACE_WRITABLE(call, PARAMS(proto), PARAMS(args), size)
#else
#define MMIOBPF_TRACE_BUFFER(call, proto, args, size)                                              \
	DECLARE_TRACE(call, PARAMS(proto), PARAMS(args))
#endif

MMIOBPF_TRACE_BUFFER(mmiobpf_access,
	TP_PROTO(struct mmiobpf_rec_access_wide *access),
	TP_ARGS(access),
	sizeof(struct mmiobpf_rec_access_wide));

MMIOBPF_TRACE_BUFFER(mmiobpf_access_nmi,
	TP_PROTO(struct mmiobpf_rec_access_wide *access),
	TP_ARGS(access),
	sizeof(struct mmiobpf_rec_access_wide));

/* Everything else; read by its type in this module's BTF. */
DECLARE_TRACE(mmiobpf_record,
	TP_PROTO(const struct mmiobpf_rec_hdr *hdr),
	TP_ARGS(hdr));

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE events
#include <trace/define_trace.h>
