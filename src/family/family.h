/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of registers and fields, a table for each family of devices, for the readable view. A family
 * is a file of its own in this directory and a line in family.c. Pure.
 */
#ifndef MMIOBPF_FAMILY_H
#define MMIOBPF_FAMILY_H

#include <stddef.h>
#include <stdint.h>

/* Bits of a register. One bit is a flag, more are a number: "LU", "SPEED=2". */
struct family_field {
	uint64_t mask;		/* adjacent bits; 0 ends the list */
	const char *name;
	const char *const *values; /* a name for each number, NULL among them: none; may be NULL */
};

struct family_register {
	uint32_t offset;	/* bytes from the start of the BAR */
	uint8_t bar;
	uint8_t size;		/* bytes; 0 is 4 */
	uint16_t count;		/* of an array; 0: a single register */
	uint32_t stride;	/* bytes from one to the next; 0: its size */
	const char *name;
	const struct family_field *fields; /* NULL: none are known */
};

struct family {
	const char *name;
	const char *driver;	/* of devices that are not in ids; may be NULL */
	const uint32_t *ids;	/* vendor << 16 | device; 0 ends the list; may be NULL */
	const struct family_register *registers;
	size_t nregisters;
};

extern const struct family family_e1000e;
extern const struct family family_pci_config;

/* A register that was found, and where in it an access begins. */
struct family_match {
	const struct family_register *reg;
	uint32_t index;		/* in its array */
	uint32_t byte;		/* in the register */
};

/**
 * family_find() - the family of a device
 * @driver: that is bound to it, terminated; asked when the numbers are not known
 *
 * Return: NULL when there is none.
 */
const struct family *family_find(uint16_t vendor, uint16_t device, const char *driver);

/** family_register_find() - which register is there? Return: 0 or -ENOENT */
int family_register_find(const struct family *f, uint8_t bar, uint64_t offset,
			 struct family_match *match);

/** FAMILY_REGISTERS() - the members registers and nregisters, of an array */
#define FAMILY_REGISTERS(array) \
	.registers = (array), .nregisters = sizeof(array) / sizeof((array)[0])

#endif
