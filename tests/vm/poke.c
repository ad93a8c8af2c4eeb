// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * poke FILE OFFSET WIDTH [VALUE]: reads or writes one register by mapping FILE, such as a PCI device's resource0
 * in sysfs. A read prints the value.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static uint64_t reg_read(const volatile void *reg, int width)
{
	switch (width) {
	case 1: return *(const volatile uint8_t *)reg;
	case 2: return *(const volatile uint16_t *)reg;
	case 4: return *(const volatile uint32_t *)reg;
	default: return *(const volatile uint64_t *)reg;
	}
}

static void reg_write(volatile void *reg, int width, uint64_t value)
{
	switch (width) {
	case 1: *(volatile uint8_t *)reg = value; break;
	case 2: *(volatile uint16_t *)reg = value; break;
	case 4: *(volatile uint32_t *)reg = value; break;
	default: *(volatile uint64_t *)reg = value; break;
	}
}

int main(int argc, char **argv)
{
	long page = sysconf(_SC_PAGESIZE);
	unsigned long offset;
	char *map;
	int fd, width;

	if (argc != 4 && argc != 5) {
		fputs("usage: poke FILE OFFSET WIDTH [VALUE]\n", stderr);
		return 2;
	}
	offset = strtoul(argv[2], NULL, 0);
	width = atoi(argv[3]);
	fd = open(argv[1], O_RDWR | O_SYNC);
	if (fd < 0) {
		perror(argv[1]);
		return 1;
	}
	map = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset & -page);
	if (map == MAP_FAILED) {
		perror(argv[1]);
		return 1;
	}
	map += offset % page;
	if (argc == 5)
		reg_write(map, width, strtoull(argv[4], NULL, 0));
	else
		printf("0x%llx\n", (unsigned long long)reg_read(map, width));
	return 0;
}
