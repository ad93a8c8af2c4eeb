// SPDX-License-Identifier: GPL-2.0-or-later
#include "calls_writer.h"

#include <errno.h>
#include <stdlib.h>

#include "calls_poll.h"
#include "calls_put.h"
#include "calls_view.h"
#include "line_buffer.h"
#include "record.h"
#include "record_put.h"

#define HANDLERS_MAX	256	/* interrupts whose end is still to come */

struct handler {
	bool used;
	uint16_t cpu;
	uint32_t irq;
	uint64_t time_ns;
};

struct calls_writer {
	struct log_writer writer;
	struct calls_view view;
	struct calls_polls polls;
	struct calls_poll *single; /* a read that was not shown yet, or NULL */
	struct handler handlers[HANDLERS_MAX];
	uint64_t newest_ns;	/* time of the latest record, 0: none yet */
	struct line_buffer out;
};

/* --- what was held back --- */

static void show_poll(struct calls_writer *w, struct calls_poll *poll, bool cut)
{
	const struct view_poll line = {
		.count = poll->count,
		.last = poll->last,
		.length_ns = poll->end_ns > poll->first.hdr.time_ns
				     ? poll->end_ns - poll->first.hdr.time_ns
				     : 0,
		.latency_ns = poll->latency_ns,
		.again = poll->shown,
		.cut = cut && poll->count > 1,
	};

	if (poll->shown == poll->count || line_buffer_room(&w->out))
		return;
	poll->shown = poll->count;
	w->out.at = view_access(&w->view, w->out.at, &poll->first, &line);
}

/*
 * The read that may have been the first of a poll. There is one at most, as any record that does not
 * go on with a poll shows it.
 */
static void show_single_read(struct calls_writer *w)
{
	if (w->single && w->single->count == 1)
		show_poll(w, w->single, false);
	w->single = NULL;
}

/* All of it. @forget: what comes next is not joined to it. */
static void show_all(struct calls_writer *w, bool forget)
{
	show_single_read(w);
	for (size_t i = 0; i < POLLS_MAX; i++) {
		struct calls_poll *p = &w->polls.at[i];

		if (polls_used(&w->polls, p))
			show_poll(w, p, false);
		if (forget)
			polls_forget(&w->polls, p);
	}
}

/* An interrupt on this CPU: what runs below it has to wait. */
static void show_interrupted(struct calls_writer *w, const struct mmiobpf_rec_hdr *by)
{
	unsigned int context = by->type == MMIOBPF_REC_IRQ ? MMIOBPF_CTX_HARDIRQ : by->context;

	for (size_t i = 0; i < POLLS_MAX; i++) {
		struct calls_poll *p = &w->polls.at[i];

		if (polls_used(&w->polls, p) && p->cpu == by->cpu && p->first.hdr.context < context)
			show_poll(w, p, true);
	}
}

/* --- records --- */

/*
 * Time that passed without a record, when it is long. What is held back belongs in front of it: a
 * poll that goes on after it begins its line with a star.
 */
static void show_gap(struct calls_writer *w, const struct mmiobpf_rec_hdr *rec)
{
	uint64_t gap_ns = w->view.opts.gap_ns, passed = rec->time_ns - w->newest_ns;
	char *p;

	if (!gap_ns || !w->newest_ns || rec->time_ns < w->newest_ns || passed < gap_ns)
		return;
	show_all(w, false);
	if (line_buffer_room(&w->out))
		return;
	p = put_string(w->out.at, "--- ");
	p = put_duration(p, passed, 1);
	w->out.at = put_string(p, " without a record ---\n");
}

static void write_access(struct calls_writer *w, const struct mmiobpf_rec_access *a)
{
	struct calls_poll *poll = polls_find(&w->polls, poll_thread(&a->hdr));

	if (poll && poll_add(poll, a)) {
		if (!poll_is_over(poll))
			return;
		show_single_read(w);
		show_poll(w, poll, false);
		polls_forget(&w->polls, poll);
		return;
	}
	show_gap(w, &a->hdr);
	show_single_read(w);
	if (a->hdr.context != MMIOBPF_CTX_TASK)
		show_interrupted(w, &a->hdr);
	if (poll) {
		show_poll(w, poll, false);
		polls_forget(&w->polls, poll);
	}
	if (!w->view.opts.no_fold && poll_can_begin(a)) {
		poll = polls_place(&w->polls);
		if (polls_used(&w->polls, poll))
			show_poll(w, poll, false);
		polls_begin(&w->polls, poll, a);
		w->single = poll;
	} else if (!line_buffer_room(&w->out)) {
		w->out.at = view_access(&w->view, w->out.at, a, NULL);
	}
}

static void write_irq(struct calls_writer *w, const struct mmiobpf_rec_irq *irq)
{
	struct handler *found = NULL, *free_one = NULL;
	uint64_t ns = 0;

	for (size_t i = 0; i < HANDLERS_MAX; i++) {
		struct handler *h = &w->handlers[i];

		if (h->used && h->cpu == irq->hdr.cpu && h->irq == irq->irq)
			found = h;
		else if (!h->used && !free_one)
			free_one = h;
	}
	if (irq->exit && found) {
		if (irq->hdr.time_ns > found->time_ns)
			ns = irq->hdr.time_ns - found->time_ns;
		found->used = false;
	} else if (!irq->exit && (found || free_one)) {
		*(found ? found : free_one) = (struct handler){
			.used = true,
			.cpu = irq->hdr.cpu,
			.irq = irq->irq,
			.time_ns = irq->hdr.time_ns,
		};
	}
	show_single_read(w);
	show_interrupted(w, &irq->hdr);
	if (!line_buffer_room(&w->out))
		w->out.at = view_irq(&w->view, w->out.at, irq, ns);
}

