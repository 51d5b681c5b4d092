/* SPDX-License-Identifier: Apache-2.0 */
/* Work for the main thread from any other: answers to be written, connections to be looked after.
 * Done in the order in which it was given. */
#pragma once

#include <glib.h>

typedef struct HfMainQueue HfMainQueue;
typedef void (*HfMainQueueFunc)(gpointer data);

/* On the main thread, for its default context. */
HfMainQueue *hf_main_queue_new(void);
/* Does what is still there first. */
void hf_main_queue_free(HfMainQueue *relay);

/* From any thread. */
void hf_main_queue_push(HfMainQueue *relay, HfMainQueueFunc work, gpointer data);
