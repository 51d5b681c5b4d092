/* SPDX-License-Identifier: Apache-2.0 */
/* An edit that could mean several places must never pick one of them. */
#include "hand/files/change/text-edit.h"

#include <string.h>

#include "hand/files/secret-files.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/text/text.h"

/* How many places an error lists, and how far the search for a similar line goes. */
#define LISTED_PLACES  10u
#define COMPARED_LINES 20000
#define COMPARED_BYTES 200u
#define COMPARED_LEAST 3u

static char *with_crlf(const char *text)
{
    g_autoptr(GString) wide = g_string_new(NULL);
    for (const char *at = text; *at; at++) {
        if (*at == '\n' && (at == text || at[-1] != '\r'))
            g_string_append_c(wide, '\r');
        g_string_append_c(wide, *at);
    }
    return g_string_free(g_steal_pointer(&wide), FALSE);
}

static GArray *find_all(const char *text, const char *part)
{
    GArray *places = g_array_new(FALSE, FALSE, sizeof(gsize));
    gsize length = strlen(part);
    for (const char *at = strstr(text, part); at; at = strstr(at + length, part)) {
        gsize offset = (gsize)(at - text);
        g_array_append_val(places, offset);
    }
    return places;
}

/* The first line of `part` that is not blank, trimmed. */
static char *dup_first_line(const char *part)
{
    g_auto(GStrv) lines = g_strsplit(part, "\n", -1);
    for (char **line = lines; *line; line++)
        if (*g_strstrip(*line))
            return g_strndup(*line, COMPARED_BYTES);
    return NULL;
}

/* The line with the smallest edit distance to `wanted`, unless it is too different. */
static char *find_nearest_line(const char *text, const char *wanted, guint64 *ret_line)
{
    char *nearest = NULL;
    guint least = (guint)strlen(wanted) / 2 + 1;
    guint64 number = 0;
    for (const char *at = text; *at && number < COMPARED_LINES;) {
        gsize length = strcspn(at, "\n");
        g_autofree char *line = g_strstrip(g_strndup(at, MIN(length, COMPARED_BYTES)));
        gsize size = strlen(line), other = strlen(wanted);
        number++;
        at += length + (at[length] == '\n');
        if (MAX(size, other) - MIN(size, other) >= least)
            continue;
        guint distance = strstr(line, wanted) ? 0 : hf_text_distance(line, wanted);
        if (distance >= least)
            continue;
        least = distance;
        g_free(nearest);
        nearest = g_utf8_make_valid(line, -1);
        *ret_line = number;
    }
    return nearest;
}

static void fail_old_string_missing(const char *text, const char *path, const char *old,
                                    GError **error)
{
    guint64 line = 0;
    g_autofree char *wanted = dup_first_line(old);
    g_autofree char *near =
        wanted && strlen(wanted) >= COMPARED_LEAST ? find_nearest_line(text, wanted, &line) : NULL;
    /* An error shows no more of a file than file_read would. */
    g_autofree char *shown = near ? hf_secret_file_redact(path, text, NULL) : NULL;
    if (shown && !strstr(shown, near))
        g_clear_pointer(&near, g_free);
    if (!near) {
        hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "old_string is not in the file");
        hf_error_suggest(error, "read the file again and copy the text from there");
        return;
    }
    hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
            "old_string is not in the file; the most similar is line %" G_GUINT64_FORMAT ": %s",
            line, near);
    hf_error_suggest(error,
                     "spaces and line breaks have to match exactly; read the file around there");
    hf_error_take_details(error, json_pack("{s:I, s:I, s:o}", "matches", (json_int_t)0, "line",
                                           (json_int_t)line, "text", hf_json_text(near)));
}

static void fail_old_string_ambiguous(const char *text, const GArray *places, GError **error)
{
    g_autoptr(GString) listed = g_string_new(NULL);
    json_t *lines = json_array();
    for (guint i = 0; i < MIN(places->len, LISTED_PLACES); i++) {
        guint64 line = hf_text_line_at(text, g_array_index(places, gsize, i));
        g_string_append_printf(listed, "%s%" G_GUINT64_FORMAT, i > 0 ? ", " : "", line);
        json_array_append_new(lines, json_integer((json_int_t)line));
    }
    hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "old_string is in the file %u times: line %s%s",
            places->len, listed->str, places->len > LISTED_PLACES ? " and more" : "");
    hf_error_suggest(error, "include more of the text around it, or set replace_all");
    hf_error_take_details(
        error, json_pack("{s:I, s:o}", "matches", (json_int_t)places->len, "lines", lines));
}

static char *replace_at_places(const char *text, const GArray *places, gsize length,
                               const char *new)
{
    g_autoptr(GString) out = g_string_new(NULL);
    gsize from = 0;
    for (guint i = 0; i < places->len; i++) {
        gsize at = g_array_index(places, gsize, i);
        g_string_append_len(out, text + from, (gssize)(at - from));
        g_string_append(out, new);
        from = at + length;
    }
    g_string_append(out, text + from);
    return g_string_free(g_steal_pointer(&out), FALSE);
}

char *hf_text_edit_replace(const HfFileText *text, const char *path, const char *old,
                           const char *new, gboolean all, guint *ret_count, GError **error)
{
    gboolean wide = text->endings == HF_ENDINGS_CRLF;
    g_autofree char *was = wide ? with_crlf(old) : g_strdup(old);
    g_autofree char *is = wide ? with_crlf(new) : g_strdup(new);
    g_autoptr(GArray) places = find_all(text->text, was);
    if (places->len == 0) {
        fail_old_string_missing(text->text, path, old, error);
        return NULL;
    }
    if (places->len > 1 && !all) {
        fail_old_string_ambiguous(text->text, places, error);
        return NULL;
    }
    *ret_count = places->len;
    return replace_at_places(text->text, places, strlen(was), is);
}
