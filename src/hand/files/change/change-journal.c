/* SPDX-License-Identifier: Apache-2.0 */
/* A journal is two lines of JSON: the plan, then the mark that it is ready. An incomplete second
 * line was not written. Its process holds a lock on the file, so a journal that nobody has locked
 * is left over. Temporary names cannot be guessed, so nobody else's file is ever removed. */
#include "hand/files/change/change-journal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "hand/files/atomic-write.h"
#include "hand/files/change/apply-changes.h"
#include "hand/files/change/undo-store.h"
#include "hand/files/files-limits.h"
#include "shared/base/error.h"
#include "shared/base/fd.h"
#include "shared/base/id.h"
#include "shared/base/json.h"

#define LOCK_POLL_US   5000
#define JOURNAL_PREFIX "j_"

struct HfChangeJournal {
    int directory, fd;
    char *name;
    gboolean sync; /* a single change is atomic by itself: at worst a temporary file is left */
};

static int open_journals(GError **error)
{
    int fd = hf_undo_store_open_folder("journal", error);
    if (fd < 0)
        g_prefix_error(error, "files cannot be changed: ");
    return fd;
}

int hf_change_journal_lock(const HfDeadline *deadline, GError **error)
{
    HfDeadline soon = hf_deadline_within_ms(deadline, HF_LIMIT_FILES_LOCK_MS);
    g_auto(HfFd) directory = open_journals(error);
    g_auto(HfFd) fd =
        directory >= 0 ? openat(directory, "lock", O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (fd < 0) {
        if (directory >= 0)
            hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot create the lock for file changes: %s",
                    g_strerror(errno));
        return -1;
    }
    while (flock(fd, LOCK_EX | LOCK_NB) != 0)
        if (!hf_deadline_pause(&soon, LOCK_POLL_US, error))
            return -1;
    return hf_fd_steal(&fd);
}

/* ---- writing ---- */

static json_t *describe_plan(const HfFileChanges *changes, const GPtrArray *steps)
{
    json_t *list = json_array(), *made = json_array();
    for (guint i = 0; i < steps->len; i++) {
        const HfChangeStep *step = steps->pdata[i];
        const HfFileChange *change = step->change;
        g_autofree char *path = g_strdup(step->path);
        for (guint left = g_strv_length(change->place->missing); left-- > 0;) {
            json_array_append_new(made, hf_json_text(path));
            char *above = g_path_get_dirname(path);
            g_free(path);
            path = above;
        }
        if (change->after.directory)
            json_array_insert_new(made, 0, hf_json_text(change->place->path));
        json_array_append_new(
            list, json_pack("{s:o, s:o, s:s, s:I, s:b, s:b}", "directory", hf_json_text(step->path),
                            "name", hf_json_text(change->place->name), "aside", step->aside,
                            "before", (json_int_t)step->before, "folder",
                            change->before.directory || change->after.directory, "after",
                            change->after.there));
    }
    return json_pack("{s:i, s:o, s:o}", "version", 1, "steps", list, "made", made);
}

static gboolean write_journal_line(HfChangeJournal *journal, json_t *take_line, GError **error)
{
    g_autoptr(json_t) line = take_line;
    g_autofree char *text = hf_json_dump(line);
    g_autofree char *whole = g_strconcat(text, "\n", NULL);
    if (hf_atomic_write_bytes(journal->fd, whole, strlen(whole)) &&
        (!journal->sync || fsync(journal->fd) == 0))
        return TRUE;
    return hf_fail(error, HF_ERROR_STORAGE_FAILED,
                   "cannot write the journal of file changes: %s; nothing was done",
                   g_strerror(errno));
}

