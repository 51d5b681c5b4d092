/* SPDX-License-Identifier: Apache-2.0 */
/* The threads on which requests are answered, whichever door they came through. Tools may keep all
 * of theirs busy; managing the desk goes on beside them. */
#pragma once

#include <glib.h>

typedef struct HfWorkers HfWorkers;
typedef void (*HfWork)(gpointer data);

HfWorkers *hf_workers_new(void);
/* Waits until everything that was given is done: shut the doors first. */
void hf_workers_free(HfWorkers *workers);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfWorkers, hf_workers_free)

/* A call of a tool. */
void hf_workers_call(HfWorkers *workers, HfWork work, gpointer data);
/* Anything else. */
void hf_workers_manage(HfWorkers *workers, HfWork work, gpointer data);
/* Whoever waits for a person gets a worker of its own, so that those for the others stay as many
 * as they were. The guard bounds how many can wait. */
void hf_workers_set_waiting(HfWorkers *workers, gboolean waiting);
