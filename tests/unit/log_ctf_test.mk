# SPDX-License-Identifier: GPL-2.0-or-later
UNIT_log_ctf_test := $(addprefix src/log/,ctf_writer.c ctf_reader.c ctf_stream.c ctf_layout.c ctf_metadata.c \
		     pc_set.c record.c header.c sink_fd.c source_fd.c)
UNIT_LIBS_log_ctf_test := -lz
