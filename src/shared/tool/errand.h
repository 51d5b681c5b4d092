/* SPDX-License-Identifier: Apache-2.0 */
/* One call on its way to a hand: the request, what the guard wants to know besides, and what the
 * hand has seen, which also a failed call returns. */
#pragma once

#include "shared/base/deadline.h"
#include "shared/tool/result.h"
#include "shared/tool/tool.h"

/* What the hand records around the call. */
typedef enum HfWitness {
    HF_WITNESS_BEFORE = 1 << 0,      /* a picture before it */
    HF_WITNESS_AFTER = 1 << 1,       /* a picture after it, however it ended */
    HF_WITNESS_FAILURE = 1 << 2,     /* a picture after it, if it failed */
    HF_WITNESS_ENVIRONMENT = 1 << 3, /* the environment: display, window manager, front window */
    HF_WITNESS_ENVIRONMENT_IF_FAILED = 1 << 4,
    HF_WITNESS_UNDO = 1 << 5, /* how it could be undone */
} HfWitness;

/* The reason in an undo's "none" for calls that changed nothing. */
#define HF_UNDO_NOTHING "nothing was changed"

/* FALSE, with an error, cancels the errand: nobody gets its answer. */
typedef gboolean (*HfMeanwhile)(gpointer data, GError **error);

struct HfErrand {
    const HfTool *tool;
    json_t *params; /* checked, with defaults */
    const HfDeadline *deadline;
    gboolean preview; /* do nothing; report what the call would affect, with a marked picture */
    gboolean inspect; /* do nothing; report the content of the file that the call would run */
    char *inspected_sha256; /* the SHA-256 of that file as it was judged; NULL: there is no file */
    char *fence;   /* what must not be touched, as JSON: see hand/safety/fence.h; NULL: nothing */
    json_t *walls; /* the limits of the call: see desk/guard/steps/risk.c; NULL: none */
    /* The next picture of a live view instead of the call, which is a screenshot: its id, and what
     * its watcher has been shown (hand/main/live-views.h). NULL: none. */
    const char *view;
    guint frame;
    gboolean human;      /* a person's input through a live view: see hand/main/brake-control.h */
    const json_t *route; /* the window that it means, see hand/main/intended-window.h; NULL: any */
    gboolean approved;   /* the owner has agreed to writing into a password field */
    gboolean verify;     /* find out what the action changes: see hand/verify/effect.h */
    json_t *expect;      /* what must still hold, see hand/main/preconditions.h; NULL: nothing */
    HfWitness witness;
    int edge, quality; /* of the pictures */
    guint settle_ms;   /* how long after an action its picture is taken */
    guint waited_ms;   /* how much of that has passed already: only in the hand */
    const char *known; /* the token of the last picture: the same picture is not sent again */
    /* Called once, as soon as the hand has been asked: for what must be done before anybody has
     * the answer and, if `held`, before the hand does anything. Set to NULL once it has begun. */
    HfMeanwhile meanwhile;
    gpointer meanwhile_data;
    gboolean held;
    gint64 id; /* only in the hand, for a held errand: where to wait (shared/wire/hold-table.h) */
    int place;
    HfResult *ret_witness; /* filled when something was asked for; the caller frees it:
                              {"before": {"token", "same"?, "width", "height"}, "after": {...},
                              "environment": {...}, "undo": {...}, "problem": "..."} and the
                              pictures as attachments "before" and "after" */
    json_t *ret_effect; /* as in shared/tool/effect.h; NULL: not asked for. The caller frees it */
};

/* The part of the message to the hand that is not the call itself; NULL: none. */
json_t *hf_errand_to_json(const HfErrand *errand);
/* The reverse, in the hand. `expect`, `walls` and `known` are borrowed from the message. */
void hf_errand_read_json(HfErrand *errand, const json_t *ask);
