/* SPDX-License-Identifier: Apache-2.0 */
/* The owner's paths are opened here anew for each call, so what was allowed, created or exchanged
 * since is what the hand gets. Links in them are the owner's and are followed; but a program on a
 * desktop can plant a link where it may write, and then the path leads where that program wants.
 * Such a directory is not opened. Neither is one of Handfast's own. */
#include "desk/desktops/allowed-directories.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/syscall.h>

#include "shared/base/error.h"
#include "shared/base/fd.h"
#include "shared/base/paths.h"
#include "shared/wire/wire-limits.h"

/* Both are without links and have no trailing slash. */
static gboolean lies_within(const char *inner, const char *outer)
{
    gsize length = strlen(outer);
    return g_str_equal(outer, "/") ||
           (strncmp(inner, outer, length) == 0 && (!inner[length] || inner[length] == '/'));
}

gboolean hf_allowed_directory_is_systems(const char *real)
{
    static const char *const whole[] = {"/", "/run", "/etc", "/usr", NULL};
    static const char *const below[] = {"/proc", "/sys", "/dev"};
    for (gsize i = 0; i < G_N_ELEMENTS(below); i++)
        if (lies_within(real, below[i]))
            return TRUE;
    return g_strv_contains(whole, real);
}

/* They do not change while the desk runs. */
static char **get_own_directories(void)
{
    static char **own;
    if (g_once_init_enter(&own)) {
        g_autofree char *runtime = hf_path_dup_runtime(), *config = hf_path_dup_config();
        g_autofree char *settings = g_path_get_dirname(config);
        g_autofree char *data = g_build_filename(g_get_user_data_dir(), "handfast", NULL);
        const char *const places[] = {runtime, settings, data};
        g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
        for (gsize i = 0; i < G_N_ELEMENTS(places); i++) {
            g_autofree char *real = hf_path_dup_real(places[i]);
            g_strv_builder_add(builder, real ? real : places[i]);
        }
        g_once_init_leave(&own, g_strv_builder_end(builder));
    }
    return own;
}

static gboolean is_own_directory(const char *real)
{
    for (char **own = get_own_directories(); *own; own++)
        if (lies_within(real, *own))
            return TRUE;
    return FALSE;
}

/* ---- links ---- */

typedef struct LinkCheck {
    GPtrArray *writable; /* of char: where programs could plant a link */
    gboolean planted;
} LinkCheck;

static char *read_owners_link(const char *place, gpointer data)
{
    LinkCheck *check = data;
    char *target = g_file_read_link(place, NULL);
    for (guint i = 0; target && i < check->writable->len; i++)
        check->planted |= lies_within(place, check->writable->pdata[i]);
    return target;
}

char *hf_allowed_directory_dup_real(const char *path, const json_t *places)
{
    g_autoptr(GPtrArray) writable = g_ptr_array_new_with_free_func(g_free);
    LinkCheck check = {writable, FALSE};
    hf_json_each (list, places)
        hf_json_each (place, list) {
            char *real = hf_path_dup_real(json_string_value(place));
            if (real)
                g_ptr_array_add(writable, real);
        }
    g_autofree char *full = hf_path_dup_absolute(path);
    g_autofree char *real =
        g_path_is_absolute(full) ? hf_path_resolve(full, read_owners_link, &check) : NULL;
    return check.planted ? NULL : g_steal_pointer(&real);
}

/* ---- opening ---- */

/* -1 with errno; ELOOP: there is a link. */
static int open_without_links(const char *path)
{
    struct open_how how = {.flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
                           .resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS};
    return (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof how);
}

static int open_allowed_directory(const char *path, const json_t *walls)
{
    int fd = open_without_links(path);
    if (fd >= 0 || errno != ELOOP)
        return fd;
    g_autoptr(json_t) places = json_copy(json_object_get(walls, "directories"));
    json_array_append(places, json_object_get(walls, "writable"));
    g_autofree char *real = hf_allowed_directory_dup_real(path, places);
    return real ? open_without_links(real) : -1;
}

typedef struct Opening {
    const json_t *walls;
    GHashTable *known; /* real path → its place in the frame */
    HfFrame *frame;
} Opening;

/* An entry of hf_allowed_directories_open(); NULL above the limit. */
static json_t *open_entry(Opening *opening, const char *path)
{
    gpointer place;
    g_auto(HfFd) fd = open_allowed_directory(path, opening->walls);
    g_autofree char *link = g_strdup_printf("/proc/self/fd/%d", fd);
    g_autofree char *real = fd >= 0 ? g_file_read_link(link, NULL) : NULL;
    if (!real || real[0] != '/' || is_own_directory(real))
        return json_false();
    if (hf_allowed_directory_is_systems(real))
        return json_null();
    if (!g_hash_table_lookup_extended(opening->known, real, NULL, &place)) {
        if (opening->frame->fds->len >= HF_LIMIT_FRAME_FDS)
            return NULL;
        place = GUINT_TO_POINTER(hf_frame_take_fd(opening->frame, hf_fd_steal(&fd)));
        g_hash_table_insert(opening->known, g_strdup(real), place);
    }
    return json_pack("{s:i, s:o}", "fd", (int)GPOINTER_TO_UINT(place), "real", hf_json_text(real));
}

static json_t *open_list(Opening *opening, const json_t *paths, GError **error)
{
    g_autoptr(json_t) entries = json_array();
    hf_json_each (path, paths) {
        json_t *entry = open_entry(opening, json_string_value(path));
        if (!entry) {
            hf_fail(error, HF_ERROR_LIMIT_EXCEEDED,
                    "the call may use more than %u directories, which is the limit",
                    HF_LIMIT_FRAME_FDS);
            hf_error_suggest(error, "list directories that contain several of them in "
                                    "security.allowed_directories");
            return NULL;
        }
        json_array_append_new(entries, entry);
    }
    return g_steal_pointer(&entries);
}

json_t *hf_allowed_directories_open(const json_t *walls, HfFrame *frame, GError **error)
{
    g_autoptr(json_t) opened = json_array();
    g_autoptr(GHashTable) known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    Opening opening = {walls, known, frame};
    hf_json_each (list, json_object_get(walls, "directories")) {
        json_t *entries = open_list(&opening, list, error);
        if (!entries)
            return NULL;
        json_array_append_new(opened, entries);
    }
    return g_steal_pointer(&opened);
}
