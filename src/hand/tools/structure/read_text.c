/* SPDX-License-Identifier: Apache-2.0 */
/* read_text: the text of one element, as long as the caller wants it. A secure field is refused,
 * and what looks like a secret is left out unless the caller wants it as it is. */
#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/read/element-text.h"
#include "hand/tools/resolve.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/text/secret-patterns.h"

#define MOST_BYTES  (1024 * 1024)
#define LIMIT_BYTES "4000"

static HfResult *run(HfCall *call, GError **error)
{
    g_auto(HfResolvedElement) located = {0};
    g_auto(HfElementText) text = {0};
    gsize limit = (gsize)hf_call_int(call, "limit_bytes");
    if (!hf_call_locate(call, "target", "element", &located, error) ||
        !hf_element_text_read(hf_call_desktop(call), located.tree, located.index, limit,
                              hf_call_deadline(call), &text, error))
        return NULL;
    gboolean redact = hf_call_bool(call, "redaction");
    g_autofree char *shown = redact ? hf_secret_patterns_redact(text.text) : g_strdup(text.text);
    json_t *json = json_pack("{s:o, s:s, s:b, s:b}", "text", hf_json_text(shown), "from", text.from,
                             "truncated", text.truncated, "redacted",
                             redact && g_strcmp0(shown, text.text) != 0);
    hf_call_add_found(call, json);
    return hf_result_new(json);
}

static const HfParam params[] = {
    {.name = "target",
     .type = HF_TYPE_STRING,
     .means = HF_MEANS_PLAIN,
     .required = TRUE,
     .min = 1,
     .max = HF_LIMIT_SELECTOR_BYTES,
     .also = &hf_selector_form,
     .about = "The element to read: a reference (e12), a selector (field \"Notes\"), or text that "
              "it shows"},
    {.name = "limit_bytes",
     .type = HF_TYPE_INTEGER,
     .min = 1,
     .max = MOST_BYTES,
     .fallback = LIMIT_BYTES,
     .about = "Bytes of text at most; the rest is cut off, and that is said"},
    {.name = "redaction",
     .type = HF_TYPE_BOOLEAN,
     .fallback = "true",
     .about = "Leave out what looks like a password, a token or a key"},
    {0},
};

static const HfParam result[] = {
    {.name = "text", .type = HF_TYPE_STRING, .required = TRUE, .about = "What is in it"},
    {.name = "from",
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .about = "text: what it holds; value; name; content: what can be read inside of it"},
    {.name = "truncated",
     .type = HF_TYPE_BOOLEAN,
     .required = TRUE,
     .about = "There is more than limit_bytes"},
    {.name = "redacted",
     .type = HF_TYPE_BOOLEAN,
     .required = TRUE,
     .about = "Something was left out"},
    HF_RESULT_ELEMENT("element"),
    {0},
};

const HfTool hf_tool_read_text = {
    .name = "read_text",
    .title = "Read the text of an element",
    .summary = "Read what a field, document, label or part of a window says, exactly and without "
               "looking at pixels. Password fields are refused",
    .category = HF_CATEGORY_STRUCTURE,
    .risk = HF_RISK_LOW,
    .level = HF_LEVEL_READ_ONLY,
    .needs = HF_NEEDS_NEITHER,
    .channel = HF_CHANNEL_STRUCTURE,
    .reads = HF_READS_SCREEN | HF_READS_PROGRAMS,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_NOTHING,
    .flags = HF_TOOL_READ_ONLY | HF_TOOL_IDEMPOTENT,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_NOTHING,
    .timeout_ms = 40000,
    .params = params,
    .result = result,
    .run = run,
};
