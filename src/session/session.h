/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tracing session: the module's device, the BPF programs, the rings. Open, configure, load,
 * attach are separate steps inside; everything that touches the kernel is here.
 *
 *	session_open()          the module's session is ours, nothing is armed
 *	session_load()          programs attached: from here on new mappings are armed
 *	session_renew()         drivers that came and went meanwhile
 *	session_attach_live()   mappings that exist already are armed
 *	session_drain() ...     records, again and again
 *	session_stop()          every page given back; no record comes any more
 *	session_finish()        the rest of the records
 *	session_close()
 */
#ifndef MMIOBPF_SESSION_SESSION_H
#define MMIOBPF_SESSION_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../sys/pci.h"
#include "../sys/target.h"
#include "ring.h"

#define SESSION_BUFFER_MIN	4096u
#define SESSION_BUFFER_DEFAULT	(4u << 20)
#define SESSION_BUFFERS_TOTAL	(256u << 20)	/* of all CPUs by default */
#define SESSION_BUFFER_MAX	(1u << 30)

struct session_options {
	/*
	 * Bytes of each CPU's ring, a power of two between MIN and MAX. 0: DEFAULT, or less where
	 * there are so many possible CPUs that TOTAL would be exceeded.
	 */
	uint64_t buffer_size;
	bool arm_cached;	/* also write-combined, write-through and cached mappings */
	bool irqs;		/* start and end of the devices' interrupt handlers */
	bool config;		/* the devices' configuration space */
};

struct session;

/* What went on, in the kernel's own counts. */
struct session_stats {
	uint64_t emulated;	/* accesses, by how they were carried out */
	uint64_t stepped;
	uint64_t elements;	/* of string instructions */
	uint64_t strings;	/* faults of string instructions */
	uint64_t undecoded;
	uint64_t retried;	/* faults whose page had just been given back */
	uint64_t faults;	/* page faults on armed pages, by the page-fault tracepoint */
	uint64_t lost;		/* records, by the programs' count */
	uint64_t missed;	/* records that the program was never run for */
	uint64_t given_back;	/* pages no longer armed because of an undecoded access */
	uint64_t refused;	/* mappings that were wanted but could not be recorded */
	uint64_t next_seq;
};

/**
 * session_open() - take the module's session
 * @out: closed with session_close()
 *
 * Return: 0; -ENOENT: the module is not loaded; -EPROTO: module of another version; -EBUSY: another
 * session is running; -EPERM, -EACCES; or -errno.
 */
int session_open(struct session **out);

/**
 * session_load_module() - load the kernel module, as modprobe does
 *
 * Return: 0, -ENOENT: not installed, -EKEYREJECTED: its signature is wanted or wrong, -EPERM, or
 * -errno.
 */
int session_load_module(void);

/**
 * session_load() - load and attach the BPF programs
 * @set: what is wanted; needed until session_close()
 * @pci: devices, to name the BARs of mappings; as above
 *
 * Return: 0, -E2BIG: more ranges than the programs' tables hold, or -errno of libbpf; then
 * session_explain() may say more.
 */
int session_load(struct session *s, const struct session_options *opts,
		 const struct target_set *set, const struct pci_list *pci);

/** session_explain() - last warning of libbpf, one line without newline, or "" */
const char *session_explain(const struct session *s);

/**
 * session_renew() - take over the targets as they are now
 * @set: resolved again after session_load(); needed until session_close()
 *
 * A driver that was loaded after its targets were resolved and before the programs were attached is
 * known from here on, and its mappings are found by session_attach_live(). Ranges of memory stay as
 * they were loaded.
 *
 * Return: 0, or -E2BIG: more code than the programs' table holds; then
 * session_attach_live() goes by the old targets.
 */
int session_renew(struct session *s, const struct target_set *set);

/**
 * session_attach_live() - arm the mappings that exist already and are wanted
 * @attached: number of them
 *
 * Return: 0, -EPERM: the kernel hides their addresses, or -errno.
 */
int session_attach_live(struct session *s, unsigned int *attached);

/** session_drain(), session_finish() - records in sequence order; see ring_set_drain() */
long session_drain(struct session *s, ring_fn fn, void *ctx);
long session_finish(struct session *s, ring_fn fn, void *ctx);

/** session_is_hurried() - were the @n records of a drain so many that the next must follow at once? */
bool session_is_hurried(const struct session *s, long n);

/** session_stop() - every page is given back when it returns. Return: 0 or -errno */
int session_stop(struct session *s);

/** session_stats() - after session_stop(). Return: 0 or -errno */
int session_stats(struct session *s, struct session_stats *st);

/** session_close() - ends the session if it still runs. NULL is allowed */
void session_close(struct session *s);

#endif
