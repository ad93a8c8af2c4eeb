/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file "metadata" of a capture: what is in its streams, in the language of CTF 1.8. */
#ifndef MMIOBPF_LOG_CTF_METADATA_H
#define MMIOBPF_LOG_CTF_METADATA_H

#include <stddef.h>
#include <stdint.h>

#include "header.h"

/**
 * ctf_metadata_make() - the text of the file
 * @uuid: of the capture
 * @header: its session gives the clock's offset to wall time
 * @out: freed with free()
 * @len: its bytes
 *
 * Source: Common Trace Format 1.8.3, section 7 and appendix C.
 * Return: 0 or -ENOMEM.
 */
int ctf_metadata_make(const uint8_t uuid[16], const struct log_header *header, char **out,
		      size_t *len);

/**
 * ctf_metadata_check() - are the streams laid out as this program knows?
 * @text: untrusted, @len bytes
 * @uuid: set to the capture's
 *
 * Metadata is not parsed as a language: a capture is ours when it says so in its first line, and
 * then its layout is that of the number there.
 *
 * Return: 0, -ENOTSUP: a capture of another format, or -EBADMSG: no capture of this program.
 */
int ctf_metadata_check(const char *text, size_t len, uint8_t uuid[16]);

#endif
