/* SPDX-License-Identifier: Apache-2.0 */
/* How a path becomes a descriptor: links are resolved as text first. The resulting path is opened
 * from an allowed directory of each list in a way that follows no link (RESOLVE_NO_SYMLINKS) and
 * cannot leave it (RESOLVE_BENEATH): if somebody swaps files meanwhile, at worst nothing is opened.
 * Nothing is opened for reading before it is known to be a regular file or a directory, because
 * opening a FIFO or a device can have effects.
 *
 * File systems that are mounted below an allowed directory belong to it: mounting takes an
 * administrator. Kernel file systems (/proc, /sys and the like) never do. */
#include "hand/files/file-place.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/vfs.h>

#include "hand/files/files-limits.h"
#include "shared/base/error.h"
#include "shared/base/fd.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/text/text.h"

void hf_file_place_free(HfFilePlace *place)
{
    if (!place)
        return;
    hf_fd_close(&place->fd);
    hf_fd_close(&place->parent);
    g_strfreev(place->missing);
    g_free(place->asked);
    g_free(place->path);
    g_free(place->name);
    g_free(place);
}

static HfErrorCode code_of(int number)
{
    switch (number) {
    case ENOENT:
    case ENOTDIR:
        return HF_ERROR_FILE_NOT_FOUND;
    case EACCES:
    case EPERM:
    case EROFS:
        return HF_ERROR_DESKTOP_PERMISSION_MISSING;
    case ENAMETOOLONG:
    case EISDIR:
    case EINVAL:
    case ELOOP:
        return HF_ERROR_INVALID_PARAMS;
    default:
        return HF_ERROR_STORAGE_FAILED;
    }
}

gboolean hf_file_place_fail(const char *what, const char *path, int number, GError **error)
{
    g_autofree char *valid = g_utf8_make_valid(path, -1);
    g_autofree char *shown = hf_text_shorten(valid, 300);
    hf_fail(error, code_of(number), "cannot %s '%s': %s", what, shown, g_strerror(number));
    if (code_of(number) == HF_ERROR_DESKTOP_PERMISSION_MISSING)
        hf_error_suggest(error, "the user who runs the desk lacks the permission; ask the owner");
    if (code_of(number) == HF_ERROR_INVALID_PARAMS)
        hf_error_suggest(error, "use another path");
    return FALSE;
}

/* Opens the path from a directory of the list that contains it, or with `itself` is it. -1 with
 * errno; EXDEV: the list has no such directory. */
static int open_from(const GPtrArray *list, const char *path, gboolean itself,
                     const HfWallDirectory **ret_from)
{
    struct open_how how = {.flags = O_PATH | O_NOFOLLOW | O_CLOEXEC,
                           .resolve =
                               RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS};
    int number = EXDEV;
    for (guint i = 0; i < list->len; i++) {
        const HfWallDirectory *directory = list->pdata[i];
        const char *rest = hf_file_walls_rest_below(directory->real, path);
        if (!rest || (*rest == '\0') != itself)
            continue;
        int fd = (int)syscall(SYS_openat2, directory->fd, *rest ? rest : ".", &how, sizeof how);
        *ret_from = directory;
        if (fd >= 0)
            return fd;
        number = errno;
    }
    errno = number;
    return -1;
}

/* `ret_root`: the path is an allowed directory itself. */
static int open_in_list(const GPtrArray *list, const char *path, gboolean *ret_root,
                        const HfWallDirectory **ret_from)
{
    int fd = open_from(list, path, FALSE, ret_from);
    if (fd >= 0 || errno != EXDEV)
        return fd;
    *ret_root = TRUE;
    return open_from(list, path, TRUE, ret_from);
}

