/* SPDX-License-Identifier: Apache-2.0 */
/* The threads that answer requests of all doors. Tools may keep all of their threads busy;
 * management has its own. */
#pragma once

#include <glib.h>

typedef struct HfWorkers HfWorkers;
typedef void (*HfWork)(gpointer data);

HfWorkers *hf_workers_new(void);
/* Waits until all given work is done: shut the doors first. */
void hf_workers_free(HfWorkers *workers);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfWorkers, hf_workers_free)

/* For a tool call. */
void hf_workers_call(HfWorkers *workers, HfWork work, gpointer data);
/* For anything else. */
void hf_workers_manage(HfWorkers *workers, HfWork work, gpointer data);
/* A call that waits for a person gets an extra worker, so that the others keep theirs. The guard
 * bounds how many can wait. */
void hf_workers_set_waiting(HfWorkers *workers, gboolean waiting);
