// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The readable view: golden files in three kinds of detail, polls alone, interrupted and of several
 * CPUs, gaps, losses, times, a full disk.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <cmocka.h>

#include "log/calls_put.h"
#include "log/calls_writer.h"
#include "log_sample.h"

/* Knows one function, as long as 4 KiB. */
static int one_function(struct symbolizer *s, uint64_t pc, struct symbol_name *out)
{
	(void)s;
	if (pc < 0xffffffffc031b000 || pc >= 0xffffffffc031c000)
		return -ENOENT;
	*out = (struct symbol_name){ "e1000e_get_hw", "e1000e", pc - 0xffffffffc031b000 };
	return 0;
}

static struct symbolizer symbols = { .find = one_function };

static void expect_golden(const struct calls_options *options, const char *name)
{
	struct memory_sink sink;
	struct log_writer *w;

	memory_sink_init(&sink);
	assert_int_equal(calls_writer_new(&sink.sink, options, &w), 0);
	sample_expect(w, &sink, name);
	log_writer_free(w);
	memory_sink_deinit(&sink);
}

static void golden(void **state)
{
	const struct calls_options plain = { .symbols = &symbols };
	const struct calls_options raw = { .names = CALLS_NAMES_RAW, .times = CALLS_TIME_RELATIVE };
	const struct calls_options all = {
		.names = CALLS_NAMES_VERBOSE,
		.times = CALLS_TIME_MICRO,
		.latency = true,
		.prefix = true,
		.symbols = &symbols,
	};

	(void)state;
	expect_golden(&plain, "sample.calls");
	expect_golden(&raw, "sample-raw.calls");
	expect_golden(&all, "sample-verbose.calls");
}

/* --- stories of their own --- */

struct story {
	struct memory_sink sink;
	struct sample s;
};

static void story_begin(struct story *t, const struct calls_options *options)
{
	struct log_header h;

	memory_sink_init(&t->sink);
	memset(&t->s, 0, sizeof(t->s));
	assert_int_equal(calls_writer_new(&t->sink.sink, options, &t->s.writer), 0);
	sample_header(&h);
	/* A text log has no session. */
	h.session.hdr.type = 0;
	assert_int_equal(log_writer_begin(t->s.writer, &h), 0);
	log_header_deinit(&h);
}

/* The read of STATUS by one loop of the code. */
static struct mmiobpf_rec_access *story_read(struct story *t, uint64_t at, unsigned int cpu,
					     unsigned int pid, uint32_t value)
{
	struct mmiobpf_rec_access *a = sample_access(&t->s, at, cpu, MMIOBPF_DIR_READ, 4, 0x8);

	a->before = value;
	a->pc = 0;
	a->hdr.pid = pid;
	return a;
}

static void read_status(struct story *t, uint64_t at, uint32_t value)
{
	story_read(t, at, 0, 175, value);
	sample_put(&t->s);
}

static void write_ctrl(struct story *t, uint64_t at, unsigned int cpu, uint32_t value)
{
	struct mmiobpf_rec_access *a = sample_access(&t->s, at, cpu, MMIOBPF_DIR_WRITE, 4, 0x0);

	a->after = value;
	a->pc = 0;
	a->hdr.pid = 176;
	sample_put(&t->s);
}

static void interrupt(struct story *t, uint64_t at, unsigned int cpu, bool exit)
{
	struct mmiobpf_rec_irq *irq =
		&sample_next(&t->s, MMIOBPF_REC_IRQ, sizeof(*irq), at, cpu)->irq;

	irq->hdr.context = MMIOBPF_CTX_HARDIRQ;
	irq->irq = 129;
	irq->exit = exit;
	irq->handled = exit;
	strcpy(irq->name, "eth0");
	sample_put(&t->s);
}

static void story_expect(struct story *t, const char *text)
{
	struct mmiobpf_rec_end end = { .accesses = 5 };

	assert_int_equal(log_writer_end(t->s.writer, &end), 0);
	if (strncmp(t->sink.text, text, strlen(text)))
		assert_string_equal(t->sink.text, text);
	assert_string_equal(t->sink.text + strlen(text),
			    "+++ accesses: 5, lost: 0, not decoded: 0 +++\n");
	log_writer_free(t->s.writer);
	memory_sink_deinit(&t->sink);
}

static const struct calls_options defaults = { .gap_ns = CALLS_GAP_NS };

