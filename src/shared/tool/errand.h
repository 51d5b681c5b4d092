/* SPDX-License-Identifier: Apache-2.0 */
/* One call on its way to a hand: what is asked for, what the guard wants to be told besides, and
 * what the hand has seen, which also a call that failed brings back. */
#pragma once

#include "shared/base/deadline.h"
#include "shared/tool/result.h"
#include "shared/tool/tool.h"

/* What the hand shall look at around the call. */
typedef enum HfWitness {
    HF_WITNESS_BEFORE = 1 << 0,      /* a picture before it */
    HF_WITNESS_AFTER = 1 << 1,       /* a picture after it, however it ended */
    HF_WITNESS_FAILURE = 1 << 2,     /* a picture after it, if it failed */
    HF_WITNESS_ENVIRONMENT = 1 << 3, /* what it runs on: display, window manager, front window */
    HF_WITNESS_ENVIRONMENT_IF_FAILED = 1 << 4,
    HF_WITNESS_UNDO = 1 << 5, /* how it could be taken back */
} HfWitness;

/* The reason in an undo's "none" for calls that have left everything as it was. */
#define HF_UNDO_NOTHING "nothing was changed"

/* FALSE, with an error, calls the errand off: its answer is not given to anybody. */
typedef gboolean (*HfMeanwhile)(gpointer data, GError **error);

struct HfErrand {
    const HfTool *tool;
    json_t *params; /* checked and completed */
    const HfDeadline *deadline;
    gboolean preview; /* do nothing; say what the call would hit, with a marked picture */
    gboolean inspect; /* do nothing; say what is in the file that the call would run */
    char *weighed;    /* of which this is the SHA-256 that was weighed; NULL: there is no file */
    char *fence; /* what must not be touched, as JSON: see hand/safety/fence.h; NULL: nothing */
    json_t *
        walls; /* within which it may work: see desk/guard/policy/walls.h; NULL: it is not walled */
    /* The next picture of a live view in place of the call, which is a screenshot: its id, and what
     * its watcher has been shown (hand/main/live-views.h). NULL: none. */
    const char *view;
    guint frame;
    gboolean human; /* a person's own hand, through a live view: see hand/main/brake-control.h */
    const json_t *route; /* the window that it is meant for, see hand/main/route.h; NULL: any */
    gboolean agreed;     /* the owner has agreed to what is written into a password field */
    gboolean verify;     /* find out what the action brings about: see hand/verify/effect.h */
    json_t *expect;      /* what must still be so, see hand/main/preconditions.h; NULL: nothing */
    HfWitness witness;
    int edge, quality; /* of the pictures */
    guint settle_ms;   /* how long after an action its picture is taken */
    guint waited_ms;   /* of which so much has passed already: in the hand alone */
    const char *known; /* the token of the last picture taken: the same one is not sent again */
    /* Done once, as soon as the hand has been asked: what need not be done before, only before
     * anybody has the answer; if `held`, before the hand does anything. Set to NULL when it was
     * begun. */
    HfMeanwhile meanwhile;
    gpointer meanwhile_data;
    gboolean held;
    gint64
        id; /* in the hand alone, of one that is held: where to wait (shared/wire/hold-table.h) */
    int place;
    HfResult *ret_witness; /* filled when something was asked for; the caller frees it:
                              {"before": {"token", "same"?, "width", "height"}, "after": {...},
                              "environment": {...}, "undo": {...}, "problem": "..."} and the
                              pictures as attachments "before" and "after" */
    json_t
        *ret_effect; /* as shared/tool/effect.h has it; NULL: not asked for. The caller frees it */
};

/* The part of the message to the hand that is not the call itself; NULL when there is none. */
json_t *hf_errand_to_json(const HfErrand *errand);
/* And back, in the hand. `expect`, `walls` and `known` are borrowed from the message. */
void hf_errand_read_json(HfErrand *errand, const json_t *ask);
