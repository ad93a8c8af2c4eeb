// SPDX-License-Identifier: GPL-2.0-or-later
/* JSON lines: the golden file, sessions that did not end, values of all widths, a full disk. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "log/json_writer.h"
#include "log_sample.h"

static void golden(void **state)
{
	struct memory_sink sink;
	struct log_writer *w;

	(void)state;
	memory_sink_init(&sink);
	assert_int_equal(json_writer_new(&sink.sink, &w), 0);
	sample_expect(w, &sink, "sample.jsonl");
	log_writer_free(w);
	memory_sink_deinit(&sink);
}

/* From a text log: no session, no end record. What was lost is what the log says. */
static void without_session(void **state)
{
	struct memory_sink sink;
	struct log_header h;
	struct sample s = { .seq = 0 };

	(void)state;
	log_header_init(&h);
	memory_sink_init(&sink);
	assert_int_equal(json_writer_new(&sink.sink, &s.writer), 0);
	assert_int_equal(log_writer_begin(s.writer, &h), 0);
	sample_next(&s, MMIOBPF_REC_LOST, sizeof(s.rec.lost), 0, 0)->lost.count = 5;
	sample_put(&s);
	sample_next(&s, MMIOBPF_REC_LOST, sizeof(s.rec.lost), 0, 0)->lost.count = UINT32_MAX;
	sample_put(&s);
	assert_int_equal(log_writer_end(s.writer, NULL), 0);
	assert_string_equal(sink.text,
		"{\"type\":\"header\",\"format\":\"mmiobpf\",\"version\":1}\n"
		"{\"type\":\"lost\",\"seq\":0,\"time_ns\":12345678900000,\"cpu\":0,"
		"\"context\":\"task\",\"irqs_on\":true,\"pid\":175,\"tgid\":174,"
		"\"comm\":\"modprobe\",\"count\":5}\n"
		"{\"type\":\"lost\",\"seq\":1,\"time_ns\":12345678900000,\"cpu\":0,"
		"\"context\":\"task\",\"irqs_on\":true,\"pid\":175,\"tgid\":174,"
		"\"comm\":\"modprobe\",\"count\":4294967295}\n"
		"{\"type\":\"end\",\"records\":2,\"accesses\":0,\"lost\":4294967300}\n");
	log_writer_free(s.writer);
	memory_sink_deinit(&sink);
}

/* The value of a wide access must be this member, whatever is in the words behind its width. */
static void expect_wide(unsigned int width, uint64_t low, uint64_t high, const char *member)
{
	struct memory_sink sink;
	struct sample s = { .seq = 0 };

	memory_sink_init(&sink);
	assert_int_equal(json_writer_new(&sink.sink, &s.writer), 0);
	sample_access(&s, 0, 0, MMIOBPF_DIR_WRITE, width, 0);
	s.rec.wide.after[0] = low;
	s.rec.wide.after[1] = high;
	s.rec.wide.after[2] = UINT64_MAX;
	sample_put(&s);
	assert_int_equal(log_writer_end(s.writer, NULL), 0);
	assert_non_null(strstr(sink.text, member));
	log_writer_free(s.writer);
	memory_sink_deinit(&sink);
}

static void wide_values(void **state)
{
	(void)state;
	expect_wide(16, 0, 0, "\"value\":\"0x0\"");
	expect_wide(16, 0x1234, 0, "\"value\":\"0x1234\"");
	expect_wide(16, 0x1234, 0xf, "\"value\":\"0xf0000000000001234\"");
	expect_wide(10, 0xfedcba9876543210, 0xffffffffffff8001,
		    "\"value\":\"0x8001fedcba9876543210\"");
	expect_wide(9, 0, 0xffffffffffffff00, "\"value\":\"0x0\"");
}

/* A marker of the greatest length, every byte of which becomes six. */
static void long_marker(void **state)
{
	struct memory_sink sink;
	struct sample s = { .seq = 0 };
	size_t escapes = 0;

	(void)state;
	memory_sink_init(&sink);
	assert_int_equal(json_writer_new(&sink.sink, &s.writer), 0);
	for (int i = 0; i < 100; i++) {
		sample_next(&s, MMIOBPF_REC_MARK, sizeof(s.rec.mark), 0, 0);
		s.rec.mark.len = MMIOBPF_MARK_LEN;
		memset(s.rec.mark.text, 0x01, MMIOBPF_MARK_LEN);
		sample_put(&s);
	}
	assert_int_equal(log_writer_end(s.writer, NULL), 0);
	for (const char *at = sink.text; (at = strstr(at, "\\u0001")); at++)
		escapes++;
	assert_int_equal(escapes, 100 * MMIOBPF_MARK_LEN);
	log_writer_free(s.writer);
	memory_sink_deinit(&sink);
}

static void full_disk(void **state)
{
	(void)state;
	sample_expect_full_disk(json_writer_new);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(golden),      cmocka_unit_test(without_session),
		cmocka_unit_test(wide_values), cmocka_unit_test(long_marker),
		cmocka_unit_test(full_disk),
	};

	return cmocka_run_group_tests_name("log_json", tests, NULL, NULL);
}