static void poll_is_folded(void **state)
{
	struct story t;

	(void)state;
	story_begin(&t, &defaults);
	for (unsigned int i = 0; i < 416; i++)
		read_status(&t, 1000 * i, 0);
	read_status(&t, 412000, 0x80000);
	read_status(&t, 413000, 0x80000);
	write_ctrl(&t, 500000, 0, 0x1);
	/* one that ran into its time limit, with waits that are longer than a gap */
	for (unsigned int i = 0; i < 3; i++)
		read_status(&t, 600000 + i * 10000000, 0x2);
	story_expect(&t,
		"read32(STATUS)                = 0x80000 (GIO_MASTER_EN) x417 in 412 us, first 0x0\n"
		"read32(STATUS)                = 0x80000 (GIO_MASTER_EN)\n"
		"write32(CTRL)                <- 0x1 (FD)\n"
		"read32(STATUS)                = 0x2 (LU) x3 in 20.0 ms\n");
}

/* A queue or a counter: every value counts. Nor do reads from two places make a poll. */
static void not_a_poll(void **state)
{
	struct calls_options each = { .no_fold = true };
	struct story t;

	(void)state;
	story_begin(&t, &defaults);
	for (unsigned int i = 0; i < 3; i++)
		read_status(&t, 1000 * i, i);
	story_read(&t, 4000, 0, 175, 2)->pc = 0x10;
	sample_put(&t.s);
	story_expect(&t,
		"read32(STATUS)                = 0x0\n"
		"read32(STATUS)                = 0x1 (FD)\n"
		"read32(STATUS)                = 0x2 (LU)\n"
		"read32(STATUS)               0x10  = 0x2 (LU)\n");
	story_begin(&t, &each);
	for (unsigned int i = 0; i < 3; i++)
		read_status(&t, 1000 * i, 0);
	story_expect(&t,
		"read32(STATUS)                = 0x0\n"
		"read32(STATUS)                = 0x0\n"
		"read32(STATUS)                = 0x0\n");
}

static void interrupted(void **state)
{
	struct story t;

	(void)state;
	story_begin(&t, &defaults);
	for (unsigned int i = 0; i < 5; i++)
		read_status(&t, 1000 * i, 0);
	interrupt(&t, 5000, 0, false);
	sample_access(&t.s, 5500, 0, MMIOBPF_DIR_READ, 4, 0xc0)->before = 0x4;
	t.s.rec.hdr.context = MMIOBPF_CTX_HARDIRQ;
	t.s.rec.access.pc = 0;
	sample_put(&t.s);
	interrupt(&t, 8100, 0, true);
	for (unsigned int i = 9; i < 12; i++)
		read_status(&t, 1000 * i, 0);
	read_status(&t, 12000, 0x1);
	story_expect(&t,
		"read32(STATUS)                = 0x0 x5 in 4.0 us <..>\n"
		"--- IRQ 129 (eth0) ---\n"
		"read32(ICR)                   = 0x4 (LSC)\n"
		"+++ IRQ 129 done <3.1us> +++\n"
		"*read32(STATUS)               = 0x1 (FD) x9 in 12.0 us, first 0x0\n");
}

/* Without records of interrupts, the context of an access says that there was one. */
static void interrupted_by_context(void **state)
{
	struct story t;

	(void)state;
	story_begin(&t, &defaults);
	read_status(&t, 0, 0);
	read_status(&t, 1000, 0);
	story_read(&t, 2000, 0, 175, 0)->hdr.context = MMIOBPF_CTX_SOFTIRQ;
	sample_put(&t.s);
	read_status(&t, 3000, 0);
	/* never taken up again */
	write_ctrl(&t, 4000, 0, 0);
	story_expect(&t,
		"read32(STATUS)                = 0x0 x2 in 1.0 us <..>\n"
		"read32(STATUS)                = 0x0\n"
		"write32(CTRL)                <- 0x0\n"
		"*read32(STATUS)               = 0x0 x3 in 3.0 us\n");
}

/* Another CPU does not interrupt a poll, and a read is never written behind a later record. */
static void several_cpus(void **state)
{
	struct story t;

	(void)state;
	story_begin(&t, &defaults);
	read_status(&t, 0, 0);
	write_ctrl(&t, 100, 1, 0x1);
	read_status(&t, 200, 0);
	read_status(&t, 300, 0);
	write_ctrl(&t, 400, 1, 0x2);
	read_status(&t, 500, 0x2);
	/* a task that moves to the other CPU goes on with its poll */
	story_read(&t, 600, 0, 177, 5);
	sample_put(&t.s);
	story_read(&t, 700, 1, 177, 5);
	sample_put(&t.s);
	story_read(&t, 800, 0, 177, 6);
	sample_put(&t.s);
	story_expect(&t,
		"[cpu 0] read32(STATUS)                = 0x0\n"
		"[cpu 1] write32(CTRL)                <- 0x1 (FD)\n"
		"[cpu 1] write32(CTRL)                <- 0x2\n"
		"*[cpu 0] read32(STATUS)               = 0x2 (LU) x4 in 500 ns, first 0x0\n"
		"[cpu 0] read32(STATUS)                = 0x6 (LU|LAN_ID=1) x3 in 200 ns, first 0x5\n");
}

