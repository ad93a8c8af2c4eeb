/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the lines of QEMU's trace events vfio_region_read and vfio_region_write: what a guest does
 * to a device that is passed through to it.
 * Source of the format: hw/vfio/trace-events of QEMU, with the trace back end "log".
 */
#ifndef MMIOBPF_LOG_VFIO_READER_H
#define MMIOBPF_LOG_VFIO_READER_H

#include <stdbool.h>

#include "reader.h"

/**
 * vfio_reader_new() - reader of QEMU's log
 * @src: borrowed until log_reader_free()
 * @out: freed with log_reader_free()
 *
 * Yields ACCESS records, and a MAP record before the first one of each region. QEMU does not say
 * where the host has the device, so a region begins at physical address 0, its accesses have their
 * offset for an address, and its length is VFIO_LENGTH. Region 0 to 6 is that BAR; a name that is a
 * PCI address is the device. Times are of CLOCK_REALTIME; without one in the log, that of the line
 * before. The pid is that of QEMU. Lines of anything else are stepped over.
 *
 * Return: 0 or -ENOMEM.
 */
int vfio_reader_new(struct log_source *src, struct log_reader **out);

#define VFIO_LENGTH	0x100000000	/* not known; larger than most */

/** vfio_reader_knows() - is one of these lines such an event? The last one may be cut off */
bool vfio_reader_knows(const char *bytes, size_t n);

#endif