static gboolean same_file(int one, int other)
{
    struct stat a, b;
    return fstat(one, &a) == 0 && fstat(other, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

/* A directory of each list has to contain it, and all have to lead to the same file. `ret_from`:
 * one through which the descriptor was opened. */
static int open_in_all(const HfFileWalls *walls, const char *path, gboolean *ret_root,
                       const HfWallDirectory **ret_from)
{
    g_auto(HfFd) found = -1;
    const HfWallDirectory *from = NULL;
    *ret_root = FALSE;
    errno = EXDEV;
    for (guint i = 0; i < walls->lists->len; i++) {
        gboolean root = FALSE;
        g_auto(HfFd) fd = open_in_list(walls->lists->pdata[i], path, &root, &from);
        if (fd < 0)
            return -1;
        *ret_root |= root;
        if (found < 0) {
            *ret_from = from;
            found = hf_fd_steal(&fd);
        } else if (!same_file(found, fd)) {
            errno = ELOOP;
            return -1;
        }
    }
    return hf_fd_steal(&found);
}

/* ---- checks ---- */

static const char *special_file_kind(mode_t mode)
{
    return S_ISFIFO(mode)   ? "a FIFO"
           : S_ISSOCK(mode) ? "a socket"
           : S_ISCHR(mode)  ? "a device"
           : S_ISBLK(mode)  ? "a device"
           : S_ISLNK(mode)  ? "a symbolic link"
                            : "of an unknown type";
}

gboolean hf_file_place_is_kernels(int fd)
{
    static const long kinds[] = {
        PROC_SUPER_MAGIC,        SYSFS_MAGIC,      DEBUGFS_MAGIC,
        TRACEFS_MAGIC,           SECURITYFS_MAGIC, CGROUP_SUPER_MAGIC,
        CGROUP2_SUPER_MAGIC,     BPF_FS_MAGIC,     SELINUX_MAGIC,
        DEVPTS_SUPER_MAGIC,      BINFMTFS_MAGIC,   PSTOREFS_MAGIC,
        EFIVARFS_MAGIC,          NSFS_MAGIC,       0x62656570 /* configfs */,
        0x19800202 /* mqueue */, 0x65735543 /* fusectl */};
    struct statfs info;
    if (fstatfs(fd, &info) != 0)
        return TRUE;
    for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++)
        if ((long)info.f_type == kinds[i])
            return TRUE;
    return FALSE;
}

static gboolean fail_kind(const HfFilePlace *place, const char *kind, GError **error)
{
    g_autofree char *shown = g_utf8_make_valid(place->asked, -1);
    hf_fail(error, HF_ERROR_FORBIDDEN, "'%s' is %s; only files and directories may be used", shown,
            kind);
    hf_error_suggest(error, "choose a regular file");
    return FALSE;
}

/* The path that the kernel has for a descriptor. It may name a directory that is not in this
 * process's view otherwise than the desk does. */
static char *dup_kernels_path(int fd, const HfWallDirectory *from)
{
    g_autofree char *link = g_strdup_printf("/proc/self/fd/%d", fd);
    g_autofree char *shown = g_file_read_link(link, NULL);
    const char *rest = shown ? hf_file_walls_rest_below(from->shown, shown) : NULL;
    return !rest    ? g_steal_pointer(&shown)
           : !*rest ? g_strdup(from->real)
                    : g_build_filename(from->real, rest, NULL);
}

/* The descriptor knows the real path: patterns are checked against that one too. */
static gboolean check_place_allowed(const HfFileWalls *walls, HfFilePlace *place,
                                    const HfWallDirectory *from, GError **error)
{
    int fd = place->fd >= 0 ? place->fd : place->parent;
    g_autofree char *real = dup_kernels_path(fd, from);
    if (!real || hf_file_walls_deny(walls, real) || hf_file_walls_deny(walls, place->path) ||
        hf_file_walls_deny(walls, place->asked))
        return hf_file_walls_fail_denied(place->asked, error);
    if (hf_file_place_is_kernels(fd))
        return fail_kind(place, "on a kernel file system", error);
    if (place->fd < 0)
        return TRUE;
    if (fstat(place->fd, &place->info) != 0)
        return hf_file_place_fail("inspect", place->asked, errno, error);
    return S_ISREG(place->info.st_mode) || S_ISDIR(place->info.st_mode) ||
           fail_kind(place, special_file_kind(place->info.st_mode), error);
}

/* ---- finding ---- */

/* Moves the last name from `path` to `names`; FALSE if none is left. */
static gboolean drop_name(GString *path, GPtrArray *names)
{
    char *slash = strrchr(path->str, '/');
    if (!slash || path->len <= 1)
        return FALSE;
    g_ptr_array_insert(names, 0, g_strdup(slash + 1));
    g_string_truncate(path, MAX((gsize)(slash - path->str), 1));
    return TRUE;
}

/* Finds the nearest existing directory above, and the names that lead down from there. */
static gboolean find_parent(const HfFileWalls *walls, HfFilePlace *place,
                            const HfWallDirectory **ret_from)
{
    g_autoptr(GString) path = g_string_new(place->path);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    gboolean root;
    while (place->parent < 0) {
        if (!drop_name(path, names))
            return FALSE;
        place->parent = open_in_all(walls, path->str, &root, ret_from);
        if (place->parent < 0 && errno != ENOENT)
            return FALSE;
    }
    place->name = g_strdup(names->pdata[names->len - 1]);
    g_ptr_array_set_size(names, (gint)names->len - 1);
    g_ptr_array_add(names, NULL);
    place->missing = (char **)g_ptr_array_steal(names, NULL);
    return TRUE;
}

/* FALSE with the reason in errno. `ret_from`: through which directory. */
static gboolean open_place(const HfFileWalls *walls, HfFilePlace *place,
                           const HfWallDirectory **ret_from)
{
    gboolean root = FALSE;
    const HfWallDirectory *above;
    place->fd = open_in_all(walls, place->path, &root, ret_from);
    if (place->fd < 0 && errno != ENOENT)
        return FALSE;
    if (root) {
        place->missing = g_new0(char *, 1);
        return TRUE;
    }
    if (!find_parent(walls, place, place->fd < 0 ? ret_from : &above))
        return FALSE;
    errno = ELOOP; /* somebody removed its directory meanwhile */
    return place->fd < 0 || !*place->missing;
}

/* Makes the path absolute and checks its length. */
static char *dup_absolute(const HfFileWalls *walls, const char *path, GError **error)
{
    gboolean home = path[0] == '~' && (path[1] == '/' || !path[1]);
    g_autofree char *full = home ? g_build_filename(walls->home, path + 1, NULL) : g_strdup(path);
    if (g_path_is_absolute(full) && strlen(full) < HF_LIMIT_PATH_BYTES)
        return g_steal_pointer(&full);
    g_autofree char *shown = hf_text_shorten(path, 200);
    if (g_path_is_absolute(full)) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "the path '%s' is too long", shown);
        return NULL;
    }
    hf_fail(error, HF_ERROR_INVALID_PARAMS, "path: '%s' has to begin with / or ~/", shown);
    const json_t *first = json_array_get(json_array_get(walls->allowed, 0), 0);
    if (first)
        hf_error_suggest(error, "give the full path: %s/%s", json_string_value(first), shown);
    return NULL;
}

