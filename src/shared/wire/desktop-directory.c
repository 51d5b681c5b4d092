/* SPDX-License-Identifier: Apache-2.0 */
/* The directories of virtual desktops. There are two locks, and both vanish when their processes
 * are killed. The desk creates a directory, locks it and passes the open file to the stage, which
 * keeps it for life. Whoever creates or sweeps directories holds the lock of the base meanwhile, so
 * that no unfinished directory is taken for a leftover. */
#include "shared/wire/desktop-directory.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "shared/base/error.h"
#include "shared/base/json.h"
#include "shared/base/limits.h"
#include "shared/base/paths.h"
#include "shared/base/remove-tree.h"
#include "shared/process/processes.h"

#define LOCK_FILE     "stage.lock"
#define FACTS_FILE    "stage.json"
#define X_SOCKETS     "/tmp/.X11-unix"
#define DYING_DESK_MS 300
#define LOOK_AGAIN_US 5000
/* Beyond the numbers that X servers choose by themselves. */
#define FIRST_LINKED 100
#define MOST_LINKED  10000
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

/* Locks of the open file, not of the process: they pass from the desk to the stage, and exclude
 * other threads too. */
static gboolean lock_file(int file, int command)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int result;
    do
        result = fcntl(file, command, &lock);
    while (result < 0 && errno == EINTR && command == F_OFD_SETLKW);
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
    if (file >= 0 && !lock_file(file, F_OFD_SETLKW)) {
        close(file);
        return -1;
    }
    return file;
}

static gboolean is_locked(const char *path)
{
    g_autofree char *name = g_build_filename(path, LOCK_FILE, NULL);
    int file = open(name, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0)
        return FALSE;
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    gboolean known = fcntl(file, F_OFD_GETLK, &lock) == 0;
    close(file);
    return known && lock.l_type != F_UNLCK;
}

static gboolean write_desktop_facts(const HfDesktopDirectory *place, const char *socket,
                                    GError **error)
{
    g_autofree char *path = g_build_filename(place->path, FACTS_FILE, NULL);
    g_autoptr(json_t) facts =
        json_pack("{s:s, s:i, s:i, s:i, s:s?}", "id", place->id, "stage", (int)place->stage, "desk",
                  (int)place->desk, "display", place->display, "socket", socket);
    g_autofree char *text = hf_json_dump(facts);
    g_autoptr(GError) reason = NULL;
    if (g_file_set_contents_full(path, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, &reason))
        return TRUE;
    return hf_fail(error, HF_ERROR_STORAGE_FAILED, "%s", reason->message);
}

/* The kernel tells nobody when a lock is released, so this looks again and again. */
static gboolean wait_for_unlock(const char *path, int limit_ms)
{
    gint64 until = g_get_monotonic_time() + limit_ms * (gint64)1000;
    while (is_locked(path)) {
        if (g_get_monotonic_time() >= until)
            return FALSE;
        g_usleep(LOOK_AGAIN_US);
    }
    return TRUE;
}

static gboolean has_lost_its_desk(const HfDesktopDirectoryFacts *facts)
{
    HfProcess process;
    if (facts->stage == 0)
        return !hf_process_read(facts->desk, &process);
    return !hf_process_read(facts->stage, &process) || process.parent != facts->desk;
}

/* A stage without a desk ends soon; waits for that. One that is still the child of its desk will
 * stay, unless that desk is being killed right now. */
static gboolean wait_until_free(const char *path, const char *name, GError **error)
{
    HfDesktopDirectoryFacts facts;
    hf_desktop_directory_read(path, &facts);
    hf_desktop_directory_facts_clear(&facts);
    if (!facts.alive)
        return TRUE;
    gboolean ended = wait_for_unlock(path, DYING_DESK_MS) ||
                     (has_lost_its_desk(&facts) && wait_for_unlock(path, HF_LIMIT_STAGE_END_MS));
    if (ended)
        return TRUE;
    return hf_fail(error, HF_ERROR_CONFLICT, "a desktop named '%s' is already running (process %d)",
                   name, (int)facts.stage);
}

