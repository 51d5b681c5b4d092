/* SPDX-License-Identifier: Apache-2.0 */
/* What an action changed, as every door reports it beside the result: a verdict, and what was
 * seen. An accepted event proves nothing, so a verdict needs other evidence. */
#pragma once

#include <jansson.h>

#include "shared/tool/tool.h"

typedef enum HfVerdict {
    HF_VERDICT_UNVERIFIED, /* something may have happened, but nothing proves it */
    HF_VERDICT_CONFIRMED,  /* a consequence was seen that only the action explains */
    HF_VERDICT_NO_EFFECT,  /* nothing at all was seen */
    HF_VERDICT_REFUSED,    /* the action was not done */
    HF_VERDICT_COUNT,
} HfVerdict;

const char *hf_verdict_name(HfVerdict verdict);

/* {verdict, why, waited_ms, windows{opened, closed, changed}, focus, elements{new, gone, altered},
 * rects, suggested_next}: all but the first three only when they have content. */
extern const HfParam hf_effect_fields[];

/* The parameter `verify`, which only verifying tools have. */
gboolean hf_tool_verifies(const HfTool *tool);
/* {verdict, why, waited_ms: 0}. */
json_t *hf_effect_new(HfVerdict verdict, const char *why);
/* Whether it names windows or elements: text of others. */
gboolean hf_effect_names_others(const json_t *effect);
