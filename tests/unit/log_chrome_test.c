// SPDX-License-Identifier: GPL-2.0-or-later
/* Chrome's trace events: the golden file, times, interrupts without a beginning, a full disk. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "log/chrome_writer.h"
#include "log_sample.h"

static void golden(void **state)
{
	struct memory_sink sink;
	struct log_writer *w;

	(void)state;
	memory_sink_init(&sink);
	assert_int_equal(chrome_writer_new(&sink.sink, &w), 0);
	sample_expect(w, &sink, "sample.chrome.json");
	log_writer_free(w);
	memory_sink_deinit(&sink);
}

/* The times of the events of a category must be these, in this order. */
static void expect_times(const char *text, const char *const *times, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		text = strstr(text, "\"ts\":");
		assert_non_null(text);
		text += 5;
		assert_memory_equal(text, times[i], strlen(times[i]));
		assert_int_equal(text[strlen(times[i])], ',');
	}
	assert_null(strstr(text, "\"ts\":"));
}

/* Without a session time 0 is the first record's. They come out in the order of their times. */
static void times(void **state)
{
	static const uint64_t in[] = { 500, 1501, 1500, 2000999, 500 };
	static const char *const out[] = { "0.000", "0.000", "0.000", "1.000", "1.001", "2000.499" };
	struct memory_sink sink;
	struct sample s = { .seq = 0 };

	(void)state;
	memory_sink_init(&sink);
	assert_int_equal(chrome_writer_new(&sink.sink, &s.writer), 0);
	for (size_t i = 0; i < 5; i++) {
		sample_access(&s, in[i], 0, MMIOBPF_DIR_READ, 4, 0)->before = i;
		sample_put(&s);
	}
	assert_int_equal(log_writer_end(s.writer, NULL), 0);
	expect_times(sink.text, out, 6);
	log_writer_free(s.writer);
	memory_sink_deinit(&sink);
}

/* Further back than the window is long: the trace does not go back. */
static void far_back(void **state)
{
	struct memory_sink sink;
	struct sample s = { .seq = 0 };
	double last = 0, ts;

	(void)state;
	memory_sink_init(&sink);
	assert_int_equal(chrome_writer_new(&sink.sink, &s.writer), 0);
	for (unsigned int i = 0; i < 2000; i++) {
		sample_access(&s, i < 1000 ? i * 1000 : i, 0, MMIOBPF_DIR_READ, 4, 0);
		sample_put(&s);
	}
	assert_int_equal(log_writer_end(s.writer, NULL), 0);
	for (const char *at = sink.text; (at = strstr(at, "\"ts\":")); at += 5, last = ts) {
		ts = strtod(at + 5, NULL);
		assert_true(ts >= last);
	}
	log_writer_free(s.writer);
	memory_sink_deinit(&sink);
}

static size_t count(const char *text, const char *part)
{
	size_t n = 0;

	for (; (text = strstr(text, part)); text++)
		n++;
	return n;
}

static void put_irq(struct sample *s, unsigned int cpu, bool exit)
{
	struct mmiobpf_rec_irq *irq;

	irq = &sample_next(s, MMIOBPF_REC_IRQ, sizeof(*irq), s->seq * 100, cpu)->irq;
	irq->irq = 24;
	irq->exit = exit;
	sample_put(s);
}

/* An end closes only what began on its CPU. */
static void interrupts(void **state)
{
	struct memory_sink sink;
	struct sample s = { .seq = 0 };

	(void)state;
	memory_sink_init(&sink);
	assert_int_equal(chrome_writer_new(&sink.sink, &s.writer), 0);
	put_irq(&s, 0, true);
	put_irq(&s, 0, false);
	put_irq(&s, 1, true);
	put_irq(&s, 0, false);
	put_irq(&s, 0, true);
	put_irq(&s, 0, true);
	put_irq(&s, 0, true);
	for (int i = 0; i < 300; i++)
		put_irq(&s, 2, false);
	for (int i = 0; i < 300; i++)
		put_irq(&s, 2, true);
	assert_int_equal(log_writer_end(s.writer, NULL), 0);
	assert_int_equal(count(sink.text, "\"ph\":\"B\""), 2 + 255);
	assert_int_equal(count(sink.text, "\"ph\":\"E\""), 2 + 255);
	assert_int_equal(count(sink.text, "\"cat\":\"irq\""), 607);
	assert_int_equal(count(sink.text, "thread_name"), 3);
	log_writer_free(s.writer);
	memory_sink_deinit(&sink);
}

static void nothing(void **state)
{
	struct memory_sink sink;
	struct log_header h;
	struct log_writer *w;

	(void)state;
	log_header_init(&h);
	memory_sink_init(&sink);
	assert_int_equal(chrome_writer_new(&sink.sink, &w), 0);
	assert_int_equal(log_writer_begin(w, &h), 0);
	assert_int_equal(log_writer_end(w, NULL), 0);
	assert_string_equal(sink.text, "[\n{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\","
				       "\"args\":{\"name\":\"mmiobpf\"}}\n]\n");
	log_writer_free(w);
	memory_sink_deinit(&sink);
}

static void full_disk(void **state)
{
	(void)state;
	sample_expect_full_disk(chrome_writer_new);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(golden),   cmocka_unit_test(times),
		cmocka_unit_test(far_back), cmocka_unit_test(interrupts),
		cmocka_unit_test(nothing),  cmocka_unit_test(full_disk),
	};

	return cmocka_run_group_tests_name("log_chrome", tests, NULL, NULL);
}
