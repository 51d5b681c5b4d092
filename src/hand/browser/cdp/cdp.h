/* SPDX-License-Identifier: Apache-2.0 */
/* A connection to a browser over the Chrome DevTools Protocol: commands, their answers, and events.
 * A caller waits on its own thread, and answers find it by id. One lock guards the connection and
 * everything learned through it, so that a thread can wait for any of it to change. */
#pragma once

#include "shared/base/deadline.h"
#include "shared/base/json.h"

typedef struct HfCdp HfCdp;

/* The owner's callbacks, on the reading thread with the lock held: they must be quick and may send
 * (hf_cdp_send), but never call. */
typedef struct HfCdpListener {
    void (*event)(const char *session, const char *method, const json_t *params, gpointer data);
    void (*closed)(gpointer data);
    gpointer data;
} HfCdpListener;

/* Takes both descriptors. */
HfCdp *hf_cdp_new(int read_fd, int write_fd, const HfCdpListener *listener);
/* Every waiting caller gets an error. Returns when the reading thread has ended; the listener is
 * not called any more. */
void hf_cdp_free(HfCdp *cdp);
/* The same without waiting: the browser is gone, or will be. */
void hf_cdp_shut(HfCdp *cdp);
gboolean hf_cdp_is_open(HfCdp *cdp);

/* `session` is NULL for the browser itself. Returns the result, or NULL: DESKTOP_UNAVAILABLE if the
 * browser or the page is gone, DESKTOP_MODAL_BLOCKING if a dialog blocks the session,
 * PRECONDITION_FAILED with the browser's message if it refuses. */
json_t *hf_cdp_call(HfCdp *cdp, const char *session, const char *method, json_t *take_params,
                    const HfDeadline *deadline, GError **error);
/* Works while a dialog blocks the session. */
json_t *hf_cdp_call_despite_dialog(HfCdp *cdp, const char *session, const char *method,
                                   json_t *take_params, const HfDeadline *deadline, GError **error);
/* The two halves of hf_cdp_call; several commands can be in flight. */
gint64 hf_cdp_begin(HfCdp *cdp, const char *session, const char *method, json_t *take_params);
json_t *hf_cdp_finish(HfCdp *cdp, gint64 id, const HfDeadline *deadline, GError **error);
/* Nobody waits for the answer. May be called with the lock held. */
void hf_cdp_send(HfCdp *cdp, const char *session, const char *method, json_t *take_params);

/* With the lock held: a session has ended; a dialog blocks a session or no longer does. */
void hf_cdp_end_session(HfCdp *cdp, const char *session);
void hf_cdp_set_blocked(HfCdp *cdp, const char *session, gboolean blocked);

void hf_cdp_lock(HfCdp *cdp);
void hf_cdp_unlock(HfCdp *cdp);
/* Without the lock: waits until `test` is true. `test` runs with the lock held. */
typedef gboolean (*HfCdpTest)(gpointer data);
gboolean hf_cdp_wait_for(HfCdp *cdp, HfCdpTest test, gpointer data, const HfDeadline *deadline,
                         GError **error);

/* NULL if it is not a message. Page text can contain what JSON text may not (lone surrogates, NUL):
 * U+FFFD replaces it, because the waiting caller has to get its answer. */
json_t *hf_cdp_message_parse(const char *text, gsize length);

typedef struct HfCdpSplitter HfCdpSplitter;
/* Gets one whole message, NUL-terminated. */
typedef void (*HfCdpSplitterFunc)(const char *message, gsize length, gpointer data);
HfCdpSplitter *hf_cdp_splitter_new(gsize most_bytes);
void hf_cdp_splitter_free(HfCdpSplitter *splitter);
/* Takes bytes as they come and passes on each complete message. FALSE after a message that was too
 * long: nothing that follows can be trusted. */
gboolean hf_cdp_splitter_feed(HfCdpSplitter *splitter, const char *bytes, gsize count,
                              HfCdpSplitterFunc each, gpointer data);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfCdpSplitter, hf_cdp_splitter_free)
