/* SPDX-License-Identifier: Apache-2.0 */
/* Turns parameters into planned changes, applies them, and makes a result of them. */
#include "hand/tools/files/call-files.h"

#include "hand/files/change/apply-changes.h"
#include "hand/files/change/file-operations.h"
#include "hand/tools/call-undo.h"
#include "shared/base/error.h"

HfFileWalls *hf_call_open_walls(const HfCall *call, GError **error)
{
    return hf_file_walls_open(hf_call_walls(call), error);
}

/* file_write and file_edit have the parameters of one operation. */
static json_t *single_operation(const HfCall *call)
{
    static const char *const names[] = {"path",       "content",    "encoding",   "expect_hash",
                                        "old_string", "new_string", "replace_all"};
    gboolean edit = hf_call_has(call, "old_string");
    json_t *operation = json_pack("{s:s}", "op", edit ? "edit" : "write");
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        json_t *value = hf_call_json(call, names[i]);
        if (value)
            json_object_set(operation, names[i], value);
    }
    return operation;
}

static gboolean add_file_operations(const HfCall *call, HfFileChanges *changes, GError **error)
{
    json_t *operations = hf_call_json(call, "operations"), *operation;
    size_t index;
    json_array_foreach (operations, index, operation) {
        if (hf_deadline_check(hf_call_deadline(call), error) &&
            hf_file_operation_add(changes, operation, error))
            continue;
        g_prefix_error(error, "operations[%zu]: ", index);
        return FALSE;
    }
    return TRUE;
}

static HfFileChanges *plan_file_changes(const HfCall *call, const HfFileWalls *walls,
                                        GError **error)
{
    g_autoptr(HfFileChanges) changes = hf_file_changes_new(walls);
    changes->make_directories = hf_call_bool(call, "create_directories");
    g_autoptr(json_t) single = hf_call_has(call, "operations") ? NULL : single_operation(call);
    gboolean good = single ? hf_file_operation_add(changes, single, error)
                           : add_file_operations(call, changes, error);
    return good ? g_steal_pointer(&changes) : NULL;
}

/* ---- applying ---- */

static gboolean changes_anything(const HfFileChanges *changes)
{
    for (guint i = 0; i < changes->list->len; i++)
        if (hf_file_change_counts(changes->list->pdata[i]))
            return TRUE;
    return FALSE;
}

/* Saves the old content before the change. The undo is recorded afterwards, when it is known which
 * directories were created. */
static gboolean keep_old_content(HfCall *call, const HfFileChanges *changes)
{
    g_autoptr(GError) problem = NULL;
    if (!hf_call_wants_undo(call) || hf_file_changes_keep(changes, &problem))
        return TRUE;
    g_autofree char *why =
        g_strdup_printf("the old content could not be saved: %s", problem->message);
    hf_call_refuse_undo(call, why);
    return FALSE;
}

static void add_diff(const HfFileChanges *changes, json_t *to)
{
    gboolean truncated;
    g_autofree char *diff = hf_file_changes_diff(changes, &truncated);
    json_object_set_new(to, "diff", hf_json_text(diff));
    json_object_set_new(to, "diff_truncated", json_boolean(truncated));
}

static json_t *path_list_to_json(const GPtrArray *strings)
{
    json_t *list = json_array();
    for (guint i = 0; i < strings->len; i++)
        json_array_append_new(list, hf_json_text(strings->pdata[i]));
    return list;
}

static HfResult *file_changes_to_result(const HfCall *call, const HfFileChanges *changes)
{
    json_t *result = json_pack("{s:b}", "success", TRUE);
    g_autoptr(json_t) list = hf_file_changes_to_json(changes);
    if (hf_call_has(call, "operations")) {
        json_object_set(result, "changes", list);
    } else {
        json_t *only = json_array_get(list, 0);
        json_object_del(only, "before_sha256");
        json_object_update(result, only);
    }
    if (changes->made->len > 0)
        json_object_set_new(result, "directories_made", path_list_to_json(changes->made));
    if (changes->left->len > 0)
        json_object_set_new(result, "directories_left", path_list_to_json(changes->left));
    if (!hf_call_has(call, "content"))
        add_diff(changes, result);
    return hf_result_new(result);
}

HfResult *hf_call_change_files(HfCall *call, GError **error)
{
    g_autoptr(HfFileWalls) walls = hf_call_open_walls(call, error);
    g_autoptr(HfFileChanges) changes = walls ? plan_file_changes(call, walls, error) : NULL;
    if (!changes)
        return NULL;
    gboolean kept = keep_old_content(call, changes);
    if (!hf_file_changes_apply(changes, hf_call_deadline(call), error))
        return NULL;
    if (!changes_anything(changes))
        hf_call_refuse_undo(call, HF_UNDO_NOTHING);
    else if (kept && hf_call_wants_undo(call))
        hf_call_take_undo(call, hf_file_changes_undo(changes));
    return file_changes_to_result(call, changes);
}

/* ---- dry run ---- */

static gboolean preview_place(const HfCall *call, const HfFileWalls *walls, json_t *target,
                              GError **error)
{
    const char *name = hf_call_has(call, "path") ? "path" : "directory";
    g_autoptr(HfFilePlace) place =
        hf_file_place_find_existing(walls, hf_call_string(call, name), error);
    if (place)
        json_object_set_new(target, "path", hf_json_text(place->path));
    return place != NULL;
}

gboolean hf_call_preview_files(HfCall *call, json_t *target, GError **error)
{
    g_autoptr(HfFileWalls) walls = hf_call_open_walls(call, error);
    if (!walls)
        return FALSE;
    if (hf_call_tool(call)->flags & HF_TOOL_READ_ONLY)
        return preview_place(call, walls, target, error);
    g_autoptr(HfFileChanges) changes = plan_file_changes(call, walls, error);
    if (!changes)
        return FALSE;
    json_object_set_new(target, "changes", hf_file_changes_to_json(changes));
    add_diff(changes, target);
    return TRUE;
}

const char *const hf_file_encodings[] = {"utf-8", "base64", NULL};
const HfParam hf_directory_item = HF_STRING("directory", "Its path");

static const HfParam change_fields[] = {
    HF_STRING("path", "Its path", .required = TRUE, .written = TRUE),
    HF_STRING("action", "create, change, delete or none", .required = TRUE),
    HF_INTEGER("bytes", "Its size afterwards"),
    HF_STRING("sha256", "Hash of its content afterwards"),
    HF_STRING("before_sha256", "Hash of its content before"),
    {0},
};
const HfParam hf_change_item =
    HF_OBJECT("change", "One file or directory", .fields = change_fields);
