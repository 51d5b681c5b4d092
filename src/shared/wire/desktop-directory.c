/* SPDX-License-Identifier: Apache-2.0 */
/* The directories of virtual desktops. There are two locks, and both vanish when their process is
 * killed: a stage holds the one in its directory; whoever creates or sweeps directories holds the
 * one of the base meanwhile, so that no unfinished directory is taken for a leftover. */
#include "shared/wire/desktop-directory.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/base/paths.h"
#include "shared/base/processes.h"
#include "shared/base/remove-tree.h"

#define LOCK_FILE     "stage.lock"
#define FACTS_FILE    "stage.json"
#define X_SOCKETS     "/tmp/.X11-unix"
#define DYING_DESK_MS 300
/* The longest name of a socket that our own servers make in the directory. */
#define LONGEST_SOCKET "/at-spi/bus_65535"

char *hf_desktop_directory_dup_base(const char *runtime_dir, GError **error)
{
    char resolved[PATH_MAX];
    if (!realpath(runtime_dir, resolved)) {
        hf_fail(error, HF_ERROR_STORAGE_FAILED, "the runtime directory '%s': %s", runtime_dir,
                g_strerror(errno));
        return NULL;
    }
    g_autofree char *base = g_build_filename(resolved, "desktops", NULL);
    if (!hf_path_ensure_private(base, error))
        return NULL;
    return g_steal_pointer(&base);
}

/* Record locks instead of flock(), because children do not inherit them. */
static gboolean lock_file(int file, int command)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int result;
    do
        result = fcntl(file, command, &lock);
    while (result < 0 && errno == EINTR && command == F_SETLKW);
    return result == 0;
}

static int open_lock(const char *folder, const char *name)
{
    g_autofree char *path = g_build_filename(folder, name, NULL);
    return open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
}

int hf_desktop_directory_lock_base(const char *base)
{
    int file = open_lock(base, ".lock");
    if (file >= 0 && !lock_file(file, F_SETLKW)) {
        close(file);
        return -1;
    }
    return file;
}

/* The process that holds the lock in a directory, or 0. */
static pid_t find_holder(const char *path)
{
    g_autofree char *name = g_build_filename(path, LOCK_FILE, NULL);
    int file = open(name, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0)
        return 0;
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    gboolean known = fcntl(file, F_GETLK, &lock) == 0;
    close(file);
    return known && lock.l_type != F_UNLCK ? lock.l_pid : 0;
}

static gboolean write_desktop_facts(const HfDesktopDirectory *place, int display,
                                    const char *socket, GError **error)
{
    g_autofree char *path = g_build_filename(place->path, FACTS_FILE, NULL);
    g_autoptr(json_t) facts =
        json_pack("{s:s, s:i, s:i, s:i, s:s?}", "id", place->id, "stage", (int)getpid(), "desk",
                  (int)place->desk, "display", display, "socket", socket);
    g_autofree char *text = hf_json_dump(facts);
    g_autoptr(GError) reason = NULL;
    if (g_file_set_contents_full(path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, &reason))
        return TRUE;
    return hf_fail(error, HF_ERROR_STORAGE_FAILED, "%s", reason->message);
}

static gboolean wait_for_stage_end(pid_t pid, int limit_ms)
{
    int process = pidfd_open(pid, 0);
    if (process < 0)
        return errno == ESRCH;
    struct pollfd wait = {process, POLLIN, 0};
    gboolean ended = poll(&wait, 1, limit_ms) > 0;
    close(process);
    return ended;
}

static gboolean has_lost_its_desk(const HfDesktopDirectoryFacts *facts)
{
    HfProcess stage;
    return !hf_process_read(facts->holder, &stage) || stage.parent != facts->desk;
}

/* A stage without a desk ends soon; waits for that. One that is still the child of its desk will
 * stay, unless that desk is being killed right now. */
static gboolean wait_until_free(const char *path, const char *name, GError **error)
{
    HfDesktopDirectoryFacts facts;
    hf_desktop_directory_read(path, &facts);
    hf_desktop_directory_facts_clear(&facts);
    if (facts.holder == 0)
        return TRUE;
    gboolean ended =
        wait_for_stage_end(facts.holder, DYING_DESK_MS) ||
        (has_lost_its_desk(&facts) && wait_for_stage_end(facts.holder, HF_LIMIT_STAGE_END_MS));
    if (ended && find_holder(path) == 0)
        return TRUE;
    return hf_fail(error, HF_ERROR_CONFLICT, "a desktop named '%s' is already running (process %d)",
                   name, (int)facts.holder);
}

/* With the base's lock held: removes a leftover of that name, then creates and locks the
 * directory. */
