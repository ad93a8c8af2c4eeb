# SPDX-License-Identifier: GPL-2.0-or-later
UNIT_log_unpack_test := $(addprefix src/log/,source_unpack.c unpack_gzip.c unpack_xz.c unpack_zstd.c \
			  source_peek.c source_fd.c)
UNIT_LIBS_log_unpack_test := -lz -llzma -lzstd