/* The journal is locked before it gets the name by which others find it. */
static gboolean create_journal_file(HfChangeJournal *journal, GError **error)
{
    g_autofree char *aside = hf_id_new("new");
    journal->name = hf_id_new("j");
    journal->fd = openat(journal->directory, aside, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (journal->fd >= 0 && flock(journal->fd, LOCK_EX | LOCK_NB) == 0 &&
        renameat(journal->directory, aside, journal->directory, journal->name) == 0)
        return TRUE;
    hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot create a journal: %s; nothing was done",
            g_strerror(errno));
    unlinkat(journal->directory, aside, 0);
    return FALSE;
}

HfChangeJournal *hf_change_journal_begin(const HfFileChanges *changes, const GPtrArray *steps,
                                         GError **error)
{
    g_autoptr(HfChangeJournal) journal = g_new0(HfChangeJournal, 1);
    journal->fd = -1;
    journal->sync = steps->len > 1;
    journal->directory = open_journals(error);
    if (journal->directory < 0 || !create_journal_file(journal, error) ||
        !write_journal_line(journal, describe_plan(changes, steps), error))
        return NULL;
    if (journal->sync)
        fsync(journal->directory);
    return g_steal_pointer(&journal);
}

gboolean hf_change_journal_commit(HfChangeJournal *journal, const GPtrArray *steps, GError **error)
{
    json_t *list = json_array();
    for (guint i = 0; i < steps->len; i++) {
        const HfChangeStep *step = steps->pdata[i];
        json_array_append_new(list, json_pack("{s:I, s:I, s:I}", "device", (json_int_t)step->device,
                                              "inode", (json_int_t)step->inode, "ours",
                                              (json_int_t)step->ours));
    }
    return write_journal_line(journal, json_pack("{s:o}", "ready", list), error);
}

void hf_change_journal_end(HfChangeJournal *journal)
{
    if (!journal)
        return;
    if (journal->name)
        unlinkat(journal->directory, journal->name, 0);
    hf_fd_close(&journal->fd);
    hf_fd_close(&journal->directory);
    g_free(journal->name);
    g_free(journal);
}

/* ---- recovery ---- */

/* Whether nothing is left to do in the directory, because it is gone or its path has a link now. If
 * it is there, `ret_place` is set. FALSE: it is outside the walls. */
static gboolean find_journal_directory(const HfFileWalls *walls, const char *path,
                                       HfFilePlace **ret_place)
{
    g_autoptr(GError) problem = NULL;
    g_autoptr(HfFilePlace) place = hf_file_place_find(walls, path, &problem);
    if (!place)
        return hf_error_code(problem) != HF_ERROR_FORBIDDEN;
    if (hf_file_place_is_directory(place) && strcmp(place->path, path) == 0)
        *ret_place = g_steal_pointer(&place);
    return TRUE;
}

void hf_change_journal_remove_directory(const HfFileWalls *walls, const char *path)
{
    g_autoptr(HfFilePlace) place = NULL;
    if (find_journal_directory(walls, path, &place) && place && place->name)
        unlinkat(place->parent, place->name, AT_REMOVEDIR);
}

static guint64 inode_of(int directory, const char *name)
{
    struct stat info;
    return fstatat(directory, name, &info, AT_SYMLINK_NOFOLLOW) == 0 ? info.st_ino : 0;
}

/* Completes one step. What somebody else has put there since stays. */
static void finish_step(int directory, const json_t *step, const json_t *ready)
{
    const char *name = hf_json_string(step, "name", ""), *aside = hf_json_string(step, "aside", "");
    guint64 before = (guint64)hf_json_int(step, "before", 0);
    guint64 ours = (guint64)hf_json_int(ready, "ours", 0), now = inode_of(directory, name);
    gboolean stays = hf_json_bool(step, "after", FALSE);
    if (hf_json_bool(step, "folder", FALSE)) {
        if (!stays)
            unlinkat(directory, name, AT_REMOVEDIR);
        return;
    }
    g_autofree char *old = g_strconcat(aside, "-old", NULL);
    if (stays && inode_of(directory, aside) == ours &&
        ((now != ours && now == before) || now == 0)) /* 0: see replace_without_exchange */
        renameat(directory, aside, directory, name);
    else if (!stays && now != 0 && now == before)
        unlinkat(directory, name, 0);
    unlinkat(directory, aside, 0);
    unlinkat(directory, old, 0);
}

