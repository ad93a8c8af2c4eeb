// SPDX-License-Identifier: GPL-2.0-or-later
/* Sinks and sources on what the system lends: files, a full device, a limit, a closed pipe. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "log/record.h"
#include "log/text_reader.h"
#include "log/text_writer.h"

static char path[] = "/tmp/mmiobpf-log-XXXXXX";

static int make_file(void **state)
{
	int fd = mkstemp(path);

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **state)
{
	(void)state;
	return unlink(path);
}

/* Write a log of @n reads. Return: first error. */
static int write_log(struct log_sink *sink, unsigned int n)
{
	struct mmiobpf_rec_access a = {
		.hdr = { .type = MMIOBPF_REC_ACCESS, .size = sizeof(a) },
		.width = 4, .dir = MMIOBPF_DIR_READ, .flags = MMIOBPF_ACC_BEFORE,
	};
	struct log_header h;
	struct log_writer *w;
	int err;

	log_header_init(&h);
	assert_int_equal(text_writer_new(sink, 0, &w), 0);
	err = log_writer_begin(w, &h);
	for (unsigned int i = 0; !err && i < n; i++) {
		a.phys = i;
		err = log_writer_record(w, &a.hdr);
	}
	if (!err)
		err = log_writer_end(w, NULL);
	log_writer_free(w);
	return err;
}

/* Read the file. Return: number of records, -1 when it is damaged or out of order. */
static int read_log(void)
{
	const struct mmiobpf_rec_hdr *rec;
	struct log_source *src;
	struct log_reader *r;
	int n = 0, ret;

	assert_int_equal(log_source_open(path, &src), 0);
	assert_int_equal(text_reader_new(src, &r), 0);
	while ((ret = log_reader_next(r, &rec)) == 1) {
		if (((const struct mmiobpf_rec_access *)rec)->phys != (uint64_t)n)
			ret = -1;
		n++;
	}
	log_reader_free(r);
	log_source_close(src);
	return ret ? -1 : n;
}

static void files(void **state)
{
	struct log_sink *sink;
	struct log_source *src;

	(void)state;
	assert_int_equal(log_sink_open(path, &sink), 0);
	assert_int_equal(write_log(sink, 10000), 0);
	assert_int_equal(log_sink_close(sink), 0);
	assert_int_equal(read_log(), 10000);
	/* a shorter log leaves nothing of the one before */
	assert_int_equal(log_sink_open(path, &sink), 0);
	assert_int_equal(write_log(sink, 5), 0);
	assert_int_equal(log_sink_close(sink), 0);
	assert_int_equal(read_log(), 5);
	assert_int_equal(log_sink_open("/nonexistent/log", &sink), -ENOENT);
	assert_int_equal(log_sink_open("/tmp", &sink), -EISDIR);
	assert_int_equal(log_source_open("/nonexistent/log", &src), -ENOENT);
}

static void full_device(void **state)
{
	struct log_sink *sink;

	(void)state;
	assert_int_equal(log_sink_open("/dev/full", &sink), 0);
	assert_int_equal(write_log(sink, 1), -ENOSPC);
	assert_int_equal(log_sink_close(sink), 0);
}

/* A limit in the middle of a line: the file ends with the last whole one, and can be read. */
static void file_limit(void **state)
{
	struct rlimit old, limit;
	struct log_sink *sink;
	struct stat st;
	int n;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	for (rlim_t bytes = 500000; bytes < 500040; bytes++) {
		limit = old;
		limit.rlim_cur = bytes;
		assert_int_equal(log_sink_open(path, &sink), 0);
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
		assert_int_equal(write_log(sink, 100000), -EFBIG);
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
		assert_int_equal(log_sink_close(sink), 0);
		assert_int_equal(stat(path, &st), 0);
		assert_true(st.st_size <= (off_t)bytes && st.st_size > (off_t)bytes - 60);
		n = read_log();
		assert_true(n > 10000);
	}
}

static void closed_pipe(void **state)
{
	struct log_sink *sink;
	int fds[2], old, err;

	(void)state;
	assert_int_equal(pipe(fds), 0);
	fflush(stdout);
	old = dup(STDOUT_FILENO);
	dup2(fds[1], STDOUT_FILENO);
	close(fds[0]);
	close(fds[1]);
	assert_int_equal(log_sink_open("-", &sink), 0);
	err = write_log(sink, 1);
	assert_int_equal(log_sink_close(sink), 0);
	dup2(old, STDOUT_FILENO);
	close(old);
	assert_int_equal(err, -EPIPE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files),
		cmocka_unit_test(full_device),
		cmocka_unit_test(file_limit),
		cmocka_unit_test(closed_pipe),
	};

	return cmocka_run_group_tests_name("log_sink", tests, make_file, remove_file);
}
