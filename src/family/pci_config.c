// SPDX-License-Identifier: GPL-2.0-or-later
/* The header of configuration space, type 0. Source: PCI Local Bus Specification 3.0, chapter 6. */
#include "family.h"

/* 6.2.2 */
static const struct family_field command[] = {
	{ 1u << 0, "IO", NULL },
	{ 1u << 1, "MEM", NULL },
	{ 1u << 2, "MASTER", NULL },
	{ 1u << 3, "SPECIAL", NULL },
	{ 1u << 4, "MWI", NULL },
	{ 1u << 5, "VGA_SNOOP", NULL },
	{ 1u << 6, "PARITY", NULL },
	{ 1u << 8, "SERR", NULL },
	{ 1u << 9, "FAST_BACK", NULL },
	{ 1u << 10, "INTX_DISABLE", NULL },
	{ 0, NULL, NULL }
};

/* 6.2.3 */
static const struct family_field status[] = {
	{ 1u << 3, "INTX", NULL },
	{ 1u << 4, "CAP_LIST", NULL },
	{ 1u << 5, "66MHZ", NULL },
	{ 1u << 7, "FAST_BACK", NULL },
	{ 1u << 8, "PARITY", NULL },
	{ 3u << 9, "DEVSEL", NULL },
	{ 1u << 11, "SIG_TARGET_ABORT", NULL },
	{ 1u << 12, "REC_TARGET_ABORT", NULL },
	{ 1u << 13, "REC_MASTER_ABORT", NULL },
	{ 1u << 14, "SIG_SYSTEM_ERROR", NULL },
	{ 1u << 15, "DETECTED_PARITY", NULL },
	{ 0, NULL, NULL }
};

static const struct family_register registers[] = {
	{ .offset = 0x00, .size = 2, .name = "VENDOR_ID" },
	{ .offset = 0x02, .size = 2, .name = "DEVICE_ID" },
	{ .offset = 0x04, .size = 2, .name = "COMMAND", .fields = command },
	{ .offset = 0x06, .size = 2, .name = "STATUS", .fields = status },
	{ .offset = 0x08, .size = 1, .name = "REVISION" },
	{ .offset = 0x09, .size = 3, .name = "CLASS" },
	{ .offset = 0x0c, .size = 1, .name = "CACHE_LINE" },
	{ .offset = 0x0d, .size = 1, .name = "LATENCY" },
	{ .offset = 0x0e, .size = 1, .name = "HEADER_TYPE" },
	{ .offset = 0x0f, .size = 1, .name = "BIST" },
	{ .offset = 0x10, .count = 6, .name = "BAR" },
	{ .offset = 0x28, .name = "CARDBUS_CIS" },
	{ .offset = 0x2c, .size = 2, .name = "SUBVENDOR_ID" },
	{ .offset = 0x2e, .size = 2, .name = "SUBSYSTEM_ID" },
	{ .offset = 0x30, .name = "ROM" },
	{ .offset = 0x34, .size = 1, .name = "CAP_POINTER" },
	{ .offset = 0x3c, .size = 1, .name = "INT_LINE" },
	{ .offset = 0x3d, .size = 1, .name = "INT_PIN" },
	{ .offset = 0x3e, .size = 1, .name = "MIN_GNT" },
	{ .offset = 0x3f, .size = 1, .name = "MAX_LAT" },
};

const struct family family_pci_config = {
	.name = "PCI configuration space",
	FAMILY_REGISTERS(registers),
};
