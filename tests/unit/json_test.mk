# SPDX-License-Identifier: GPL-2.0-or-later
UNIT_json_test := src/json.c
