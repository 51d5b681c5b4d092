/* SPDX-License-Identifier: Apache-2.0 */
/* Each operation names one path, a move two. */
#include "hand/files/change/file-operations.h"

#include <dirent.h>
#include <errno.h>
#include <string.h>

#include "hand/files/change/undo-store.h"
#include "hand/files/file-text.h"
#include "hand/files/secret-files.h"
#include "shared/base/base64.h"
#include "shared/base/error.h"
#include "shared/base/fd.h"
#include "shared/base/json.h"
#include "shared/text/secret-patterns.h"
#include "shared/text/text.h"

/* ---- replacing text ----
 *
 * An edit that could mean several places must never pick one of them. */

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

typedef gboolean (*Add)(HfFileChanges *changes, HfFileChange *change, const json_t *operation,
                        GError **error);

static gboolean fail_file_operation(HfErrorCode code, const HfFileChange *change, const char *what,
                                    const char *next, GError **error)
{
    g_autofree char *shown = hf_text_shorten(change->place->asked, 300);
    hf_fail(error, code, "'%s' %s", shown, what);
    hf_error_suggest(error, "%s", next);
    return FALSE;
}

static gboolean check_not_directory(const HfFileChange *change, GError **error)
{
    return !change->after.directory ||
           fail_file_operation(HF_ERROR_INVALID_PARAMS, change, "is a directory, not a file",
                               "name a file inside it", error);
}

static gboolean check_names_file(const HfFileChange *change, const char *path, GError **error)
{
    return !g_str_has_suffix(path, "/") ||
           fail_file_operation(
               HF_ERROR_INVALID_PARAMS, change, "ends with /, which names a directory, not a file",
               "name a file, or create a directory with file_batch and mkdir", error);
}

static gboolean check_there(const HfFileChange *change, GError **error)
{
    return change->after.there ||
           fail_file_operation(HF_ERROR_FILE_NOT_FOUND, change, "does not exist",
                               "list its directory with file_read", error);
}

/* The caller means to change what it has read. */
static gboolean check_hash(const HfFileChange *change, const json_t *operation, GError **error)
{
    const char *wanted = hf_json_string(operation, "expect_hash", NULL);
    const char *now = change->after.sha256 ? change->after.sha256 : "";
    if (!wanted || g_ascii_strcasecmp(wanted, now) == 0)
        return TRUE;
    fail_file_operation(HF_ERROR_PRECONDITION_FAILED, change,
                        *now ? "has changed since you read it" : "is no longer a file",
                        "read it again, then repeat the change", error);
    hf_error_take_details(error, json_pack("{s:s, s:s}", "expected", wanted, "sha256", now));
    return FALSE;
}

static GBytes *read_content(const json_t *operation, GError **error)
{
    const char *content = hf_json_string(operation, "content", NULL);
    if (!content) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "content: missing; give the file's new content");
        return NULL;
    }
    if (!g_str_equal(hf_json_string(operation, "encoding", "utf-8"), "base64"))
        return g_bytes_new(content, strlen(content));
    GBytes *bytes = hf_base64_decode(content);
    if (!bytes)
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "content: not valid Base64");
    return bytes;
}

/* A caller that has read a file without its secrets must not write it back that way. */
static gboolean check_not_redacted(const HfFileChange *change, GBytes *content, GError **error)
{
    const HfFileState *now = &change->after;
    gsize size, length = strlen(HF_REDACTED);
    const char *data = g_bytes_get_data(content, &size);
    if (!now->bytes || size < length || !memmem(data, size, HF_REDACTED, length))
        return TRUE;
    const char *old = g_bytes_get_data(now->bytes, &size);
    if (size >= length && memmem(old, size, HF_REDACTED, length))
        return TRUE;
    return fail_file_operation(HF_ERROR_PRECONDITION_FAILED, change,
                               "contains secrets that you were shown as " HF_REDACTED
                               ", and this write would destroy them",
                               "change only the part that you mean, with file_edit", error);
}

