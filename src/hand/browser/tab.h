/* SPDX-License-Identifier: Apache-2.0 */
/* One tab of a browser: what is known of its page by the browser's events. Everything but the
 * numbers that never change is guarded by the lock of the browser's line. */
#pragma once

#include "hand/browser/cdp/cdp.h"
#include "hand/browser/network/page-policy.h"

/* A dialog that the page shows: alert, confirm, prompt, beforeunload. */
typedef struct HfPageDialog {
    char *kind; /* NULL: none is open */
    char *message;
    char *preset; /* of a prompt: what it offers */
    char *session;
} HfPageDialog;

/* How far a document has come. */
typedef enum HfLoadState {
    HF_LOAD_BEGUN,
    HF_LOAD_PARSED, /* domcontentloaded */
    HF_LOAD_LOADED,
    HF_LOAD_IDLE, /* nothing was fetched for half a second */
} HfLoadState;

typedef struct HfTab {
    gatomicrefcount refs;
    guint number;  /* "t3" to callers */
    char *target;  /* also the id of its main frame */
    char *session; /* the line's name of it */
    char *opener;  /* target of the page that has opened it; NULL: none */
    char *main_frame;
    char *url, *title;
    char *loader;      /* of the document that it shows */
    HfLoadState state; /* of that document */
    gboolean loading;
    guint navigations; /* documents so far */
    guint moves;       /* addresses so far, within a document too */
    guint begun;       /* navigations that were begun */
    gboolean crashed, gone;
    gboolean unseen; /* it has not been in front yet */
    HfPageDialog dialog;
    guint dialogs;      /* so far */
    GHashTable *frames; /* session → target, of frames in other processes */
    GHashTable *worlds; /* frame → world of ours in it */
    json_t *responses;  /* of the main document while somebody navigates: [{url, status}] */
    char *forbidden;    /* an address that it was sent away from; NULL: none */
    json_t *drag;       /* what is dragged, while somebody drags */
    json_t *chooser;    /* a file chooser that was asked for, while somebody uploads */
} HfTab;

HfTab *hf_tab_new(guint number, const char *session, const json_t *target_info);
HfTab *hf_tab_ref(HfTab *tab);
void hf_tab_unref(HfTab *tab);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfTab, hf_tab_unref)

/* With the lock held: what the browser says of it. `policy` may be NULL. */
void hf_tab_handle_event(HfTab *tab, HfCdp *cdp, const char *session, const char *method,
                         const json_t *params, const HfPagePolicy *policy);
void hf_tab_take_info(HfTab *tab, const json_t *target_info);
/* A frame in another process has come or gone. */
void hf_tab_add_frame(HfTab *tab, const char *session, const char *target);
void hf_tab_remove_frame(HfTab *tab, const char *session);
/* Its page or its browser has gone. */
void hf_tab_end(HfTab *tab, HfCdp *cdp);

/* What the browser must do for a new session, before its page runs. */
void hf_tab_prepare(HfCdp *cdp, const char *session);
