/* SPDX-License-Identifier: Apache-2.0 */
/* Contents of a clipboard in memory. Programs offer one text under up to ten names, so equal bytes
 * are stored once: in memory, and by that in the saved file too. */
#include "hand/x11/selection/clipboard-data.h"

#include <string.h>

struct HfClipboardData {
    GPtrArray *formats; /* of HfClipboardFormat */
};

static void format_free(gpointer pointer)
{
    HfClipboardFormat *format = pointer;
    g_free(format->target);
    g_free(format->type);
    g_bytes_unref(format->bytes);
    g_free(format);
}

static void data_clear(gpointer pointer)
{
    HfClipboardData *data = pointer;
    g_ptr_array_unref(data->formats);
}

HfClipboardData *hf_clipboard_data_new(void)
{
    HfClipboardData *data = g_atomic_rc_box_new0(HfClipboardData);
    data->formats = g_ptr_array_new_with_free_func(format_free);
    return data;
}

HfClipboardData *hf_clipboard_data_ref(HfClipboardData *data)
{
    return g_atomic_rc_box_acquire(data);
}

void hf_clipboard_data_unref(HfClipboardData *data)
{
    if (data)
        g_atomic_rc_box_release_full(data, data_clear);
}

guint hf_clipboard_data_get_count(const HfClipboardData *data)
{
    return data->formats->len;
}

const HfClipboardFormat *hf_clipboard_data_get(const HfClipboardData *data, guint index)
{
    return data->formats->pdata[index];
}

const HfClipboardFormat *hf_clipboard_data_find(const HfClipboardData *data, const char *target)
{
    for (guint i = 0; i < data->formats->len; i++) {
        const HfClipboardFormat *format = data->formats->pdata[i];
        if (g_str_equal(format->target, target))
            return format;
    }
    return NULL;
}

/* The bytes of an earlier format when they are the same, else these. */
static GBytes *share_bytes(const HfClipboardData *data, GBytes *take_bytes)
{
    for (guint i = 0; i < data->formats->len; i++) {
        GBytes *earlier = hf_clipboard_data_get(data, i)->bytes;
        if (g_bytes_equal(earlier, take_bytes)) {
            g_bytes_unref(take_bytes);
            return g_bytes_ref(earlier);
        }
    }
    return take_bytes;
}

void hf_clipboard_data_add(HfClipboardData *data, const char *target, const char *type, int unit,
                           GBytes *take_bytes)
{
    HfClipboardFormat *format = g_new0(HfClipboardFormat, 1);
    format->target = g_strdup(target);
    format->type = g_strdup(type);
    format->unit = unit;
    format->bytes = share_bytes(data, take_bytes);
    g_ptr_array_add(data->formats, format);
}

/* STRING is Latin-1 by the rules of X; what it lacks becomes a question mark. */
static GBytes *bytes_latin1(const char *text, GBytes *utf8)
{
    if (g_str_is_ascii(text) || !g_utf8_validate(text, -1, NULL))
        return g_bytes_ref(utf8);
    GByteArray *latin1 = g_byte_array_sized_new((guint)g_bytes_get_size(utf8));
    for (const char *at = text; *at; at = g_utf8_next_char(at)) {
        gunichar character = g_utf8_get_char(at);
        guint8 byte = character < 256 ? (guint8)character : '?';
        g_byte_array_append(latin1, &byte, 1);
    }
    return g_byte_array_free_to_bytes(latin1);
}

HfClipboardData *hf_clipboard_data_new_text(const char *text, gboolean secret)
{
    static const char *const utf8_targets[] = {"UTF8_STRING", "text/plain;charset=utf-8",
                                               "text/plain;charset=UTF-8", "text/plain"};
    HfClipboardData *data = hf_clipboard_data_new();
    g_autoptr(GBytes) utf8 = g_bytes_new(text, strlen(text));
    for (guint i = 0; i < G_N_ELEMENTS(utf8_targets); i++)
        hf_clipboard_data_add(data, utf8_targets[i], utf8_targets[i], 8, g_bytes_ref(utf8));
    hf_clipboard_data_add(data, "TEXT", "UTF8_STRING", 8, g_bytes_ref(utf8));
    hf_clipboard_data_add(data, "STRING", "STRING", 8, bytes_latin1(text, utf8));
    if (secret)
        hf_clipboard_data_add(data, HF_CLIPBOARD_SECRET_TARGET, HF_CLIPBOARD_SECRET_TARGET, 8,
                              g_bytes_new_static("secret", 6));
    return data;
}
