/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The output formats, by name. A new one is a file of its own and a line in format.c. */
#ifndef MMIOBPF_LOG_FORMAT_H
#define MMIOBPF_LOG_FORMAT_H

#include <stdbool.h>
#include <stdio.h>

#include "calls_writer.h"
#include "writer.h"

/* What a command was asked for that writers may heed. */
struct format_options {
	bool compat;		/* text: as the kernel prints it, see TEXT_COMPAT */
	struct calls_options calls;
	bool irqs;		/* text: interrupts as markers; other formats have all records */
	bool config;		/* text: configuration space as markers */
};

struct log_format {
	const char *name;	/* as --format takes it */
	const char *summary;	/* half a line, for lists */
	/* @sink: borrowed until log_writer_free(). Return: 0 or -ENOMEM. */
	int (*writer_new)(struct log_sink *sink, const struct format_options *options,
			  struct log_writer **out);
};

/** log_format_find() - by name, or NULL */
const struct log_format *log_format_find(const char *name);

/** log_format_print_names() - "text, json, csv" */
void log_format_print_names(FILE *out);

#endif