static gboolean claim_directory(HfDesktopDirectory *place, const char *name, GError **error)
{
    HfDesktopDirectoryFacts facts;
    hf_desktop_directory_read(place->path, &facts);
    gboolean taken = facts.holder != 0;
    if (!taken)
        hf_desktop_directory_remove(place->path, &facts);
    hf_desktop_directory_facts_clear(&facts);
    if (taken)
        return hf_fail(error, HF_ERROR_CONFLICT, "a desktop named '%s' is already running", name);
    if (mkdir(place->path, 0700) < 0)
        return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot create the directory '%s': %s",
                       place->path, g_strerror(errno));
    place->lock = open_lock(place->path, LOCK_FILE);
    if (place->lock < 0 || !lock_file(place->lock, F_SETLK))
        return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot lock '%s': %s", place->path,
                       g_strerror(errno));
    return write_desktop_facts(place, -1, NULL, error);
}

static gboolean check_socket_path_length(const char *path, GError **error)
{
    gsize most = sizeof((struct sockaddr_un *)NULL)->sun_path - sizeof LONGEST_SOCKET;
    if (strlen(path) <= most)
        return TRUE;
    return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED,
                   "the path '%s' is too long for a socket (%zu bytes, at most %zu): choose a "
                   "shorter name or a shorter XDG_RUNTIME_DIR",
                   path, strlen(path), most);
}

gboolean hf_desktop_directory_create(const char *runtime_dir, const char *name, const char *id,
                                     HfDesktopDirectory *ret_place, GError **error)
{
    g_autofree char *base = hf_desktop_directory_dup_base(runtime_dir, error);
    if (!base)
        return FALSE;
    g_autofree char *path = g_build_filename(base, name, NULL);
    if (!check_socket_path_length(path, error) || !wait_until_free(path, name, error))
        return FALSE;
    HfDesktopDirectory place = {g_steal_pointer(&base), g_steal_pointer(&path), g_strdup(id),
                                getppid(), -1};
    int guard = hf_desktop_directory_lock_base(place.base);
    gboolean taken = guard >= 0 ? claim_directory(&place, name, error)
                                : hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot lock '%s': %s",
                                          place.base, g_strerror(errno));
    if (guard >= 0)
        close(guard);
    if (taken)
        *ret_place = place;
    else
        hf_desktop_directory_clear(&place);
    return taken;
}

/* Distinguishes a socket from a later one with the same name: inode numbers alone are reused. */
static char *dup_socket_identity(int display)
{
    g_autofree char *path = g_strdup_printf(X_SOCKETS "/X%d", display);
    struct stat info;
    if (lstat(path, &info) < 0 || !S_ISSOCK(info.st_mode))
        return NULL;
    return g_strdup_printf("%" G_GUINT64_FORMAT " %" G_GINT64_FORMAT ".%09ld", (guint64)info.st_ino,
                           (gint64)info.st_ctim.tv_sec, info.st_ctim.tv_nsec);
}

gboolean hf_desktop_directory_set_display(const HfDesktopDirectory *place, int display,
                                          GError **error)
{
    g_autofree char *socket = dup_socket_identity(display);
    return write_desktop_facts(place, display, socket, error);
}

/* Without the holder: looking for it closes the file, which releases our own lock. */
static void read_desktop_facts(const char *path, HfDesktopDirectoryFacts *ret_facts)
{
    g_autofree char *name = g_build_filename(path, FACTS_FILE, NULL);
    g_autoptr(json_t) facts = json_load_file(name, 0, NULL);
    *ret_facts = (HfDesktopDirectoryFacts){
        .id = g_strdup(hf_json_string(facts, "id", NULL)),
        .desk = (pid_t)hf_json_int(facts, "desk", 0),
        .display = (int)CLAMP(hf_json_int(facts, "display", -1), -1, G_MAXUINT16),
        .socket = g_strdup(hf_json_string(facts, "socket", NULL)),
    };
}

void hf_desktop_directory_read(const char *path, HfDesktopDirectoryFacts *ret_facts)
{
    read_desktop_facts(path, ret_facts);
    ret_facts->holder = find_holder(path);
}

void hf_desktop_directory_facts_clear(HfDesktopDirectoryFacts *facts)
{
    g_clear_pointer(&facts->id, g_free);
    g_clear_pointer(&facts->socket, g_free);
}

void hf_desktop_directory_remove(const char *path, const HfDesktopDirectoryFacts *facts)
{
    /* Another server may have taken the number since: only the very same socket is removed. */
    g_autofree char *socket = facts->display >= 0 ? dup_socket_identity(facts->display) : NULL;
    if (socket && g_strcmp0(socket, facts->socket) == 0) {
        g_autofree char *name = g_strdup_printf(X_SOCKETS "/X%d", facts->display);
        unlink(name);
    }
    hf_remove_tree(path);
}

void hf_desktop_directory_clear(HfDesktopDirectory *place)
{
    if (place->lock >= 0) {
        int guard = hf_desktop_directory_lock_base(place->base);
        HfDesktopDirectoryFacts facts;
        read_desktop_facts(place->path, &facts);
        hf_desktop_directory_remove(place->path, &facts);
        hf_desktop_directory_facts_clear(&facts);
        close(place->lock);
        if (guard >= 0)
            close(guard);
    }
    g_clear_pointer(&place->base, g_free);
    g_clear_pointer(&place->path, g_free);
    g_clear_pointer(&place->id, g_free);
    place->lock = -1;
}
