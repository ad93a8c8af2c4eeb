// SPDX-License-Identifier: GPL-2.0-or-later
/* Comma-separated values: the golden file, as many columns on every line, texts, a full disk. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "log/csv_writer.h"
#include "log_sample.h"

static void golden(void **state)
{
	struct memory_sink sink;
	struct log_writer *w;

	(void)state;
	memory_sink_init(&sink);
	assert_int_equal(csv_writer_new(&sink.sink, &w), 0);
	sample_expect(w, &sink, "sample.csv");
	log_writer_free(w);
	memory_sink_deinit(&sink);
}

/* Fields of a line, commas in quotes not counted. *@line moves to the next one. */
static unsigned int count_fields(const char **line)
{
	unsigned int fields = 1;
	bool quoted = false;
	const char *p;

	for (p = *line; *p != '\n'; p++) {
		assert_int_not_equal(*p, '\0');
		quoted ^= *p == '"';
		fields += *p == ',' && !quoted;
	}
	assert_false(quoted);
	*line = p + 1;
	return fields;
}

static void columns(void **state)
{
	struct memory_sink sink;
	struct log_writer *w;
	unsigned int columns, lines = 0;
	const char *line;

	(void)state;
	memory_sink_init(&sink);
	assert_int_equal(csv_writer_new(&sink.sink, &w), 0);
	sample_write(w);
	line = sink.text;
	columns = count_fields(&line);
	assert_int_equal(columns, 26);
	for (; *line; lines++)
		assert_int_equal(count_fields(&line), columns);
	assert_int_equal(lines, 24);
	log_writer_free(w);
	memory_sink_deinit(&sink);
}

/* The text of a marker must become this last field. */
static void expect_text(const char *text, const char *field)
{
	struct memory_sink sink;
	struct sample s = { .seq = 0 };
	const char *last;

	memory_sink_init(&sink);
	assert_int_equal(csv_writer_new(&sink.sink, &s.writer), 0);
	sample_next(&s, MMIOBPF_REC_MARK, sizeof(s.rec.mark), 0, 0);
	s.rec.mark.len = (uint32_t)strlen(text);
	memcpy(s.rec.mark.text, text, s.rec.mark.len);
	sample_put(&s);
	assert_int_equal(log_writer_end(s.writer, NULL), 0);
	last = strstr(sink.text, ",,,,,,,,,,,,,,,,,");
	assert_non_null(last);
	assert_string_equal(last + 17, field);
	log_writer_free(s.writer);
	memory_sink_deinit(&sink);
}

static void texts(void **state)
{
	(void)state;
	expect_text("", "\n");
	expect_text("up", "up\n");
	expect_text("link up", "\"link up\"\n");
	expect_text("a,b", "\"a,b\"\n");
	expect_text("\"", "\"\"\"\"\n");
	expect_text("a\nb", "a\\nb\n");
	expect_text("a\\nb", "a\\\\nb\n");
	expect_text("\t\r\x01\x7f", "\\t\\x0d\\x01\\x7f\n");
	expect_text("\xe2\x82\xac", "\xe2\x82\xac\n");
}

static void full_disk(void **state)
{
	(void)state;
	sample_expect_full_disk(csv_writer_new);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(golden),
		cmocka_unit_test(columns),
		cmocka_unit_test(texts),
		cmocka_unit_test(full_disk),
	};

	return cmocka_run_group_tests_name("log_csv", tests, NULL, NULL);
}
