/* SPDX-License-Identifier: Apache-2.0 */
/* A container shows what was allowed when it was built. File tools use the desk's descriptors and
 * reach more; programs do not, and must not be told that a path of theirs is the same directory
 * when it is only called the same. */
#include "hand/safety/handed-directories.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "shared/base/error.h"
#include "shared/base/fd.h"
#include "shared/base/paths.h"
#include "shared/text/text.h"

/* The identity makes sure that a number that was closed too early is not taken for another file. */
static json_t *entry_with_fd(const json_t *entry, const GArray *fds)
{
    gsize place = (gsize)hf_json_int(entry, "fd", -1);
    struct stat info;
    if (!json_is_object(entry))
        return json_deep_copy(entry);
    int fd = place < fds->len ? g_array_index(fds, int, place) : -1;
    if (fd < 0 || fstat(fd, &info) != 0 || !S_ISDIR(info.st_mode))
        return json_false();
    return json_pack("{s:i, s:O, s:I, s:I}", "fd", fd, "real", json_object_get(entry, "real"),
                     "device", (json_int_t)info.st_dev, "inode", (json_int_t)info.st_ino);
}

void hf_handed_directories_set(json_t *walls, const json_t *opened, const GArray *fds)
{
    json_t *lists = json_array();
    hf_json_each (list, opened) {
        json_t *entries = json_array();
        hf_json_each (entry, list)
            json_array_append_new(entries, entry_with_fd(entry, fds));
        json_array_append_new(lists, entries);
    }
    json_object_set_new(walls, "opened", lists);
}

json_t *hf_handed_directories_dup_without(const json_t *walls)
{
    json_t *copy = json_deep_copy(walls);
    json_object_del(copy, "opened");
    return copy;
}

static gboolean has_identity(const json_t *entry, const struct stat *info)
{
    return (json_int_t)info->st_dev == hf_json_int(entry, "device", -1) &&
           (json_int_t)info->st_ino == hf_json_int(entry, "inode", -1);
}

int hf_handed_directory_dup_fd(const json_t *entry)
{
    struct stat info;
    g_auto(HfFd) fd = fcntl((int)hf_json_int(entry, "fd", -1), F_DUPFD_CLOEXEC, 3);
    return fd >= 0 && fstat(fd, &info) == 0 && has_identity(entry, &info) ? hf_fd_steal(&fd) : -1;
}

gboolean hf_handed_directory_is_seen(const json_t *entry)
{
    struct stat info;
    return lstat(hf_json_string(entry, "real", ""), &info) == 0 && has_identity(entry, &info);
}

static gboolean lies_in_directory(const char *path, const char *directory)
{
    gsize length = strlen(directory);
    while (length > 1 && directory[length - 1] == '/')
        length--;
    return strncmp(path, directory, length) == 0 && (!path[length] || path[length] == '/');
}

/* Seen in one list is seen: the lists may name directories within each other. */
static const char *find_unseen_directory(const json_t *walls, const char *path)
{
    const char *unseen = NULL;
    size_t i, k;
    json_t *list, *entry;
    json_array_foreach (json_object_get(walls, "opened"), i, list)
        json_array_foreach (list, k, entry) {
            const char *named = json_string_value(
                json_array_get(json_array_get(json_object_get(walls, "directories"), i), k));
            const char *real = hf_json_string(entry, "real", NULL);
            if (!real || !named ||
                (!lies_in_directory(path, real) && !lies_in_directory(path, named)))
                continue;
            if (hf_handed_directory_is_seen(entry))
                return NULL;
            unseen = named;
        }
    return unseen;
}

gboolean hf_handed_directories_check_seen(const json_t *walls, const char *path, GError **error)
{
    g_autofree char *absolute = hf_path_dup_absolute(path);
    g_autofree char *full = g_canonicalize_filename(absolute, "/");
    const char *unseen = find_unseen_directory(walls, full);
    if (!unseen)
        return TRUE;
    g_autofree char *shown = hf_text_shorten(unseen, 300);
    hf_fail(error, HF_ERROR_FORBIDDEN,
            "programs on this desktop cannot see '%s': it was allowed or created after the desktop "
            "was made",
            shown);
    hf_error_suggest(error,
                     "use the file tools there, which can; or work on a desktop that is made now "
                     "(handfast desktop new NAME), or ask the owner to make this one anew");
    hf_error_take_details(error, json_pack("{s:o}", "directory", hf_json_text(unseen)));
    return FALSE;
}
