#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# usage: mmiotrace.sh FILE CMD [ARGS...]
#
# In a guest: writes to FILE what the kernel's own mmiotrace prints while CMD runs. Select one CPU for the guest,
# or mmiotrace takes the others offline and may panic when it brings them back.

set -u
tracing=/sys/kernel/tracing

fail()
{
	echo "mmiotrace.sh: $*" >&2
	exit 1
}

[ $# -ge 2 ] || fail "usage: mmiotrace.sh FILE CMD [ARGS...]"
file=$1
shift
echo 65536 >"$tracing/buffer_size_kb" || fail "the trace buffer could not be made larger"
echo mmiotrace >"$tracing/current_tracer" || fail "the tracer mmiotrace could not be selected"
cat "$tracing/trace_pipe" >"$file" &
reader=$!
"$@"
status=$?
# trace_pipe never ends by itself: the reader has caught up when the file grows no more. While it reads, the
# tracer cannot be changed (EBUSY).
size=-1
while [ "$size" -ne "$(stat -c %s "$file")" ]; do
	size=$(stat -c %s "$file")
	sleep 1
done
kill "$reader"
wait "$reader" 2>/dev/null
echo nop >"$tracing/current_tracer" || fail "the tracer mmiotrace could not be stopped"
exit "$status"
