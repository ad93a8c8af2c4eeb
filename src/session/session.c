// SPDX-License-Identifier: GPL-2.0-or-later
#include "session.h"

#include <errno.h>
#include <fcntl.h>
#include <libkmod.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "../../bpf/policy.h"
#include "../sys/vmalloc.h"
#include "mmiobpf.skel.h"

#define CONTROL_RING_SIZE	(256u << 10)

struct session {
	int fd;				/* the module's device: this open file is the session */
	struct mmiobpf *skel;
	struct ring_set *rings;
	const struct target_set *set;
	const struct pci_list *pci;
	struct mmiobpf_info base;	/* counters when the programs were attached */
	unsigned int cpus;
	uint32_t arm_flags;
	uint64_t buffer_size;		/* of each CPU's ring */
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

void session_close(struct session *s)
{
	if (!s)
		return;
	/* The session first: no program is needed to give the pages back. */
	if (s->fd >= 0)
		close(s->fd);
	ring_set_free(s->rings);
	mmiobpf__destroy(s->skel);
	free(s);
}

/* --- policy --- */

static int phys_add(struct policy_phys *table, __u32 *n, const struct policy_phys *entry)
{
	if (*n == POLICY_PHYS_RANGES)
		return -E2BIG;
	table[(*n)++] = *entry;
	return 0;
}

static int policy_fill_phys(struct session *s, __u32 *n)
{
	struct policy_phys *table = s->skel->bss->phys;
	const struct target_set *set = s->set;
	int err = 0;

	for (size_t i = 0; i < set->ndenied && !err; i++)
		err = phys_add(table, n,
			       &(struct policy_phys){ .start = set->denied[i].start,
						      .end = set->denied[i].end,
						      .dev = MMIOBPF_NO_DEV,
						      .bar = MMIOBPF_NO_BAR,
						      .flags = POLICY_PHYS_DENIED });
	for (size_t i = 0; i < set->nranges && !err; i++) {
		const struct target_range *r = &set->ranges[i];

		if (r->origin == TARGET_BOUND)
			continue;
		err = phys_add(table, n, &(struct policy_phys){
			.start = r->start, .end = r->end, .dev = MMIOBPF_NO_DEV,
			.bar = MMIOBPF_NO_BAR, .flags = POLICY_PHYS_WANTED });
	}
	return err;
}

/* The BARs of all devices, which only name mappings: what finds no room goes without a name. */
static void policy_fill_bars(struct session *s, __u32 *n)
{
	struct policy_phys *table = s->skel->bss->phys;

	for (size_t i = 0; i < s->pci->n; i++) {
		const struct pci_dev_info *d = &s->pci->devs[i];

		for (unsigned int bar = 0; bar < PCI_DEV_RESOURCES; bar++) {
			struct policy_phys p = { .dev = d->dev, .bar = bar };

			if (!pci_bar_is_mem(d, bar))
				continue;
			p.start = d->start[bar] & ~15ull;
			p.end = p.start + d->size[bar];
			if (phys_add(table, n, &p))
				return;
		}
	}
}

static int policy_fill_text(struct session *s)
{
	const struct target_set *set = s->set;

	if (set->ntext > POLICY_TEXT_RANGES / 2 || set->nwatch > POLICY_WATCHED)
		return -E2BIG;
	for (size_t i = 0; i < set->ntext; i++) {
		struct policy_text *t = &s->skel->bss->text[i];

		t->start = set->text[i].start;
		t->end = set->text[i].end;
		memcpy(t->driver, set->text[i].driver, sizeof(t->driver));
	}
	for (size_t i = 0; i < set->nwatch; i++)
		snprintf(s->skel->bss->watched[i].name, sizeof(s->skel->bss->watched[i].name), "%s",
			 set->watch[i].module);
	return 0;
}

static int policy_fill(struct session *s)
{
	struct policy_config c = {
		.vmalloc_start = s->base.vmalloc_start,
		.vmalloc_end = s->base.vmalloc_end,
		.cpus = s->cpus,
		.watched = s->set->nwatch,
		.arm_flags = s->arm_flags,
		.all = s->set->all,
	};
	int err = policy_fill_phys(s, &c.phys);

	if (err)
		return err;
	policy_fill_bars(s, &c.phys);
	err = policy_fill_text(s);
	if (!err)
		memcpy((void *)&s->skel->rodata->policy, &c, sizeof(c));
	return err;
}

/* --- rings --- */

static int ring_make(struct session *s, __u32 index, uint32_t size)
{
	int outer = bpf_map__fd(s->skel->maps.rings);
	int fd = bpf_map_create(BPF_MAP_TYPE_RINGBUF, "mmiobpf_ring", 0, 0, size, NULL);
	int err;

	if (fd < 0)
		return -errno;
	err = bpf_map_update_elem(outer, &index, &fd, BPF_ANY) ? -errno : 0;
	if (!err)
		err = ring_set_add(s->rings, fd, size);
	close(fd);
	return err;
}

static int rings_make(struct session *s, uint64_t buffer_size)
{
	int err = ring_set_new(&s->rings);

	for (unsigned int i = 0; i < s->cpus && !err; i++)
		err = ring_make(s, i, buffer_size);
	if (!err)
		err = ring_make(s, s->cpus, CONTROL_RING_SIZE);
	return err;
}

/*
 * Who listens comes first: what the programs on ioremap arm is recorded from the first moment on, and
 * the module's counters are read when nothing can be armed yet.
 */
static int programs_attach(struct session *s)
{
	struct bpf_program *record = s->skel->progs.record_put;
	struct bpf_program *fault = s->skel->progs.fault_count;

	bpf_program__set_autoattach(record, false);
	bpf_program__set_autoattach(fault, false);
	s->skel->links.record_put = bpf_program__attach(record);
	if (!s->skel->links.record_put)
		return -errno;
	s->skel->links.fault_count = bpf_program__attach(fault);
	if (!s->skel->links.fault_count)
		return -errno;
	if (ioctl(s->fd, MMIOBPF_IOC_INFO, &s->base))
		return -errno;
	return mmiobpf__attach(s->skel);
}

int session_load(struct session *s, const struct session_options *opts,
		 const struct target_set *set, const struct pci_list *pci)
{
	int err;

	s->set = set;
	s->pci = pci;
	s->buffer_size = opts->buffer_size;
	s->arm_flags = MMIOBPF_MAP_ARM | (opts->arm_cached ? MMIOBPF_MAP_ARM_CACHED : 0);
	s->cpus = libbpf_num_possible_cpus();
	if (s->cpus > POLICY_CPUS)
		return -E2BIG;
	libbpf_set_print(libbpf_keep_warning);
	s->skel = mmiobpf__open();
	if (!s->skel)
		return -errno;
	err = policy_fill(s);
	if (!err)
		err = bpf_map__set_max_entries(s->skel->maps.rings, s->cpus + 1);
	if (!err)
		err = mmiobpf__load(s->skel);
	if (!err)
		err = rings_make(s, opts->buffer_size);
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
	return err;
}

/* --- running and end --- */

long session_drain(struct session *s, ring_fn fn, void *ctx)
{
	return ring_set_drain(s->rings, fn, ctx);
}

bool session_is_hurried(const struct session *s, long n)
{
	return n * sizeof(struct mmiobpf_rec_access) > s->buffer_size / 4;
}

int session_stop(struct session *s)
{
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
		sum->lost_accesses += c->lost_accesses;
		sum->lost_others += c->lost_others;
	}
}

/* Mappings whose program did not run, as it was running on that CPU already. */
static uint64_t mappings_missed(const struct session *s)
{
	struct bpf_program *prog;
	uint64_t missed = 0;

	bpf_object__for_each_program(prog, s->skel->obj) {
		struct bpf_prog_info info = { 0 };
		__u32 size = sizeof(info);

		if (strncmp(bpf_program__name(prog), "exit_", 5))
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
	st->lost = c.lost_accesses + c.lost_others;
	st->missed = now.emitted - s->base.emitted - c.seen;
	st->given_back = now.given_back;
	st->refused = s->skel->bss->refused + mappings_missed(s);
	st->next_seq = s->skel->bss->next_seq;
	return 0;
}
