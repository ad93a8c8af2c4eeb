// SPDX-License-Identifier: GPL-2.0-or-later
/* Sources that unpack gzip, xz and zstd: whole, in a row, cut off anywhere, damaged. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include "log/source_peek.h"
#include "log/source_unpack.h"
#include "log_memory.h"

#define TEXT_SIZE  20000
#define PACKED_MAX 40000

static char text[TEXT_SIZE];
static char packed[2 * PACKED_MAX];
static char unpacked[3 * TEXT_SIZE];

static size_t pack_gzip(char *out)
{
	z_stream z = { .next_in = (unsigned char *)text,
		       .avail_in = TEXT_SIZE,
		       .next_out = (unsigned char *)out,
		       .avail_out = PACKED_MAX };

	assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	deflateEnd(&z);
	return z.total_out;
}

static size_t pack_xz(char *out)
{
	size_t n = 0;

	assert_int_equal(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, NULL, (uint8_t *)text,
						 TEXT_SIZE, (uint8_t *)out, &n, PACKED_MAX),
			 LZMA_OK);
	return n;
}

static size_t pack_zstd(char *out)
{
	size_t n = ZSTD_compress(out, PACKED_MAX, text, TEXT_SIZE, 1);

	assert_false(ZSTD_isError(n));
	return n;
}

static const struct {
	size_t (*pack)(char *out);
	const struct unpack_method *method;
} methods[] = {
	{ pack_gzip, &unpack_gzip },
	{ pack_xz, &unpack_xz },
	{ pack_zstd, &unpack_zstd },
};

#define METHODS (sizeof(methods) / sizeof(methods[0]))

/* All of it, @chunk bytes at a time. Return: what the last read returned; @n: what came */
static int read_all(struct log_source *src, size_t chunk, size_t *n)
{
	size_t done = 1;
	int err = 0;

	*n = 0;
	while (!err && done) {
		assert_true(*n + chunk <= sizeof(unpacked));
		err = src->read(src, unpacked + *n, chunk, &done);
		*n += done;
	}
	/* the end, or the error, stays */
	assert_int_equal(src->read(src, unpacked, 1, &done), err);
	assert_int_equal(done, 0);
	return err;
}

/* Unpack @len bytes of packed[]. The memory source is no concern of log_source_close(). */
static void keep_open(struct log_source *src)
{
	(void)src;
}

static int unpack(const struct unpack_method *method, size_t len, size_t in_chunk, size_t chunk,
		  size_t *n, const char **why)
{
	struct memory_source m;
	struct log_source *src;
	int err;

	memory_source_init(&m, packed, len);
	m.src.close = keep_open;
	m.chunk = in_chunk;
	assert_int_equal(source_unpack_open(&m.src, method, &src), 0);
	err = read_all(src, chunk, n);
	*why = src->damage;
	log_source_close(src);
	return err;
}

static void test_whole(void **state)
{
	(void)state;
	for (size_t i = 0; i < METHODS; i++) {
		size_t len = methods[i].pack(packed), n;
		const char *why;

		assert_ptr_equal(unpack_method_find(packed, len), methods[i].method);
		assert_int_equal(unpack(methods[i].method, len, 0, 4096, &n, &why), 0);
		assert_int_equal(n, TEXT_SIZE);
		assert_memory_equal(unpacked, text, n);
		assert_int_equal(unpack(methods[i].method, len, 1, 7, &n, &why), 0);
		assert_int_equal(n, TEXT_SIZE);
		assert_memory_equal(unpacked, text, n);
	}
}

static void test_two_in_a_row(void **state)
{
	(void)state;
	for (size_t i = 0; i < METHODS; i++) {
		size_t len = methods[i].pack(packed), n;
		const char *why;

		len += methods[i].pack(packed + len);
		assert_int_equal(unpack(methods[i].method, len, 13, 4096, &n, &why), 0);
		assert_int_equal(n, 2 * TEXT_SIZE);
		assert_memory_equal(unpacked, text, TEXT_SIZE);
		assert_memory_equal(unpacked + TEXT_SIZE, text, TEXT_SIZE);
	}
}

