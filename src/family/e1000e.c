// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Intel PCIe gigabit Ethernet controllers of the driver e1000e. Main registers only.
 * Source: Intel 82574 GbE Controller Family Datasheet, chapter 10 (Driver Programming Interface).
 */
#include "family.h"

#define BIT(n)		(1u << (n))
#define BITS(high, low)	((2u << (high)) - (1u << (low)))
#define END		{ 0, NULL, NULL }

static const uint32_t ids[] = {
	0x808610d3,	/* 82574L */
	0x808610f6,	/* 82574LA */
	0x8086150c,	/* 82583V */
	0
};

static const char *const speeds[] = { "10", "100", "1000", "1000" };
static const char *const mdi_ops[] = { NULL, "write", "read", NULL };

static const struct family_field ctrl[] = {
	{ BIT(0), "FD", NULL },
	{ BIT(2), "GIO_MASTER_DISABLE", NULL },
	{ BIT(5), "ASDE", NULL },
	{ BIT(6), "SLU", NULL },
	{ BITS(9, 8), "SPEED", speeds },
	{ BIT(11), "FRCSPD", NULL },
	{ BIT(12), "FRCDPLX", NULL },
	{ BIT(20), "ADVD3WUC", NULL },
	{ BIT(26), "RST", NULL },
	{ BIT(27), "RFCE", NULL },
	{ BIT(28), "TFCE", NULL },
	{ BIT(30), "VME", NULL },
	{ BIT(31), "PHY_RST", NULL },
	END
};

static const struct family_field status[] = {
	{ BIT(0), "FD", NULL },
	{ BIT(1), "LU", NULL },
	{ BITS(3, 2), "LAN_ID", NULL },
	{ BIT(4), "TXOFF", NULL },
	{ BITS(7, 6), "SPEED", speeds },
	{ BITS(9, 8), "ASDV", speeds },
	{ BIT(10), "PHYRA", NULL },
	{ BIT(19), "GIO_MASTER_EN", NULL },
	END
};

static const struct family_field eec[] = {
	{ BIT(0), "SK", NULL },
	{ BIT(1), "CS", NULL },
	{ BIT(2), "DI", NULL },
	{ BIT(3), "DO", NULL },
	{ BITS(5, 4), "FWE", NULL },
	{ BIT(6), "REQ", NULL },
	{ BIT(7), "GNT", NULL },
	{ BIT(8), "PRES", NULL },
	{ BIT(9), "AUTO_RD", NULL },
	END
};

static const struct family_field eerd[] = {
	{ BIT(0), "START", NULL },
	{ BIT(1), "DONE", NULL },
	{ BITS(15, 2), "ADDR", NULL },
	{ BITS(31, 16), "DATA", NULL },
	END
};

static const struct family_field mdic[] = {
	{ BITS(15, 0), "DATA", NULL },
	{ BITS(20, 16), "REG", NULL },
	{ BITS(25, 21), "PHY", NULL },
	{ BITS(27, 26), "OP", mdi_ops },
	{ BIT(28), "READY", NULL },
	{ BIT(29), "INT", NULL },
	{ BIT(30), "ERROR", NULL },
	END
};

/* ICR, ICS, IMS and IMC have the same bits. */
static const struct family_field interrupts[] = {
	{ BIT(0), "TXDW", NULL },
	{ BIT(1), "TXQE", NULL },
	{ BIT(2), "LSC", NULL },
	{ BIT(4), "RXDMT0", NULL },
	{ BIT(6), "RXO", NULL },
	{ BIT(7), "RXT0", NULL },
	{ BIT(9), "MDAC", NULL },
	{ BIT(16), "SRPD", NULL },
	{ BIT(17), "ACK", NULL },
	{ BIT(18), "MNG", NULL },
	{ BIT(20), "RXQ0", NULL },
	{ BIT(21), "RXQ1", NULL },
	{ BIT(22), "TXQ0", NULL },
	{ BIT(23), "TXQ1", NULL },
	{ BIT(24), "OTHER", NULL },
	{ BIT(31), "INT_ASSERTED", NULL },
	END
};

static const struct family_field rctl[] = {
	{ BIT(1), "EN", NULL },
	{ BIT(2), "SBP", NULL },
	{ BIT(3), "UPE", NULL },
	{ BIT(4), "MPE", NULL },
	{ BIT(5), "LPE", NULL },
	{ BITS(7, 6), "LBM", NULL },
	{ BITS(9, 8), "RDMTS", NULL },
	{ BITS(13, 12), "MO", NULL },
	{ BIT(15), "BAM", NULL },
	{ BITS(17, 16), "BSIZE", NULL },
	{ BIT(18), "VFE", NULL },
	{ BIT(22), "DPF", NULL },
	{ BIT(23), "PMCF", NULL },
	{ BIT(25), "BSEX", NULL },
	{ BIT(26), "SECRC", NULL },
	END
};

