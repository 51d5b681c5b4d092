/* SPDX-License-Identifier: Apache-2.0 */
/* pivot_root runs twice: first into an empty file system that holds the old root as a directory,
 * because what the plan shows may lie where the new root is built; then into the new root, and the
 * old one is unmounted. Symbolic links are resolved before anything moves. */
#include "hand/shell/sandbox/sandbox-root.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shared/base/error.h"

#define OLD "/old"
#define NEW "/new"

/* System programs and libraries. */
static const char *const system_places[] = {"/usr",   "/bin",   "/sbin",   "/lib",
                                            "/lib32", "/lib64", "/libx32", "/opt"};
/* Files under /etc that programs need. No passwords, keys or service accounts. */
static const char *const settings[] = {
    "passwd",
    "group",
    "nsswitch.conf",
    "hosts",
    "host.conf",
    "resolv.conf",
    "services",
    "protocols",
    "gai.conf",
    "localtime",
    "timezone",
    "locale.alias",
    "locale.conf",
    "default/locale",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "ssl/certs",
    "ssl/openssl.cnf",
    "ca-certificates",
    "ca-certificates.conf",
    "pki",
    "alternatives",
    "fonts",
    "mime.types",
    "magic",
    "terminfo",
    "inputrc",
    "vim",
    "python3",
    "python3.11",
    "perl",
    "java-17-openjdk",
    "mke2fs.conf",
    "debian_version",
    "os-release",
    "issue",
    "gitconfig",
    "npmrc",
    "pip.conf",
    "bash_completion.d",
    "manpath.config",
};
static const char *const devices[] = {"null", "zero", "full", "random", "urandom", "tty"};
static const char *const device_links[][2] = {{"/proc/self/fd", "fd"},
                                              {"/proc/self/fd/0", "stdin"},
                                              {"/proc/self/fd/1", "stdout"},
                                              {"/proc/self/fd/2", "stderr"},
                                              {"pts/ptmx", "ptmx"}};

typedef struct Place {
    char *source; /* real path on the old root */
    char *target; /* path in the new root */
    gboolean writable;
} Place;

static void place_clear(gpointer data)
{
    Place *place = data;
    free(place->source);
    g_free(place->target);
}

static gboolean fail_sandbox_root(const char *what, const char *path, GError **error)
{
    return hf_fail(error, HF_ERROR_UNSUPPORTED, "the sandbox cannot %s '%s': %s", what, path,
                   g_strerror(errno));
}

/* A missing path is not shown. */
static void add_bind_mount(GArray *places, const char *path, gboolean writable)
{
    Place place = {realpath(path, NULL), g_strdup(path), writable};
    if (place.source)
        g_array_append_val(places, place);
    else
        place_clear(&place);
}

static void add_bind_mounts(GArray *places, const json_t *list, gboolean writable)
{
    hf_json_each (path, list)
        add_bind_mount(places, json_string_value(path), writable);
}

static int by_depth(gconstpointer a, gconstpointer b)
{
    return (int)strlen(((const Place *)a)->target) - (int)strlen(((const Place *)b)->target);
}

/* Outer places come first, so that they do not hide inner ones. */
static GArray *list_places(const json_t *plan)
{
    GArray *places = g_array_new(FALSE, FALSE, sizeof(Place));
    g_array_set_clear_func(places, place_clear);
    for (gsize i = 0; i < G_N_ELEMENTS(settings); i++) {
        g_autofree char *path = g_strdup_printf("/etc/%s", settings[i]);
        add_bind_mount(places, path, FALSE);
    }
    add_bind_mounts(places, json_object_get(plan, "readable"), FALSE);
    add_bind_mounts(places, json_object_get(plan, "writable"), TRUE);
    g_array_sort(places, by_depth);
    return places;
}

static gboolean set_flags(const char *path, guint64 flags, gboolean deep)
{
    struct mount_attr attributes = {.attr_set = flags};
    return syscall(SYS_mount_setattr, AT_FDCWD, path, deep ? AT_RECURSIVE : 0, &attributes,
                   sizeof attributes) == 0;
}