/* With the base's lock held: removes a leftover of that name, then creates and locks the
 * directory. */
static gboolean claim_directory(HfDesktopDirectory *place, const char *name, GError **error)
{
    HfDesktopDirectoryFacts facts;
    hf_desktop_directory_read(place->path, &facts);
    gboolean taken = facts.alive;
    if (!taken)
        hf_desktop_directory_remove(place->path, &facts);
    hf_desktop_directory_facts_clear(&facts);
    if (taken)
        return hf_fail(error, HF_ERROR_CONFLICT, "a desktop named '%s' is already running", name);
    if (mkdir(place->path, 0700) < 0)
        return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot create the directory '%s': %s",
                       place->path, g_strerror(errno));
    place->lock = open_lock(place->path, LOCK_FILE);
    if (place->lock < 0 || !lock_file(place->lock, F_OFD_SETLK))
        return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot lock '%s': %s", place->path,
                       g_strerror(errno));
    return write_desktop_facts(place, NULL, error);
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
    HfDesktopDirectory place = {.base = g_steal_pointer(&base),
                                .path = g_steal_pointer(&path),
                                .id = g_strdup(id),
                                .desk = getpid(),
                                .display = -1,
                                .lock = -1};
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

void hf_desktop_directory_set_stage(HfDesktopDirectory *place, pid_t stage)
{
    place->stage = stage;
    write_desktop_facts(place, NULL, NULL);
}

void hf_desktop_directory_adopt(const char *path, const char *id, int lock,
                                HfDesktopDirectory *ret_place)
{
    HfDesktopDirectoryFacts facts;
    hf_desktop_directory_read(path, &facts);
    *ret_place = (HfDesktopDirectory){.base = g_path_get_dirname(path),
                                      .path = g_strdup(path),
                                      .id = g_strdup(id),
                                      .desk = facts.desk,
                                      .stage = facts.stage,
                                      .display = facts.display,
                                      .lock = lock};
    hf_desktop_directory_facts_clear(&facts);
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

gboolean hf_desktop_directory_set_display(HfDesktopDirectory *place, int display, GError **error)
{
    g_autofree char *socket = dup_socket_identity(display);
    place->display = display;
    return write_desktop_facts(place, socket, error);
}

void hf_desktop_directory_read(const char *path, HfDesktopDirectoryFacts *ret_facts)
{
    g_autofree char *name = g_build_filename(path, FACTS_FILE, NULL);
    g_autoptr(json_t) facts = json_load_file(name, 0, NULL);
    *ret_facts = (HfDesktopDirectoryFacts){
        .id = g_strdup(hf_json_string(facts, "id", NULL)),
        .desk = (pid_t)hf_json_int(facts, "desk", 0),
        .stage = (pid_t)hf_json_int(facts, "stage", 0),
        .alive = is_locked(path),
        .display = (int)CLAMP(hf_json_int(facts, "display", -1), -1, G_MAXUINT16),
        .socket = g_strdup(hf_json_string(facts, "socket", NULL)),
    };
}

void hf_desktop_directory_facts_clear(HfDesktopDirectoryFacts *facts)
{
    g_clear_pointer(&facts->id, g_free);
    g_clear_pointer(&facts->socket, g_free);
}

/* A contained desktop has its sockets in its own directory, and a link to the one of its X server
 * in the usual place. */
static void remove_display_links(const char *path, gboolean only_dangling)
{
    g_autoptr(GDir) folder = g_dir_open(X_SOCKETS, 0, NULL);
    const char *name;
    while (folder && (name = g_dir_read_name(folder))) {
        g_autofree char *link = g_build_filename(X_SOCKETS, name, NULL);
        g_autofree char *target = g_file_read_link(link, NULL);
        g_autofree char *sockets = target ? g_path_get_dirname(target) : NULL;
        g_autofree char *desktop = sockets ? g_path_get_dirname(sockets) : NULL;
        if (target && hf_path_within(path, target) &&
            !(only_dangling && g_file_test(desktop, G_FILE_TEST_EXISTS)))
            unlink(link);
    }
}

void hf_desktop_directory_remove_dangling_links(const char *base)
{
    remove_display_links(base, TRUE);
}

/* A link of a desk that was killed leads nowhere. */
static gboolean link_display(const char *target, const char *link)
{
    if (symlink(target, link) == 0)
        return TRUE;
    if (errno != EEXIST)
        return TRUE; /* no matter: only the owner's own programs need it */
    g_autofree char *other = g_file_read_link(link, NULL);
    g_autofree char *folder = other ? g_path_get_dirname(other) : NULL;
    return folder && !g_file_test(folder, G_FILE_TEST_IS_DIR) && unlink(link) == 0 &&
           symlink(target, link) == 0;
}

/* An X server also listens on an abstract socket, which belongs to the network and not to a
 * directory. On the network of this machine, a server whose directory is gone still holds it. */
static gboolean is_display_in_use(int display)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int length =
        g_snprintf(address.sun_path + 1, sizeof address.sun_path - 1, X_SOCKETS "/X%d", display);
    int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (probe < 0)
        return FALSE;
    gboolean in_use =
        bind(probe, (struct sockaddr *)&address,
             (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (gsize)length)) < 0 &&
        errno == EADDRINUSE;
    close(probe);
    return in_use;
}

