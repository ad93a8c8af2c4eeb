// SPDX-License-Identifier: GPL-2.0-or-later
#include "calls_view.h"

#include <errno.h>
#include <stdlib.h>

#include "calls_put.h"
#include "record.h"
#include "record_put.h"

#define CALL_WIDTH	28	/* of the call's column at first */
#define CALL_MAX	60	/* longer ones push the value to the right on their own line */
#define CALLER_MAX	56

void view_init(struct calls_view *v, const struct calls_options *options)
{
	memset(v, 0, sizeof(*v));
	v->opts = *options;
	v->call_width = CALL_WIDTH;
	v->dev = MMIOBPF_NO_DEV;
	places_init(&v->places);
}

void view_deinit(struct calls_view *v)
{
	places_deinit(&v->places);
	free(v->devices);
}

int view_add_header(struct calls_view *v, const struct log_header *header)
{
	if (header->session.hdr.type) {
		v->has_session = true;
		v->realtime = header->session.realtime_ns - header->session.hdr.time_ns;
	}
	if (header->ndevices && !v->devices) {
		v->devices = calloc(header->ndevices, sizeof(*v->devices));
		if (!v->devices)
			return -ENOMEM;
		for (size_t i = 0; i < header->ndevices; i++) {
			const struct pci_dev_info *d = &header->devices[i];
			char driver[MMIOBPF_NAME_LEN + 1] = "";

			memcpy(driver, d->driver, MMIOBPF_NAME_LEN);
			v->devices[v->ndevices++] = (struct view_device){
				.dev = d->dev,
				.family = family_find(d->vendor, d->device, driver),
			};
		}
	}
	return places_add_header(&v->places, header);
}

static const struct family *device_family(const struct calls_view *v, uint32_t dev)
{
	for (size_t i = 0; i < v->ndevices; i++)
		if (v->devices[i].dev == dev)
			return v->devices[i].family;
	return NULL;
}

static void note_dev(struct calls_view *v, uint32_t dev)
{
	if (dev == MMIOBPF_NO_DEV)
		return;
	if (v->dev == MMIOBPF_NO_DEV)
		v->dev = dev;
	v->many_devs |= v->dev != dev;
}

int view_note(struct calls_view *v, const struct mmiobpf_rec_hdr *rec)
{
	const union mmiobpf_rec_any *any = (const void *)rec;

	/* A loss has the header of the record behind it; mappings and markers say nothing of a CPU. */
	if (rec->type == MMIOBPF_REC_ACCESS || rec->type == MMIOBPF_REC_UNKNOWN ||
	    rec->type == MMIOBPF_REC_IRQ) {
		if (!v->has_cpu)
			v->cpu = rec->cpu;
		v->has_cpu = true;
		v->many_cpus |= v->cpu != rec->cpu;
	}
	switch (rec->type) {
	case MMIOBPF_REC_ACCESS:
		note_dev(v, places_find(&v->places, any->access.map_id, any->access.phys,
					any->access.bar, any->access.bar_off).dev);
		return 0;
	case MMIOBPF_REC_CONFIG:
		note_dev(v, any->config.dev);
		return 0;
	case MMIOBPF_REC_MAP:
		return places_add_map(&v->places, &any->map);
	default:
		return 0;
	}
}

/* --- parts of a line --- */

static char *put_line_time(struct calls_view *v, char *p, uint64_t ns)
{
	uint64_t before = v->last_ns ? v->last_ns : ns;
	uint64_t real = v->has_session ? ns + v->realtime : ns;

	v->last_ns = ns;
	switch (v->opts.times) {
	case CALLS_TIME_NONE:
		return p;
	case CALLS_TIME_CLOCK:
	case CALLS_TIME_MICRO:
		/* Without the session's clock there is no time of day, but the time since boot. */
		if (!v->has_session) {
			p = put_seconds(p, ns, 6);
			p -= v->opts.times == CALLS_TIME_CLOCK ? 7 : 0;
			break;
		}
		p = put_clock(p, real);
		if (v->opts.times == CALLS_TIME_MICRO) {
			*p++ = '.';
			p = put_six_digits(p, (uint32_t)(real % 1000000000 / 1000));
		}
		break;
	case CALLS_TIME_EPOCH:
		p = put_seconds(p, real, 6);
		break;
	case CALLS_TIME_RELATIVE:
		/* Of two CPUs, the second may be earlier by a little, and a poll began in the past. */
		if (ns < before)
			*p++ = '-';
		p = put_seconds(p, ns < before ? before - ns : ns - before, 9);
		break;
	}
	*p++ = ' ';
	return p;
}

