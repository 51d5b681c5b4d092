/* SPDX-License-Identifier: Apache-2.0 */
/* Runs work on the main thread, from any other: writes answers, looks after connections. In
 * order. */
#pragma once

#include <glib.h>

typedef struct HfMainQueue HfMainQueue;
typedef void (*HfMainQueueFunc)(gpointer data);

/* On the main thread, with its default context. */
HfMainQueue *hf_main_queue_new(void);
/* Runs what is still queued first. */
void hf_main_queue_free(HfMainQueue *queue);

/* From any thread. */
void hf_main_queue_push(HfMainQueue *queue, HfMainQueueFunc work, gpointer data);