/* One attempt. NULL without an error means that somebody swapped something: try again. */
static HfFilePlace *try_find(const HfFileWalls *walls, const char *asked, GError **error)
{
    g_autoptr(HfFilePlace) place = g_new0(HfFilePlace, 1);
    place->fd = place->parent = -1;
    place->asked = g_strdup(asked);
    place->path = hf_file_walls_dup_real(walls, asked);
    const HfWallDirectory *from = NULL;
    if (!place->path) {
        hf_file_place_fail("find", asked, ELOOP, error);
        return NULL;
    }
    if (!open_place(walls, place, &from)) {
        int number = errno;
        if (number == EXDEV)
            hf_file_walls_fail_outside(walls, asked, error);
        else if (number != ELOOP && number != EAGAIN && number != 0)
            hf_file_place_fail("open", asked, number, error);
        return NULL;
    }
    return check_place_allowed(walls, place, from, error) ? g_steal_pointer(&place) : NULL;
}

HfFilePlace *hf_file_place_find(const HfFileWalls *walls, const char *path, GError **error)
{
    g_autofree char *asked = dup_absolute(walls, path, error);
    if (!asked)
        return NULL;
    for (int i = 0; i < HF_LIMIT_PLACE_TRIES; i++) {
        g_autoptr(GError) problem = NULL;
        HfFilePlace *place = try_find(walls, asked, &problem);
        if (problem)
            g_propagate_error(error, g_steal_pointer(&problem));
        if (place || (error && *error))
            return place;
    }
    g_autofree char *shown = hf_text_shorten(path, 200);
    hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
            "something else changed '%s' while it was being opened", shown);
    hf_error_suggest(error, "try again when nothing else works in that directory");
    return NULL;
}

