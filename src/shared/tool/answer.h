/* SPDX-License-Identifier: Apache-2.0 */
/* The one shape of every answer, at every door. */
#pragma once

#include "shared/base/error.h"
#include "shared/tool/result.h"
#include "shared/tool/tool.h"

struct HfAnswer {
    char *tool, *run_id, *step_id;
    gint64 time_ms; /* wall clock, when the call arrived */
    gint64 started; /* monotonic, for the duration */
    HfChannel channel;
    HfReads untrusted; /* whose text the answer carries; 0: nobody's */
    gboolean dry_run;  /* nothing was done */
    gboolean replayed; /* the call was done before, and this is the answer from then */
    HfResult *result;  /* exactly one of these two is set */
    GError *error;
    json_t *effect;    /* the effect of the action (shared/tool/effect.h); NULL: not verified */
    json_t *operation; /* continues in the background: {id, status}; NULL: it does not */
    json_t *rules;     /* rules that match the call; NULL: none */
    GError *warning;   /* beside either: the call was done, but something about it failed */
    gint64 guard_us, perform_us; /* test mode: how long each took; otherwise 0 */
};

HfAnswer *hf_answer_new(const char *tool, const char *run_id);
void hf_answer_free(HfAnswer *answer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfAnswer, hf_answer_free)

/* For an answer that may be asked for again. A result or binary parts of more than `most` bytes
 * are only described. */
HfAnswer *hf_answer_dup(const HfAnswer *answer, gsize most);
/* The same as JSON, without binary parts; NULL when the JSON is not an answer. */
json_t *hf_answer_to_recorded(const HfAnswer *answer, gsize most);
HfAnswer *hf_answer_new_from_json(const json_t *recorded);
/* Fills an empty answer with an earlier one and marks it as repeated. */
void hf_answer_repeat(HfAnswer *answer, const HfAnswer *before);

/* Without the binary parts: {"ok":true,...,"result":{...}} or {"ok":false,...,"error":{...}}. */
json_t *hf_answer_to_json(const HfAnswer *answer);
/* The same as text, with each binary part as base64 in its member of the result. Written directly
 * into `text`, because a picture of hundreds of kilobytes must not pass through a JSON tree. */
void hf_answer_append(const HfAnswer *answer, GString *text);
/* The same with another encoding of the binary parts. */
void hf_answer_append_with(const HfAnswer *answer, GString *text, HfAttachmentWriter writer,
                           gpointer data);