/* 00:03.0, with the domain where it is not 0. */
static char *put_short_bdf(char *p, uint32_t dev)
{
	char bdf[16 + PUT_SLACK], *end = put_bdf(bdf, dev);
	const char *from = dev >> 16 ? bdf : bdf + 5;

	return put_text(p, from, (size_t)(end - from));
}

char *view_begin(struct calls_view *v, char *p, const struct mmiobpf_rec_hdr *hdr, uint32_t dev)
{
	bool cpu = v->many_cpus || v->opts.prefix, device = v->many_devs || v->opts.prefix;
	bool task = v->opts.names == CALLS_NAMES_VERBOSE;
	char *start;

	p = put_line_time(v, p, hdr->time_ns);
	if (!cpu && !device && !task)
		return p;
	*p++ = '[';
	start = p;
	if (cpu)
		p = put_number(put_string(p, "cpu "), hdr->cpu);
	if (device) {
		if (p > start)
			*p++ = ' ';
		p = dev == MMIOBPF_NO_DEV ? put_string(p, "-------") : put_short_bdf(p, dev);
	}
	if (task) {
		if (p > start)
			*p++ = ' ';
		p = put_escaped(p, hdr->comm, strnlen(hdr->comm, sizeof(hdr->comm)));
		*p++ = '/';
		p = put_number(p, hdr->pid);
		*p++ = ' ';
		p = put_string(p, record_context_name(hdr->context));
	}
	return put_string(p, "] ");
}

char *view_target(struct calls_view *v, char *p, const struct place *at,
		  struct family_match *match)
{
	const struct family *family = NULL;

	match->reg = NULL;
	if (at->kind != PLACE_BAR)
		return put_place(p, at);
	if (v->opts.names != CALLS_NAMES_RAW)
		family = device_family(v, at->dev);
	if (family && family_register_find(family, at->bar, at->offset, match))
		match->reg = NULL;
	if (match->reg && v->opts.names == CALLS_NAMES_SHORT)
		return put_register(p, match);
	p = put_bar(p, at->bar);
	p = put_hex(put_string(p, "+0x"), at->offset, 1);
	if (!match->reg)
		return p;
	p = put_register(put_string(p, " /* "), match);
	return put_string(p, " */");
}

/* Blanks up to the column, which grows to @used but not beyond @max. */
static char *put_blanks(char *p, size_t used, size_t *width, size_t max)
{
	if (used > *width && used <= max)
		*width = used;
	for (; used < *width; used++)
		*p++ = ' ';
	*p++ = ' ';
	return p;
}

static char *put_caller(struct calls_view *v, char *p, uint64_t pc)
{
	struct symbol_name sym;

	if (symbolizer_find(v->opts.symbols, pc, &sym))
		return put_hex(put_text(p, "0x", 2), pc, 1);
	p = put_text(p, sym.name, strnlen(sym.name, 512));
	p = put_hex(put_string(p, "+0x"), sym.offset, 1);
	if (v->opts.names != CALLS_NAMES_VERBOSE || !*sym.module)
		return p;
	p = put_text(put_string(p, " ["), sym.module, strnlen(sym.module, 256));
	*p++ = ']';
	return p;
}

char *view_result(struct calls_view *v, char *p, const char *line, uint64_t pc, const char *sign)
{
	char *caller;

	p = put_blanks(p, (size_t)(p - line), &v->call_width, CALL_MAX);
	caller = p;
	/* 0 is what the kernel's own mmiotrace writes. */
	if (pc)
		p = put_caller(v, p, pc);
	if (pc || v->caller_width)
		p = put_blanks(p, (size_t)(p - caller), &v->caller_width, CALLER_MAX);
	return put_string(p, sign);
}

char *view_fields(struct calls_view *v, char *p, const struct family_match *match, uint64_t value)
{
	char *start = p, *fields;

	if (!match->reg || v->opts.names == CALLS_NAMES_RAW)
		return p;
	fields = put_text(p, " (", 2);
	p = put_fields(fields, match, value);
	if (p == fields)
		return start;
	*p++ = ')';
	return p;
}
