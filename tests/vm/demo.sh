#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What `make demo` runs in a guest with an e1000e network card: the driver's whole life under trace.

set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
log=/tmp/e1000e.log

insmod "$top/build/kmod/$(uname -r)/mmiobpf.ko" || exit 1
echo "# Linux $(uname -r), $(nproc) CPUs online"
echo "# mmiobpf trace --driver e1000e -o $log -- (load e1000e, bring the link up)"
"$top/build/mmiobpf" trace --driver e1000e -o $log -- "$here/workloads/e1000e.sh" load
status=$?
echo "# the head of the log, without the lines of lspci:"
grep -v '^LSPCI' $log | head -n 24
echo "# ... $(grep -c '^R ' $log) reads and $(grep -c '^W ' $log) writes by $(awk '/^[RW] / {print $8}' $log | sort -u | wc -l) tasks"
echo "# CPUs online now: $(cat /sys/devices/system/cpu/online)"
exit $status