static const struct family_field tctl[] = {
	{ BIT(1), "EN", NULL },
	{ BIT(3), "PSP", NULL },
	{ BITS(11, 4), "CT", NULL },
	{ BITS(21, 12), "COLD", NULL },
	{ BIT(22), "SWXOFF", NULL },
	{ BIT(24), "RTLC", NULL },
	{ BIT(28), "MULR", NULL },
	END
};

static const struct family_field descriptor_control[] = {
	{ BITS(5, 0), "PTHRESH", NULL },
	{ BITS(13, 8), "HTHRESH", NULL },
	{ BITS(21, 16), "WTHRESH", NULL },
	{ BIT(24), "GRAN", NULL },
	END
};

static const struct family_field receive_address_high[] = {
	{ BITS(15, 0), "ADDR", NULL },
	{ BITS(17, 16), "AS", NULL },
	{ BIT(31), "AV", NULL },
	END
};

static const struct family_field swsm[] = {
	{ BIT(0), "SMBI", NULL },
	{ BIT(1), "SWESMBI", NULL },
	END
};

static const struct family_field fwsm[] = {
	{ BITS(3, 1), "FW_MODE", NULL },
	{ BIT(15), "FW_VALID", NULL },
	END
};

static const struct family_field msix_control[] = {
	{ BIT(0), "MASKED", NULL },
	END
};

