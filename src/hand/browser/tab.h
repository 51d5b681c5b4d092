/* SPDX-License-Identifier: Apache-2.0 */
/* One tab of a browser, as known from the browser's events. The CDP lock guards everything except
 * what never changes. */
#pragma once

#include "hand/browser/cdp/cdp.h"
#include "hand/browser/network/page-policy.h"

/* A dialog of the page: alert, confirm, prompt, beforeunload. */
typedef struct HfPageDialog {
    char *kind; /* NULL: none is open */
    char *message;
    char *preset; /* default text of a prompt */
    char *session;
} HfPageDialog;

/* How far a document has loaded. */
typedef enum HfLoadState {
    HF_LOAD_BEGUN,
    HF_LOAD_PARSED, /* domcontentloaded */
    HF_LOAD_LOADED,
    HF_LOAD_IDLE, /* half a second without network requests */
} HfLoadState;

typedef struct HfTab {
    gatomicrefcount refs;
    guint number;  /* "t3" to callers */
    char *target;  /* also the id of its main frame */
    char *session; /* its CDP session */
    char *opener;  /* target of the page that opened it; NULL: none */
    char *main_frame;
    char *url, *title;
    char *loader;      /* of the current document */
    HfLoadState state; /* of that document */
    gboolean loading;
    guint navigations; /* documents so far */
    guint moves;       /* addresses so far, also within a document */
    guint begun;       /* navigations that were started */
    gboolean crashed, gone;
    gboolean unseen; /* it has not been active yet */
    HfPageDialog dialog;
    guint dialogs;      /* so far */
    GHashTable *frames; /* session → target, for frames in other processes */
    GHashTable *worlds; /* frame → our isolated world in it */
    json_t *responses;  /* of the main document, during a navigation: [{url, status}] */
    char *forbidden;    /* an address that it was sent away from; NULL: none */
    json_t *drag;       /* dragged data, during a drag */
    json_t *chooser;    /* the file chooser request, during an upload */
} HfTab;

HfTab *hf_tab_new(guint number, const char *session, const json_t *target_info);
HfTab *hf_tab_ref(HfTab *tab);
void hf_tab_unref(HfTab *tab);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfTab, hf_tab_unref)

/* With the lock held: handles an event of the browser. `policy` may be NULL. */
void hf_tab_handle_event(HfTab *tab, HfCdp *cdp, const char *session, const char *method,
                         const json_t *params, const HfPagePolicy *policy);
void hf_tab_take_info(HfTab *tab, const json_t *target_info);
/* A frame in another process has disappeared. */
void hf_tab_remove_frame(HfTab *tab, const char *session);
/* Its page or its browser is gone. */
void hf_tab_end(HfTab *tab, HfCdp *cdp);

/* Sets up a new session before its page runs. */
void hf_tab_prepare(HfCdp *cdp, const char *session);
