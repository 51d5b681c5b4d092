/* SPDX-License-Identifier: Apache-2.0 */
/* Opens the allowed directories. About a single path it decides only whether a pattern denies it.
 * A pattern that ends in a wildcard for everything below also denies the directory itself: even the
 * names of keys are not for everybody. */
#include "hand/files/file-walls.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>

#include "hand/files/change/undo-store.h"
#include "hand/safety/handed-directories.h"
#include "shared/base/error.h"
#include "shared/base/fd.h"
#include "shared/base/json.h"
#include "shared/base/paths.h"
#include "shared/text/glob.h"

static char *owners_home;

void hf_file_walls_set_home(const char *home)
{
    g_free(owners_home);
    owners_home = g_strdup(home);
}

static void directory_free(gpointer data)
{
    HfWallDirectory *directory = data;
    close(directory->fd);
    g_free(directory->named);
    g_free(directory->real);
    g_free(directory->shown);
    g_free(directory);
}

/* A missing directory allows nothing. Links in its path come from the owner and are followed. */
static void add_wall_directory(GPtrArray *list, const char *path, const json_t *entry)
{
    gboolean handed = json_is_object(entry);
    if (json_is_false(entry))
        return;
    g_auto(HfFd) fd =
        handed ? hf_handed_directory_dup_fd(entry) : open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    g_autofree char *link = g_strdup_printf("/proc/self/fd/%d", fd);
    g_autofree char *shown = fd >= 0 ? g_file_read_link(link, NULL) : NULL;
    if (!shown || shown[0] != '/')
        return;
    HfWallDirectory *directory = g_new0(HfWallDirectory, 1);
    directory->named = g_strdup(path);
    directory->real = g_strdup(handed ? hf_json_string(entry, "real", shown) : shown);
    directory->shown = g_steal_pointer(&shown);
    directory->fd = hf_fd_steal(&fd);
    g_ptr_array_add(list, directory);
}

static void add_wall_list(HfFileWalls *walls, const json_t *paths, const json_t *entries)
{
    GPtrArray *list = g_ptr_array_new_with_free_func(directory_free);
    size_t index;
    json_t *path;
    json_array_foreach (paths, index, path)
        add_wall_directory(list, json_string_value(path), json_array_get(entries, index));
    g_ptr_array_add(walls->lists, list);
}

/* ---- paths ---- */

const char *hf_file_walls_rest_below(const char *directory, const char *path)
{
    gsize length = strlen(directory);
    while (length > 0 && directory[length - 1] == '/')
        length--;
    if (strncmp(directory, path, length) != 0 || (path[length] && path[length] != '/'))
        return NULL;
    return path + length + strspn(path + length, "/");
}

const HfWallDirectory *hf_file_walls_find_directory(const HfFileWalls *walls, const char *path,
                                                    const char **ret_rest)
{
    const HfWallDirectory *found = NULL;
    for (guint i = 0; i < walls->lists->len; i++) {
        const GPtrArray *list = walls->lists->pdata[i];
        for (guint k = 0; k < list->len; k++) {
            const HfWallDirectory *directory = list->pdata[k];
            const char *rest = hf_file_walls_rest_below(directory->real, path);
            if (!rest || (found && strlen(found->real) >= strlen(directory->real)))
                continue;
            found = directory;
            *ret_rest = rest;
        }
    }
    return found;
}

/* Where a path of the owner leads that has links in it; NULL: it has none. `ret_above`: the place
 * is on the way to an allowed directory, and the desk has seen that it is no link. */
static const char *find_owners_link(const HfFileWalls *walls, const char *place,
                                    gboolean *ret_above)
{
    for (guint i = 0; i < walls->lists->len; i++) {
        const GPtrArray *list = walls->lists->pdata[i];
        for (guint k = 0; k < list->len; k++) {
            const HfWallDirectory *directory = list->pdata[k];
            const char *rest = hf_file_walls_rest_below(directory->named, place);
            if (rest && !*rest && !g_str_equal(directory->real, place))
                return directory->real;
            *ret_above |= hf_file_walls_rest_below(place, directory->real) != NULL;
        }
    }
    return NULL;
}

static char *read_link_in_walls(const char *place, gpointer data)
{
    const HfFileWalls *walls = data;
    gboolean above = FALSE;
    const char *rest, *owners = find_owners_link(walls, place, &above);
    const HfWallDirectory *directory =
        owners || above ? NULL : hf_file_walls_find_directory(walls, place, &rest);
    char target[PATH_MAX];
    if (owners || above)
        return g_strdup(owners);
    if (!directory)
        return g_file_read_link(place, NULL);
    ssize_t length = readlinkat(directory->fd, rest, target, sizeof target);
    return length > 0 && length < (ssize_t)sizeof target ? g_strndup(target, (gsize)length) : NULL;
}

char *hf_file_walls_dup_real(const HfFileWalls *walls, const char *path)
{
    return hf_path_resolve(path, read_link_in_walls, (gpointer)walls);
}

/* ---- patterns ---- */

static void add_glob(HfFileWalls *walls, const char *pattern, gboolean deep)
{
    HfPathGlob *glob = hf_path_glob_new(pattern, HF_GLOB_FOLD, NULL);
    if (!glob)
        return;
    if (deep)
        hf_path_glob_set_deep(glob);
    g_ptr_array_add(walls->denied, glob);
}