/* Creates an empty directory or file to mount on, unless an outer place provides it. */
static gboolean make_mount_point(const char *source, const char *target)
{
    struct stat what, there;
    g_autofree char *parent = g_path_get_dirname(target);
    if (stat(source, &what) != 0 || g_mkdir_with_parents(parent, 0755) != 0)
        return FALSE;
    if (stat(target, &there) == 0)
        return TRUE;
    if (S_ISDIR(what.st_mode))
        return mkdir(target, 0755) == 0;
    int fd = open(target, O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

static gboolean bind_mount_place(const char *source, const char *target, guint64 flags,
                                 GError **error)
{
    g_autofree char *from = g_strconcat(OLD, source, NULL);
    g_autofree char *to = g_strconcat(NEW, target, NULL);
    if (!make_mount_point(from, to) || mount(from, to, NULL, MS_BIND | MS_REC, NULL) != 0 ||
        (flags && !set_flags(to, flags, TRUE)))
        return fail_sandbox_root("show", target, error);
    return TRUE;
}

static gboolean show_system(GError **error)
{
    for (gsize i = 0; i < G_N_ELEMENTS(system_places); i++) {
        const char *path = system_places[i];
        g_autofree char *old = g_strconcat(OLD, path, NULL);
        g_autofree char *new = g_strconcat(NEW, path, NULL);
        char link[256];
        ssize_t length = readlink(old, link, sizeof link - 1);
        if (length > 0) {
            link[length] = 0;
            if (symlink(link, new) != 0)
                return fail_sandbox_root("link", path, error);
        } else if (access(old, F_OK) == 0 &&
                   !bind_mount_place(path, path,
                                     MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV,
                                     error)) {
            return FALSE;
        }
    }
    return TRUE;
}

static gboolean show_places(GArray *places, GError **error)
{
    const guint64 flags = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
    for (guint i = 0; i < places->len; i++) {
        const Place *place = &g_array_index(places, Place, i);
        if (!bind_mount_place(place->source, place->target,
                              flags | (place->writable ? 0 : MOUNT_ATTR_RDONLY), error))
            return FALSE;
    }
    return TRUE;
}

static gboolean mount_tmpfs(const char *path, const char *options, GError **error)
{
    g_autofree char *to = g_strconcat(NEW, path, NULL);
    if (g_mkdir_with_parents(to, 0755) != 0 ||
        mount("tmpfs", to, "tmpfs", MS_NOSUID | MS_NODEV, options) != 0)
        return fail_sandbox_root("make", path, error);
    return TRUE;
}

static gboolean make_devices(GError **error)
{
    if (!mount_tmpfs("/dev", "mode=755,size=64k", error))
        return FALSE;
    for (gsize i = 0; i < G_N_ELEMENTS(devices); i++) {
        g_autofree char *path = g_strconcat("/dev/", devices[i], NULL);
        if (!bind_mount_place(path, path, 0, error))
            return FALSE;
    }
    for (gsize i = 0; i < G_N_ELEMENTS(device_links); i++) {
        g_autofree char *path = g_strconcat(NEW "/dev/", device_links[i][1], NULL);
        if (symlink(device_links[i][0], path) != 0)
            return fail_sandbox_root("link", path, error);
    }
    if (mkdir(NEW "/dev/pts", 0755) != 0 ||
        mount("devpts", NEW "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC,
              "newinstance,ptmxmode=0666,mode=620") != 0)
        return fail_sandbox_root("make", "/dev/pts", error);
    return TRUE;
}

/* Shows only the sandbox's processes, read-only, because /proc also holds settings of the machine.
 */
static gboolean mount_proc(GError **error)
{
    if (mkdir(NEW "/proc", 0555) == 0 &&
        mount("proc", NEW "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY, NULL) == 0)
        return TRUE;
    return fail_sandbox_root("make", "/proc", error);
}

static gboolean make_temporary_directories(const json_t *plan, GError **error)
{
    json_int_t bytes = hf_json_int(json_object_get(plan, "limits"), "tmp_bytes", 256 * 1024 * 1024);
    g_autofree char *options = g_strdup_printf("mode=700,size=%" JSON_INTEGER_FORMAT, bytes);
    const char *home = hf_json_string(plan, "home", NULL);
    if (!mount_tmpfs("/tmp", options, error) || !mount_tmpfs("/dev/shm", options, error) ||
        (home && !mount_tmpfs(home, options, error)))
        return FALSE;
    if (g_mkdir_with_parents(NEW "/run", 0755) != 0 || mkdir(NEW "/var", 0755) != 0 ||
        symlink("/tmp", NEW "/var/tmp") != 0)
        return fail_sandbox_root("make", "/var", error);
    return TRUE;
}

/* Mounts something empty over it that nobody may open. */
static gboolean hide_path(const char *path, GError **error)
{
    g_autofree char *there = g_strconcat(NEW, path, NULL);
    struct stat info;
    if (lstat(there, &info) != 0 || S_ISLNK(info.st_mode))
        return TRUE; /* a link leads to a path that is covered itself, or is not shown */
    gboolean hidden = S_ISDIR(info.st_mode)
                          ? mount("tmpfs", there, "tmpfs", MS_NOSUID | MS_NODEV | MS_RDONLY,
                                  "mode=0,size=4k") == 0
                          : mount(OLD "/dev/null", there, NULL, MS_BIND, NULL) == 0 &&
                                set_flags(there, MOUNT_ATTR_RDONLY, FALSE);
    return hidden || fail_sandbox_root("hide", path, error);
}

static gboolean hide_paths(const json_t *list, GError **error)
{
    hf_json_each (path, list)
        if (!hide_path(json_string_value(path), error))
            return FALSE;
    return TRUE;
}

static gboolean pivot_into_new_root(GError **error)
{
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "mode=755") != 0 ||
        mkdir("/tmp" OLD, 0755) != 0 || mkdir("/tmp" NEW, 0755) != 0 ||
        syscall(SYS_pivot_root, "/tmp", "/tmp" OLD) != 0 || chdir("/") != 0 ||
        mount("tmpfs", NEW, "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=1m") != 0)
        return fail_sandbox_root("set up", "/", error);
    return TRUE;
}

static gboolean leave_old_root(GError **error)
{
    if (!set_flags(NEW, MOUNT_ATTR_RDONLY, FALSE) ||
        !set_flags(NEW "/dev", MOUNT_ATTR_RDONLY, FALSE) || umount2(OLD, MNT_DETACH) != 0 ||
        chdir(NEW) != 0 || syscall(SYS_pivot_root, ".", ".") != 0 ||
        umount2(".", MNT_DETACH) != 0 || chdir("/") != 0)
        return fail_sandbox_root("finish", "/", error);
    return TRUE;
}

gboolean hf_sandbox_root(const json_t *plan, GError **error)
{
    g_autoptr(GArray) places = list_places(plan);
    umask(022);
    gboolean built = pivot_into_new_root(error) && show_system(error) && make_devices(error) &&
                     mount_proc(error) && make_temporary_directories(plan, error) &&
                     show_places(places, error) &&
                     hide_paths(json_object_get(plan, "covered"), error) && leave_old_root(error);
    umask(077);
    return built;
}
