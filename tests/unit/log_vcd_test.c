// SPDX-License-Identifier: GPL-2.0-or-later
/* Value change dumps: the golden file, times, many registers, a full disk. */
#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "log/vcd_writer.h"
#include "log_sample.h"

static void golden(void **state)
{
	struct memory_sink sink;
	struct log_writer *w;

	(void)state;
	memory_sink_init(&sink);
	assert_int_equal(vcd_writer_new(&sink.sink, &w), 0);
	sample_expect(w, &sink, "sample.vcd");
	log_writer_free(w);
	memory_sink_deinit(&sink);
}

/* Without a session time 0 is the first record's; what is at the same time is a nanosecond apart. */
static void times(void **state)
{
	static const uint64_t times[] = { 500, 500, 500, 400, 502, 510, UINT64_MAX - SAMPLE_START };
	static const uint64_t expect[] = { 1, 2, 3, 4, 5, 10, UINT64_MAX - SAMPLE_START - 500 };
	struct memory_sink sink;
	struct sample s = { .seq = 0 };
	const char *at;

	(void)state;
	memory_sink_init(&sink);
	assert_int_equal(vcd_writer_new(&sink.sink, &s.writer), 0);
	for (size_t i = 0; i < 7; i++) {
		sample_access(&s, times[i], i % 2, MMIOBPF_DIR_READ, 4, 0)->before = i;
		sample_put(&s);
	}
	assert_null(sink.text);
	assert_int_equal(log_writer_flush(s.writer), 0);
	assert_int_equal(log_writer_end(s.writer, NULL), 0);
	assert_non_null(strstr(sink.text, "$comment time 0 is 12345678900500 ns "));
	at = strstr(sink.text, "#0\n");
	assert_non_null(at);
	for (size_t i = 0; i < 7; i++) {
		at = strchr(at + 1, '#');
		assert_non_null(at);
		assert_int_equal(strtoull(at + 1, NULL, 10), expect[i]);
	}
	assert_null(strchr(at + 1, '#'));
	log_writer_free(s.writer);
	memory_sink_deinit(&sink);
}

/* More registers than the tables begin with: each is declared once, and has its own code. */
static void many_registers(void **state)
{
	enum { REGISTERS = 20000 };
	struct memory_sink sink;
	struct sample s = { .seq = 0 };
	char name[64], value[64], code[8];
	const char *at;

	(void)state;
	memory_sink_init(&sink);
	assert_int_equal(vcd_writer_new(&sink.sink, &s.writer), 0);
	for (int round = 0; round < 2; round++) {
		for (unsigned int i = 0; i < REGISTERS; i++) {
			sample_access(&s, 0, 0, MMIOBPF_DIR_WRITE, 8, 8 * i)->after = i | 1u << 31;
			sample_put(&s);
		}
	}
	assert_int_equal(log_writer_end(s.writer, NULL), 0);
	/* All have the address as offset, having no MAP. They are declared by address. */
	at = sink.text;
	for (unsigned int i = 0; i < REGISTERS; i += 997) {
		snprintf(name, sizeof(name), " r%x_64 [63:0] $end\n", 0xfeb80000 + 8 * i);
		at = strstr(at, name);
		assert_non_null(at);
		assert_null(strstr(at + 1, name));
		memset(code, 0, sizeof(code));
		for (size_t n = 1; at[-n] != ' '; n++) {
			memmove(code + 1, code, n);
			code[0] = at[-n];
		}
		snprintf(value, sizeof(value), "b1%031d %s\n", 0, code);
		for (unsigned int bit = 0; bit < 31; bit++)
			value[32 - bit - 1 + 1] = (char)('0' + (i >> bit & 1));
		assert_non_null(strstr(at, value));
	}
	log_writer_free(s.writer);
	memory_sink_deinit(&sink);
}

static void nothing(void **state)
{
	struct memory_sink sink;
	struct log_writer *w;

	(void)state;
	memory_sink_init(&sink);
	assert_int_equal(vcd_writer_new(&sink.sink, &w), 0);
	assert_int_equal(log_writer_end(w, NULL), 0);
	assert_string_equal(sink.text, "$version mmiobpf $end\n"
				       "$comment time 0 is 0 ns of CLOCK_MONOTONIC $end\n"
				       "$timescale 1 ns $end\n"
				       "$enddefinitions $end\n#0\n$dumpvars\n$end\n");
	log_writer_free(w);
	memory_sink_deinit(&sink);
}

static void full_disk(void **state)
{
	(void)state;
	sample_expect_full_disk(vcd_writer_new);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(golden),	  cmocka_unit_test(times),
		cmocka_unit_test(many_registers), cmocka_unit_test(nothing),
		cmocka_unit_test(full_disk),
	};

	return cmocka_run_group_tests_name("log_vcd", tests, NULL, NULL);
}
