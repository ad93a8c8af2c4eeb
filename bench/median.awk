# SPDX-License-Identifier: GPL-2.0-or-later
#
# Samples and their medians: sample[KEY, i] for i of 1 to n[KEY]. Used with table.awk and rates.awk.

function sample_add(key, x)
{
	sample[key, ++n[key]] = x
}

function sorted(key, into,	i, j, x)
{
	for (i = 1; i <= n[key]; i++) {
		x = sample[key, i]
		for (j = i - 1; j >= 1 && into[j] > x; j--)
			into[j + 1] = into[j]
		into[j + 1] = x
	}
	return n[key]
}

function median(key,	s, count)
{
	count = sorted(key, s)
	if (!count)
		return 0
	return count % 2 ? s[(count + 1) / 2] : (s[count / 2] + s[count / 2 + 1]) / 2
}
