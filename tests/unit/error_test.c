// SPDX-License-Identifier: GPL-2.0-or-later
/* The sentence for each error: what was attempted, on what, why it failed, what to do. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "cmd/cmd.h"
#include "cmd/error.h"
#include "sys/caps.h"

static char *said;
static size_t said_size;
static FILE *old_stderr;

static void listen_begin(void)
{
	old_stderr = stderr;
	stderr = open_memstream(&said, &said_size);
}

static void listen_end(void)
{
	fclose(stderr);
	stderr = old_stderr;
}

static void expect(enum error_place place, int err, const char *text)
{
	int status;

	listen_begin();
	status = error_fail(place, err, "do it to %s", "x");
	listen_end();
	if (strcmp(said, text))
		fail_msg("%s", said);
	assert_int_equal(status, STATUS_FAILURE);
	free(said);
}

#define LOAD "load it with 'modprobe mmiobpf', or 'insmod' from the build tree"
#define KEPT "what was written until then is kept and valid"

static void sentences(void **state)
{
	static const struct {
		enum error_place place;
		int err;
		const char *text;
	} cases[] = {
		{ ERROR_OUTPUT, ENOSPC, "the disk is full; " KEPT },
		{ ERROR_OUTPUT, EDQUOT, "the disk quota is used up; " KEPT },
		{ ERROR_OUTPUT, EFBIG, "the file has reached its size limit; " KEPT },
		{ ERROR_OUTPUT, EPIPE,
		  "the reader has closed the pipe; what it has read until then is valid" },
		{ ERROR_OUTPUT, ENOENT, "No such file or directory; create the directory first" },
		{ ERROR_OUTPUT, EIO, "Input/output error" },
		{ ERROR_INPUT, ENOENT, "there is no such file; check its name" },
		{ ERROR_MODULE, ENOENT, "the module mmiobpf is not loaded; " LOAD },
		{ ERROR_MODULE, ENOTTY, "the module and this program are of different versions; "
					"build and load both from the same source" },
		{ ERROR_SESSION, ENOENT, "the module mmiobpf is not loaded; " LOAD },
		{ ERROR_SESSION, EPROTO, "the module and this program are of different versions; "
					 "build and load both from the same source" },
		{ ERROR_LOAD, ENOENT, "it is not installed for this kernel; install it, or load "
				      "build/kmod/RELEASE/mmiobpf.ko of the build tree with 'insmod'" },
		{ ERROR_LOAD, EKEYREJECTED,
		  "the kernel takes only modules with a signature that it trusts; sign it with a key of "
		  "this machine, or boot without module.sig_enforce" },
		{ ERROR_LOAD, ENOEXEC, "it was built for another kernel; build it for this one" },
		{ ERROR_MARK, ENOENT, "the module mmiobpf is not loaded; load it, and start a session "
				      "with 'mmiobpf trace' first" },
		{ ERROR_MARK, ENOTCONN,
		  "no session is running; start one with 'mmiobpf trace' first" },
		{ ERROR_MARK, EMSGSIZE, "the text is too long; use at most 976 bytes" },
		{ ERROR_ATTACH, EPERM, "the kernel hides the addresses of its mappings; set "
				       "kernel.kptr_restrict to 0 or 1 with sysctl" },
		{ ERROR_RUN, ENOENT, "there is no such program; check its name and PATH" },
		{ ERROR_SYS, EPERM, "the kernel hides it from this process; run it as root" },
		{ ERROR_ANY, ENOMEM, "Cannot allocate memory" },
	};
	char text[512];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		/* Who lacks a capability is told that first. */
		if (cases[i].err == EPERM && caps_missing(caps_for_trace()) &&
		    cases[i].place != ERROR_SYS)
			continue;
		snprintf(text, sizeof(text), "mmiobpf: cannot do it to x: %s\n", cases[i].text);
		expect(cases[i].place, cases[i].err, text);
		expect(cases[i].place, -cases[i].err, text);
	}
}

static void other_sentences(void **state)
{
	(void)state;
	listen_begin();
	assert_int_equal(error_say("a %d", 1), STATUS_FAILURE);
	warning_say("b %d", 2);
	assert_int_equal(command_usage_error(&(struct command){ .name = "c" }, "d %d", 3),
			 STATUS_USAGE);
	listen_end();
	assert_string_equal(said, "mmiobpf: a 1\nmmiobpf: warning: b 2\n"
				  "mmiobpf: c: d 3; 'mmiobpf c --help' shows how it is used\n");
	free(said);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sentences),
		cmocka_unit_test(other_sentences),
	};

	return cmocka_run_group_tests_name("error", tests, NULL, NULL);
}