static const struct family_register registers[] = {
	/* general */
	{ .offset = 0x0000, .name = "CTRL", .fields = ctrl },
	{ .offset = 0x0008, .name = "STATUS", .fields = status },
	{ .offset = 0x0010, .name = "EEC", .fields = eec },
	{ .offset = 0x0014, .name = "EERD", .fields = eerd },
	{ .offset = 0x0018, .name = "CTRL_EXT" },
	{ .offset = 0x001c, .name = "FLA" },
	{ .offset = 0x0020, .name = "MDIC", .fields = mdic },
	{ .offset = 0x0028, .name = "FCAL" },
	{ .offset = 0x002c, .name = "FCAH" },
	{ .offset = 0x0030, .name = "FCT" },
	{ .offset = 0x0038, .name = "VET" },
	{ .offset = 0x0170, .name = "FCTTV" },
	{ .offset = 0x0e00, .name = "LEDCTL" },
	{ .offset = 0x0f00, .name = "EXTCNF_CTRL" },
	{ .offset = 0x0f08, .name = "EXTCNF_SIZE" },
	{ .offset = 0x1000, .name = "PBA" },
	{ .offset = 0x1008, .name = "PBS" },
	{ .offset = 0x1010, .name = "EEMNGCTL" },
	/* interrupts */
	{ .offset = 0x00c0, .name = "ICR", .fields = interrupts },
	{ .offset = 0x00c4, .name = "ITR" },
	{ .offset = 0x00c8, .name = "ICS", .fields = interrupts },
	{ .offset = 0x00d0, .name = "IMS", .fields = interrupts },
	{ .offset = 0x00d8, .name = "IMC", .fields = interrupts },
	{ .offset = 0x00dc, .name = "EIAC", .fields = interrupts },
	{ .offset = 0x00e0, .name = "IAM", .fields = interrupts },
	{ .offset = 0x00e4, .name = "IVAR" },
	{ .offset = 0x00e8, .count = 5, .name = "EITR" },
	/* receive */
	{ .offset = 0x0100, .name = "RCTL", .fields = rctl },
	{ .offset = 0x2008, .name = "ERT" },
	{ .offset = 0x2160, .name = "FCRTL" },
	{ .offset = 0x2168, .name = "FCRTH" },
	{ .offset = 0x2170, .name = "PSRCTL" },
	{ .offset = 0x2800, .count = 2, .stride = 0x100, .name = "RDBAL" },
	{ .offset = 0x2804, .count = 2, .stride = 0x100, .name = "RDBAH" },
	{ .offset = 0x2808, .count = 2, .stride = 0x100, .name = "RDLEN" },
	{ .offset = 0x2810, .count = 2, .stride = 0x100, .name = "RDH" },
	{ .offset = 0x2818, .count = 2, .stride = 0x100, .name = "RDT" },
	{ .offset = 0x2820, .name = "RDTR" },
	{ .offset = 0x2828, .count = 2, .stride = 0x100, .name = "RXDCTL",
	  .fields = descriptor_control },
	{ .offset = 0x282c, .name = "RADV" },
	{ .offset = 0x2c00, .name = "RSRPD" },
	{ .offset = 0x2c08, .name = "RAID" },
	{ .offset = 0x5000, .name = "RXCSUM" },
	{ .offset = 0x5008, .name = "RFCTL" },
	{ .offset = 0x5200, .count = 128, .name = "MTA" },
	{ .offset = 0x5400, .count = 16, .stride = 8, .name = "RAL" },
	{ .offset = 0x5404, .count = 16, .stride = 8, .name = "RAH",
	  .fields = receive_address_high },
	{ .offset = 0x5600, .count = 128, .name = "VFTA" },
	{ .offset = 0x5818, .name = "MRQC" },
	{ .offset = 0x5c00, .count = 32, .name = "RETA" },
	{ .offset = 0x5c80, .count = 10, .name = "RSSRK" },
	/* transmit */
	{ .offset = 0x0400, .name = "TCTL", .fields = tctl },
	{ .offset = 0x0410, .name = "TIPG" },
	{ .offset = 0x0458, .name = "AIT" },
	{ .offset = 0x3800, .count = 2, .stride = 0x100, .name = "TDBAL" },
	{ .offset = 0x3804, .count = 2, .stride = 0x100, .name = "TDBAH" },
	{ .offset = 0x3808, .count = 2, .stride = 0x100, .name = "TDLEN" },
	{ .offset = 0x3810, .count = 2, .stride = 0x100, .name = "TDH" },
	{ .offset = 0x3818, .count = 2, .stride = 0x100, .name = "TDT" },
	{ .offset = 0x3820, .name = "TIDV" },
	{ .offset = 0x3828, .count = 2, .stride = 0x100, .name = "TXDCTL",
	  .fields = descriptor_control },
	{ .offset = 0x382c, .name = "TADV" },
	{ .offset = 0x3840, .count = 2, .stride = 0x100, .name = "TARC" },
	/* statistics, the common ones */
	{ .offset = 0x4000, .name = "CRCERRS" },
	{ .offset = 0x4010, .name = "MPC" },
	{ .offset = 0x4074, .name = "GPRC" },
	{ .offset = 0x4078, .name = "BPRC" },
	{ .offset = 0x407c, .name = "MPRC" },
	{ .offset = 0x4080, .name = "GPTC" },
	{ .offset = 0x4088, .name = "GORCL" },
	{ .offset = 0x408c, .name = "GORCH" },
	{ .offset = 0x4090, .name = "GOTCL" },
	{ .offset = 0x4094, .name = "GOTCH" },
	{ .offset = 0x40d0, .name = "TPR" },
	{ .offset = 0x40d4, .name = "TPT" },
	/* wake-up and management */
	{ .offset = 0x5800, .name = "WUC" },
	{ .offset = 0x5808, .name = "WUFC" },
	{ .offset = 0x5810, .name = "WUS" },
	{ .offset = 0x5820, .name = "MANC" },
	/* PCIe and semaphores */
	{ .offset = 0x5b00, .name = "GCR" },
	{ .offset = 0x5b30, .name = "FACTPS" },
	{ .offset = 0x5b50, .name = "SWSM", .fields = swsm },
	{ .offset = 0x5b54, .name = "FWSM", .fields = fwsm },
	/* time stamps */
	{ .offset = 0xb600, .name = "SYSTIML" },
	{ .offset = 0xb604, .name = "SYSTIMH" },
	{ .offset = 0xb608, .name = "TIMINCA" },
	{ .offset = 0xb614, .name = "TSYNCTXCTL" },
	{ .offset = 0xb620, .name = "TSYNCRXCTL" },
	/* MSI-X table; its entries are those of PCI Local Bus Specification 3.0, 6.8.2.6 */
	{ .bar = 3, .offset = 0x0, .count = 5, .stride = 16, .name = "MSIX_ADDR" },
	{ .bar = 3, .offset = 0x4, .count = 5, .stride = 16, .name = "MSIX_UPPER" },
	{ .bar = 3, .offset = 0x8, .count = 5, .stride = 16, .name = "MSIX_DATA" },
	{ .bar = 3, .offset = 0xc, .count = 5, .stride = 16, .name = "MSIX_CTRL",
	  .fields = msix_control },
};

const struct family family_e1000e = {
	.name = "Intel 82574",
	.driver = "e1000e",
	.ids = ids,
	FAMILY_REGISTERS(registers),
};
