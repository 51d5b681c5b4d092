/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs of before and after. A path is read once, and every later operation sees the planned state.
 */
#include "hand/files/change/file-changes.h"

#include <errno.h>
#include <string.h>

#include "hand/files/change/diff.h"
#include "hand/files/change/undo-store.h"
#include "hand/files/file-text.h"
#include "hand/files/files-limits.h"
#include "hand/files/secret-files.h"
#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/text/text.h"

static void file_state_clear(HfFileState *state)
{
    g_clear_pointer(&state->bytes, g_bytes_unref);
    g_clear_pointer(&state->sha256, g_free);
    *state = (HfFileState){0};
}

static void file_change_free(gpointer data)
{
    HfFileChange *change = data;
    hf_file_place_free(change->place);
    file_state_clear(&change->before);
    file_state_clear(&change->after);
    g_free(change);
}

HfFileChanges *hf_file_changes_new(const HfFileWalls *walls)
{
    HfFileChanges *changes = g_new0(HfFileChanges, 1);
    changes->walls = walls;
    changes->list = g_ptr_array_new_with_free_func(file_change_free);
    changes->by_path = g_hash_table_new(g_str_hash, g_str_equal);
    changes->made = g_ptr_array_new_with_free_func(g_free);
    changes->left = g_ptr_array_new_with_free_func(g_free);
    return changes;
}

void hf_file_changes_free(HfFileChanges *changes)
{
    if (!changes)
        return;
    g_hash_table_unref(changes->by_path);
    g_ptr_array_unref(changes->list);
    g_ptr_array_unref(changes->made);
    g_ptr_array_unref(changes->left);
    g_free(changes);
}

/* Replacing a file with hard links would split it from its other names, and writing into it would
 * change those too: both surprise. */
static gboolean check_links(const HfFilePlace *place, GError **error)
{
    if (place->fd < 0 || S_ISDIR(place->info.st_mode) || place->info.st_nlink <= 1)
        return TRUE;
    g_autofree char *shown = hf_text_shorten(place->asked, 300);
    g_autofree char *name = g_shell_quote(place->path);
    hf_fail(error, HF_ERROR_FORBIDDEN,
            "'%s' has %u hard links, and another one may lie outside the allowed directories",
            shown, (guint)place->info.st_nlink);
    hf_error_suggest(error,
                     "write to another path; or, if the hard links are not needed, replace the "
                     "file by a copy in a shell: `cp -p %s %s.new && mv %s.new %s`",
                     name, name, name, name);
    return FALSE;
}

static gboolean read_before_state(HfFileChanges *changes, HfFileChange *change, GError **error)
{
    const HfFilePlace *place = change->place;
    HfFileState *before = &change->before;
    if (place->fd < 0)
        return TRUE;
    before->there = TRUE;
    before->mode = place->info.st_mode;
    before->directory = S_ISDIR(place->info.st_mode);
    if (before->directory)
        return TRUE;
    before->bytes = hf_file_place_read(place, changes->walls->most_bytes, error);
    if (before->bytes)
        before->sha256 = g_compute_checksum_for_bytes(G_CHECKSUM_SHA256, before->bytes);
    return before->bytes != NULL;
}

HfFileChange *hf_file_changes_get(HfFileChanges *changes, const char *path, GError **error)
{
    g_autoptr(HfFilePlace) place = hf_file_place_find(changes->walls, path, error);
    if (!place || !check_links(place, error) ||
        !hf_secret_file_check(place->asked, place->path, TRUE, error))
        return NULL;
    HfFileChange *known = g_hash_table_lookup(changes->by_path, place->path);
    if (known)
        return known;
    if (!place->name) {
        hf_fail(error, HF_ERROR_FORBIDDEN,
                "'%s' is an allowed directory itself and cannot be changed", place->asked);
        return NULL;
    }
    HfFileChange *change = g_new0(HfFileChange, 1);
    change->place = g_steal_pointer(&place);
    if (!read_before_state(changes, change, error)) {
        file_change_free(change);
        return NULL;
    }
    change->after = change->before;
    change->after.bytes = change->before.bytes ? g_bytes_ref(change->before.bytes) : NULL;
    change->after.sha256 = g_strdup(change->before.sha256);
    g_ptr_array_add(changes->list, change);
    g_hash_table_insert(changes->by_path, change->place->path, change);
    return change;
}

