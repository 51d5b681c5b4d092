/* SPDX-License-Identifier: Apache-2.0 */
/* Shares work among the cores. */
#pragma once

#include <glib.h>

/* Does one part of the work; called once per part, on any thread. */
typedef void (*HfParallelPart)(gpointer data, int index);

/* Does the parts 0 to `count` - 1 on the caller's thread and up to `most_threads` - 1 others, and
 * returns when all are done. Every free thread takes the next part, so on a busy machine the
 * caller does most of them itself and loses nothing: make several parts per thread. */
void hf_parallel_for(int most_threads, int count, HfParallelPart part, gpointer data);
