# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# For the tests of the judges, oracle and compat.

# expect STATUS TEXT...: the run ended so, and each text is in its output
expect()
{
	local text

	echo "$output"
	[ "$status" -eq "$1" ] || { echo "status $status, not $1"; return 1; }
	shift
	for text; do
		[[ $output == *"$text"* ]] || { echo "not there: $text"; return 1; }
	done
}
