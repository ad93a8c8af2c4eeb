// SPDX-License-Identifier: GPL-2.0-or-later
#include "device.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int device_info(struct mmiobpf_info *info)
{
	int fd = open(MMIOBPF_DEVICE, O_RDONLY | O_CLOEXEC), err = 0;

	if (fd < 0)
		return -errno;
	memset(info, 0, sizeof(*info));
	if (ioctl(fd, MMIOBPF_IOC_INFO, info) < 0)
		err = -errno;
	info->version[sizeof(info->version) - 1] = '\0';
	close(fd);
	return err;
}

int device_mark(const char *text, size_t len)
{
	int fd = open(MMIOBPF_DEVICE, O_WRONLY | O_CLOEXEC), err = 0;
	ssize_t n;

	if (fd < 0)
		return -errno;
	do {
		n = write(fd, text, len);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		err = -errno;
	else if ((size_t)n != len)
		err = -EIO;
	close(fd);
	return err;
}
