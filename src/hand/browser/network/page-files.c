/* SPDX-License-Identifier: Apache-2.0 */
/* The walls decide which paths may be used (hand/files/file-walls.h), and their descriptors are
 * used: nothing here opens a path that a caller gave. */
#include "hand/browser/network/page-files.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "hand/files/file-place.h"
#include "shared/base/error.h"
#include "shared/base/fd.h"
#include "shared/text/text.h"

#define COPY_BYTES   ((gsize)256 * 1024)
#define MAX_COPIES   1000
#define NAME_BYTES   200
#define FALLBACK_MAX ((guint64)50 * 1024 * 1024)

/* ---- uploads ---- */

static gboolean check_upload_file(const HfFileWalls *walls, const HfFilePlace *place,
                                  GError **error)
{
    guint64 most = walls->most_bytes > 0 ? walls->most_bytes : FALLBACK_MAX;
    g_autofree char *shown = hf_text_shorten(place->asked, 300);
    if (hf_file_place_is_directory(place))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS, "'%s' is a directory, not a file", shown);
    if ((guint64)place->info.st_size > most)
        return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED,
                       "'%s' has %" G_GINT64_FORMAT " bytes; at most %" G_GUINT64_FORMAT
                       " are allowed (security.max_file_size)",
                       shown, (gint64)place->info.st_size, most);
    return TRUE;
}

/* Opens the file and returns its name; -1 with the error. */
static int open_for_reading(const json_t *json, const char *path, char **ret_name, GError **error)
{
    g_autoptr(HfFileWalls) walls = hf_file_walls_open(json, error);
    g_autoptr(HfFilePlace) place = walls ? hf_file_place_find_existing(walls, path, error) : NULL;
    if (!place || !check_upload_file(walls, place, error))
        return -1;
    *ret_name = g_path_get_basename(place->asked);
    return hf_file_place_open(place, error);
}

gboolean hf_page_file_check(const json_t *walls, const char *path, GError **error)
{
    g_autofree char *name = NULL;
    g_auto(HfFd) fd = open_for_reading(walls, path, &name, error);
    return fd >= 0;
}

static gboolean copy_all(int from, int to, GError **error)
{
    g_autofree char *buffer = g_malloc(COPY_BYTES);
    for (;;) {
        ssize_t count = read(from, buffer, COPY_BYTES);
        if (count < 0 && errno == EINTR)
            continue;
        if (count == 0)
            return TRUE;
        for (ssize_t done = 0; count > 0 && done < count;) {
            ssize_t written = write(to, buffer + done, (gsize)(count - done));
            if (written < 0 && errno != EINTR)
                count = -1;
            done += MAX(written, 0);
        }
        if (count < 0)
            return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot copy the file: %s",
                           g_strerror(errno));
    }
}

char *hf_page_file_stage(const json_t *walls, const char *path, const char *folder, GError **error)
{
    g_autofree char *name = NULL;
    g_auto(HfFd) from = open_for_reading(walls, path, &name, error);
    if (from < 0)
        return NULL;
    g_autofree char *uploads = g_build_filename(folder, HF_PAGE_UPLOADS, NULL);
    g_autofree char *pattern = g_build_filename(uploads, "XXXXXX", NULL);
    char *own = g_mkdir_with_parents(uploads, 0700) == 0 ? g_mkdtemp_full(pattern, 0700) : NULL;
    g_autofree char *place = own ? g_build_filename(own, name, NULL) : NULL;
    g_auto(HfFd) to = place ? open(place, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
    if (to < 0) {
        hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot copy the file for the browser: %s",
                g_strerror(errno));
        return NULL;
    }
    return copy_all(from, to, error) ? g_steal_pointer(&place) : NULL;
}

/* ---- downloads ---- */

static HfFilePlace *find_dir(const HfFileWalls *walls, const char *path, GError **error)
{
    g_autoptr(HfFilePlace) place = hf_file_place_find_existing(walls, path, error);
    if (place && !hf_file_place_is_directory(place)) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "'%s' is not a directory", path);
        return NULL;
    }
    return g_steal_pointer(&place);
}

