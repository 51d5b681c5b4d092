/* SPDX-License-Identifier: Apache-2.0 */
/* Many D-Bus calls at once, from straight-line code: add calls, then run until all of them are
 * answered or the time is over. A reply handler may add further calls. */
#pragma once

#include "hand/atspi/bus/bus-connection.h"
#include "shared/base/deadline.h"

/* `body` is NULL when the peer refused, sent another type, or is gone. `index` is that of the call.
 * Runs on the thread of hf_call_batch_run. */
typedef void (*HfBatchDone)(gpointer owner, int index, GVariant *body);

typedef struct HfBatchCall {
    HfBusConnection *connection;
    const char *destination; /* a bus name; NULL: the connection leads to the program itself */
    const char *path, *interface, *method;
    GVariant *arguments;    /* floating, or NULL */
    const char *reply_type; /* "(u)" */
    gboolean raw;           /* see HfBusMessage; the type is "(say)" then */
    HfBatchDone done;       /* NULL: the reply does not matter */
    gpointer owner;
    int index;
} HfBatchCall;

/* `deadline` must outlive the batch. */
HfCallBatch *hf_call_batch_new(const HfDeadline *deadline);
/* Open calls are never answered. */
void hf_call_batch_free(HfCallBatch *batch);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfCallBatch, hf_call_batch_free)

/* At most HF_LIMIT_ACCESS_IN_FLIGHT calls are under way at a time; the rest queue. Copies strings.
 */
void hf_call_batch_call(HfCallBatch *batch, const HfBatchCall *call);
/* Short forms: a ping, and a call with one text to the bus daemon. */
void hf_call_batch_ping(HfCallBatch *batch, HfBusConnection *connection, const char *bus,
                        const char *path, HfBatchDone done, gpointer owner, int index);
void hf_call_batch_call_bus(HfCallBatch *batch, HfBusConnection *connection, const char *method,
                            const char *argument, const char *reply_type, HfBatchDone done,
                            gpointer owner, int index);
/* Reads a property; `done` gets the value itself. */
void hf_call_batch_get(HfCallBatch *batch, const HfBatchCall *call, const char *property);
/* TRUE: all calls were answered. FALSE: the deadline has passed, or the work was cancelled. */
gboolean hf_call_batch_run(HfCallBatch *batch);
/* Runs until some calls are answered, for work that continues while others are open. */
gboolean hf_call_batch_step(HfCallBatch *batch);
/* How many calls were sent, for tests and measurements. */
guint hf_call_batch_count_calls(const HfCallBatch *batch);
/* How many of the owner's calls are open. */
guint hf_call_batch_count_open(const HfCallBatch *batch, gconstpointer owner);

/* For connections: delivers a reply, on any thread; NULL: refused, or none will come. */
void hf_call_batch_take_answer(HfCallBatch *batch, guint number, GVariant *body);