static gboolean add_write(HfFileChanges *changes, HfFileChange *change, const json_t *operation,
                          GError **error)
{
    if (!check_not_directory(change, error) ||
        !check_names_file(change, hf_json_string(operation, "path", ""), error))
        return FALSE;
    g_autoptr(GBytes) content = read_content(operation, error);
    return content && check_not_redacted(change, content, error) &&
           hf_file_change_set_file(changes, change, g_steal_pointer(&content), change->after.mode,
                                   error);
}

static gboolean add_create(HfFileChanges *changes, HfFileChange *change, const json_t *operation,
                           GError **error)
{
    if (change->after.there)
        return fail_file_operation(HF_ERROR_PRECONDITION_FAILED, change, "exists already",
                                   "use write or edit to change it", error);
    return add_write(changes, change, operation, error);
}

static gboolean add_edit(HfFileChanges *changes, HfFileChange *change, const json_t *operation,
                         GError **error)
{
    const char *old = hf_json_string(operation, "old_string", NULL);
    const char *new = hf_json_string(operation, "new_string", NULL);
    guint count;
    g_auto(HfFileText) text = {0};
    if (!check_there(change, error) || !check_not_directory(change, error))
        return FALSE;
    if (!old || !new || !*old)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "old_string and new_string are required, and old_string cannot be empty");
    hf_file_text_read(&text, change->after.bytes);
    if (!text.text)
        return fail_file_operation(HF_ERROR_PRECONDITION_FAILED, change, "is not a text file",
                                   "replace it with file_write and encoding base64", error);
    if (strstr(old, HF_REDACTED) && !strstr(text.text, HF_REDACTED))
        return fail_file_operation(HF_ERROR_PRECONDITION_FAILED, change,
                                   "contains secrets where old_string has " HF_REDACTED,
                                   "choose an old_string without " HF_REDACTED
                                   "; only the owner can change a secret",
                                   error);
    g_autofree char *edited =
        hf_text_edit_replace(&text, change->place->path, old, new,
                             hf_json_bool(operation, "replace_all", FALSE), &count, error);
    return edited && hf_file_change_set_file(changes, change, hf_file_text_write(&text, edited),
                                             change->after.mode, error);
}

/* Whether the same call removes everything in the directory. The kernel checks again at the end. */
static gboolean is_emptied(HfFileChanges *changes, const HfFileChange *change)
{
    int fd = change->before.directory ? hf_file_place_open(change->place, NULL) : -1;
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    struct dirent *entry;
    gboolean empty = dir || !change->before.directory;
    while (dir && (entry = readdir(dir))) {
        g_autofree char *path = g_build_filename(change->place->path, entry->d_name, NULL);
        const HfFileChange *other = g_hash_table_lookup(changes->by_path, path);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            !(other && !other->after.there))
            empty = FALSE;
    }
    if (dir)
        closedir(dir);
    return empty;
}

static gboolean add_delete(HfFileChanges *changes, HfFileChange *change, const json_t *operation,
                           GError **error)
{
    gboolean if_empty = hf_json_bool(operation, "if_empty", FALSE);
    if (!change->after.there && (if_empty || hf_json_bool(operation, "if_there", FALSE)))
        return TRUE;
    if (!check_there(change, error))
        return FALSE;
    if (change->after.directory && !is_emptied(changes, change))
        return if_empty || fail_file_operation(HF_ERROR_PRECONDITION_FAILED, change,
                                               "is a directory that is not empty",
                                               "delete its files first, in the same call", error);
    hf_file_change_set_absent(change);
    return TRUE;
}

static gboolean add_move(HfFileChanges *changes, HfFileChange *change, const json_t *operation,
                         GError **error)
{
    const char *to = hf_json_string(operation, "to", NULL);
    if (!to)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "to: missing; give the new path");
    if (!check_there(change, error))
        return FALSE;
    if (change->after.directory)
        return fail_file_operation(HF_ERROR_INVALID_PARAMS, change, "is a directory, not a file",
                                   "move its files one by one", error);
    g_autoptr(GBytes) bytes = g_bytes_ref(change->after.bytes);
    guint mode = change->after.mode;
    HfFileChange *target = hf_file_changes_get(changes, to, error);
    if (!target || !check_names_file(target, to, error))
        return FALSE;
    if (target->after.there)
        return fail_file_operation(HF_ERROR_PRECONDITION_FAILED, target, "exists already",
                                   "delete it first, in the same call, or choose another path",
                                   error);
    hf_file_change_set_absent(change);
    return hf_file_change_set_file(changes, target, g_steal_pointer(&bytes), mode, error);
}