static void gaps(void **state)
{
	struct calls_options no_gaps = { .gap_ns = 0 };
	struct story t;

	(void)state;
	for (int shown = 1; shown >= 0; shown--) {
		story_begin(&t, shown ? &defaults : &no_gaps);
		write_ctrl(&t, 0, 0, 0x1);
		read_status(&t, 1000, 0);
		write_ctrl(&t, 1000999, 0, 0x1);
		write_ctrl(&t, 2000999, 0, 0x1);
		write_ctrl(&t, 3500002000, 0, 0x1);
		story_expect(&t, shown ?
			"write32(CTRL)                <- 0x1 (FD)\n"
			"read32(STATUS)                = 0x0\n"
			"write32(CTRL)                <- 0x1 (FD)\n"
			"--- 1.0 ms without a record ---\n"
			"write32(CTRL)                <- 0x1 (FD)\n"
			"--- 3.4 s without a record ---\n"
			"write32(CTRL)                <- 0x1 (FD)\n" :
			"write32(CTRL)                <- 0x1 (FD)\n"
			"read32(STATUS)                = 0x0\n"
			"write32(CTRL)                <- 0x1 (FD)\n"
			"write32(CTRL)                <- 0x1 (FD)\n"
			"write32(CTRL)                <- 0x1 (FD)\n");
	}
}

/* A poll is not joined over a loss, and a handler's time is not counted over it. */
static void losses(void **state)
{
	struct story t;

	(void)state;
	story_begin(&t, &defaults);
	interrupt(&t, 0, 1, false);
	for (unsigned int i = 0; i < 6; i++) {
		if (i == 3)
			sample_next(&t.s, MMIOBPF_REC_LOST, sizeof(t.s.rec.lost), 3000, 0)->lost.count = 1;
		if (i == 3)
			sample_put(&t.s);
		read_status(&t, 1000 * i, 7);
	}
	interrupt(&t, 9000, 1, true);
	story_expect(&t,
		"--- IRQ 129 (eth0) ---\n"
		"[cpu 0] read32(STATUS)                = 0x7 (FD|LU|LAN_ID=1) x3 in 2.0 us\n"
		"[cpu 0] !!! LOST 1 record here !!!\n"
		"[cpu 1] +++ IRQ 129 done +++\n"
		"[cpu 0] read32(STATUS)                = 0x7 (FD|LU|LAN_ID=1) x3 in 2.0 us\n");
}

/* What is shown at once when the ring is empty, and what is not. */
static void flushes(void **state)
{
	static const char first[] = "read32(STATUS)                = 0x0\n";
	struct story t;

	(void)state;
	story_begin(&t, &defaults);
	read_status(&t, 0, 0);
	assert_int_equal(log_writer_flush(t.s.writer), 0);
	assert_string_equal(t.sink.text, first);
	read_status(&t, 1000, 0);
	assert_int_equal(log_writer_flush(t.s.writer), 0);
	assert_string_equal(t.sink.text, first);
	story_expect(&t,
		"read32(STATUS)                = 0x0\n"
		"*read32(STATUS)               = 0x0 x2 in 1.0 us\n");
}

/* More threads of control than there is room for: the oldest is written, none is forgotten. */
static void many_threads(void **state)
{
	struct story t;
	unsigned int lines = 0;

	(void)state;
	story_begin(&t, &defaults);
	for (unsigned int pid = 1; pid <= 200; pid++)
		for (unsigned int i = 0; i < 3; i++) {
			story_read(&t, 3 * pid + i, 0, pid, 0);
			sample_put(&t.s);
		}
	assert_int_equal(log_writer_end(t.s.writer, NULL), 0);
	for (const char *p = t.sink.text; (p = strstr(p, "x3 in 2 ns\n")); p++)
		lines++;
	assert_int_equal(lines, 200);
	assert_non_null(strstr(t.sink.text, "!!! the log ends here, its session did not !!!\n"));
	log_writer_free(t.s.writer);
	memory_sink_deinit(&t.sink);
}

