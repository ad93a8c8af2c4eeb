// SPDX-License-Identifier: GPL-2.0-only
/*
 * btfids: fills in the .BTF_ids section of a module, a step of the build (docs/building.md).
 *
 *   btfids BASE MODULE
 *
 * BASE is the kernel's BTF (raw or ELF), MODULE a .ko that already has its own .BTF on top of it.
 * The section was assembled with zeros where BTF ids belong, and symbols name what goes where:
 *
 *   __BTF_ID__KIND__NAME__N	4 bytes: id of type or function NAME; in a set8, 4 bytes of flags follow
 *   __BTF_ID__set__NAME	count, then that many ids; the symbol's size covers both
 *   __BTF_ID__set8__NAME	count and flags of the set, then pairs of id and flags
 *
 * The kernel looks ids up by binary search, so the entries of a set are sorted. The layout is that
 * of include/linux/btf_ids.h. Kernel builds have resolve_btfids for this, but Debian's headers for
 * 6.1 come without it.
 */
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PREFIX		"__BTF_ID__"
#define SECTION		".BTF_ids"

struct module {
	const char *path;
	int fd;
	Elf *elf;
	struct btf *base;
	struct btf *btf;
	Elf_Data *symbols;
	size_t symbol_count;
	size_t strings;		/* section of the symbols' names */
	size_t ids_section;
	uint64_t ids_offset;	/* of .BTF_ids in the file */
	uint64_t ids_size;
	uint8_t *ids;		/* our copy of its bytes */
};

static const struct {
	const char *word;
	uint32_t kind;
} kinds[] = {
	{ "func",	BTF_KIND_FUNC },
	{ "struct",	BTF_KIND_STRUCT },
	{ "union",	BTF_KIND_UNION },
	{ "typedef",	BTF_KIND_TYPEDEF },
	{ "var",	BTF_KIND_VAR },
	{ "enum",	BTF_KIND_ENUM },
};

static int fail(const char *path, const char *why)
{
	fprintf(stderr, "btfids: error: cannot resolve BTF ids in %s: %s\n", path, why);
	return -1;
}

static uint32_t *word_at(struct module *m, uint64_t at)
{
	return (uint32_t *)(m->ids + at);
}

/*
 * Splits PREFIX KIND__NAME__N in place. Returns NAME, or NULL when the symbol is not of that form.
 */
static char *split_symbol(char *symbol, char **kind)
{
	char *name, *end;

	*kind = symbol + strlen(PREFIX);
	name = strstr(*kind, "__");
	if (!name)
		return NULL;
	*name = '\0';
	name += 2;
	/* N has no underscore, NAME may have any number of them. */
	end = strrchr(name, '_');
	if (!end || end - name < 2 || end[-1] != '_')
		return NULL;
	end[-1] = '\0';
	return name;
}

static int resolve_one(struct module *m, const char *symbol, uint64_t at)
{
	char why[256], *copy, *kind, *name;
	int id = -ENOENT;
	size_t i;

	if (at % 4 || at + 4 > m->ids_size)
		return fail(m->path, "a symbol points outside of " SECTION);
	if (*word_at(m, at))
		return fail(m->path, "they are resolved already; start from the linker's output");
	copy = strdup(symbol);
	if (!copy)
		return fail(m->path, strerror(ENOMEM));
	name = split_symbol(copy, &kind);
	for (i = 0; name && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(kind, kinds[i].word))
			id = btf__find_by_name_kind(m->btf, name, kinds[i].kind);
	free(copy);
	if (id <= 0) {
		snprintf(why, sizeof(why), "neither its BTF nor the kernel's has what %s names",
			 symbol);
		return fail(m->path, why);
	}
	*word_at(m, at) = id;
	return 0;
}