/* What stands before and behind a loss may have nothing to do with each other. */
static void write_loss(struct calls_writer *w, const struct mmiobpf_rec_lost *lost)
{
	char *p;

	show_all(w, true);
	memset(w->handlers, 0, sizeof(w->handlers));
	if (line_buffer_room(&w->out))
		return;
	p = view_begin(&w->view, w->out.at, &lost->hdr, MMIOBPF_NO_DEV);
	p = put_number(put_string(p, "!!! LOST "), lost->count);
	w->out.at = put_string(p, lost->count == 1 ? " record here !!!\n" : " records here !!!\n");
}

static int calls_record(struct log_writer *writer, const struct mmiobpf_rec_hdr *rec)
{
	struct calls_writer *w = (struct calls_writer *)writer;
	const union mmiobpf_rec_any *any = (const void *)rec;

	if (w->out.err)
		return w->out.err;
	if (view_note(&w->view, rec))
		return line_buffer_fail(&w->out, -ENOMEM);
	if (rec->type == MMIOBPF_REC_ACCESS) {
		write_access(w, &any->access);
	} else if (rec->type == MMIOBPF_REC_LOST) {
		write_loss(w, &any->lost);
	} else {
		show_gap(w, rec);
		if (rec->type == MMIOBPF_REC_IRQ) {
			write_irq(w, &any->irq);
		} else {
			show_single_read(w);
			if (!line_buffer_room(&w->out))
				w->out.at = view_other(&w->view, w->out.at, rec);
		}
	}
	if (rec->time_ns > w->newest_ns)
		w->newest_ns = rec->time_ns;
	return w->out.err;
}

/* --- begin and end --- */

static int calls_begin(struct log_writer *writer, const struct log_header *header)
{
	struct calls_writer *w = (struct calls_writer *)writer;
	const struct mmiobpf_rec_session *s = &header->session;
	char *p;

	if (view_add_header(&w->view, header))
		return line_buffer_fail(&w->out, -ENOMEM);
	if (!s->hdr.type || line_buffer_room(&w->out))
		return w->out.err;
	p = put_string(w->out.at, "# ");
	p = put_escaped(p, s->command, strnlen(s->command, sizeof(s->command)));
	p = put_string(p, "\n# Linux ");
	p = put_escaped(p, s->release, strnlen(s->release, sizeof(s->release)));
	*p++ = ' ';
	p = put_escaped(p, s->machine, strnlen(s->machine, sizeof(s->machine)));
	p = put_string(put_number(put_string(p, ", "), s->cpus), " CPUs, ");
	p = put_realtime(p, s->realtime_ns);
	*p++ = '\n';
	w->out.at = p;
	return line_buffer_flush(&w->out);
}

static int calls_end(struct log_writer *writer, const struct mmiobpf_rec_end *end)
{
	struct calls_writer *w = (struct calls_writer *)writer;
	bool whole;
	char *p;

	show_all(w, true);
	if (line_buffer_room(&w->out))
		return w->out.err;
	if (!end) {
		w->out.at = put_string(w->out.at, "!!! the log ends here, its session did not !!!\n");
		return line_buffer_flush(&w->out);
	}
	whole = !end->lost && !end->undecoded;
	p = put_string(w->out.at, whole ? "+++ " : "!!! ");
	p = put_number(put_string(p, "accesses: "), end->accesses);
	p = put_number(put_string(p, ", lost: "), end->lost);
	p = put_number(put_string(p, ", not decoded: "), end->undecoded);
	w->out.at = put_string(p, whole ? " +++\n" : " !!!\n");
	return line_buffer_flush(&w->out);
}

/* A poll that is under way stays, or every look at the ring would cut it into pieces. */
static int calls_flush(struct log_writer *writer)
{
	struct calls_writer *w = (struct calls_writer *)writer;

	show_single_read(w);
	return line_buffer_flush(&w->out);
}

static void calls_free(struct log_writer *writer)
{
	view_deinit(&((struct calls_writer *)writer)->view);
	free(writer);
}

static const struct log_writer_ops calls_writer_ops = {
	.begin = calls_begin,
	.record = calls_record,
	.end = calls_end,
	.flush = calls_flush,
	.free = calls_free,
};

int calls_writer_new(struct log_sink *sink, const struct calls_options *options,
		     struct log_writer **out)
{
	struct calls_writer *w = malloc(sizeof(*w));

	if (!w)
		return -ENOMEM;
	w->writer.ops = &calls_writer_ops;
	view_init(&w->view, options);
	memset(&w->polls, 0, sizeof(w->polls));
	memset(w->handlers, 0, sizeof(w->handlers));
	w->single = NULL;
	w->newest_ns = 0;
	line_buffer_init(&w->out, sink);
	*out = &w->writer;
	return 0;
}