gboolean hf_desktop_directory_link_display(HfDesktopDirectory *place, GError **error)
{
    g_autofree char *sockets = g_build_filename(place->path, HF_DESKTOP_X_SOCKETS, NULL);
    if (mkdir(sockets, 0700) < 0)
        return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot create '%s': %s", sockets,
                       g_strerror(errno));
    /* Where no X server has run yet. */
    if (mkdir(X_SOCKETS, 01777) == 0)
        chmod(X_SOCKETS, 01777);
    for (int display = FIRST_LINKED; display < FIRST_LINKED + MOST_LINKED; display++) {
        g_autofree char *link = g_strdup_printf(X_SOCKETS "/X%d", display);
        g_autofree char *target = g_strdup_printf("%s/X%d", sockets, display);
        if (is_display_in_use(display) || !link_display(target, link))
            continue;
        place->display = display;
        return write_desktop_facts(place, NULL, error);
    }
    return hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "no display number is free");
}

void hf_desktop_directory_remove(const char *path, const HfDesktopDirectoryFacts *facts)
{
    /* All of them: the stage may have removed the facts, which name the display, and then ended. */
    remove_display_links(path, FALSE);
    /* Another server may have taken the number since: only the very same socket is removed. */
    g_autofree char *socket = facts->display >= 0 ? dup_socket_identity(facts->display) : NULL;
    if (socket && g_strcmp0(socket, facts->socket) == 0) {
        g_autofree char *name = g_strdup_printf(X_SOCKETS "/X%d", facts->display);
        unlink(name);
    }
    hf_remove_tree(path);
}

static void remove_from_base(const HfDesktopDirectory *place, gboolean even_alive)
{
    int guard = hf_desktop_directory_lock_base(place->base);
    HfDesktopDirectoryFacts facts;
    hf_desktop_directory_read(place->path, &facts);
    /* A contained stage empties its directory, but cannot remove it. */
    gboolean ours = !facts.id || g_str_equal(facts.id, place->id);
    if (even_alive || (!facts.alive && ours))
        hf_desktop_directory_remove(place->path, &facts);
    hf_desktop_directory_facts_clear(&facts);
    if (guard >= 0)
        close(guard);
}

void hf_desktop_directory_remove_ended(const HfDesktopDirectory *place)
{
    if (place->path)
        remove_from_base(place, FALSE);
}

void hf_desktop_directory_clear(HfDesktopDirectory *place)
{
    if (place->lock >= 0) {
        remove_from_base(place, TRUE);
        close(place->lock);
    }
    g_clear_pointer(&place->base, g_free);
    g_clear_pointer(&place->path, g_free);
    g_clear_pointer(&place->id, g_free);
    place->lock = -1;
}