static void add_glob_with_directory(HfFileWalls *walls, const char *pattern)
{
    g_autofree char *directory =
        g_str_has_suffix(pattern, "/**")  ? g_strndup(pattern, strlen(pattern) - 3)
        : g_str_has_suffix(pattern, "/*") ? g_strndup(pattern, strlen(pattern) - 2)
                                          : NULL;
    gboolean deep = directory && *directory;
    add_glob(walls, pattern, deep);
    if (deep)
        add_glob(walls, directory, TRUE);
}

/* Our own data is always denied, whatever the policy says. */
static void deny_own_data(HfFileWalls *walls)
{
    g_autofree char *kept = hf_undo_store_dup_directory();
    if (!kept)
        return;
    g_autofree char *data = g_path_get_dirname(kept);
    g_autofree char *pattern = g_strconcat(data, "/**", NULL);
    add_glob_with_directory(walls, pattern);
}

HfFileWalls *hf_file_walls_open(const json_t *json, GError **error)
{
    if (!json_is_object(json)) {
        hf_fail(error, HF_ERROR_INTERNAL, "the desk sent the call without its walls");
        return NULL;
    }
    HfFileWalls *walls = g_new0(HfFileWalls, 1);
    walls->lists = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
    walls->denied = g_ptr_array_new_with_free_func((GDestroyNotify)hf_path_glob_free);
    walls->allowed = json_incref(json_object_get(json, "directories"));
    walls->most_bytes = (guint64)hf_json_int(json, "max_file_size", 0);
    walls->home = g_strdup(owners_home ? owners_home : g_get_home_dir());
    const json_t *opened = json_object_get(json, "opened");
    size_t index;
    json_t *list;
    json_array_foreach (walls->allowed, index, list)
        add_wall_list(walls, list, json_array_get(opened, index));
    hf_json_each (entry, json_object_get(json, "denied"))
        add_glob_with_directory(walls, json_string_value(entry));
    hf_json_each (entry, json_object_get(json, "denied_real"))
        add_glob_with_directory(walls, json_string_value(entry));
    deny_own_data(walls);
    return walls;
}

void hf_file_walls_free(HfFileWalls *walls)
{
    if (!walls)
        return;
    g_ptr_array_unref(walls->lists);
    g_ptr_array_unref(walls->denied);
    json_decref(walls->allowed);
    g_free(walls->home);
    g_free(walls);
}

gboolean hf_file_walls_deny_by(const GPtrArray *denied, const char *path)
{
    g_autofree char *folded = denied->len > 0 ? hf_path_glob_fold(path) : NULL;
    for (guint i = 0; i < denied->len; i++)
        if (hf_path_glob_matches_folded(denied->pdata[i], folded))
            return TRUE;
    return FALSE;
}

gboolean hf_file_walls_deny(const HfFileWalls *walls, const char *path)
{
    return hf_file_walls_deny_by(walls->denied, path);
}

GPtrArray *hf_file_walls_denied_below(const HfFileWalls *walls, const char *directory)
{
    GPtrArray *some = g_ptr_array_new();
    for (guint i = 0; i < walls->denied->len; i++)
        if (hf_path_glob_can_fit_below(walls->denied->pdata[i], directory))
            g_ptr_array_add(some, walls->denied->pdata[i]);
    return some;
}

static char *describe_allowed_directories(const json_t *lists)
{
    g_autoptr(GString) text = g_string_new(NULL);
    size_t index, inner;
    json_t *list, *path;
    json_array_foreach (lists, index, list) {
        if (index > 0)
            g_string_append(text, "; and in ");
        json_array_foreach (list, inner, path)
            g_string_append_printf(text, "%s%s", inner > 0 ? ", " : "", json_string_value(path));
        if (json_array_size(list) == 0)
            g_string_append(text, "none");
    }
    return g_string_free(g_steal_pointer(&text), FALSE);
}

gboolean hf_file_walls_fail_outside(const HfFileWalls *walls, const char *path, GError **error)
{
    g_autofree char *allowed = describe_allowed_directories(walls->allowed);
    g_autofree char *shown = g_utf8_make_valid(path, -1);
    hf_fail(error, HF_ERROR_FORBIDDEN, "'%s' is outside the allowed directories: %s", shown,
            allowed);
    hf_error_suggest(error, "use a path in one of these, or ask the owner to allow more: "
                            "handfast config set security.allowed_directories "
                            "'[\"~/Projects\", \"/another\"]'");
    hf_error_take_details(
        error, json_pack("{s:o, s:O}", "path", hf_json_text(path), "allowed", walls->allowed));
    return FALSE;
}

gboolean hf_file_walls_fail_denied(const char *path, GError **error)
{
    g_autofree char *shown = g_utf8_make_valid(path, -1);
    hf_fail(error, HF_ERROR_FORBIDDEN, "the owner denies access to '%s' (security.denied_patterns)",
            shown);
    hf_error_suggest(error, "use another file, or ask the owner");
    hf_error_take_details(error, json_pack("{s:o}", "path", hf_json_text(path)));
    return FALSE;
}
