/* SPDX-License-Identifier: Apache-2.0 */
/* read_text: reads the text of one element. Refuses password fields, and removes what looks like a
 * secret unless the caller wants it. */
#include "hand/atspi/atspi-limits.h"
#include "hand/atspi/read/element-text.h"
#include "hand/tools/resolve.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/text/secret-patterns.h"

#define MAX_TEXT_BYTES (1024 * 1024)

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
    HF_REQUIRED("target", HF_TYPE_STRING,
                "The element to read: a reference (e12), a selector (field \"Notes\"), or its text",
                HF_SELECTOR),
    HF_OPTIONAL("limit_bytes", HF_TYPE_INTEGER,
                "Maximum number of bytes; truncated says if there was more", .min = 1,
                .max = MAX_TEXT_BYTES, .fallback = "4000"),
    HF_OPTIONAL("redaction", HF_TYPE_BOOLEAN, "Remove what looks like a password, a token or a key",
                .fallback = "true"),
    {0},
};

static const HfParam result[] = {
    HF_REQUIRED("text", HF_TYPE_STRING, "Its text"),
    HF_REQUIRED(
        "from", HF_TYPE_STRING,
        "Source of the text: text (its content), value, name, or content (the elements inside it)"),
    HF_REQUIRED("truncated", HF_TYPE_BOOLEAN, "There is more than limit_bytes"),
    HF_REQUIRED("redacted", HF_TYPE_BOOLEAN, "Something was removed"),
    HF_RESULT_ELEMENT("element"),
    {0},
};

const HfTool hf_tool_read_text = {
    .name = "read_text",
    .title = "Read the text of an element",
    .summary = "Read the text of a field, document, label or part of a window, exactly and without "
               "OCR. Password fields are refused",
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
