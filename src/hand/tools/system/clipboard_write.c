/* SPDX-License-Identifier: Apache-2.0 */
/* clipboard_write: replaces the content of the clipboard by a text, markup, a picture, files, or
 * several forms of the same. The content outlives the desk, until another program copies something.
 */
#include "hand/desktop/clipboard.h"

#include <string.h>

#include "hand/desktop/desktop-limits.h"
#include "hand/tools/call-undo.h"
#include "hand/tools/system/clipboard-content.h"
#include "hand/tools/tools-limits.h"
#include "hand/x11/x11-limits.h"
#include "shared/base/base64.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"

/* The most bytes of content other than text that are kept in memory for undo. */
#define MAX_UNDO_BYTES ((gsize)HF_LIMIT_UNDO_KEEP_BYTES / 2)

/* ---- undo ---- */

static gboolean is_text_format(const char *format)
{
    static const char *const texts[] = {"UTF8_STRING", "STRING", "TEXT", "COMPOUND_TEXT", NULL};
    return g_strv_contains(texts, format) || g_str_has_prefix(format, "text/plain");
}

/* The other formats are X11 requests about the content. */
static gboolean is_content_format(const char *format)
{
    static const char *const about[] = {"TARGETS",         "TIMESTAMP", "MULTIPLE",
                                        "SAVE_TARGETS",    "DELETE",    "INSERT_SELECTION",
                                        "INSERT_PROPERTY", NULL};
    return !g_strv_contains(about, format);
}

static gboolean has_more_than_text(char **formats)
{
    for (; *formats; formats++)
        if (is_content_format(*formats) && !is_text_format(*formats))
            return TRUE;
    return FALSE;
}

/* All formats as the parameter `formats` of this tool; NULL when they cannot be kept. */
static json_t *dup_clipboard_formats(HfCall *call, const HfDeadline *deadline)
{
    g_autoptr(GPtrArray) parts =
        hf_clipboard_save(hf_call_desktop(call), hf_content_selection(call), deadline, NULL);
    g_autoptr(json_t) formats = json_object();
    gsize bytes = 0;
    for (guint i = 0; parts && i < parts->len; i++) {
        const HfClipboardPart *part = parts->pdata[i];
        gsize size;
        const guchar *data = g_bytes_get_data(part->bytes, &size);
        g_autofree char *text = g_base64_encode(data, size);
        bytes += size;
        if (bytes > MAX_UNDO_BYTES)
            return NULL;
        json_object_set_new(formats, part->format, json_string(text));
    }
    return parts && parts->len > 0 ? g_steal_pointer(&formats) : NULL;
}

/* What undo expects on the clipboard: the new content, by its text or its first other format. */
static json_t *clipboard_expectation_new(HfCall *call, const char *text, const GPtrArray *parts)
{
    const char *selection = hf_call_string(call, "selection");
    const HfClipboardPart *part = text || parts->len == 0 ? NULL : parts->pdata[0];
    g_autofree char *hash =
        part ? g_compute_checksum_for_bytes(G_CHECKSUM_SHA256, part->bytes)
             : g_compute_checksum_for_string(G_CHECKSUM_SHA256, text ? text : "", -1);
    return json_pack("{s:{s:s, s:s, s:s*}}", "clipboard", "selection", selection, "sha256", hash,
                     "format", part ? part->format : NULL);
}

/* Call it before the old content is replaced. */
static void note_clipboard_undo(HfCall *call, const char *text, const GPtrArray *parts)
{
    if (!hf_call_wants_undo(call))
        return;
    HfDeadline soon = hf_deadline_within_ms(hf_call_deadline(call), HF_LIMIT_UNDO_READ_MS);
    g_autoptr(HfClipboardText) old =
        hf_clipboard_read(hf_call_desktop(call), hf_content_selection(call), &soon, NULL);
    gboolean more = old && has_more_than_text(old->formats);
    g_autoptr(json_t) formats = more ? dup_clipboard_formats(call, &soon) : NULL;
    if (!old || (!more && !old->text && old->formats[0])) {
        hf_call_refuse_undo(call, "the old content could not be read");
        return;
    }
    if ((more && !formats) ||
        (!more && old->text && strlen(old->text) > HF_LIMIT_UNDO_TEXT_BYTES)) {
        hf_call_refuse_undo(call, "the old content was too long to keep");
        return;
    }
    json_t *params = json_pack("{s:s}", "selection", hf_call_string(call, "selection"));
    if (more)
        json_object_set(params, "formats", formats);
    else
        json_object_set_new(params, "text", json_string(old->text ? old->text : ""));
    hf_call_take_undo(call,
                      json_pack("{s:s, s:o, s:o}", "tool", "clipboard_write", "params", params,
                                "expect", clipboard_expectation_new(call, text, parts)));
}

/* ---- the new content ---- */

static void add_text_part(GPtrArray *parts, const char *format, const char *text)
{
    g_ptr_array_add(parts, hf_clipboard_part_new(format, g_bytes_new(text, strlen(text))));
}

static gboolean add_base64(GPtrArray *parts, const char *format, const char *place,
                           const char *text, GError **error)
{
    GBytes *bytes = hf_base64_decode(text);
    if (!bytes)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "%s: is not valid base64", place);
    g_ptr_array_add(parts, hf_clipboard_part_new(format, bytes));
    return TRUE;
}

