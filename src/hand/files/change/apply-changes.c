/* SPDX-License-Identifier: Apache-2.0 */
/* The order makes it safe:
 *   1. the journal records the temporary names (change-journal.h)
 *   2. directories are created; new contents are written under temporary names and synced
 *   3. the journal records that everything is ready: this is the point of no return
 *   4. each new file is exchanged with the old one (RENAME_EXCHANGE). What comes back must be what
 *      was read before; if not, somebody else has written there, and all are exchanged back
 *   5. directories are synced; old contents and the journal are removed
 * A process that dies before 3 has changed nothing: the next one removes the temporary files. If it
 * dies after 3, the next one completes the changes. */
#include "hand/files/change/apply-changes.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>

#include "hand/files/atomic-write.h"
#include "hand/files/change/change-journal.h"
#include "hand/files/change/undo-store.h"
#include "shared/base/error.h"
#include "shared/base/fd.h"
#include "shared/base/id.h"
#include "shared/text/text.h"

static void step_free(gpointer data)
{
    HfChangeStep *step = data;
    hf_fd_close(&step->directory);
    g_free(step->path);
    g_free(step->aside);
    g_free(step);
}

/* One step for each change with an effect. New directories come first, removed ones last. */
static void add_steps(GPtrArray *steps, const HfFileChanges *changes,
                      gboolean (*wanted)(const HfFileChange *))
{
    for (guint i = 0; i < changes->list->len; i++) {
        HfFileChange *change = changes->list->pdata[i];
        if (!hf_file_change_counts(change) || !wanted(change))
            continue;
        HfChangeStep *step = g_new0(HfChangeStep, 1);
        g_autofree char *id = hf_id_new(".handfast");
        step->change = change;
        step->directory = -1;
        step->path = g_path_get_dirname(change->place->path);
        step->aside = g_steal_pointer(&id);
        step->before = change->before.there ? change->place->info.st_ino : 0;
        g_ptr_array_add(steps, step);
    }
}

static gboolean is_made(const HfFileChange *change)
{
    return change->after.directory;
}

static gboolean is_file(const HfFileChange *change)
{
    return !change->after.directory && !change->before.directory;
}

static gboolean is_removed_directory(const HfFileChange *change)
{
    return change->before.directory && !change->after.there;
}

/* ---- preparation: directories and contents ---- */

static gboolean fail_step(const HfChangeStep *step, const char *what, GError **error)
{
    return hf_file_place_fail(what, step->change->place->path, errno, error);
}