/* FALSE if its directory is outside the walls. */
static gboolean recover_step(const HfFileWalls *walls, const json_t *step, const json_t *ready)
{
    g_autoptr(HfFilePlace) place = NULL;
    if (!find_journal_directory(walls, hf_json_string(step, "directory", ""), &place))
        return FALSE;
    if (!place)
        return TRUE;
    if (!ready) {
        unlinkat(place->fd, hf_json_string(step, "aside", ""), 0);
    } else if ((json_int_t)place->info.st_dev == hf_json_int(ready, "device", -1) &&
               (json_int_t)place->info.st_ino == hf_json_int(ready, "inode", -1)) {
        finish_step(place->fd, step, ready);
        hf_atomic_write_sync_directory(place->fd);
    }
    return TRUE;
}

static gboolean is_valid_plan(const json_t *plan)
{
    if (hf_json_int(plan, "version", 0) != 1)
        return FALSE;
    hf_json_each (step, json_object_get(plan, "steps"))
        if (!g_str_has_prefix(hf_json_string(step, "aside", ""), ".handfast_") ||
            strchr(hf_json_string(step, "aside", ""), '/') ||
            strchr(hf_json_string(step, "name", "/"), '/'))
            return FALSE;
    return TRUE;
}

/* FALSE if a part of it is outside the walls. */
static gboolean recover_plan(const HfFileWalls *walls, const json_t *plan, const json_t *ready)
{
    const json_t *list = json_object_get(ready, "ready");
    gboolean whole = TRUE;
    size_t index;
    json_t *step, *made;
    if (!is_valid_plan(plan) ||
        (list && json_array_size(list) != json_array_size(json_object_get(plan, "steps"))))
        return TRUE;
    json_array_foreach (json_object_get(plan, "steps"), index, step)
        whole &= recover_step(walls, step, list ? json_array_get(list, index) : NULL);
    json_array_foreach (json_object_get(plan, "made"), index, made)
        if (!list)
            hf_change_journal_remove_directory(walls, json_string_value(made));
    return whole;
}

static gboolean recover_file(const HfFileWalls *walls, int directory, const char *name)
{
    g_auto(HfFd) fd = openat(directory, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    struct stat info;
    if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) != 0 || fstat(fd, &info) != 0 || info.st_nlink == 0)
        return FALSE;
    g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", fd);
    g_autofree char *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, NULL))
        return FALSE;
    g_auto(GStrv) lines = g_strsplit(text, "\n", 3);
    gboolean whole = g_strv_length(lines) == 3;
    g_autoptr(json_t) plan = lines[0] ? json_loads(lines[0], 0, NULL) : NULL;
    g_autoptr(json_t) ready = whole ? json_loads(lines[1], 0, NULL) : NULL;
    if (!recover_plan(walls, plan, ready))
        return FALSE;
    unlinkat(directory, name, 0);
    return TRUE;
}

guint hf_file_changes_recover(const HfFileWalls *walls)
{
    HfDeadline deadline = hf_deadline_in_ms(HF_LIMIT_FILES_LOCK_MS, NULL);
    g_auto(HfFd) directory = open_journals(NULL);
    g_auto(HfFd) lock = directory >= 0 ? hf_change_journal_lock(&deadline, NULL) : -1;
    int fd = lock >= 0 ? openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    struct dirent *entry;
    guint count = 0;
    while (dir && (entry = readdir(dir))) {
        if (g_str_has_prefix(entry->d_name, JOURNAL_PREFIX))
            count += recover_file(walls, directory, entry->d_name);
        else if (g_str_has_prefix(entry->d_name, "new_")) /* never got its name: nothing began */
            unlinkat(directory, entry->d_name, 0);
    }
    if (dir)
        closedir(dir);
    return count;
}