/* Id and its flags are compared and moved together; the id is the first word. */
static int compare_ids(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a;
	uint32_t y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* @entry: bytes of one entry, which is also the size of the set's head */
static int finish_set(struct module *m, uint64_t at, uint64_t size, size_t entry)
{
	size_t count;

	if (at % 4 || size < entry || size % entry || at > m->ids_size || size > m->ids_size - at)
		return fail(m->path, "a set reaches outside of " SECTION);
	count = size / entry - 1;
	*word_at(m, at) = count;
	qsort(m->ids + at + entry, count, entry, compare_ids);
	return 0;
}

typedef int (*symbol_fn)(struct module *m, const char *name, const GElf_Sym *sym);

static int is_set(const char *name)
{
	return !strncmp(name, PREFIX "set__", strlen(PREFIX "set__")) ||
	       !strncmp(name, PREFIX "set8__", strlen(PREFIX "set8__"));
}

static int visit_id(struct module *m, const char *name, const GElf_Sym *sym)
{
	return is_set(name) ? 0 : resolve_one(m, name, sym->st_value);
}

static int visit_set(struct module *m, const char *name, const GElf_Sym *sym)
{
	if (!is_set(name))
		return 0;
	return finish_set(m, sym->st_value, sym->st_size,
			  name[strlen(PREFIX "set")] == '8' ? 8 : 4);
}

static int for_each_symbol(struct module *m, symbol_fn visit)
{
	const char *name;
	GElf_Sym sym;
	size_t i;

	for (i = 0; i < m->symbol_count; i++) {
		if (!gelf_getsym(m->symbols, i, &sym) || sym.st_shndx != m->ids_section)
			continue;
		name = elf_strptr(m->elf, m->strings, sym.st_name);
		if (!name || strncmp(name, PREFIX, strlen(PREFIX)))
			continue;
		if (visit(m, name, &sym))
			return -1;
	}
	return 0;
}

static int find_sections(struct module *m)
{
	Elf_Scn *section = NULL;
	const char *name;
	GElf_Shdr header;
	size_t names;

	if (elf_getshdrstrndx(m->elf, &names))
		return fail(m->path, elf_errmsg(-1));
	while ((section = elf_nextscn(m->elf, section))) {
		if (!gelf_getshdr(section, &header))
			return fail(m->path, elf_errmsg(-1));
		name = elf_strptr(m->elf, names, header.sh_name);
		if (header.sh_type == SHT_SYMTAB && header.sh_entsize) {
			m->symbols = elf_getdata(section, NULL);
			m->symbol_count = header.sh_size / header.sh_entsize;
			m->strings = header.sh_link;
		} else if (name && !strcmp(name, SECTION)) {
			m->ids_section = elf_ndxscn(section);
			m->ids_offset = header.sh_offset;
			m->ids_size = header.sh_size;
		}
	}
	if (!m->ids_section)
		return fail(m->path, "it has no section " SECTION);
	if (!m->symbols)
		return fail(m->path, "it has no symbol table");
	return 0;
}

static int read_ids(struct module *m)
{
	m->ids = malloc(m->ids_size);
	if (!m->ids)
		return fail(m->path, strerror(ENOMEM));
	if (pread(m->fd, m->ids, m->ids_size, m->ids_offset) != (ssize_t)m->ids_size)
		return fail(m->path, "the file is cut short");
	return 0;
}

/* In place: size and layout stay, so there is no need to have libelf write the file anew. */
static int write_ids(struct module *m)
{
	if (pwrite(m->fd, m->ids, m->ids_size, m->ids_offset) != (ssize_t)m->ids_size)
		return fail(m->path, strerror(errno));
	return 0;
}

static int module_open(struct module *m, const char *base, const char *path)
{
	memset(m, 0, sizeof(*m));
	m->path = path;
	m->fd = open(path, O_RDWR | O_CLOEXEC);
	if (m->fd < 0)
		return fail(path, strerror(errno));
	elf_version(EV_CURRENT);
	m->elf = elf_begin(m->fd, ELF_C_READ, NULL);
	if (!m->elf || elf_kind(m->elf) != ELF_K_ELF)
		return fail(path, "it is not an ELF file");
	m->base = btf__parse(base, NULL);
	if (!m->base)
		return fail(base, "it holds no BTF of a kernel");
	m->btf = btf__parse_split(path, m->base);
	if (!m->btf)
		return fail(path, "it has no BTF of its own; pahole -J has to run first");
	return 0;
}

static void module_close(struct module *m)
{
	free(m->ids);
	btf__free(m->btf);
	btf__free(m->base);
	elf_end(m->elf);
	if (m->fd >= 0)
		close(m->fd);
}

int main(int argc, char **argv)
{
	struct module m;
	bool bad;

	if (argc != 3) {
		fprintf(stderr, "usage: btfids BASE MODULE\n");
		return 2;
	}
	libbpf_set_print(NULL);
	bad = module_open(&m, argv[1], argv[2]) || find_sections(&m) || read_ids(&m) ||
	      for_each_symbol(&m, visit_id) || for_each_symbol(&m, visit_set) || write_ids(&m);
	module_close(&m);
	return bad;
}
