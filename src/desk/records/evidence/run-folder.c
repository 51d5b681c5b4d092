/* SPDX-License-Identifier: Apache-2.0 */
/* Works with directory descriptors, so that no name leads out of the folder. */
#include "desk/records/evidence/run-folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/base/error.h"
#include "shared/base/paths.h"

/* Maps run ids to directory names. */
#define PLAIN    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."
#define MARK_HEX 12
#define KEEP     40 /* bytes kept of an id that is not plain */

char *hf_runs_dup_root(void)
{
    return g_build_filename(g_get_user_data_dir(), "handfast", "runs", NULL);
}

/* An id that looks as if it had a hash gets one too: else it could be made to equal another's name.
 */
static gboolean ends_like_mark(const char *run_id, gsize length)
{
    return length > MARK_HEX && run_id[length - MARK_HEX - 1] == '-' &&
           strspn(run_id + length - MARK_HEX, "0123456789abcdef") == MARK_HEX;
}

char *hf_run_dup_name(const char *run_id)
{
    gsize length = strlen(run_id);
    if (length > 0 && length <= 64 && strspn(run_id, PLAIN) == length && run_id[0] != '.' &&
        run_id[0] != '-' && !ends_like_mark(run_id, length))
        return g_strdup(run_id);
    g_autofree char *hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, run_id, -1);
    g_autofree char *kept = g_strndup(run_id, MIN(length, KEEP));
    g_strcanon(kept, PLAIN, '_');
    gboolean plain = g_ascii_isalnum(kept[0]) || kept[0] == '_';
    return g_strdup_printf("%s%s-%.*s", plain ? "" : "_", kept, MARK_HEX, hash);
}

char *hf_run_dup_day(gint64 time_ms)
{
    g_autoptr(GDateTime) time = g_date_time_new_from_unix_local(time_ms / 1000);
    return g_date_time_format(time, "%Y-%m-%d");
}

gboolean hf_run_is_day(const char *name)
{
    if (strlen(name) != 10)
        return FALSE;
    for (int i = 0; i < 10; i++)
        if (i == 4 || i == 7 ? name[i] != '-' : !g_ascii_isdigit(name[i]))
            return FALSE;
    return TRUE;
}

struct HfRunFolder {
    char *path;
    int fd;
    gboolean old;
};

static gboolean fail_errno(GError **error, const char *what, const char *name)
{
    return hf_fail(error, HF_ERROR_STORAGE_FAILED, "the evidence file '%s' cannot be %s: %s", name,
                   what, g_strerror(errno));
}

static int by_name_latest_first(gconstpointer a, gconstpointer b)
{
    return strcmp(*(char *const *)b, *(char *const *)a);
}

static char **list_days(const char *root)
{
    g_autoptr(GPtrArray) days = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GDir) directory = g_dir_open(root, 0, NULL);
    const char *name;
    while (directory && (name = g_dir_read_name(directory)))
        if (hf_run_is_day(name))
            g_ptr_array_add(days, g_strdup(name));
    g_ptr_array_sort(days, by_name_latest_first);
    g_ptr_array_add(days, NULL);
    g_ptr_array_set_free_func(days, NULL);
    return (char **)g_ptr_array_free(g_steal_pointer(&days), FALSE);
}

/* The folder of a run that began earlier, maybe yesterday; NULL: a new run. */
static char *find_folder(const char *root, const char *name)
{
    g_auto(GStrv) days = list_days(root);
    for (char **day = days; *day; day++) {
        g_autofree char *path = g_build_filename(root, *day, name, NULL);
        if (g_file_test(path, G_FILE_TEST_IS_DIR))
            return g_steal_pointer(&path);
    }
    return NULL;
}

static char *make_folder(const char *root, const char *name, gint64 time_ms, GError **error)
{
    g_autofree char *day = hf_run_dup_day(time_ms);
    g_autofree char *above = g_build_filename(root, day, NULL);
    g_autofree char *path = g_build_filename(above, name, NULL);
    if (!hf_path_ensure_private(root, error) || !hf_path_ensure_private(above, error) ||
        !hf_path_ensure_private(path, error))
        return NULL;
    return g_steal_pointer(&path);
}

HfRunFolder *hf_run_folder_ensure(const char *root, const char *run_id, gint64 time_ms,
                                  GError **error)
{
    g_autofree char *name = hf_run_dup_name(run_id);
    g_autofree char *found = find_folder(root, name);
    gboolean old = found != NULL;
    g_autofree char *path = old ? g_steal_pointer(&found) : make_folder(root, name, time_ms, error);
    if (!path)
        return NULL;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) {
        fail_errno(error, "opened", path);
        return NULL;
    }
    HfRunFolder *folder = g_new(HfRunFolder, 1);
    *folder = (HfRunFolder){g_steal_pointer(&path), fd, old};
    return folder;
}

void hf_run_folder_free(HfRunFolder *folder)
{
    if (!folder)
        return;
    close(folder->fd);
    g_free(folder->path);
    g_free(folder);
}

const char *hf_run_folder_get_path(const HfRunFolder *folder)
{
    return folder->path;
}

gboolean hf_run_folder_is_old(const HfRunFolder *folder)
{
    return folder->old;
}

static void make_above(HfRunFolder *folder, const char *name)
{
    const char *slash = strchr(name, '/');
    g_autofree char *above = slash ? g_strndup(name, (gsize)(slash - name)) : NULL;
    if (above)
        mkdirat(folder->fd, above, 0700);
}

static gboolean write_run_bytes(int fd, const char *data, gsize size)
{
    for (gsize done = 0; done < size;) {
        ssize_t wrote = write(fd, data + done, size - done);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return FALSE;
        done += (gsize)wrote;
    }
    return TRUE;
}

gboolean hf_run_folder_write(HfRunFolder *folder, const char *name, const void *data, gsize size,
                             GError **error)
{
    g_autofree char *part = g_strconcat(name, ".part", NULL);
    make_above(folder, name);
    unlinkat(folder->fd, part, 0);
    int fd = openat(folder->fd, part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return fail_errno(error, "written", name);
    gboolean written = write_run_bytes(fd, data, size);
    int reason = errno;
    close(fd);
    if (written && renameat(folder->fd, part, folder->fd, name) == 0)
        return TRUE;
    if (!written)
        errno = reason;
    fail_errno(error, "written", name);
    unlinkat(folder->fd, part, 0);
    return FALSE;
}

gboolean hf_run_folder_link(HfRunFolder *folder, const char *from, const char *to, GError **error)
{
    unlinkat(folder->fd, to, 0);
    return linkat(folder->fd, from, folder->fd, to, 0) == 0 || fail_errno(error, "written", to);
}

gboolean hf_run_folder_append(HfRunFolder *folder, const char *name, const char *line,
                              GError **error)
{
    int fd = openat(folder->fd, name, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return fail_errno(error, "written", name);
    g_autofree char *text = g_strconcat(line, "\n", NULL);
    off_t before = lseek(fd, 0, SEEK_END);
    gboolean written = write_run_bytes(fd, text, strlen(text));
    int reason = errno;
    if (!written && ftruncate(fd, before) != 0)
        reason = errno;
    close(fd);
    errno = reason;
    return written || fail_errno(error, "written", name);
}
