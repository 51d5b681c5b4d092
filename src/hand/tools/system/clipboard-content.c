/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes the formats that most programs use. It must never trust what another program
 * has put on the clipboard. */
#include "hand/tools/system/clipboard-content.h"

#include <string.h>

#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/text/text.h"

/* The most files in one answer; a longer list is cut. */
#define MAX_FILES 10000

const char *const hf_content_selections[] = {"clipboard", "primary", NULL};

HfSelection hf_content_selection(const HfCall *call)
{
    return g_str_equal(hf_call_string(call, "selection"), "primary") ? HF_SELECTION_PRIMARY
                                                                     : HF_SELECTION_CLIPBOARD;
}

static const char *const html[] = {"text/html", "application/xhtml+xml", NULL};
static const char *const image[] = {"image/png", "image/jpeg",  "image/webp", "image/gif",
                                    "image/bmp", "image/x-bmp", "image/tiff", NULL};
static const char *const files[] = {"text/uri-list", "x-special/gnome-copied-files", NULL};

const char *const *hf_content_formats(const char *word)
{
    if (g_str_equal(word, "html"))
        return html;
    if (g_str_equal(word, "image"))
        return image;
    return g_str_equal(word, "files") ? files : NULL;
}

static char *from_utf16(const guint8 *bytes, gsize length)
{
    gsize size = 0;
    const char *from = bytes[0] == 0xff ? "UTF-16LE" : "UTF-16BE";
    g_autofree char *text = g_convert((const char *)bytes + 2, (gssize)(length - 2) & ~(gssize)1,
                                      "UTF-8", from, NULL, &size, NULL);
    return text ? g_utf8_make_valid(text, (gssize)size) : NULL;
}

char *hf_content_read_html(const guint8 *bytes, gsize length)
{
    gboolean marked = length >= 2 && ((bytes[0] == 0xff && bytes[1] == 0xfe) ||
                                      (bytes[0] == 0xfe && bytes[1] == 0xff));
    char *text = marked ? from_utf16(bytes, length) : NULL;
    if (text)
        return text;
    while (length > 0 && bytes[length - 1] == '\0')
        length--;
    return g_utf8_make_valid((const char *)bytes, (gssize)length);
}

static json_t *uri_to_local_path(const char *line)
{
    g_autofree char *host = NULL;
    g_autofree char *path = g_filename_from_uri(line, &host, NULL);
    gboolean here = path && (!host || !*host || g_str_equal(host, "localhost") ||
                             g_str_equal(host, g_get_host_name()));
    return hf_json_text(here ? path : line);
}

json_t *hf_content_read_files(const guint8 *bytes, gsize length)
{
    json_t *list = json_array();
    g_autofree char *text = g_utf8_make_valid((const char *)bytes, (gssize)length);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line && json_array_size(list) < MAX_FILES; line++) {
        g_strstrip(*line);
        gboolean word = g_str_equal(*line, "copy") || g_str_equal(*line, "cut");
        if (**line && **line != '#' && !(line == lines && word))
            json_array_append_new(list, uri_to_local_path(*line));
    }
    return list;
}

char *hf_content_write_files(const json_t *paths, GError **error)
{
    g_autoptr(GString) text = g_string_new(NULL);
    size_t index;
    json_t *path;
    json_array_foreach (paths, index, path) {
        const char *name = json_string_value(path);
        g_autofree char *uri =
            strstr(name, "://") ? g_strdup(name) : g_filename_to_uri(name, NULL, NULL);
        if (!uri || strpbrk(uri, "\r\n")) {
            g_autofree char *shown = hf_text_shorten(name, 100);
            hf_fail(error, HF_ERROR_INVALID_PARAMS,
                    "files[%zu]: expected an absolute path, not '%s'", index, shown);
            return NULL;
        }
        g_string_append_printf(text, "%s\r\n", uri);
    }
    return g_string_free(g_steal_pointer(&text), FALSE);
}