static void expect_time(enum calls_times times, bool session, const char *begin)
{
	struct calls_options options = { .times = times };
	struct memory_sink sink;
	struct sample s = { .seq = 0 };
	struct log_header h;
	const char *line;

	memory_sink_init(&sink);
	sample_header(&h);
	if (!session)
		h.session.hdr.type = 0;
	assert_int_equal(calls_writer_new(&sink.sink, &options, &s.writer), 0);
	assert_int_equal(log_writer_begin(s.writer, &h), 0);
	for (unsigned int i = 0; i < 2; i++) {
		sample_access(&s, 1500 * i, 0, MMIOBPF_DIR_WRITE, 4, 0)->pc = 0;
		sample_put(&s);
	}
	assert_int_equal(log_writer_end(s.writer, NULL), 0);
	line = strrchr(sink.text, '<') - 30;
	while (line[-1] != '\n')
		line--;
	if (strncmp(line, begin, strlen(begin)))
		assert_string_equal(line, begin);
	log_header_deinit(&h);
	log_writer_free(s.writer);
	memory_sink_deinit(&sink);
}

static void times(void **state)
{
	(void)state;
	expect_time(CALLS_TIME_NONE, true, "write32(CTRL) ");
	expect_time(CALLS_TIME_CLOCK, true, "00:00:00 write32(");
	expect_time(CALLS_TIME_MICRO, true, "00:00:00.123458 write32(");
	expect_time(CALLS_TIME_EPOCH, true, "1785542400.123458 write32(");
	expect_time(CALLS_TIME_RELATIVE, true, "0.000001500 write32(");
	expect_time(CALLS_TIME_CLOCK, false, "12345 write32(");
	expect_time(CALLS_TIME_MICRO, false, "12345.678901 write32(");
	expect_time(CALLS_TIME_EPOCH, false, "12345.678901 write32(");
}

static void expect_duration(uint64_t ns, const char *text)
{
	char buf[64];

	*put_duration(buf, ns, 0) = '\0';
	assert_string_equal(buf, text);
}

static void durations(void **state)
{
	(void)state;
	expect_duration(0, "0ns");
	expect_duration(999, "999ns");
	expect_duration(1000, "1.0us");
	expect_duration(3199, "3.1us");
	expect_duration(99999, "99.9us");
	expect_duration(412345, "412us");
	expect_duration(12400000, "12.4ms");
	expect_duration(3456000000000, "3456.0s");
	expect_duration(UINT64_MAX, "18446744073.7s");
}

/* A capture brings the functions of its addresses along. */
static void symbols_of_header(void **state)
{
	struct log_symbol sym = { 0xffffffffc031b943, 0xffffffffc031b900, "e1000_probe", "e1000e" };
	struct header_symbolizer s;
	struct symbol_name name;
	struct log_header h;

	(void)state;
	log_header_init(&h);
	assert_int_equal(log_header_add_symbol(&h, &sym), 0);
	log_header_sort_symbols(&h);
	header_symbolizer_init(&s, &h);
	assert_int_equal(symbolizer_find(&s.symbolizer, sym.pc, &name), 0);
	assert_string_equal(name.name, "e1000_probe");
	assert_string_equal(name.module, "e1000e");
	assert_int_equal(name.offset, 0x43);
	assert_int_equal(symbolizer_find(&s.symbolizer, sym.pc + 1, &name), -ENOENT);
	assert_int_equal(symbolizer_find(NULL, sym.pc, &name), -ENOENT);
	symbolizer_free(&s.symbolizer);
	log_header_deinit(&h);
}

static int calls_new_plain(struct log_sink *sink, struct log_writer **out)
{
	return calls_writer_new(sink, &defaults, out);
}

static void full_disk(void **state)
{
	(void)state;
	sample_expect_full_disk(calls_new_plain);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(golden),
		cmocka_unit_test(poll_is_folded),
		cmocka_unit_test(not_a_poll),
		cmocka_unit_test(interrupted),
		cmocka_unit_test(interrupted_by_context),
		cmocka_unit_test(several_cpus),
		cmocka_unit_test(gaps),
		cmocka_unit_test(losses),
		cmocka_unit_test(flushes),
		cmocka_unit_test(many_threads),
		cmocka_unit_test(times),
		cmocka_unit_test(durations),
		cmocka_unit_test(symbols_of_header),
		cmocka_unit_test(full_disk),
	};

	/* The time of day is local. */
	setenv("TZ", "UTC0", 1);
	tzset();
	return cmocka_run_group_tests_name("log_calls", tests, NULL, NULL);
}
