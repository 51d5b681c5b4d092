/* The one shape of every answer, at every door. */
#pragma once

#include "base/error.h"
#include "tool/result.h"
#include "tool/tool.h"

struct HfAnswer {
    char *tool, *run_id, *step_id;
    gint64 time_ms; /* wall clock, when the call came in */
    gint64 started; /* monotonic, for the duration */
    HfChannel channel;
    HfReads untrusted; /* whose text the answer carries; 0: nobody's */
    gboolean dry_run;  /* nothing was done */
    HfResult *result;  /* one of these two is set */
    GError *error;
    GError *warning; /* beside either: it was done, but something about it was not */
};

HfAnswer *hf_answer_new(const char *tool, const char *run_id);
void hf_answer_free(HfAnswer *answer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfAnswer, hf_answer_free)

/* Without the binary parts: {"ok":true,...,"result":{...}} or {"ok":false,...,"error":{...}}. */
json_t *hf_answer_to_json(const HfAnswer *answer);
/* The same as text with each binary part as base64 in its member of the result. Written straight
 * into `text`: a picture of hundreds of kilobytes must not pass through a JSON tree. */
void hf_answer_append(const HfAnswer *answer, GString *text);