/* Opens a subdirectory, creating it if needed; -1 with errno. */
static int ensure_subdirectory(HfFileChanges *changes, int parent, const char *path,
                               const char *name)
{
    if (mkdirat(parent, name, 0777) == 0)
        g_ptr_array_add(changes->made, g_build_filename(path, name, NULL));
    else if (errno != EEXIST)
        return -1;
    return openat(parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Opens the step's directory, creating missing ones on the way. */
static gboolean open_directory(HfFileChanges *changes, HfChangeStep *step, GError **error)
{
    const HfFilePlace *place = step->change->place;
    g_autofree char *path = NULL;
    struct stat info;
    int count = (int)g_strv_length(place->missing);
    g_auto(HfFd) fd = fcntl(place->parent, F_DUPFD_CLOEXEC, 3);
    path = g_strdup(step->path);
    for (int i = 0; i < count; i++) { /* up to the nearest existing directory */
        char *above = g_path_get_dirname(path);
        g_free(path);
        path = above;
    }
    for (int i = 0; i < count && fd >= 0; i++) {
        int next = ensure_subdirectory(changes, fd, path, place->missing[i]);
        int number = errno;
        close(fd);
        fd = next;
        errno = number;
        char *below = g_build_filename(path, place->missing[i], NULL);
        g_free(path);
        path = below;
    }
    if (fd < 0 || fstat(fd, &info) != 0)
        return fail_step(step, "make a directory for", error);
    step->directory = hf_fd_steal(&fd);
    step->device = info.st_dev;
    step->inode = info.st_ino;
    return TRUE;
}

/* Keeps the old file's owner and permissions as far as we are allowed to. */
static gboolean keep_owner(const HfChangeStep *step, int fd)
{
    const HfFileChange *change = step->change;
    if (!change->before.there && !change->after.mode)
        return TRUE;
    if (change->before.there &&
        fchown(fd, change->place->info.st_uid, change->place->info.st_gid) != 0 && errno != EPERM &&
        errno != EINVAL)
        return FALSE;
    return fchmod(fd, change->after.mode & 07777) == 0 || errno == EPERM;
}

static gboolean write_aside(HfChangeStep *step, GError **error)
{
    const HfFileChange *change = step->change;
    struct stat info;
    gsize size;
    gconstpointer data = g_bytes_get_data(change->after.bytes, &size);
    mode_t mode = change->after.mode ? 0600 : 0666;
    g_auto(HfFd) fd = openat(step->directory, step->aside,
                             O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (fd < 0 || !hf_atomic_write_bytes(fd, data, size) || !keep_owner(step, fd) ||
        fsync(fd) != 0 || fstat(fd, &info) != 0)
        return fail_step(step, "write", error);
    step->ours = info.st_ino;
    return TRUE;
}

static gboolean stage_changes(HfFileChanges *changes, GPtrArray *steps, const HfDeadline *deadline,
                              GError **error)
{
    for (guint i = 0; i < steps->len; i++) {
        HfChangeStep *step = steps->pdata[i];
        if (!hf_deadline_check(deadline, error) || !open_directory(changes, step, error))
            return FALSE;
        if (is_made(step->change)) {
            if (mkdirat(step->directory, step->change->place->name, 0777) != 0)
                return fail_step(step, "create", error);
            step->done = TRUE;
        } else if (step->change->after.there && !write_aside(step, error)) {
            return FALSE;
        }
    }
    return TRUE;
}

/* ---- the exchange ---- */

static gboolean fail_changed_meanwhile(const HfChangeStep *step, GError **error)
{
    g_autofree char *shown = hf_text_shorten(step->change->place->asked, 300);
    hf_fail(error, HF_ERROR_PRECONDITION_FAILED,
            "something else changed '%s' at the same time; nothing was done", shown);
    hf_error_suggest(error, "read it again, then repeat the change");
    return FALSE;
}

static gboolean is_as_read(const HfChangeStep *step, const char *name)
{
    const struct stat *read = &step->change->place->info;
    struct stat now;
    return fstatat(step->directory, name, &now, AT_SYMLINK_NOFOLLOW) == 0 &&
           now.st_ino == read->st_ino && now.st_dev == read->st_dev &&
           now.st_size == read->st_size && now.st_mtim.tv_sec == read->st_mtim.tv_sec &&
           now.st_mtim.tv_nsec == read->st_mtim.tv_nsec && now.st_nlink == read->st_nlink;
}

static int swap_with_aside(const HfChangeStep *step, unsigned flags)
{
    return renameat2(step->directory, step->aside, step->directory, step->change->place->name,
                     flags);
}

static gboolean lacks_rename_flag(int number)
{
    return number == EINVAL || number == ENOSYS || number == EOPNOTSUPP;
}

/* For file systems without RENAME_EXCHANGE: the old file gets a second, temporary name, and the new
 * one takes its place. Without hard links the file is missing for a moment. */
static gboolean replace_without_exchange(HfChangeStep *step, GError **error)
{
    g_autofree char *old = g_strconcat(step->aside, "-old", NULL);
    const char *name = step->change->place->name;
    if (!is_as_read(step, name))
        return fail_changed_meanwhile(step, error);
    if (linkat(step->directory, name, step->directory, old, 0) != 0 &&
        renameat(step->directory, name, step->directory, old) != 0)
        return fail_step(step, "replace", error);
    if (renameat(step->directory, step->aside, step->directory, name) != 0) {
        int number = errno;
        renameat(step->directory, old, step->directory, name);
        errno = number;
        return fail_step(step, "replace", error);
    }
    renameat(step->directory, old, step->directory, step->aside);
    return TRUE;
}

static gboolean replace_file(HfChangeStep *step, GError **error)
{
    if (swap_with_aside(step, RENAME_EXCHANGE) != 0)
        return lacks_rename_flag(errno) ? replace_without_exchange(step, error)
               : errno == ENOENT        ? fail_changed_meanwhile(step, error)
                                        : fail_step(step, "replace", error);
    if (is_as_read(step, step->aside))
        return TRUE;
    swap_with_aside(step, RENAME_EXCHANGE);
    return fail_changed_meanwhile(step, error);
}

static gboolean create_file(HfChangeStep *step, GError **error)
{
    if (swap_with_aside(step, RENAME_NOREPLACE) == 0)
        return TRUE;
    if (lacks_rename_flag(errno) &&
        linkat(step->directory, step->aside, step->directory, step->change->place->name, 0) == 0)
        return TRUE;
    return errno == EEXIST ? fail_changed_meanwhile(step, error) : fail_step(step, "create", error);
}

static gboolean remove_old(HfChangeStep *step, GError **error)
{
    const char *name = step->change->place->name;
    if (renameat2(step->directory, name, step->directory, step->aside, RENAME_NOREPLACE) != 0 &&
        !(lacks_rename_flag(errno) &&
          renameat(step->directory, name, step->directory, step->aside) == 0))
        return errno == ENOENT ? fail_changed_meanwhile(step, error)
                               : fail_step(step, "remove", error);
    if (is_as_read(step, step->aside))
        return TRUE;
    renameat(step->directory, step->aside, step->directory, name);
    return fail_changed_meanwhile(step, error);
}

static gboolean perform_step(HfChangeStep *step, GError **error)
{
    const HfFileChange *change = step->change;
    if (step->done || is_removed_directory(change)) /* created already, or removed at the end */
        return TRUE;
    step->done = !change->after.there   ? remove_old(step, error)
                 : change->before.there ? replace_file(step, error)
                                        : create_file(step, error);
    return step->done;
}

static void undo_step(const HfChangeStep *step)
{
    const HfFileChange *change = step->change;
    const char *name = change->place->name;
    if (!step->done || is_made(change) || is_removed_directory(change))
        return;
    if (!change->before.there)
        unlinkat(step->directory, name, 0);
    else if (!change->after.there || swap_with_aside(step, RENAME_EXCHANGE) != 0)
        renameat(step->directory, step->aside, step->directory, name);
}

/* ---- completion or rollback ---- */
static void remove_aside_files(const GPtrArray *steps)
{
    for (guint i = 0; i < steps->len; i++) {
        const HfChangeStep *step = steps->pdata[i];
        if (step->directory >= 0 && is_file(step->change))
            unlinkat(step->directory, step->aside, 0);
    }
}

static void undo_all_steps(HfFileChanges *changes, const GPtrArray *steps)
{
    for (guint i = steps->len; i-- > 0;)
        undo_step(steps->pdata[i]);
    remove_aside_files(steps);
    for (guint i = steps->len; i-- > 0;) {
        const HfChangeStep *step = steps->pdata[i];
        if (step->done && is_made(step->change))
            unlinkat(step->directory, step->change->place->name, AT_REMOVEDIR);
    }
    for (guint i = changes->made->len; i-- > 0;)
        hf_change_journal_remove_directory(changes->walls, changes->made->pdata[i]);
    g_ptr_array_set_size(changes->made, 0);
}

static void finish_changes(HfFileChanges *changes, const GPtrArray *steps)
{
    for (guint i = 0; i < steps->len; i++)
        hf_atomic_write_sync_directory(((HfChangeStep *)steps->pdata[i])->directory);
    remove_aside_files(steps);
    for (guint i = steps->len; i-- > 0;) { /* in the caller's order: usually the deepest first */
        const HfChangeStep *step = steps->pdata[steps->len - 1 - i];
        if (is_removed_directory(step->change) &&
            unlinkat(step->directory, step->change->place->name, AT_REMOVEDIR) != 0)
            g_ptr_array_add(changes->left, g_strdup(step->change->place->path));
    }
}

gboolean hf_file_changes_apply(HfFileChanges *changes, const HfDeadline *deadline, GError **error)
{
    g_autoptr(GPtrArray) steps = g_ptr_array_new_with_free_func(step_free);
    add_steps(steps, changes, is_made);
    add_steps(steps, changes, is_file);
    add_steps(steps, changes, is_removed_directory);
    if (steps->len == 0)
        return TRUE;
    g_auto(HfFd) lock = hf_change_journal_lock(deadline, error);
    g_autoptr(HfChangeJournal) journal =
        lock >= 0 ? hf_change_journal_begin(changes, steps, error) : NULL;
    gboolean good = journal && stage_changes(changes, steps, deadline, error) &&
                    hf_change_journal_commit(journal, steps, error);
    for (guint i = 0; good && i < steps->len; i++)
        good = perform_step(steps->pdata[i], error);
    if (good)
        finish_changes(changes, steps);
    else if (journal)
        undo_all_steps(changes, steps);
    return good;
}