/* Cut off after any byte: what comes is the beginning, then the damage is said. */
static void test_cut_off(void **state)
{
	(void)state;
	for (size_t i = 0; i < METHODS; i++) {
		size_t len = methods[i].pack(packed), n, step;

		for (size_t cut = 1; cut < len; cut += step) {
			const char *why = NULL;

			/* Every byte of head and tail, not all of the middle: it is alike. */
			step = cut < 64 || cut > len - 64 ? 1 : 97;
			assert_int_equal(unpack(methods[i].method, cut, 0, 4096, &n, &why),
					 -EBADMSG);
			assert_string_equal(why, "the compressed file ends too early");
			assert_true(n <= TEXT_SIZE);
			assert_memory_equal(unpacked, text, n);
		}
	}
}

static void test_damaged(void **state)
{
	static const char *const whys[] = { "the gzip data are damaged", "the xz data are damaged",
					    "the zstd data are damaged" };

	(void)state;
	for (size_t i = 0; i < METHODS; i++) {
		size_t len = methods[i].pack(packed), n;
		const char *why = NULL;

		/* Behind a whole file, what is no other. */
		memset(packed + len, 'x', 100);
		assert_int_equal(unpack(methods[i].method, len + 100, 0, 4096, &n, &why), -EBADMSG);
		assert_string_equal(why, whys[i]);
		assert_int_equal(n, TEXT_SIZE);
		assert_memory_equal(unpacked, text, TEXT_SIZE);
	}
}

/* An error of the source below is handed on, behind what came before it. */
static void test_source_fails(void **state)
{
	struct memory_source m;
	struct log_source *src;
	size_t n, len = pack_gzip(packed);

	(void)state;
	memory_source_init(&m, packed, len / 2);
	m.src.close = keep_open;
	m.err = -EIO;
	assert_int_equal(source_unpack_open(&m.src, &unpack_gzip, &src), 0);
	assert_int_equal(read_all(src, 4096, &n), -EIO);
	assert_true(n > 0);
	assert_memory_equal(unpacked, text, n);
	log_source_close(src);
}

static void test_peek(void **state)
{
	struct memory_source m;
	struct log_source *src;
	const char *bytes;
	size_t n;

	(void)state;
	memory_source_init(&m, text, TEXT_SIZE);
	m.src.close = keep_open;
	m.chunk = 5;
	assert_int_equal(source_peek_open(&m.src, &src), 0);
	source_peek(src, 6, &bytes, &n);
	assert_int_equal(n, 10);
	assert_memory_equal(bytes, text, n);
	source_peek(src, 6, &bytes, &n);
	assert_int_equal(n, 10);
	assert_int_equal(read_all(src, 3, &n), 0);
	assert_int_equal(n, TEXT_SIZE);
	assert_memory_equal(unpacked, text, n);
	log_source_close(src);
}

static void test_peek_short(void **state)
{
	struct memory_source m;
	struct log_source *src;
	const char *bytes;
	size_t n;

	(void)state;
	memory_source_init(&m, "abc", 3);
	m.src.close = keep_open;
	m.err = -EIO;
	assert_int_equal(source_peek_open(&m.src, &src), 0);
	source_peek(src, 6, &bytes, &n);
	assert_int_equal(n, 3);
	assert_null(unpack_method_find(bytes, n));
	assert_int_equal(read_all(src, 100, &n), -EIO);
	assert_int_equal(n, 3);
	log_source_close(src);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),	     cmocka_unit_test(test_two_in_a_row),
		cmocka_unit_test(test_cut_off),	     cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_source_fails), cmocka_unit_test(test_peek),
		cmocka_unit_test(test_peek_short),
	};
	uint32_t x = 1;

	/* Compresses a little, but not to nothing. */
	for (size_t i = 0; i < TEXT_SIZE; i++) {
		x = x * 1664525 + 1013904223;
		text[i] = "0123456789abcdef"[x >> 28];
	}
	return cmocka_run_group_tests_name("log_unpack", tests, NULL, NULL);
}
