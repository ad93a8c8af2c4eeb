// SPDX-License-Identifier: GPL-2.0-or-later
/* mmiobpf mark: put a text marker into the running trace. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "../sys/device.h"
#include "cmd.h"
#include "error.h"

struct marker {
	char text[MMIOBPF_MARK_LEN + 2];	/* and a newline, and what would be too much */
	size_t len;
};

/* Words with a blank between them, as echo does. Return: 0 or -EMSGSIZE. */
static int take_words(struct marker *m, const struct opt_rest *rest)
{
	for (int i = 0; i < rest->argc; i++) {
		size_t n = strlen(rest->argv[i]), blank = i > 0;

		if (m->len + blank + n > MMIOBPF_MARK_LEN)
			return -EMSGSIZE;
		if (blank)
			m->text[m->len++] = ' ';
		memcpy(m->text + m->len, rest->argv[i], n);
		m->len += n;
	}
	return 0;
}

/* All of stdin, without its last newline. Return: 0, -EMSGSIZE, or -errno. */
static int take_stdin(struct marker *m)
{
	m->len = fread(m->text, 1, sizeof(m->text), stdin);
	if (ferror(stdin))
		return errno ? -errno : -EIO;
	if (m->len && m->text[m->len - 1] == '\n')
		m->len--;
	return m->len > MMIOBPF_MARK_LEN || !feof(stdin) ? -EMSGSIZE : 0;
}

static const struct opt mark_options[] = {
	OPT_END,
};

static int run_mark(int argc, char **argv)
{
	struct marker m = { .len = 0 };
	struct opt_rest rest;
	int status, err;

	if (!command_begin(&cmd_mark, NULL, argc, argv, &rest, &status))
		return status;
	if (!rest.argc)
		return command_usage_error(&cmd_mark, "no text was given");
	if (rest.argc == 1 && !rest.dashes && !strcmp(rest.argv[0], "-"))
		err = take_stdin(&m);
	else
		err = take_words(&m, &rest);
	if (!err && !m.len)
		return command_usage_error(&cmd_mark, "the text is empty");
	if (!err)
		err = device_mark(m.text, m.len);
	if (err)
		return error_fail(ERROR_MARK, err, "put a marker into the trace");
	return STATUS_OK;
}

const struct command cmd_mark = {
	.name = "mark",
	.summary = "put a text marker into the running trace",
	.usage = "TEXT... | -",
	.about = "Puts TEXT into the running trace as a marker, with the time at which it came.\n"
		 "With -, the text is read from stdin and may have several lines. At most 976 bytes.\n",
	.options = mark_options,
	.run = run_mark,
};
