# SPDX-License-Identifier: GPL-2.0-or-later
# For all tests of the command line.

top=$BATS_TEST_DIRNAME/../..
mmiobpf=$top/build/mmiobpf

# says STATUS TEXT COMMAND...: runs it; it must end with STATUS and say exactly TEXT, on stderr alone
says()
{
	local want_status=$1 want=$2
	shift 2
	run --separate-stderr "$@"
	echo "status $status"
	echo "stdout: $output"
	echo "stderr: $stderr"
	[ "$status" -eq "$want_status" ]
	[ "$output" = "" ]
	[ "$stderr" = "$want" ]
}

# As somebody who may nothing. The program is copied to where everybody can reach it.
as_nobody()
{
	local dir
	if [ "$(id -u)" -ne 0 ]; then
		"$@"
		return
	fi
	dir=$(mktemp -d /tmp/mmiobpf-cli-XXXXXX)
	chmod 755 "$dir"
	cp "$1" "$dir/mmiobpf"
	chmod 755 "$dir/mmiobpf"
	shift
	local result=0
	setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all --bounding-set=-all \
		"$dir/mmiobpf" "$@" || result=$?
	rm -r "$dir"
	return $result
}

# Some tests are about a machine without the module.
without_module()
{
	if [ -e /dev/mmiobpf ] || modinfo mmiobpf >/dev/null 2>&1; then
		skip "the module is installed on this machine"
	fi
}
