/* Going to a page and waiting until it is there. */
#pragma once

#include "browser/visit.h"

typedef enum HfGo { HF_GO_TO, HF_GO_BACK, HF_GO_FORWARD, HF_GO_RELOAD } HfGo;

typedef struct HfJourney {
    HfGo go;
    const char *url; /* for HF_GO_TO */
    HfLoadState until;
    /* What came of it. */
    int status;        /* of the last answer; 0: none */
    json_t *redirects; /* addresses on the way; NULL: none */
    gboolean reached;  /* the state that was asked for */
    gboolean moved;    /* within the document */
    gboolean download; /* it was a file */
} HfJourney;

/* FORBIDDEN when the walls do not allow it, DESKTOP_UNAVAILABLE when nobody answers there. */
gboolean hf_visit_go(HfVisit *visit, HfJourney *journey, GError **error);
void hf_journey_clear(HfJourney *journey);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HfJourney, hf_journey_clear)
