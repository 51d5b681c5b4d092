/* SPDX-License-Identifier: Apache-2.0 */
/* Cleans up after killed stages, under the lock of the base directory, so that no desktop is
 * created meanwhile. A process is left over if its environment names a directory right under the
 * base, and that directory is gone, has no living stage, or belongs to another desktop. */
#include "desk/desktops/stale-desktops.h"

#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/base/limits.h"
#include "shared/base/paths.h"
#include "shared/process/processes.h"
#include "shared/wire/desktop-directory.h"
#include "shared/wire/stage-protocol.h"

static gboolean is_own_process(pid_t pid)
{
    g_autofree char *path = g_strdup_printf("/proc/%d", (int)pid);
    struct stat info;
    return stat(path, &info) == 0 && info.st_uid == geteuid();
}

/* Whether `path` is right under `base`, not deeper: that would belong to a desk inside a desktop.
 */
static gboolean is_right_under(const char *path, const char *base)
{
    gsize length = strlen(base);
    return strncmp(path, base, length) == 0 && path[length] == '/' && path[length + 1] != 0 &&
           !strchr(path + length + 1, '/');
}

static gboolean is_leftover(pid_t pid, const char *base)
{
    if (pid == getpid() || !is_own_process(pid))
        return FALSE;
    g_autofree char *path = hf_process_dup_variable(pid, HF_MARK_DIRECTORY);
    g_autofree char *id = hf_process_dup_variable(pid, HF_MARK_ID);
    if (!path || !id || !is_right_under(path, base))
        return FALSE;
    HfDesktopDirectoryFacts facts;
    hf_desktop_directory_read(path, &facts);
    gboolean lives = facts.alive && g_strcmp0(facts.id, id) == 0;
    hf_desktop_directory_facts_clear(&facts);
    return !lives;
}

static GArray *list_leftovers(const char *base)
{
    g_autoptr(GArray) all = hf_processes_list();
    GArray *leftovers = g_array_new(FALSE, FALSE, sizeof(HfProcess));
    for (guint i = 0; i < all->len; i++) {
        const HfProcess *process = &g_array_index(all, HfProcess, i);
        if (process->state != 'Z' && is_leftover(process->pid, base))
            g_array_append_val(leftovers, *process);
    }
    return leftovers;
}

/* SIGTERM first, then SIGKILL, and once more for what was started meanwhile. */
static guint end_processes(const char *base)
{
    guint count = 0;
    for (int round = 0; round < 3; round++) {
        g_autoptr(GArray) leftovers = list_leftovers(base);
        if (leftovers->len == 0)
            break;
        count = MAX(count, leftovers->len);
        hf_processes_end(leftovers, round == 0 ? SIGTERM : SIGKILL, HF_LIMIT_PROGRAM_GRACE_MS);
    }
    return count;
}

static guint remove_directories(const char *base)
{
    g_autoptr(GDir) folder = g_dir_open(base, 0, NULL);
    const char *name;
    guint count = 0;
    while (folder && (name = g_dir_read_name(folder))) {
        g_autofree char *path = g_build_filename(base, name, NULL);
        if (!hf_desktop_name_check(name, NULL) || !g_file_test(path, G_FILE_TEST_IS_DIR) ||
            g_file_test(path, G_FILE_TEST_IS_SYMLINK))
            continue;
        HfDesktopDirectoryFacts facts;
        hf_desktop_directory_read(path, &facts);
        if (!facts.alive) {
            hf_desktop_directory_remove(path, &facts);
            count++;
        }
        hf_desktop_directory_facts_clear(&facts);
    }
    return count;
}

guint hf_stale_desktops_remove(const char *runtime_dir)
{
    /* The lock of the base excludes other processes, not other threads. */
    static GMutex one_at_a_time;
    g_autoptr(GMutexLocker) turn = g_mutex_locker_new(&one_at_a_time);
    g_autofree char *base = hf_desktop_directory_dup_base(runtime_dir, NULL);
    int guard = base ? hf_desktop_directory_lock_base(base) : -1;
    if (guard < 0)
        return 0;
    guint count = end_processes(base);
    count += remove_directories(base);
    hf_desktop_directory_remove_dangling_links(base);
    close(guard);
    (void)turn;
    return count;
}
