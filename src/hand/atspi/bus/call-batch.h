/* SPDX-License-Identifier: Apache-2.0 */
/* Many questions at once, asked from straight-line code: add calls, then run until all of them are
 * answered or the time is over. What to do with an answer may add further calls. */
#pragma once

#include "hand/atspi/bus/bus-connection.h"
#include "shared/base/deadline.h"

/* `body` is NULL when the other side refused, answered something else, or is gone. `index` is what
 * the call was given. Runs on the thread of hf_call_batch_run. */
typedef void (*HfBatchDone)(gpointer owner, int index, GVariant *body);

typedef struct HfBatchCall {
    HfBusConnection *line;
    const char *destination; /* a name on the bus; NULL: the line leads to the program itself */
    const char *path, *interface, *method;
    GVariant *arguments;    /* floating, or NULL */
    const char *reply_type; /* "(u)" */
    gboolean raw;           /* see HfBusMessage; then the type is "(say)" */
    HfBatchDone done;
    gpointer owner;
    int index;
} HfBatchCall;

/* `deadline` must live as long. */
HfCallBatch *hf_call_batch_new(const HfDeadline *deadline);
/* Those that are not answered yet never will be. */
void hf_call_batch_free(HfCallBatch *batch);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfCallBatch, hf_call_batch_free)

/* At most so many are under way at a time; the others wait their turn. Strings are copied. */
void hf_call_batch_call(HfCallBatch *batch, const HfBatchCall *call);
/* The property of an object; `done` gets the value itself. */
void hf_call_batch_get(HfCallBatch *batch, const HfBatchCall *call, const char *property);
/* TRUE: all were answered. FALSE: the deadline has passed, or the work was called off. */
gboolean hf_call_batch_run(HfCallBatch *batch);
/* The same until some are answered, for work that goes on while others are waited for. */
gboolean hf_call_batch_step(HfCallBatch *batch);
/* How many calls were made, for tests and measuring. */
guint hf_call_batch_count_calls(const HfCallBatch *batch);
/* How many of an owner's calls were not answered. */
guint hf_call_batch_count_open(const HfCallBatch *batch, gconstpointer owner);

/* For lines: an answer, on any thread; NULL when it was refused, or none will come. */
void hf_call_batch_take_answer(HfCallBatch *batch, guint mark, GVariant *body);
