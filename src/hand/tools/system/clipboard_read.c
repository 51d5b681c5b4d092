/* SPDX-License-Identifier: Apache-2.0 */
/* clipboard_read: returns the clipboard as text or in another of its formats. Long texts come in
 * parts, so that an answer always fits into one message; `truncated` says so. */
#include "hand/desktop/clipboard.h"

#include <string.h>

#include "hand/desktop/desktop-limits.h"
#include "hand/tools/system/clipboard-content.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"

/* A part fits into a message even if JSON escapes every byte (six for one). */
#define MAX_PART_BYTES 2500000

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

static HfResult *text_to_result(const HfCall *call, const char *text, json_t *take_formats)
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

/* Bytes of any other format go beside the answer. */
static HfResult *bytes_to_result(const HfCall *call, const HfClipboardPart *part,
                                 json_t *take_formats)
{
    gboolean picture = g_str_has_prefix(part->format, "image/");
    HfResult *result = text_to_result(call, "", take_formats);
    const char *type = strchr(part->format, '/') ? part->format : "application/octet-stream";
    json_object_set_new(result->json, "bytes",
                        json_integer((json_int_t)g_bytes_get_size(part->bytes)));
    hf_result_add_attachment(result, picture ? "image" : "data", type, g_bytes_ref(part->bytes));
    return result;
}

static HfResult *part_to_result(const HfCall *call, const HfClipboardPart *part,
                                json_t *take_formats)
{
    gsize length;
    const guint8 *bytes = g_bytes_get_data(part->bytes, &length);
    const char *word = hf_call_string(call, "format");
    HfResult *result;
    if (g_str_equal(word, "html") || g_str_has_prefix(part->format, "text/html")) {
        g_autofree char *text = hf_content_read_html(bytes, length);
        result = text_to_result(call, text, take_formats);
    } else if (g_str_equal(word, "files")) {
        result = text_to_result(call, "", take_formats);
        json_object_set_new(result->json, "files", hf_content_read_files(bytes, length));
    } else {
        result = bytes_to_result(call, part, take_formats);
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
        return part_to_result(call, part, g_steal_pointer(&formats));
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
    return text_to_result(call, content->text ? content->text : "", list_formats(content));
}

static const HfParam params[] = {
    HF_STRING("format", "text, html, image, files, or one of `formats` by its name",
              .means = HF_MEANS_PLAIN, .min = 1, .max = HF_LIMIT_NAME_BYTES,
              .fallback = "\"text\""),
    HF_PARAM_SELECTION("clipboard: what was copied; primary: what is selected with the mouse"),
    HF_INTEGER("max_bytes", "How much of a long text to return", .min = 0, .max = MAX_PART_BYTES,
               .fallback = "1000000"),
    HF_INTEGER("offset", "Byte to start at, for the next part of a long text", .min = 0,
               .max = HF_LIMIT_CLIPBOARD_BYTES, .fallback = "0"),
    {0},
};

static const HfParam format_item = HF_STRING("format", "Its name, such as image/png");
static const HfParam file_item = HF_STRING("file", "A path, or a URL elsewhere");

static const HfParam result[] = {
    HF_STRING("text", "The text, or the markup for html; empty when there is no text form",
              .required = TRUE, .secret = TRUE),
    HF_ARRAY("formats", "All formats of the content; none when the clipboard is empty",
             .required = TRUE, .items = &format_item),
    HF_INTEGER("bytes", "Length of the whole content in this format", .required = TRUE),
    HF_BOOLEAN("truncated", "There is more text after this part: call again with a larger offset",
               .required = TRUE),
    HF_STRING("format", "The format that was read, when it is not text"),
    HF_ARRAY("files", "For files: what was copied", .secret = TRUE, .items = &file_item),
    HF_STRING("image", "For image: the picture, unchanged", .secret = TRUE, .binary = TRUE),
    HF_STRING("data", "For another format: its bytes", .secret = TRUE, .binary = TRUE),
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
