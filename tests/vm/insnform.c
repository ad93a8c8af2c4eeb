// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * usage: insnform CORE < ADDRESSES
 *
 * Reads addresses of kernel code, one a line, and prints the form of the instruction at each: mnemonic and kinds of
 * operands with their bits, such as "mov r32, m32". CORE is /proc/kcore.
 */
#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <Zydis/Zydis.h>

#define MAX_SEGMENTS 512

struct core {
	int fd;
	Elf64_Phdr segments[MAX_SEGMENTS];
	unsigned int n;
};

static int core_open(struct core *c, const char *path)
{
	Elf64_Ehdr header;
	ssize_t bytes;

	c->fd = open(path, O_RDONLY);
	if (c->fd < 0 || pread(c->fd, &header, sizeof(header), 0) != sizeof(header))
		return -1;
	c->n = header.e_phnum < MAX_SEGMENTS ? header.e_phnum : MAX_SEGMENTS;
	bytes = c->n * sizeof(c->segments[0]);
	return pread(c->fd, c->segments, bytes, header.e_phoff) == bytes ? 0 : -1;
}

static ssize_t core_read(const struct core *c, uint64_t addr, void *bytes, size_t n)
{
	for (unsigned int i = 0; i < c->n; i++) {
		const Elf64_Phdr *p = &c->segments[i];

		if (p->p_type == PT_LOAD && addr >= p->p_vaddr && addr - p->p_vaddr < p->p_memsz)
			return pread(c->fd, bytes, n, p->p_offset + (addr - p->p_vaddr));
	}
	return -1;
}

static const char *operand_kind(const ZydisDecodedOperand *o)
{
	switch (o->type) {
	case ZYDIS_OPERAND_TYPE_REGISTER:
		return "r";
	case ZYDIS_OPERAND_TYPE_MEMORY:
		return "m";
	case ZYDIS_OPERAND_TYPE_IMMEDIATE:
		return "i";
	default:
		return "?";
	}
}

static void form_print(const ZydisDecoder *decoder, const uint8_t *bytes, size_t n)
{
	ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
	ZydisDecodedInstruction in;

	if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(decoder, bytes, n, &in, operands))) {
		puts("undecoded");
		return;
	}
	printf("%s%s%s", in.attributes & ZYDIS_ATTRIB_HAS_REP ? "rep " : "",
	       in.attributes & ZYDIS_ATTRIB_HAS_LOCK ? "lock " : "",
	       ZydisMnemonicGetString(in.mnemonic));
	for (unsigned int i = 0; i < in.operand_count_visible; i++)
		printf("%s %s%u", i ? "," : "", operand_kind(&operands[i]), operands[i].size);
	putchar('\n');
}

int main(int argc, char **argv)
{
	ZydisDecoder decoder;
	struct core core;
	char line[64];

	if (argc != 2 || core_open(&core, argv[1])) {
		fprintf(stderr, "usage: insnform CORE < ADDRESSES; CORE is an ELF core such as /proc/kcore\n");
		return 2;
	}
	ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
	while (fgets(line, sizeof(line), stdin)) {
		uint8_t bytes[ZYDIS_MAX_INSTRUCTION_LENGTH];
		ssize_t n = core_read(&core, strtoull(line, NULL, 16), bytes, sizeof(bytes));

		if (n > 0)
			form_print(&decoder, bytes, n);
		else
			puts("unreadable");
	}
	return 0;
}
