// SPDX-License-Identifier: GPL-2.0-or-later
#include "session.h"

#include <errno.h>
#include <fcntl.h>
#include <libkmod.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "../sys/vmalloc.h"
#include "events_fill.h"
#include "policy_fill.h"
#include "mmiobpf.skel.h"

struct session {
	int fd;				/* the module's device: this open file is the session */
	struct mmiobpf *skel;
	struct ring_set *rings;
	struct ring_position *positions;	/* of the CPUs' rings, then of the NMIs' */
	struct ring_slot *slots;
	uint32_t ring_slots;		/* of each CPU's ring */
	const struct target_set *set;
	const struct pci_list *pci;
	struct mmiobpf_info base;	/* counters when the programs were attached */
	unsigned int cpus;
	uint32_t arm_flags;
	bool config;
};

/* libbpf's messages go through one callback for the whole process. */
static char libbpf_warning[256];

static int libbpf_keep_warning(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	if (level == LIBBPF_WARN) {
		vsnprintf(libbpf_warning, sizeof(libbpf_warning), fmt, ap);
		libbpf_warning[strcspn(libbpf_warning, "\n")] = '\0';
	}
	return 0;
}

const char *session_explain(const struct session *s)
{
	(void)s;
	return libbpf_warning;
}

/* --- the module --- */

int session_load_module(void)
{
	struct kmod_ctx *ctx = kmod_new(NULL, NULL);
	struct kmod_module *mod = NULL;
	int err = -ENOENT;

	if (!ctx)
		return -ENOMEM;
	kmod_set_log_fn(ctx, NULL, NULL);
	if (!kmod_module_new_from_name(ctx, "mmiobpf", &mod)) {
		err = kmod_module_probe_insert_module(mod, 0, NULL, NULL, NULL, NULL);
		kmod_module_unref(mod);
	}
	kmod_unref(ctx);
	return err > 0 ? -EINVAL : err;
}

int session_open(struct session **out)
{
	struct session *s = calloc(1, sizeof(*s));
	int err = 0;

	if (!s)
		return -ENOMEM;
	s->fd = open(MMIOBPF_DEVICE, O_RDWR | O_CLOEXEC);
	if (s->fd < 0)
		err = -errno;
	else if (ioctl(s->fd, MMIOBPF_IOC_INFO, &s->base))
		err = errno == ENOTTY ? -EPROTO : -errno;
	else if (s->base.abi != MMIOBPF_ABI || s->base.record_version != MMIOBPF_RECORD_VERSION)
		err = -EPROTO;
	if (err) {
		session_close(s);
		return err;
	}
	*out = s;
	return 0;
}

static uint64_t slots_count(const struct session *s)
{
	return (uint64_t)s->cpus * (s->ring_slots + RING_NMI_SLOTS(s->ring_slots));
}

static size_t slots_bytes(const struct session *s)
{
	return slots_count(s) * sizeof(struct ring_slot);
}

static size_t positions_bytes(const struct session *s)
{
	return 2ul * s->cpus * sizeof(struct ring_position);
}

void session_close(struct session *s)
{
	if (!s)
		return;
	/* The session first: no program is needed to give the pages back. */
	if (s->fd >= 0)
		close(s->fd);
	ring_set_free(s->rings);
	if (s->positions)
		munmap(s->positions, positions_bytes(s));
	if (s->slots)
		munmap(s->slots, slots_bytes(s));
	mmiobpf__destroy(s->skel);
	free(s);
}

/* --- policy --- */

/* A program that is not asked for is not even loaded: each costs time at both ends of a session. */
static void events_choose(struct session *s, const struct session_options *opts)
{
	s->config = opts->config;
	bpf_program__set_autoload(s->skel->progs.irq_entry, opts->irqs);
	bpf_program__set_autoload(s->skel->progs.irq_exit, opts->irqs);
	bpf_program__set_autoload(s->skel->progs.config_read, opts->config);
	bpf_program__set_autoload(s->skel->progs.config_write, opts->config);
	bpf_map__set_autocreate(s->skel->maps.config_records, opts->config);
}