/* ---- the planned state ---- */

/* The directory of a new file has to exist, or be created by the same call. */
static gboolean check_parent(const HfFileChanges *changes, const HfFileChange *change,
                             GError **error)
{
    const HfFilePlace *place = change->place;
    if (change->before.there || !*place->missing || changes->make_directories)
        return TRUE;
    g_autofree char *parent = g_path_get_dirname(place->path);
    const HfFileChange *made = g_hash_table_lookup(changes->by_path, parent);
    if (made && made->after.directory)
        return TRUE;
    hf_fail(error, HF_ERROR_FILE_NOT_FOUND, "the directory '%s' does not exist", parent);
    hf_error_suggest(error, "set create_directories to true to create it");
    return FALSE;
}

gboolean hf_file_change_set_file(HfFileChanges *changes, HfFileChange *change, GBytes *take_bytes,
                                 guint mode, GError **error)
{
    g_autoptr(GBytes) bytes = take_bytes;
    gsize size = g_bytes_get_size(bytes);
    if (size > changes->walls->most_bytes)
        return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED,
                       "the file would have %zu bytes; at most %" G_GUINT64_FORMAT
                       " are allowed (security.max_file_size)",
                       size, changes->walls->most_bytes);
    changes->bytes += size;
    if (changes->bytes > HF_LIMIT_BATCH_BYTES)
        return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "the call would write more than %zu bytes",
                       HF_LIMIT_BATCH_BYTES);
    if (!check_parent(changes, change, error))
        return FALSE;
    if (!mode && change->before.there && !change->before.directory)
        mode = change->before.mode; /* deleted and created again in one call: the same file */
    file_state_clear(&change->after);
    change->after = (HfFileState){.there = TRUE, .mode = mode};
    change->after.sha256 = g_compute_checksum_for_bytes(G_CHECKSUM_SHA256, bytes);
    change->after.bytes = g_steal_pointer(&bytes);
    return TRUE;
}

gboolean hf_file_change_set_directory(HfFileChanges *changes, HfFileChange *change, GError **error)
{
    if (!check_parent(changes, change, error))
        return FALSE;
    file_state_clear(&change->after);
    change->after = (HfFileState){.there = TRUE, .directory = TRUE, .mode = 0777};
    return TRUE;
}

void hf_file_change_set_absent(HfFileChange *change)
{
    file_state_clear(&change->after);
}

gboolean hf_file_change_counts(const HfFileChange *change)
{
    const HfFileState *before = &change->before, *after = &change->after;
    if (before->there != after->there || before->directory != after->directory)
        return TRUE;
    return after->there && !after->directory &&
           (!g_str_equal(before->sha256, after->sha256) || before->mode != after->mode);
}

/* "create", "change", "delete" or "none". */
static const char *file_change_name(const HfFileChange *change)
{
    if (!hf_file_change_counts(change))
        return "none";
    return !change->before.there ? "create" : change->after.there ? "change" : "delete";
}

/* ---- results ---- */

gboolean hf_file_changes_keep(const HfFileChanges *changes, GError **error)
{
    for (guint i = 0; i < changes->list->len; i++) {
        const HfFileChange *change = changes->list->pdata[i];
        if (hf_file_change_counts(change) && change->before.bytes &&
            !hf_undo_store_put(change->before.bytes, change->before.sha256, error))
            return FALSE;
    }
    return TRUE;
}

static void describe_side(HfDiffSide *side, HfFileText *text, const HfFileState *state,
                          const char *path, char **ret_clean)
{
    *side = (HfDiffSide){.path = path};
    if (!state->bytes)
        return;
    hf_file_text_read(text, state->bytes);
    side->binary = !text->text;
    if (text->text)
        side->text = *ret_clean = hf_secret_file_redact(path, text->text, NULL);
}

