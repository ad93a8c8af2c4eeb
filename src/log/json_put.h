/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Members of a JSON object on one line, appended as in text_put.h: ,"key":value. Every object of
 * ours begins with a member of its own, so that each of these has a comma in front.
 */
#ifndef MMIOBPF_LOG_JSON_PUT_H
#define MMIOBPF_LOG_JSON_PUT_H

#include <stdbool.h>

#include "../../include/mmiobpf/record.h"
#include "text_put.h"

static inline char *put_json_key(char *p, const char *key)
{
	p = put_text(p, ",\"", 2);
	p = put_string(p, key);
	return put_text(p, "\":", 2);
}

static inline char *put_json_number(char *p, const char *key, uint64_t v)
{
	return put_number(put_json_key(p, key), v);
}

static inline char *put_json_bool(char *p, const char *key, bool v)
{
	return put_string(put_json_key(p, key), v ? "true" : "false");
}

/* "0x1f": 64-bit numbers, which many a reader of JSON would round as doubles. */
static inline char *put_json_hex(char *p, const char *key, uint64_t v)
{
	p = put_text(put_json_key(p, key), "\"0x", 3);
	p = put_hex(p, v, 1);
	*p++ = '"';
	return p;
}

/* A name of this program, which needs no escapes. */
static inline char *put_json_name(char *p, const char *key, const char *name)
{
	p = put_json_key(p, key);
	*p++ = '"';
	p = put_string(p, name);
	*p++ = '"';
	return p;
}

/**
 * put_json_text() - a text from anywhere: escaped, what is not UTF-8 becomes U+FFFD
 * @p: with room for 6 * @n + 64 bytes
 * @text: not terminated
 * @n: bytes
 */
char *put_json_text(char *p, const char *key, const char *text, size_t n);

/** put_json_string() - the same without a key: "text" */
char *put_json_string(char *p, const char *text, size_t n);

/** put_json_device() - "device":"0000:00:1f.2" */
static inline char *put_json_device(char *p, uint32_t dev)
{
	p = put_json_key(p, "device");
	*p++ = '"';
	p = put_bdf(p, dev);
	*p++ = '"';
	return p;
}

/** put_json_value() - a value of an access, of any width: "0x1f"; as put_value() */
char *put_json_value(char *p, const char *key, const struct mmiobpf_rec_access *a, bool after);

/** put_json_insn() - "insn":"0f ae 38" */
char *put_json_insn(char *p, const struct mmiobpf_rec_unknown *u);

/** put_json_realtime() - "realtime":"2026-12-01T04:42:33.123456789Z" of the session's start */
char *put_json_realtime(char *p, const struct mmiobpf_rec_session *s);

/** put_json_machine() - release, machine and command of a session; at most 3,000 bytes */
char *put_json_machine(char *p, const struct mmiobpf_rec_session *s);

#endif