static int events_fill(struct session *s, const struct session_options *opts, __u32 *ndevices)
{
	struct mmiobpf__bss *bss = s->skel->bss;
	int err = 0;

	events_choose(s, opts);
	if (opts->irqs || opts->config)
		err = events_fill_devices(bss->devices, ndevices, s->set, s->pci);
	if (!err && opts->irqs)
		err = events_fill_irqs(bss->irqs, bss->devices, *ndevices, s->pci, sys_root_live());
	if (!err && opts->config)
		err = events_fill_accessors(bss->accessors, sys_root_live());
	return err;
}

static int policy_fill(struct session *s, const struct session_options *opts)
{
	struct policy_config c = {
		.vmalloc_start = s->base.vmalloc_start,
		.vmalloc_end = s->base.vmalloc_end,
		.cpus = s->cpus,
		.slots = s->ring_slots,
		.watched = s->set->nwatch,
		.arm_flags = s->arm_flags,
		.all = s->set->all,
	};
	int err = policy_fill_phys(s->skel->bss->phys, &c.phys, s->set, s->pci);

	if (!err)
		err = policy_fill_text(s->skel->bss->text, s->set);
	if (!err)
		err = policy_fill_watched(s->skel->bss->watched, s->set);
	if (!err)
		err = events_fill(s, opts, &c.devices);
	if (!err)
		memcpy((void *)&s->skel->rodata->policy, &c, sizeof(c));
	return err;
}

int session_renew(struct session *s, const struct target_set *set)
{
	int err = policy_renew_text(s->skel->bss->text, s->set, set);

	if (!err)
		s->set = set;
	return err;
}

/* --- rings --- */

static int rings_size(struct session *s)
{
	int err;

	if (slots_count(s) > UINT32_MAX)
		return -E2BIG;
	err = bpf_map__set_max_entries(s->skel->maps.slots, slots_count(s));
	return err ? err : bpf_map__set_max_entries(s->skel->maps.positions, 2 * s->cpus);
}

/* The pages of a map, or NULL. */
static void *map_pages(const struct bpf_map *map, size_t bytes, int prot)
{
	void *p = mmap(NULL, bytes, prot, MAP_SHARED, bpf_map__fd(map), 0);

	return p == MAP_FAILED ? NULL : p;
}

static int rings_make(struct session *s)
{
	uint32_t nmi_slots = RING_NMI_SLOTS(s->ring_slots);
	const struct ring_slot *slots;
	int err = ring_set_new(&s->rings);

	if (err)
		return err;
	s->slots = map_pages(s->skel->maps.slots, slots_bytes(s), PROT_READ);
	s->positions = map_pages(s->skel->maps.positions, positions_bytes(s), PROT_READ | PROT_WRITE);
	if (!s->slots || !s->positions)
		return -errno;
	slots = s->slots;
	for (unsigned int i = 0; i < s->cpus && !err; i++, slots += s->ring_slots)
		err = ring_set_add_slots(s->rings, &s->positions[i], slots, s->ring_slots);
	for (unsigned int i = 0; i < s->cpus && !err; i++, slots += nmi_slots)
		err = ring_set_add_slots(s->rings, &s->positions[s->cpus + i], slots, nmi_slots);
	if (!err)
		err = ring_set_add(s->rings, bpf_map__fd(s->skel->maps.control), POLICY_CONTROL_BYTES);
	if (!err && s->config)
		err = ring_set_add(s->rings, bpf_map__fd(s->skel->maps.config_records),
				   POLICY_CONFIG_BYTES);
	return err;
}

/*
 * Who listens comes first: what the programs on ioremap arm is recorded from the first moment on, and
 * the module's counters are read when nothing can be armed yet.
 */
