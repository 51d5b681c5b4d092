/* clipboard_write: replaces the content of the clipboard by a text. The text stays there when the
 * desk ends, until another program copies something. */
#include "platform/clipboard.h"

#include <string.h>

#include "base/json.h"
#include "base/limits.h"
#include "tool/call.h"
#include "tools/undo.h"

/* Before the old content is gone. Only text can be put back. */
static void note_undo(HfCall *call, const char *text)
{
    if (!hf_call_wants_undo(call))
        return;
    HfDeadline soon = hf_deadline_within_ms(hf_call_deadline(call), HF_LIMIT_UNDO_READ_MS);
    g_autoptr(HfClipboardText) old =
        hf_clipboard_read(hf_call_desktop(call), HF_SELECTION_CLIPBOARD, &soon, NULL);
    if (!old)
        hf_undo_none(call, "the old content could not be read");
    else if (!old->text && old->formats[0])
        hf_undo_none(call, "the old content was no text");
    else if (old->text && strlen(old->text) > HF_LIMIT_UNDO_TEXT_BYTES)
        hf_undo_none(call, "the old text was too long to be kept");
    else {
        g_autofree char *hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);
        hf_call_take_undo(call, json_pack("{s:s, s:{s:s}, s:{s:s}}", "tool", "clipboard_write",
                                          "params", "text", old->text ? old->text : "", "expect",
                                          "clipboard_sha256", hash));
    }
}

static HfResult *run(HfCall *call, GError **error)
{
    const char *text = hf_call_string(call, "text");
    note_undo(call, text);
    if (!hf_clipboard_write(hf_call_desktop(call), text, hf_call_deadline(call), error))
        return NULL;
    return hf_result_new(
        json_pack("{s:b, s:I}", "success", TRUE, "bytes", (json_int_t)strlen(text)));
}

static const HfParam params[] = {
    {.name = "text",
     .secret = TRUE,
     .means = HF_MEANS_COPIED,
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .min = 0,
     .max = HF_LIMIT_CLIPBOARD_BYTES,
     .about = "The new content; may be empty"},
    {0},
};

static const HfParam result[] = {
    {.name = "success", .type = HF_TYPE_BOOLEAN, .required = TRUE, .about = "Always true"},
    {.name = "bytes",
     .type = HF_TYPE_INTEGER,
     .required = TRUE,
     .about = "Length of the text in bytes of UTF-8"},
    {0},
};

const HfTool hf_tool_clipboard_write = {
    .name = "clipboard_write",
    .title = "Write to the clipboard",
    .summary = "Replace the content of the clipboard by a text, ready to be pasted into any "
               "program. What was there before is lost; to type a text use type_text, which "
               "leaves the clipboard as it is.",
    .category = HF_CATEGORY_SYSTEM,
    .risk = HF_RISK_MEDIUM,
    .level = HF_LEVEL_STANDARD,
    .needs = HF_NEEDS_NEITHER,
    .channel = HF_CHANNEL_SEMANTIC,
    .reads = HF_READS_NOTHING,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_NOTHING,
    .flags = HF_TOOL_IDEMPOTENT,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_OWN,
    .timeout_ms = 10000,
    .params = params,
    .result = result,
    .run = run,
};
