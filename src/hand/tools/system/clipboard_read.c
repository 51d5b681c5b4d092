/* SPDX-License-Identifier: Apache-2.0 */
/* clipboard_read: what is on the clipboard, as text or in another of its formats. Long texts are
 * given in parts, so that an answer always fits into one message; that it is a part is always said.
 */
#include "hand/desktop/clipboard.h"

#include <string.h>

#include "hand/desktop/desktop-limits.h"
#include "hand/tools/system/clipboard-content.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"

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

static HfResult *tell_text(const HfCall *call, const char *text, json_t *take_formats)
{
    gsize length = strlen(text);
    gboolean truncated = FALSE;
    json_t *part = text_part(text, length, (gsize)hf_call_int(call, "offset"),
                             (gsize)hf_call_int(call, "max_bytes"), &truncated);
    return hf_result_new(json_pack("{s:o, s:o, s:I, s:b}", "text", part, "formats", take_formats,
                                   "bytes", (json_int_t)length, "truncated", truncated));
}

static json_t *list_formats(const HfClipboardText *content)
{
    json_t *formats = json_array();
    for (char **format = content->formats; *format; format++)
        json_array_append_new(formats, hf_json_text(*format));
    return formats;
}

/* Bytes of any other format travel beside the answer. */
static HfResult *tell_bytes(const HfCall *call, const HfClipboardPart *part, json_t *take_formats)
{
    gboolean picture = g_str_has_prefix(part->format, "image/");
    HfResult *result = tell_text(call, "", take_formats);
    const char *type = strchr(part->format, '/') ? part->format : "application/octet-stream";
    json_object_set_new(result->json, "bytes",
                        json_integer((json_int_t)g_bytes_get_size(part->bytes)));
    hf_result_add_attachment(result, picture ? "image" : "data", type, g_bytes_ref(part->bytes));
    return result;
}

static HfResult *tell_part(const HfCall *call, const HfClipboardPart *part, json_t *take_formats)
{
    gsize length;
    const guint8 *bytes = g_bytes_get_data(part->bytes, &length);
    const char *word = hf_call_string(call, "format");
    HfResult *result;
    if (g_str_equal(word, "html") || g_str_has_prefix(part->format, "text/html")) {
        g_autofree char *text = hf_content_read_html(bytes, length);
        result = tell_text(call, text, take_formats);
    } else if (g_str_equal(word, "files")) {
        result = tell_text(call, "", take_formats);
        json_object_set_new(result->json, "files", hf_content_read_files(bytes, length));
    } else {
        result = tell_bytes(call, part, take_formats);
    }
    json_object_set_new(result->json, "format", hf_json_text(part->format));
    return result;
}

static HfResult *read_format(HfCall *call, const char *word, json_t *take_formats, GError **error)
{
    g_autoptr(json_t) formats = take_formats;
    const char *own[] = {word, NULL};
    const char *const *known = hf_content_formats(word);
    g_autoptr(HfClipboardPart) part =
        hf_clipboard_fetch(hf_call_desktop(call), hf_content_selection(call), known ? known : own,
                           hf_call_deadline(call), error);
    if (part)
        return tell_part(call, part, g_steal_pointer(&formats));
    if (hf_error_code(*error) == HF_ERROR_PRECONDITION_FAILED)
        hf_error_take_details(error, json_pack("{s:O}", "formats", formats));
    return NULL;
}

static HfResult *run(HfCall *call, GError **error)
{
    const char *word = hf_call_string(call, "format");
    g_autoptr(HfClipboardText) content = hf_clipboard_read(
        hf_call_desktop(call), hf_content_selection(call), hf_call_deadline(call), error);
    if (!content)
        return NULL;
    if (!g_str_equal(word, "text"))
        return read_format(call, word, list_formats(content), error);
    return tell_text(call, content->text ? content->text : "", list_formats(content));
}

static const HfParam params[] = {
    {.name = "format",
     .type = HF_TYPE_STRING,
     .means = HF_MEANS_PLAIN,
     .min = 1,
     .max = HF_LIMIT_NAME_BYTES,
     .fallback = "\"text\"",
     .about = "text, html, image, files, or one of `formats` by its name"},
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
static const HfParam file_item = {
    .name = "file", .type = HF_TYPE_STRING, .about = "A path, or an address elsewhere"};

static const HfParam result[] = {
    {.name = "text",
     .secret = TRUE,
     .type = HF_TYPE_STRING,
     .required = TRUE,
     .about = "The text, or the markup for html; empty when the content has no text form"},
    {.name = "formats",
     .type = HF_TYPE_ARRAY,
     .required = TRUE,
     .items = &format_item,
     .about = "All formats of the content; none when the clipboard is empty"},
    {.name = "bytes",
     .type = HF_TYPE_INTEGER,
     .required = TRUE,
     .about = "Length of the whole content in this format"},
    {.name = "truncated",
     .type = HF_TYPE_BOOLEAN,
     .required = TRUE,
     .about = "There is more text after this part: call again with a larger offset"},
    {.name = "format",
     .type = HF_TYPE_STRING,
     .about = "The format that was read, when another than text was asked for"},
    {.name = "files",
     .secret = TRUE,
     .type = HF_TYPE_ARRAY,
     .items = &file_item,
     .about = "For files: what was copied"},
    {.name = "image",
     .secret = TRUE,
     .type = HF_TYPE_STRING,
     .binary = TRUE,
     .about = "For image: the picture, as its owner gave it"},
    {.name = "data",
     .secret = TRUE,
     .type = HF_TYPE_STRING,
     .binary = TRUE,
     .about = "For a format by its name: its bytes"},
    {0},
};

const HfTool hf_tool_clipboard_read = {
    .name = "clipboard_read",
    .title = "Read the clipboard",
    .summary = "Return the text on the clipboard and the names of all formats that its content "
               "has (image/png, text/html, ...); with format, its markup, picture, files or the "
               "bytes of any other format. Empty text and no formats: the clipboard is empty.",
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