static int programs_attach(struct session *s)
{
	struct {
		struct bpf_program *prog;
		struct bpf_link **link;
	} first[] = {
		{ s->skel->progs.record_put, &s->skel->links.record_put },
		{ s->skel->progs.access_record, &s->skel->links.access_record },
		{ s->skel->progs.access_record_nmi, &s->skel->links.access_record_nmi },
		{ s->skel->progs.fault_count, &s->skel->links.fault_count },
	};

	for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++) {
		bpf_program__set_autoattach(first[i].prog, false);
		*first[i].link = bpf_program__attach(first[i].prog);
		if (!*first[i].link)
			return -errno;
	}
	if (ioctl(s->fd, MMIOBPF_IOC_INFO, &s->base))
		return -errno;
	return mmiobpf__attach(s->skel);
}

/* Every possible CPU has a ring, as any of them may come online during the session. */
static uint64_t buffer_size(const struct session *s, const struct session_options *opts)
{
	uint64_t size = SESSION_BUFFER_DEFAULT;

	if (opts->buffer_size)
		return opts->buffer_size;
	while (size > SESSION_BUFFER_MIN && size * s->cpus > SESSION_BUFFERS_TOTAL)
		size /= 2;
	return size;
}

int session_load(struct session *s, const struct session_options *opts,
		 const struct target_set *set, const struct pci_list *pci)
{
	int err;

	s->set = set;
	s->pci = pci;
	s->arm_flags = MMIOBPF_MAP_ARM | (opts->arm_cached ? MMIOBPF_MAP_ARM_CACHED : 0);
	s->cpus = libbpf_num_possible_cpus();
	if (s->cpus > POLICY_CPUS)
		return -E2BIG;
	libbpf_set_print(libbpf_keep_warning);
	s->ring_slots = buffer_size(s, opts) / sizeof(struct ring_slot);
	s->skel = mmiobpf__open();
	if (!s->skel)
		return -errno;
	err = policy_fill(s, opts);
	if (!err)
		err = rings_size(s);
	if (!err)
		err = mmiobpf__load(s->skel);
	if (!err)
		err = rings_make(s);
	return err ? err : programs_attach(s);
}

/* --- live mappings --- */

static const struct target_text *text_of_module(const struct target_set *set, const char *module)
{
	for (size_t i = 0; i < set->ntext; i++)
		if (module_name_equal(set->text[i].module, module))
			return &set->text[i];
	return NULL;
}

/* Is the mapping wanted? Then the request is filled. */
static bool live_request(const struct session *s, const struct vmalloc_map *m,
			 struct mmiobpf_map_req *req)
{
	const struct target_range *range = target_set_range(s->set, m->phys, m->phys + m->len);
	const struct target_text *text = m->module[0] ? text_of_module(s->set, m->module) : NULL;
	const char *driver = text ? text->driver : range ? range->driver : "";
	const struct pci_dev_info *dev;
	unsigned int bar;
	uint64_t offset;

	if (!s->set->all && !range && !text)
		return false;
	memset(req, 0, sizeof(*req));
	req->virt = m->virt;
	req->phys = m->phys;
	req->len = m->len;
	req->dev = MMIOBPF_NO_DEV;
	req->bar = MMIOBPF_NO_BAR;
	req->flags = target_set_denied(s->set, m->phys, m->phys + m->len) ? 0 : s->arm_flags;
	dev = pci_list_lookup(s->pci, m->phys, &bar, &offset);
	if (dev) {
		req->dev = dev->dev;
		req->bar = bar;
		req->bar_off = offset;
	}
	snprintf(req->driver, sizeof(req->driver), "%s", driver);
	return true;
}

/* Interrupts and configuration space are recorded while all that is wanted is armed. */
static void events_switch(struct session *s, __u32 on)
{
	__atomic_store_n(&s->skel->bss->events_on, on, __ATOMIC_RELEASE);
}

