/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The module's device node as seen by those who do not hold the session. */
#ifndef MMIOBPF_SYS_DEVICE_H
#define MMIOBPF_SYS_DEVICE_H

#include <stddef.h>

#include "../../include/mmiobpf/abi.h"

/**
 * device_info() - ask the module about itself
 * @info: filled
 *
 * Return: 0, -ENOENT: not loaded, -EACCES: not permitted, or -errno. A module of another ABI
 * answers too, and info->abi tells: compare it with MMIOBPF_ABI.
 */
int device_info(struct mmiobpf_info *info);

/**
 * device_mark() - one marker into the running session
 * @text: not terminated
 * @len: 1 to MMIOBPF_MARK_LEN bytes
 *
 * Return: 0, -ENOENT: not loaded, -ENOTCONN: no session, -EMSGSIZE, -EACCES, or -errno.
 */
int device_mark(const char *text, size_t len);

#endif
