// SPDX-License-Identifier: GPL-2.0-only
/*
 * The device node. See include/mmiobpf/abi.h for what each way of opening it means.
 *
 * The session's lifetime is that of one open file, so that the kernel ends it also for a process
 * that was killed: release() gives every page back, whatever state the process was in.
 */
#include <linux/cpu.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "mmiobpf.h"

static DEFINE_MUTEX(session_lock);
static struct file *session_file;	/* NULL: no session */
static pid_t session_pid;
static fl_owner_t session_owner;	/* file table of the process that opened it */
static bool session_stopped;		/* by MMIOBPF_IOC_STOP: no record comes any more */

static bool file_is_session(const struct file *file)
{
	return (file->f_mode & FMODE_READ) && (file->f_mode & FMODE_WRITE);
}

static int session_begin(struct file *file)
{
	int err;

	if (session_file)
		return -EBUSY;
	/* What lockdown forbids the kernel's own tracer, it forbids us. */
	err = security_locked_down(LOCKDOWN_MMIOTRACE);
	if (err)
		return err;
	trap_session_begin();
	err = trap_hooks_register();
	/* ftrace is switched off, or something else patches the function; EBUSY is another session. */
	if (err == -EBUSY)
		err = -EOPNOTSUPP;
	if (err)
		return err;
	session_stopped = false;
	arm_session_begin();
	session_file = file;
	session_pid = task_tgid_nr(current);
	session_owner = current->files;
	return 0;
}

static int dev_open(struct inode *inode, struct file *file)
{
	int err = 0;

	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	if (file_is_session(file)) {
		mutex_lock(&session_lock);
		err = session_begin(file);
		mutex_unlock(&session_lock);
	}
	return err;
}

/*
 * The owner closes the file, also by dying. release() comes later then, behind that of the BPF links,
 * whose order is not ours to say; the pages go back now, before the programs and tracepoints go.
 */
static int dev_flush(struct file *file, fl_owner_t id)
{
	mutex_lock(&session_lock);
	if (session_file == file && session_owner == id) {
		arm_session_end();
		session_stopped = true;
	}
	mutex_unlock(&session_lock);
	return 0;
}

static int dev_release(struct inode *inode, struct file *file)
{
	mutex_lock(&session_lock);
	if (session_file == file) {
		arm_session_end();
		trap_hooks_unregister();
		session_file = NULL;
		session_pid = 0;
	}
	mutex_unlock(&session_lock);
	return 0;
}

static void mark_report(struct mmiobpf_rec_mark *rec)
{
	unsigned long flags;

	local_irq_save(flags);
	rec_fill(&rec->hdr, MMIOBPF_REC_MARK, sizeof(*rec), true);
	rec_emit(&rec->hdr);
	local_irq_restore(flags);
}

static ssize_t dev_write(struct file *file, const char __user *buf, size_t count, loff_t *pos)
{
	struct mmiobpf_rec_mark *rec;
	ssize_t ret = count;

	if (count > MMIOBPF_MARK_LEN)
		return -EMSGSIZE;
	rec = kzalloc(sizeof(*rec), GFP_KERNEL);
	if (!rec)
		return -ENOMEM;
	rec->len = count;
	if (copy_from_user(rec->text, buf, count)) {
		kfree(rec);
		return -EFAULT;
	}
	mutex_lock(&session_lock);
	if (session_file && !session_stopped)
		mark_report(rec);
	else
		ret = -ENOTCONN;
	mutex_unlock(&session_lock);
	kfree(rec);
	return ret;
}

static long ioc_info(void __user *arg)
{
	struct trap_counters c;
	struct mmiobpf_info info = {
		.abi = MMIOBPF_ABI,
		.record_version = MMIOBPF_RECORD_VERSION,
		.regions = arm_region_count(),
		.version = MMIOBPF_VERSION,
	};

	trap_counters_sum(&c);
	info.session_pid = READ_ONCE(session_pid);
	info.emulated = c.emulated;
	info.stepped = c.stepped;
	info.strings = c.strings;
	info.elements = c.elements;
	info.unseen = c.unseen;
	info.undecoded = c.undecoded;
	info.retried = c.retried;
	info.foreign = c.foreign;
	info.given_back = c.given_back;
	info.emitted = c.emitted;
	info.vmalloc_start = VMALLOC_START;
	info.vmalloc_end = VMALLOC_END;
	return copy_to_user(arg, &info, sizeof(info)) ? -EFAULT : 0;
}

static long ioc_attach(void __user *arg)
{
	struct mmiobpf_map_req req;

	if (copy_from_user(&req, arg, sizeof(req)))
		return -EFAULT;
	if (req.flags & ~MMIOBPF_MAP_FLAGS)
		return -EINVAL;
	req.kind = MMIOBPF_MAP_LIVE;
	req.driver[sizeof(req.driver) - 1] = '\0';
	return arm_map(&req, true);
}

static long dev_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	long ret;

	if (cmd == MMIOBPF_IOC_INFO)
		return ioc_info((void __user *)arg);
	if (!file_is_session(file))
		return -EBADF;

	mutex_lock(&session_lock);
	switch (cmd) {
	case MMIOBPF_IOC_ATTACH:
		ret = ioc_attach((void __user *)arg);
		break;
	case MMIOBPF_IOC_STOP:
		arm_session_end();
		session_stopped = true;
		ret = 0;
		break;
	default:
		ret = -ENOTTY;
	}
	mutex_unlock(&session_lock);
	return ret;
}

static const struct file_operations dev_fops = {
	.owner = THIS_MODULE,
	.open = dev_open,
	.flush = dev_flush,
	.release = dev_release,
	.write = dev_write,
	.unlocked_ioctl = dev_ioctl,
	.llseek = noop_llseek,
};

static struct miscdevice dev_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "mmiobpf",
	.mode = 0600,
	.fops = &dev_fops,
};

int session_init(void)
{
	return misc_register(&dev_misc);
}

void session_deinit(void)
{
	misc_deregister(&dev_misc);
}
