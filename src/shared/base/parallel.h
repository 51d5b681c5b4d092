/* SPDX-License-Identifier: Apache-2.0 */
/* Work in parts, shared out among the cores. */
#pragma once

#include <glib.h>

/* Does one part of the work; called once for each, on any thread. */
typedef void (*HfParallelPart)(gpointer data, int index);

/* Does the parts 0 to `count` - 1, on the caller's thread and on up to `most_threads` - 1 others,
 * and returns when all are done. Whoever is free takes the next one, so on a busy machine the
 * caller does most of them itself and has lost nothing: give it several for each thread. */
void hf_parallel_for(int most_threads, int count, HfParallelPart part, gpointer data);
