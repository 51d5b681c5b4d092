/* One connection to a message bus, or to a program directly, for many questions at a time. Answers
 * are sorted by GDBus's own thread and taken by whoever waits for them (batch.h): no main loop and
 * no task for each question, which would take longer than the questions themselves. */
#pragma once

#include <gio/gio.h>

typedef struct HfBatch HfBatch;
typedef struct HfLine HfLine;

/* A signal that came in. Runs on GDBus's thread: be quick, ask nothing. */
typedef void (*HfLineHeard)(GDBusMessage *message, gpointer data);

/* `heard` may be NULL: then signals are thrown away. */
HfLine *hf_line_new(GDBusConnection *take_connection, HfLineHeard heard, gpointer data);
/* Questions that are open stay without an answer. No `heard` runs from then on. */
void hf_line_free(HfLine *line);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfLine, hf_line_free)
gboolean hf_line_is_open(const HfLine *line);
/* At once, on any thread: the other side sees that we are gone. It is still to be freed. */
void hf_line_hang_up(HfLine *line);
/* For single calls, in GIO's own ways. Borrowed. */
GDBusConnection *hf_line_connection(const HfLine *line);

/* For batches: sends a question; its answer goes to `batch` with `mark`. FALSE: the line is dead.
 */
gboolean hf_line_send(HfLine *line, GDBusMessage *message, HfBatch *batch, guint mark);
/* Answers to these are thrown away when they come. */
void hf_line_forget(HfLine *line, HfBatch *batch);
/* The program at the other end is gone: answers all questions with "nothing". */
void hf_line_fail(HfLine *line);