static void append_diff(GString *out, const HfFileChange *change)
{
    g_auto(HfFileText) old = {0}, new = {0};
    g_autofree char *old_clean = NULL, *new_clean = NULL;
    HfDiffSide before, after;
    const char *path = change->place->path;
    if (change->before.directory || change->after.directory) {
        g_string_append_printf(out, "Directory %s: %s\n", path, file_change_name(change));
        return;
    }
    describe_side(&before, &old, &change->before, path, &old_clean);
    describe_side(&after, &new, &change->after, path, &new_clean);
    gsize length = out->len;
    hf_diff_append(out, &before, &after);
    if (out->len == length) /* only a secret, the byte order mark or the mode differs */
        g_string_append_printf(out, "File %s: changed, but nothing that can be shown\n", path);
}

char *hf_file_changes_diff(const HfFileChanges *changes, gboolean *ret_truncated)
{
    g_autoptr(GString) out = g_string_new(NULL);
    for (guint i = 0; i < changes->list->len && out->len <= HF_LIMIT_DIFF_BYTES; i++)
        if (hf_file_change_counts(changes->list->pdata[i]))
            append_diff(out, changes->list->pdata[i]);
    *ret_truncated = out->len > HF_LIMIT_DIFF_BYTES;
    if (!*ret_truncated)
        return g_string_free(g_steal_pointer(&out), FALSE);
    gsize end = HF_LIMIT_DIFF_BYTES;
    while (end > 0 && out->str[end - 1] != '\n')
        end--;
    return g_utf8_make_valid(out->str, (gssize)end);
}

json_t *hf_file_changes_to_json(const HfFileChanges *changes)
{
    json_t *list = json_array();
    for (guint i = 0; i < changes->list->len; i++) {
        const HfFileChange *change = changes->list->pdata[i];
        json_t *json = json_pack("{s:o, s:s}", "path", hf_json_text(change->place->path), "action",
                                 file_change_name(change));
        if (change->after.bytes) {
            json_object_set_new(json, "bytes",
                                json_integer((json_int_t)g_bytes_get_size(change->after.bytes)));
            json_object_set_new(json, "sha256", json_string(change->after.sha256));
        }
        if (change->before.bytes)
            json_object_set_new(json, "before_sha256", json_string(change->before.sha256));
        json_array_append_new(list, json);
    }
    return list;
}

static json_t *inverse_of(const HfFileChange *change)
{
    const HfFileState *before = &change->before;
    const char *path = change->place->path;
    if (!before->there)
        return json_pack("{s:s, s:o, s:b}", "op", "delete", "path", hf_json_text(path), "if_there",
                         TRUE);
    if (before->directory)
        return json_pack("{s:s, s:o}", "op", "mkdir", "path", hf_json_text(path));
    g_autofree char *token =
        hf_undo_store_dup_token(before->sha256, before->mode, change->after.mode, path);
    return json_pack("{s:s, s:o, s:s}", "op", "restore", "path", hf_json_text(path), "kept", token);
}

static json_t *expectation_of(const HfFileChange *change)
{
    json_t *expect = json_pack("{s:o}", "path", hf_json_text(change->place->path));
    if (change->after.directory)
        json_object_set_new(expect, "directory", json_true());
    else if (change->after.there)
        json_object_set_new(expect, "sha256", json_string(change->after.sha256));
    if (!change->before.there) /* undo removes it, so a missing file is fine */
        json_object_set_new(expect, "or_gone", json_true());
    return expect;
}

json_t *hf_file_changes_undo(const HfFileChanges *changes)
{
    json_t *operations = json_array(), *files = json_array();
    for (guint i = changes->list->len; i-- > 0;) {
        const HfFileChange *change = changes->list->pdata[i];
        if (!hf_file_change_counts(change))
            continue;
        json_array_append_new(operations, inverse_of(change));
        json_array_append_new(files, expectation_of(change));
    }
    for (guint i = changes->made->len; i-- > 0;)
        json_array_append_new(operations,
                              json_pack("{s:s, s:o, s:b}", "op", "delete", "path",
                                        hf_json_text(changes->made->pdata[i]), "if_empty", TRUE));
    return json_pack("{s:s, s:{s:o, s:b}, s:{s:o}}", "tool", "file_batch", "params", "operations",
                     operations, "create_directories", TRUE, "expect", "files", files);
}
