// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "log/record.h"

static union mmiobpf_rec_any rec;

static void begin(unsigned int type, size_t size)
{
	memset(&rec, 0, sizeof(rec));
	rec.hdr.type = (uint16_t)type;
	rec.hdr.size = (uint16_t)size;
}

static void begin_access(size_t size, unsigned int width)
{
	begin(MMIOBPF_REC_ACCESS, size);
	rec.access.width = (uint16_t)width;
	rec.access.dir = MMIOBPF_DIR_READ;
	rec.access.flags = MMIOBPF_ACC_BEFORE;
}

static int check(void)
{
	return record_check(&rec, sizeof(rec));
}

static void sizes(void **state)
{
	static const struct {
		unsigned int type;
		size_t size;
	} types[] = {
		{ MMIOBPF_REC_UNKNOWN, sizeof(rec.unknown) },
		{ MMIOBPF_REC_MAP, sizeof(rec.map) },
		{ MMIOBPF_REC_UNMAP, sizeof(rec.unmap) },
		{ MMIOBPF_REC_MARK, sizeof(rec.mark) },
		{ MMIOBPF_REC_IRQ, sizeof(rec.irq) },
		{ MMIOBPF_REC_CONFIG, sizeof(rec.config) },
		{ MMIOBPF_REC_PMU, sizeof(rec.pmu) },
		{ MMIOBPF_REC_LOST, sizeof(rec.lost) },
		{ MMIOBPF_REC_SESSION, sizeof(rec.session) },
		{ MMIOBPF_REC_END, sizeof(rec.end) },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		begin(types[i].type, types[i].size);
		assert_int_equal(check(), types[i].size);
		assert_int_equal(record_check(&rec, types[i].size - 1), -EAGAIN);
		assert_string_not_equal(record_type_name(types[i].type), "?");
		rec.hdr.size = (uint16_t)(types[i].size + 8);
		assert_int_equal(check(), -EINVAL);
		rec.hdr.size = (uint16_t)(types[i].size - 8);
		assert_int_equal(check(), -EINVAL);
	}
	begin(MMIOBPF_REC_END + 1, 64);
	assert_int_equal(check(), -ENOTSUP);
	assert_int_equal(record_check(&rec, 56), -EAGAIN);
	rec.hdr.size = 60;
	assert_int_equal(check(), -EINVAL);
	rec.hdr.size = 40;
	assert_int_equal(check(), -EINVAL);
	begin(MMIOBPF_REC_NONE, 48);
	assert_int_equal(check(), -EINVAL);
	assert_int_equal(record_check(&rec, 47), -EAGAIN);
}

static void accesses(void **state)
{
	(void)state;
	for (unsigned int width = 0; width < 80; width++) {
		begin_access(sizeof(rec.access), width);
		assert_int_equal(check() > 0, width >= 1 && width <= 8);
		begin_access(sizeof(rec.wide), width);
		assert_int_equal(check() > 0, width >= 1 && width <= 64);
	}
	for (unsigned int dir = 0; dir < 5; dir++) {
		for (unsigned int flags = 0; flags < 16; flags++) {
			bool before = flags & MMIOBPF_ACC_BEFORE, after = flags & MMIOBPF_ACC_AFTER;
			bool right = dir >= 1 && dir <= 3 && flags < 8 && (before || after) &&
				     (!before || dir & 1) && (!after || dir & 2);

			begin_access(sizeof(rec.access), 4);
			rec.access.dir = (uint8_t)dir;
			rec.access.flags = (uint8_t)flags;
			assert_int_equal(check() > 0, right);
		}
	}
	begin_access(sizeof(rec.access), 4);
	rec.access.pad = 1;
	assert_int_equal(check(), -EINVAL);
}

static void lengths(void **state)
{
	(void)state;
	begin(MMIOBPF_REC_MARK, sizeof(rec.mark));
	rec.mark.len = MMIOBPF_MARK_LEN;
	assert_int_equal(check(), sizeof(rec.mark));
	rec.mark.len = MMIOBPF_MARK_LEN + 1;
	assert_int_equal(check(), -EINVAL);
	begin(MMIOBPF_REC_UNKNOWN, sizeof(rec.unknown));
	rec.unknown.insn_len = MMIOBPF_INSN_LEN;
	assert_int_equal(check(), sizeof(rec.unknown));
	rec.unknown.insn_len = MMIOBPF_INSN_LEN + 1;
	assert_int_equal(check(), -EINVAL);
	rec.unknown.insn_len = 0;
	rec.unknown.dir = 4;
	assert_int_equal(check(), -EINVAL);
	rec.unknown.dir = 0;
	rec.unknown.pad[4] = 1;
	assert_int_equal(check(), -EINVAL);
}

static void words(void **state)
{
	(void)state;
	begin_access(sizeof(rec.access), 4);
	rec.access.before = 0x1234;
	rec.access.after = 0x5678;
	assert_int_equal(record_words(&rec.access), 1);
	assert_int_equal(record_word(&rec.access, false, 0), 0x1234);
	assert_int_equal(record_word(&rec.access, true, 0), 0x5678);
	begin_access(sizeof(rec.wide), 17);
	rec.wide.before[2] = 0xaa;
	rec.wide.after[2] = 0xbb;
	assert_int_equal(record_words(&rec.access), 3);
	assert_int_equal(record_word(&rec.access, false, 2), 0xaa);
	assert_int_equal(record_word(&rec.access, true, 2), 0xbb);
}

static void names(void **state)
{
	(void)state;
	assert_string_equal(record_context_name(MMIOBPF_CTX_HARDIRQ), "hardirq");
	assert_string_equal(record_context_name(4), "?");
	assert_string_equal(record_dir_name(0), "?");
	assert_string_equal(record_dir_name(MMIOBPF_DIR_RMW), "rmw");
	assert_string_equal(record_how_name(MMIOBPF_HOW_STEPPED), "stepped");
	assert_string_equal(record_cache_name(MMIOBPF_CACHE_WP), "wp");
	assert_string_equal(record_map_kind_name(MMIOBPF_MAP_LIVE), "live");
	assert_string_equal(record_reason_name(MMIOBPF_WHY_FETCH), "not a data access");
	assert_string_equal(record_reason_name(MMIOBPF_WHY_FETCH + 1), "?");
	assert_string_equal(record_type_name(0), "?");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes), cmocka_unit_test(accesses), cmocka_unit_test(lengths),
		cmocka_unit_test(words), cmocka_unit_test(names),
	};

	return cmocka_run_group_tests_name("log_record", tests, NULL, NULL);
}
