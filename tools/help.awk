# SPDX-License-Identifier: GPL-2.0-or-later
# Prints each target that carries a "## " comment, from the makefiles named on the command line.

BEGIN {
	print "Targets:"
}

/^[a-zA-Z][-a-zA-Z0-9_.]*:([^=].*)?## / {
	target = $0
	sub(/:.*/, "", target)
	text = $0
	sub(/.*## /, "", text)
	printf "  %-22s%s\n", target, text
}

END {
	print "Variables: V=1 shows commands; prefix and DESTDIR steer install; KERNELS names the guests' kernels;"
	print "  JOBS is the number of parallel jobs of check, demo and bench; DEPS=no keeps make from installing."
}
