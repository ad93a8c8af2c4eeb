/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays that grow by doubling. The owner has a pointer and a count, and frees with free(). */
#ifndef MMIOBPF_ARRAY_H
#define MMIOBPF_ARRAY_H

#include <errno.h>
#include <stdlib.h>

/**
 * array_push() - make room for one more item at the end, and count it
 * @array: pointer variable
 * @n: count variable: it was reached by array_push() alone
 *
 * Return: pointer to the new item, not initialised, or NULL: no memory, and nothing has changed.
 */
#define array_push(array, n)                                                                       \
	((__typeof__(array))(array_make_room((void **)&(array), (n), sizeof(*(array))) ?           \
			     NULL : &(array)[(n)++]))

static inline int array_make_room(void **array, size_t n, size_t size)
{
	void *grown;

	if (n & (n - 1))
		return 0;
	grown = reallocarray(*array, n ? 2 * n : 1, size);
	if (!grown)
		return -ENOMEM;
	*array = grown;
	return 0;
}

#endif