/* The wanted directory, or the first existing one that all lists allow; grants come before the
 * policy. */
static HfFilePlace *choose_dir(const HfFileWalls *walls, const char *wanted, GError **error)
{
    if (wanted)
        return find_dir(walls, wanted, error);
    for (guint i = walls->lists->len; i-- > 0;) {
        const GPtrArray *list = walls->lists->pdata[i];
        for (guint k = 0; k < list->len; k++) {
            const HfWallDirectory *directory = list->pdata[k];
            HfFilePlace *place = find_dir(walls, directory->real, NULL);
            if (place)
                return place;
        }
    }
    hf_fail(error, HF_ERROR_FORBIDDEN, "none of the allowed directories exists for downloads");
    hf_error_suggest(error, "create one of the allowed directories, or give download_dir");
    return NULL;
}

/* A server's file name is not trusted: one name, no path, not hidden. */
static char *safe_name(const char *name)
{
    g_autofree char *base = g_path_get_basename(*name ? name : "download");
    g_autofree char *valid = g_utf8_make_valid(base, -1);
    for (char *at = valid; *at; at++)
        if (g_ascii_iscntrl(*at) || strchr("/\\:*?\"<>|", *at))
            *at = '_';
    const char *begin = valid + strspn(valid, ". ");
    gsize length = strlen(begin);
    while (length > NAME_BYTES)
        length = (gsize)(g_utf8_find_prev_char(begin, begin + length) - begin);
    return length > 0 ? g_strndup(begin, length) : g_strdup("download");
}

static char *dup_numbered_name(const char *name, int number)
{
    const char *dot = strrchr(name, '.');
    if (number == 0)
        return g_strdup(name);
    gsize stem = dot && dot != name ? (gsize)(dot - name) : strlen(name);
    return g_strdup_printf("%.*s (%d)%s", (int)stem, name, number, name + stem);
}

/* Never overwrites a file. -1 with errno. */
static int create_free(const HfFileWalls *walls, int directory_fd, const char *directory,
                       const char *name, char **ret_path)
{
    for (int number = 0; number < MAX_COPIES; number++) {
        g_autofree char *own = dup_numbered_name(name, number);
        g_autofree char *path = g_build_filename(directory, own, NULL);
        if (hf_file_walls_deny(walls, path)) {
            errno = EACCES;
            return -1;
        }
        int fd =
            openat(directory_fd, own, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
        if (fd >= 0)
            *ret_path = g_steal_pointer(&path);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

static char *copy_into(const HfFileWalls *walls, const HfFilePlace *directory, const char *from,
                       const char *name, GError **error)
{
    g_autofree char *own = safe_name(name), *path = NULL;
    g_auto(HfFd) directory_fd = hf_file_place_open(directory, error);
    if (directory_fd < 0)
        return NULL;
    g_auto(HfFd) source = open(from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    g_auto(HfFd) to =
        source >= 0 ? create_free(walls, directory_fd, directory->path, own, &path) : -1;
    if (to < 0) {
        hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot save the download in %s: %s",
                directory->path, g_strerror(errno));
        return NULL;
    }
    if (copy_all(source, to, error))
        return g_steal_pointer(&path);
    const char *made = strrchr(path, '/') + 1;
    unlinkat(directory_fd, made, 0); /* half of a file is worse than none */
    return NULL;
}

gboolean hf_page_file_check_dir(const json_t *json, const char *directory, GError **error)
{
    g_autoptr(HfFileWalls) walls = hf_file_walls_open(json, error);
    g_autoptr(HfFilePlace) place = walls ? find_dir(walls, directory, error) : NULL;
    return place != NULL;
}

char *hf_page_file_place(const json_t *json, const char *from, const char *directory,
                         const char *name, GError **error)
{
    g_autoptr(HfFileWalls) walls = hf_file_walls_open(json, error);
    g_autoptr(HfFilePlace) place = walls ? choose_dir(walls, directory, error) : NULL;
    char *path = place ? copy_into(walls, place, from, name, error) : NULL;
    g_unlink(from);
    return path;
}