static gboolean add_mkdir(HfFileChanges *changes, HfFileChange *change, const json_t *operation,
                          GError **error)
{
    if (change->after.directory)
        return TRUE;
    if (change->after.there)
        return fail_file_operation(HF_ERROR_PRECONDITION_FAILED, change, "is a file",
                                   "choose another path", error);
    return hf_file_change_set_directory(changes, change, error);
}

/* Permissions that somebody has changed since stay. */
static gboolean add_restore(HfFileChanges *changes, HfFileChange *change, const json_t *operation,
                            GError **error)
{
    g_autofree char *sha256 = NULL;
    guint mode = 0, mode_then = 0, mode_now = change->after.mode & 07777;
    if (!check_not_directory(change, error) ||
        !hf_undo_store_read_token(hf_json_string(operation, "kept", ""), change->place->path,
                                  &sha256, &mode, &mode_then, error))
        return FALSE;
    if (change->after.there && mode_now != mode_then)
        mode = mode_now;
    GBytes *bytes = hf_undo_store_get(sha256, error);
    return bytes && hf_file_change_set_file(changes, change, bytes, mode | S_IFREG, error);
}

static const struct {
    const char *name;
    Add add;
} kinds[] = {
    {"write", add_write}, {"create", add_create}, {"edit", add_edit},       {"delete", add_delete},
    {"move", add_move},   {"mkdir", add_mkdir},   {"restore", add_restore},
};

gboolean hf_file_operation_add(HfFileChanges *changes, const json_t *operation, GError **error)
{
    const char *name = hf_json_string(operation, "op", "");
    for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++) {
        if (strcmp(kinds[i].name, name) != 0)
            continue;
        HfFileChange *change =
            hf_file_changes_get(changes, hf_json_string(operation, "path", ""), error);
        return change && check_hash(change, operation, error) &&
               kinds[i].add(changes, change, operation, error);
    }
    return hf_fail(error, HF_ERROR_INVALID_PARAMS, "op: unknown operation '%s'", name);
}

/* ---- expectations ---- */

static gboolean fail_file_changed_since(const char *path, const char *how, GError **error)
{
    hf_fail(error, HF_ERROR_PRECONDITION_FAILED, "'%s' %s since, and that would be lost", path,
            how);
    hf_error_suggest(error, "look at the file and decide what to keep");
    hf_error_take_details(error, json_pack("{s:o}", "path", hf_json_text(path)));
    return FALSE;
}

static gboolean expect_one(const HfFileWalls *walls, const json_t *file, GError **error)
{
    const char *path = hf_json_string(file, "path", "");
    const char *wanted = hf_json_string(file, "sha256", NULL);
    gboolean directory = hf_json_bool(file, "directory", FALSE);
    g_autoptr(HfFilePlace) place = hf_file_place_find(walls, path, error);
    if (!place)
        return FALSE;
    if (!wanted && !directory)
        return place->fd < 0 || fail_file_changed_since(path, "was created again", error);
    if (place->fd < 0)
        return hf_json_bool(file, "or_gone", FALSE) ||
               fail_file_changed_since(path, "was removed", error);
    if (directory || hf_file_place_is_directory(place))
        return directory == hf_file_place_is_directory(place) ||
               fail_file_changed_since(path, "was replaced", error);
    g_autoptr(GBytes) bytes = hf_file_place_read(place, walls->most_bytes, error);
    g_autofree char *hash = bytes ? g_compute_checksum_for_bytes(G_CHECKSUM_SHA256, bytes) : NULL;
    return hash &&
           (g_str_equal(hash, wanted) || fail_file_changed_since(path, "was changed", error));
}

gboolean hf_file_operation_check_expected(const HfFileWalls *walls, const json_t *files,
                                          GError **error)
{
    hf_json_each (file, files)
        if (!expect_one(walls, file, error))
            return FALSE;
    return TRUE;
}