int session_attach_live(struct session *s, unsigned int *attached)
{
	struct vmalloc_list list;
	int err = vmalloc_list_read_true(sys_root_live(), &list);

	*attached = 0;
	if (err)
		return err;
	for (size_t i = 0; i < list.n && !err; i++) {
		struct mmiobpf_map_req req;

		if (!live_request(s, &list.maps[i], &req))
			continue;
		if (ioctl(s->fd, MMIOBPF_IOC_ATTACH, &req) > 0)
			(*attached)++;
		/* Armed when it was made, a moment ago; or unmapped since the list was read. */
		else if (errno != EEXIST && errno != ENOENT)
			err = -errno;
	}
	vmalloc_list_deinit(&list);
	if (!err)
		events_switch(s, 1);
	return err;
}

/* --- running and end --- */

long session_drain(struct session *s, ring_fn fn, void *ctx)
{
	return ring_set_drain(s->rings, fn, ctx);
}

bool session_is_hurried(const struct session *s, long n)
{
	return n > s->ring_slots / 4;
}

int session_stop(struct session *s)
{
	events_switch(s, 0);
	return ioctl(s->fd, MMIOBPF_IOC_STOP) ? -errno : 0;
}

long session_finish(struct session *s, ring_fn fn, void *ctx)
{
	return ring_set_finish(s->rings, s->skel->bss->next_seq, fn, ctx);
}

static void counters_sum(const struct session *s, struct policy_counters *sum)
{
	memset(sum, 0, sizeof(*sum));
	for (unsigned int i = 0; i < s->cpus; i++) {
		const struct policy_counters *c = &s->skel->bss->counters[i];

		sum->faults += c->faults;
		sum->seen += c->seen;
		sum->lost += c->lost;
	}
	for (unsigned int i = 0; i < 2 * s->cpus; i++) {
		sum->seen += s->positions[i].seen;
		sum->lost += s->positions[i].lost;
	}
}

/* Times that programs whose name begins so did not run, as they were running on that CPU already. */
static uint64_t programs_missed(const struct session *s, const char *prefix)
{
	struct bpf_program *prog;
	uint64_t missed = 0;

	bpf_object__for_each_program(prog, s->skel->obj) {
		struct bpf_prog_info info = { 0 };
		__u32 size = sizeof(info);

		if (!bpf_program__autoload(prog) ||
		    strncmp(bpf_program__name(prog), prefix, strlen(prefix)))
			continue;
		if (!bpf_obj_get_info_by_fd(bpf_program__fd(prog), &info, &size))
			missed += info.recursion_misses;
	}
	return missed;
}

int session_stats(struct session *s, struct session_stats *st)
{
	struct mmiobpf_info now;
	struct policy_counters c;

	if (ioctl(s->fd, MMIOBPF_IOC_INFO, &now))
		return -errno;
	counters_sum(s, &c);
	st->emulated = now.emulated - s->base.emulated;
	st->stepped = now.stepped - s->base.stepped;
	st->strings = now.strings - s->base.strings;
	st->elements = now.elements - s->base.elements;
	st->undecoded = now.undecoded - s->base.undecoded;
	st->retried = now.retried - s->base.retried;
	/* Some faults of the area are none of ours: probes of addresses that are not there. */
	st->faults = c.faults - (now.foreign - s->base.foreign);
	/* On a CPU that was going offline or coming up, tracepoints are off. */
	st->faults += now.unseen - s->base.unseen;
	/* A fault of an NMI that came while another was being counted. */
	st->faults += programs_missed(s, "fault_count");
	st->lost = c.lost;
	st->missed = now.emitted - s->base.emitted - c.seen;
	/* Of an interrupt's handler that reads what the code that it interrupted is reading. */
	st->missed += programs_missed(s, "config_") + programs_missed(s, "irq_");
	st->given_back = now.given_back;
	st->refused = s->skel->bss->refused + programs_missed(s, "mapping_made");
	st->next_seq = s->skel->bss->next_seq;
	return 0;
}
