/* SPDX-License-Identifier: Apache-2.0 */
/* Choosing and decoding a text. The type of the property decides the encoding; where programs are
 * known to lie (STRING, text/plain), bytes that are valid UTF-8 are taken for it. */
#include "hand/x11/selection/selection-text.h"

#include <string.h>

#include "hand/x11/core/compound-text.h"

/* Best first. */
static const char *const text_targets[] = {"UTF8_STRING",
                                           "text/plain;charset=utf-8",
                                           "text/plain;charset=UTF-8",
                                           "STRING",
                                           "TEXT",
                                           "text/plain",
                                           "COMPOUND_TEXT"};

/* The value of "charset=" in a media type; NULL when there is none. */
static char *dup_charset(const char *type)
{
    g_autofree char *lower = g_ascii_strdown(type, -1);
    const char *at = strstr(lower, "charset=");
    if (!at)
        return NULL;
    at += strlen("charset=");
    at += *at == '"';
    return g_strndup(at, strcspn(at, "\"; "));
}

char *hf_selection_text_decode(const char *type, const guint8 *bytes, gsize length)
{
    const char *text = (const char *)bytes;
    while (length > 0 && text[length - 1] == '\0')
        length--; /* some owners count the end of their string */
    if (length == 0)
        return g_strdup("");
    if (g_str_equal(type, "COMPOUND_TEXT"))
        return hf_compound_text_to_utf8(bytes, length);
    if (g_utf8_validate_len(text, length, NULL))
        return g_strndup(text, length);
    g_autofree char *charset = dup_charset(type);
    const char *encoding = charset ? charset : "ISO-8859-1";
    char *converted = NULL;
    gboolean utf8 = g_str_equal(type, "UTF8_STRING") || g_ascii_strcasecmp(encoding, "utf-8") == 0;
    gsize size = 0;
    if (!utf8)
        converted = g_convert(text, (gssize)length, "UTF-8", encoding, NULL, &size, NULL);
    if (!converted)
        return g_utf8_make_valid(text, (gssize)length);
    g_autofree char *owned = converted;
    return g_utf8_make_valid(owned, (gssize)size);
}

/* FALSE with an error, or TRUE: `ret_text` is NULL when the owner does not have it so. */
static gboolean fetch_text(HfSelectionReader *reader, const char *target,
                           const HfDeadline *deadline, char **ret_text, GError **error)
{
    HfX11Connection *names = hf_selection_reader_get_names(reader);
    g_auto(HfSelectionValue) value = {0};
    if (!hf_selection_fetch(reader, hf_x11_atom(names, target), deadline, &value, error))
        return FALSE;
    *ret_text = NULL;
    if (!value.bytes || value.unit != 8)
        return TRUE;
    gsize length = 0;
    const guint8 *bytes = g_bytes_get_data(value.bytes, &length);
    g_autofree char *type = value.type ? hf_x11_dup_atom_name(names, value.type) : NULL;
    *ret_text = hf_selection_text_decode(type ? type : target, bytes, length);
    return TRUE;
}

static char **dup_format_names(HfSelectionReader *reader, const GArray *targets)
{
    g_autoptr(GPtrArray) names = hf_selection_dup_names(reader, targets);
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    for (guint i = 0; i < names->len; i++) {
        g_autofree char *valid = names->pdata[i] ? g_utf8_make_valid(names->pdata[i], -1) : NULL;
        if (valid)
            g_strv_builder_add(builder, valid);
    }
    return g_strv_builder_end(builder);
}

HfClipboardText *hf_selection_text_read(HfSelectionReader *reader, const HfDeadline *deadline,
                                        GError **error)
{
    g_autoptr(HfClipboardText) result = g_new0(HfClipboardText, 1);
    if (!hf_selection_reader_get_owner(reader)) {
        result->formats = g_new0(char *, 1);
        return g_steal_pointer(&result);
    }
    g_autoptr(GArray) targets = hf_selection_fetch_targets(reader, deadline, error);
    if (!targets)
        return NULL;
    result->formats = dup_format_names(reader, targets);
    /* An owner that does not say what it has is asked for the usual ones. */
    gboolean silent = targets->len == 0;
    for (gsize i = 0; i < G_N_ELEMENTS(text_targets) && !result->text; i++) {
        const char *target = text_targets[i];
        if (!silent && !g_strv_contains((const char *const *)result->formats, target))
            continue;
        if (!fetch_text(reader, target, deadline, &result->text, error))
            return NULL;
        if (silent && result->text) {
            g_strfreev(result->formats);
            result->formats = g_strdupv((char *[]){(char *)target, NULL});
        }
    }
    return g_steal_pointer(&result);
}
