// SPDX-License-Identifier: GPL-2.0-or-later
#include "json_put.h"

#include "../json.h"
#include "record_put.h"

char *put_json_string(char *p, const char *text, size_t n)
{
	size_t used;

	*p++ = '"';
	for (; n; text += used, n -= used)
		p += json_escape(p, text, n, &used);
	*p++ = '"';
	return p;
}

char *put_json_text(char *p, const char *key, const char *text, size_t n)
{
	return put_json_string(put_json_key(p, key), text, n);
}

char *put_json_value(char *p, const char *key, const struct mmiobpf_rec_access *a, bool after)
{
	p = put_json_key(p, key);
	*p++ = '"';
	p = put_value(p, a, after);
	*p++ = '"';
	return p;
}

char *put_json_insn(char *p, const struct mmiobpf_rec_unknown *u)
{
	p = put_json_key(p, "insn");
	*p++ = '"';
	p = put_insn(p, u);
	*p++ = '"';
	return p;
}

char *put_json_realtime(char *p, const struct mmiobpf_rec_session *s)
{
	p = put_json_key(p, "realtime");
	*p++ = '"';
	p = put_realtime(p, s->realtime_ns);
	*p++ = '"';
	return p;
}

char *put_json_machine(char *p, const struct mmiobpf_rec_session *s)
{
	p = put_json_text(p, "release", s->release, strnlen(s->release, sizeof(s->release)));
	p = put_json_text(p, "machine", s->machine, strnlen(s->machine, sizeof(s->machine)));
	return put_json_text(p, "command", s->command, strnlen(s->command, sizeof(s->command)));
}
