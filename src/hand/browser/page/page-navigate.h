/* SPDX-License-Identifier: Apache-2.0 */
/* Navigates to a page and waits for it. */
#pragma once

#include "hand/browser/page/tab-session.h"

typedef enum HfNavigationKind {
    HF_NAVIGATE_TO,
    HF_NAVIGATE_BACK,
    HF_NAVIGATE_FORWARD,
    HF_NAVIGATE_RELOAD
} HfNavigationKind;

typedef struct HfNavigation {
    HfNavigationKind go;
    const char *url; /* for HF_NAVIGATE_TO */
    HfLoadState until;
    /* The outcome. */
    int status;        /* of the last response; 0: none */
    json_t *redirects; /* addresses on the way; NULL: none */
    gboolean reached;  /* the requested load state */
    gboolean moved;    /* within the document */
    gboolean download; /* it was a file */
} HfNavigation;

/* FORBIDDEN if the walls do not allow it, DESKTOP_UNAVAILABLE if the server does not answer. */
gboolean hf_tab_session_navigate(HfTabSession *session, HfNavigation *navigation, GError **error);
void hf_navigation_clear(HfNavigation *navigation);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfNavigation, hf_navigation_clear)
