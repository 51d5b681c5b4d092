/* Many questions at once, asked from straight-line code: add calls, then run until all of them are
 * answered or the time is over. What to do with an answer may add further calls. */
#pragma once

#include "access/line.h"
#include "base/deadline.h"

/* `body` is NULL when the other side refused, answered something else, or is gone. `index` is what
 * the call was given. Runs on the thread of hf_batch_run. */
typedef void (*HfBatchDone)(gpointer owner, int index, GVariant *body);

typedef struct HfBatchCall {
    HfLine *line;
    const char *destination; /* a name on the bus; NULL: the line leads to the program itself */
    const char *path, *interface, *method;
    GVariant *arguments;    /* floating, or NULL */
    const char *reply_type; /* "(u)" */
    gboolean raw;           /* see HfLetter; then the type is "(say)" */
    HfBatchDone done;
    gpointer owner;
    int index;
} HfBatchCall;

/* `deadline` must live as long. */
HfBatch *hf_batch_new(const HfDeadline *deadline);
/* Those that are not answered yet never will be. */
void hf_batch_free(HfBatch *batch);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfBatch, hf_batch_free)

/* At most so many are under way at a time; the others wait their turn. Strings are copied. */
void hf_batch_call(HfBatch *batch, const HfBatchCall *call);
/* The property of an object; `done` gets the value itself. */
void hf_batch_get(HfBatch *batch, const HfBatchCall *call, const char *property);
/* TRUE: all were answered. FALSE: the deadline has passed, or the work was called off. */
gboolean hf_batch_run(HfBatch *batch);
/* The same until some are answered, for work that goes on while others are waited for. */
gboolean hf_batch_step(HfBatch *batch);
/* How many calls were made, for tests and measuring. */
guint hf_batch_count(const HfBatch *batch);
/* How many of an owner's calls were not answered. */
guint hf_batch_open(const HfBatch *batch, gconstpointer owner);

/* For lines: an answer, on any thread; NULL when it was refused, or none will come. */
void hf_batch_answer(HfBatch *batch, guint mark, GVariant *body);
