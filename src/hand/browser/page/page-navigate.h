/* SPDX-License-Identifier: Apache-2.0 */
/* Going to a page and waiting until it is there. */
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
    /* What came of it. */
    int status;        /* of the last answer; 0: none */
    json_t *redirects; /* addresses on the way; NULL: none */
    gboolean reached;  /* the state that was asked for */
    gboolean moved;    /* within the document */
    gboolean download; /* it was a file */
} HfNavigation;

/* FORBIDDEN when the walls do not allow it, DESKTOP_UNAVAILABLE when nobody answers there. */
gboolean hf_tab_session_navigate(HfTabSession *visit, HfNavigation *journey, GError **error);
void hf_navigation_clear(HfNavigation *journey);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfNavigation, hf_navigation_clear)