HfFilePlace *hf_file_place_find_existing(const HfFileWalls *walls, const char *path, GError **error)
{
    g_autoptr(HfFilePlace) place = hf_file_place_find(walls, path, error);
    if (place && place->fd < 0) {
        hf_file_place_fail("find", path, ENOENT, error);
        return NULL;
    }
    return g_steal_pointer(&place);
}

gboolean hf_file_place_is_directory(const HfFilePlace *place)
{
    return place->fd >= 0 && S_ISDIR(place->info.st_mode);
}

/* ---- reading ---- */

int hf_file_place_open(const HfFilePlace *place, GError **error)
{
    g_autofree char *link = g_strdup_printf("/proc/self/fd/%d", place->fd);
    int kind = hf_file_place_is_directory(place) ? O_DIRECTORY : O_NONBLOCK | O_NOCTTY;
    int fd = open(link, O_RDONLY | O_CLOEXEC | kind);
    if (fd < 0)
        hf_file_place_fail("open", place->asked, errno, error);
    return fd;
}

static gboolean fail_size(const HfFilePlace *place, guint64 size, guint64 most, GError **error)
{
    g_autofree char *shown = hf_text_shorten(place->asked, 300);
    hf_fail(error, HF_ERROR_LIMIT_EXCEEDED,
            "'%s' has %" G_GUINT64_FORMAT " bytes; at most %" G_GUINT64_FORMAT
            " are allowed (security.max_file_size)",
            shown, size, most);
    hf_error_suggest(error, "use a smaller file, or ask the owner to raise the limit");
    return FALSE;
}

GBytes *hf_file_place_read(const HfFilePlace *place, guint64 most, GError **error)
{
    g_auto(HfFd) fd = hf_file_place_open(place, error);
    struct stat info;
    if (fd < 0)
        return NULL;
    if (fstat(fd, &info) != 0) {
        hf_file_place_fail("read", place->asked, errno, error);
        return NULL;
    }
    if ((guint64)info.st_size > most) {
        fail_size(place, (guint64)info.st_size, most, error);
        return NULL;
    }
    g_autoptr(GByteArray) bytes = g_byte_array_sized_new((guint)info.st_size + 1);
    guint8 *buffer = g_malloc(256 * 1024);
    ssize_t got;
    while ((got = read(fd, buffer, 256 * 1024)) > 0 && bytes->len + (guint64)got <= most)
        g_byte_array_append(bytes, buffer, (guint)got);
    int number = errno;
    g_free(buffer);
    if (got < 0)
        hf_file_place_fail("read", place->asked, number, error);
    else if (got > 0) /* it has grown meanwhile */
        fail_size(place, bytes->len + (guint64)got, most, error);
    return got == 0 ? g_byte_array_free_to_bytes(g_steal_pointer(&bytes)) : NULL;
}
