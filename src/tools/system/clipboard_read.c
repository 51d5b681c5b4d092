/* clipboard_read: the text on the clipboard and the formats of its content. Long texts are given
 * in parts, so that an answer always fits into one message; that it is a part is always said. */
#include "platform/clipboard.h"

#include <string.h>

#include "base/json.h"
#include "base/limits.h"
#include "tool/call.h"

/* Even if every byte had to be escaped in JSON (six for one), a part fits into a message. */
#define MOST_PART_BYTES 2500000

static const char *const selections[] = {"clipboard", "primary", NULL};

/* The part of a valid UTF-8 text from `offset` on; whole characters only. */
static json_t *text_part(const char *text, gsize length, gsize offset, gsize limit,
                         gboolean *ret_truncated)
{
    gsize start = MIN(offset, length);
    while (start > 0 && ((guint8)text[start] & 0xc0) == 0x80)
        start--;
    gsize end = start + MIN(limit, length - start);
    while (end > start && ((guint8)text[end] & 0xc0) == 0x80)
        end--;
    *ret_truncated = end < length;
    return hf_json_text_n(text + start, end - start);
}

static HfResult *run(HfCall *call, GError **error)
{
    HfSelection selection = g_str_equal(hf_call_string(call, "selection"), "primary")
                                ? HF_SELECTION_PRIMARY
                                : HF_SELECTION_CLIPBOARD;
    g_autoptr(HfClipboardText) content =
        hf_clipboard_read(hf_call_desktop(call), selection, hf_call_deadline(call), error);
    if (!content)
        return NULL;
    const char *text = content->text ? content->text : "";
    gsize length = strlen(text);
    gboolean truncated = FALSE;
    json_t *part = text_part(text, length, (gsize)hf_call_int(call, "offset"),
                             (gsize)hf_call_int(call, "max_bytes"), &truncated);
    json_t *formats = json_array();
    for (char **format = content->formats; *format; format++)
        json_array_append_new(formats, hf_json_text(*format));
    return hf_result_new(json_pack("{s:o, s:o, s:I, s:b}", "text", part, "formats", formats,
                                   "bytes", (json_int_t)length, "truncated", truncated));
}

static const HfParam params[] = {
    {.name = "selection",
     .type = HF_TYPE_STRING,
     .choices = selections,
     .fallback = "\"clipboard\"",
     .about = "clipboard: what was copied; primary: what is marked with the mouse"},
    {.name = "max_bytes",
     .type = HF_TYPE_INTEGER,
     .min = 0,
     .max = MOST_PART_BYTES,
     .fallback = "1000000",
     .about = "How much of a long text to return"},
    {.name = "offset",
     .type = HF_TYPE_INTEGER,
     .min = 0,
     .max = HF_LIMIT_CLIPBOARD_BYTES,
     .fallback = "0",
     .about = "Byte to start at, for the next part of a long text"},
    {0},
};

static const HfParam format_item = {
    .name = "format", .type = HF_TYPE_STRING, .about = "As its owner names it: image/png"};

static const HfParam result[] = {
    {.name = "text",
     .secret = TRUE,
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .about = "Empty when the content has no text form"},
    {.name = "formats",
     .type = HF_TYPE_ARRAY,
     .required = TRUE,
     .items = &format_item,
     .about = "All formats of the content; none when the clipboard is empty"},
    {.name = "bytes",
     .type = HF_TYPE_INTEGER,
     .required = TRUE,
     .about = "Length of the whole text in bytes of UTF-8"},
    {.name = "truncated",
     .type = HF_TYPE_BOOLEAN,
     .required = TRUE,
     .about = "There is more text after this part: call again with a larger offset"},
    {0},
};

const HfTool hf_tool_clipboard_read = {
    .name = "clipboard_read",
    .title = "Read the clipboard",
    .summary = "Return the text on the clipboard and the names of all formats that its content "
               "has (image/png, text/html, ...). Empty text and no formats: the clipboard is "
               "empty.",
    .category = HF_CATEGORY_SYSTEM,
    .risk = HF_RISK_MEDIUM,
    .level = HF_LEVEL_STANDARD,
    .needs = HF_NEEDS_NEITHER,
    .channel = HF_CHANNEL_SEMANTIC,
    .reads = HF_READS_CLIPBOARD,
    .effects = HF_EFFECT_NONE,
    .target = HF_TARGET_NOTHING,
    .flags = HF_TOOL_READ_ONLY | HF_TOOL_IDEMPOTENT,
    .pace = HF_PACE_FREE,
    .verifies = HF_VERIFY_NOTHING,
    .timeout_ms = 10000,
    .params = params,
    .result = result,
    .run = run,
};