static const char *picture_format(const GPtrArray *parts)
{
    gsize size;
    const HfClipboardPart *part = parts->pdata[parts->len - 1];
    const guint8 *bytes = g_bytes_get_data(part->bytes, &size);
    if (size > 8 && memcmp(bytes, "\x89PNG\r\n\x1a\n", 8) == 0)
        return "image/png";
    return size > 3 && memcmp(bytes, "\xff\xd8\xff", 3) == 0 ? "image/jpeg" : NULL;
}

static gboolean add_picture(const HfCall *call, GPtrArray *parts, GError **error)
{
    const char *image = hf_call_string(call, "image");
    if (!image)
        return TRUE;
    if (!add_base64(parts, "image/png", "image", image, error))
        return FALSE;
    const char *format = picture_format(parts);
    if (!format)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "image: must be a PNG or JPEG, as base64");
    HfClipboardPart *part = parts->pdata[parts->len - 1];
    g_free(part->format);
    part->format = g_strdup(format);
    return TRUE;
}

static gboolean add_files(const HfCall *call, GPtrArray *parts, GError **error)
{
    const json_t *files = hf_call_json(call, "files");
    if (!files)
        return TRUE;
    g_autofree char *list = hf_content_write_files(files, error);
    if (!list)
        return FALSE;
    g_auto(GStrv) lines = g_strsplit(list, "\r\n", -1);
    g_autofree char *rows = g_strjoinv("\n", lines);
    g_autofree char *copied = g_strconcat("copy\n", g_strchomp(rows), NULL);
    add_text_part(parts, "text/uri-list", list);
    add_text_part(parts, "x-special/gnome-copied-files", copied);
    return TRUE;
}

static gboolean add_formats(const HfCall *call, GPtrArray *parts, GError **error)
{
    const char *format;
    json_t *value;
    json_object_foreach (hf_call_json(call, "formats"), format, value) {
        g_autofree char *place = g_strdup_printf("formats.%s", format);
        if (!add_base64(parts, format, place, json_string_value(value), error))
            return FALSE;
    }
    return TRUE;
}

static GPtrArray *new_parts(const HfCall *call, GError **error)
{
    g_autoptr(GPtrArray) parts =
        g_ptr_array_new_with_free_func((GDestroyNotify)hf_clipboard_part_free);
    const char *html = hf_call_string(call, "html");
    if (html)
        add_text_part(parts, "text/html", html);
    if (!add_picture(call, parts, error) || !add_files(call, parts, error) ||
        !add_formats(call, parts, error))
        return NULL;
    if (parts->len > 0 || hf_call_has(call, "text"))
        return g_steal_pointer(&parts);
    hf_fail(error, HF_ERROR_INVALID_PARAMS,
            "text, html, image, files or formats: one of them is required");
    return NULL;
}

static json_int_t count_clipboard_bytes(const char *text, const GPtrArray *parts)
{
    gsize bytes = text ? strlen(text) : 0;
    for (guint i = 0; i < parts->len && !text; i++)
        bytes += g_bytes_get_size(((const HfClipboardPart *)parts->pdata[i])->bytes);
    return (json_int_t)bytes;
}

static HfResult *run(HfCall *call, GError **error)
{
    const char *text = hf_call_string(call, "text");
    g_autoptr(GPtrArray) parts = new_parts(call, error);
    if (!parts)
        return NULL;
    note_clipboard_undo(call, text, parts);
    if (!hf_clipboard_write(hf_call_desktop(call), hf_content_selection(call), text, parts,
                            hf_call_deadline(call), error))
        return NULL;
    return hf_result_new(
        json_pack("{s:b, s:I}", "success", TRUE, "bytes", count_clipboard_bytes(text, parts)));
}

static const HfParam file = {.type = HF_TYPE_STRING, .min = 1, .max = 4096};
static const HfParam bytes = {.type = HF_TYPE_STRING, .max = HF_LIMIT_CLIPBOARD_BYTES};

static const HfParam params[] = {
    HF_STRING("text", "The new content as plain text; may be empty", .secret = TRUE,
              .means = HF_MEANS_COPIED, .min = 0, .max = HF_LIMIT_CLIPBOARD_BYTES),
    HF_STRING("html",
              "The same as markup, for programs that support it; give text too, for the others",
              .secret = TRUE, .means = HF_MEANS_COPIED, .min = 0, .max = HF_LIMIT_CLIPBOARD_BYTES),
    HF_STRING("image", "A picture, PNG or JPEG, as base64", .secret = TRUE, .means = HF_MEANS_PLAIN,
              .max = HF_LIMIT_CLIPBOARD_BYTES),
    HF_ARRAY("files", "Files to paste, as absolute paths", .secret = TRUE, .means = HF_MEANS_PATH,
             .min = 1, .max = 1000, .items = &file),
    HF_OBJECT("formats", "Other formats by name, each as base64", .secret = TRUE, .min = 0,
              .max = HF_LIMIT_CLIPBOARD_FORMATS, .items = &bytes),
    HF_PARAM_SELECTION("clipboard: what is pasted; primary: what a middle click pastes"),
    {0},
};

static const HfParam result[] = {
    HF_BOOLEAN("success", "Always true", .required = TRUE),
    HF_INTEGER("bytes",
               "Length of the text in bytes of UTF-8; without a text, of the other formats",
               .required = TRUE),
    {0},
};

const HfTool hf_tool_clipboard_write = {
    .name = "clipboard_write",
    .title = "Write to the clipboard",
    .summary = "Replace the content of the clipboard by a text, markup, a picture or files, ready "
               "to be pasted into any program. undo_last restores the old content. To type a text "
               "use type_text, which leaves the clipboard as it is.",
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
