/* SPDX-License-Identifier: Apache-2.0 */
/* The line to a browser: commands and their answers, and events. Whoever asks waits on its own
 * thread; answers find it by number. One lock guards the line and all that is known of the browser
 * through it, so that a thread can wait for any of that to change. */
#pragma once

#include "shared/base/deadline.h"
#include "shared/base/json.h"

typedef struct HfCdp HfCdp;

/* What the owner of the line is told, on the reading thread, with the lock held: must be quick, and
 * may tell (hf_cdp_send), never ask. */
typedef struct HfCdpListener {
    void (*event)(const char *session, const char *method, const json_t *params, gpointer data);
    void (*closed)(gpointer data);
    gpointer data;
} HfCdpListener;

/* Takes both descriptors. */
HfCdp *hf_cdp_new(int read_fd, int write_fd, const HfCdpListener *listener);
/* Everybody who waits gets an error; returns when the reading thread has ended. The listener hears
 * nothing more. */
void hf_cdp_free(HfCdp *cdp);
/* The same without waiting for anything: the browser is gone, or will be. */
void hf_cdp_shut(HfCdp *cdp);
gboolean hf_cdp_is_open(HfCdp *cdp);

/* `session` is NULL for the browser itself. The members of the answer, or NULL:
 * DESKTOP_UNAVAILABLE when the browser or the page has gone, DESKTOP_MODAL_BLOCKING when the
 * session is blocked meanwhile, PRECONDITION_FAILED when the browser refuses, with its message. */
json_t *hf_cdp_call(HfCdp *cdp, const char *session, const char *method, json_t *take_params,
                    const HfDeadline *deadline, GError **error);
/* Also while the session is blocked. */
json_t *hf_cdp_call_despite_dialog(HfCdp *cdp, const char *session, const char *method,
                                   json_t *take_params, const HfDeadline *deadline, GError **error);
/* The two halves of it: several can be under way. */
gint64 hf_cdp_begin(HfCdp *cdp, const char *session, const char *method, json_t *take_params);
json_t *hf_cdp_finish(HfCdp *cdp, gint64 id, const HfDeadline *deadline, GError **error);
/* Whoever begun it does not want the answer any more. */
void hf_cdp_forget(HfCdp *cdp, gint64 id);
/* Nobody waits for the answer. With or without the lock. */
void hf_cdp_send(HfCdp *cdp, const char *session, const char *method, json_t *take_params);

/* With the lock held: a session that has ended, and one that shows a dialog and answers nothing. */
void hf_cdp_end_session(HfCdp *cdp, const char *session);
void hf_cdp_set_blocked(HfCdp *cdp, const char *session, gboolean blocked);

void hf_cdp_lock(HfCdp *cdp);
void hf_cdp_unlock(HfCdp *cdp);
/* With the lock held: until something has changed. FALSE when the work must end, or the line is
 * shut. */
gboolean hf_cdp_wait(HfCdp *cdp, const HfDeadline *deadline, GError **error);
/* The same, without the lock, for whoever waits once: `test` is asked with the lock held. */
typedef gboolean (*HfCdpTest)(gpointer data);
gboolean hf_cdp_wait_for(HfCdp *cdp, HfCdpTest test, gpointer data, const HfDeadline *deadline,
                         GError **error);
