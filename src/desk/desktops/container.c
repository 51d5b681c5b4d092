/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the command line of bubblewrap, which Flatpak trusts for the same purpose. The container
 * has its own processes, mounts, IPC and, unless it shares this machine's, its own network. It sees
 * the system's programs, a home, and the directories that the owner's configuration names. Later
 * mounts cover earlier ones, so the order matters: system, home, the owner's directories, covers
 * over what is ours, and last the few directories of ours that this desktop needs. */
#include "desk/desktops/container.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "desk/desktops/allowed-directories.h"
#include "shared/base/error.h"
#include "shared/base/paths.h"
#include "shared/process/seccomp-filter.h"
#include "shared/wire/desktop-directory.h"
#include "shared/wire/stage-protocol.h"

/* ---- what the owner's configuration says ---- */

/* What does not exist cannot be bound in. Bound in over the container's own, directories of the
 * system would open it: they hold its covers, or sockets. */
static void append_existing(json_t *list, const json_t *paths, const json_t *places)
{
    hf_json_each (path, paths) {
        g_autofree char *real = hf_allowed_directory_dup_real(json_string_value(path), places);
        if (real && g_file_test(real, G_FILE_TEST_IS_DIR) && !hf_allowed_directory_is_systems(real))
            json_array_append_new(list, hf_json_text(real));
    }
}

/* The directories of patterns such as ~/.ssh/ and anything below. Other patterns name no directory
 * that could be covered: the tools that open files enforce them. */
static void append_denied_directories(json_t *list, const json_t *patterns)
{
    hf_json_each (pattern, patterns) {
        const char *text = json_string_value(pattern);
        if (!g_str_has_suffix(text, "/**"))
            continue;
        g_autofree char *folder = g_strndup(text, strlen(text) - strlen("/**"));
        g_autofree char *real = strpbrk(folder, "*?[") ? NULL : hf_path_dup_real(folder);
        if (real)
            json_array_append_new(list, hf_json_text(real));
    }
}

static json_t *list_hidden_directories(const HfConfig *config)
{
    g_autofree char *runtime = hf_path_dup_runtime(), *file = hf_path_dup_config();
    g_autofree char *settings = g_path_get_dirname(file);
    g_autofree char *data = g_build_filename(g_get_user_data_dir(), "handfast", NULL);
    json_t *list = json_pack("[o, o, o, o]", hf_json_text(runtime), hf_json_text(settings),
                             hf_json_text(data), hf_json_text(g_get_user_runtime_dir()));
    append_denied_directories(list, hf_config_get(config, "security.denied_patterns"));
    return list;
}

json_t *hf_container_dup_settings(const HfConfig *config)
{
    json_t *writable = json_array(), *readable = json_array();
    const json_t *allowed = hf_config_get(config, "security.allowed_directories");
    const json_t *more = hf_config_get(config, "container.writable");
    g_autoptr(json_t) places = json_pack("[o, o]", json_deep_copy(allowed), json_deep_copy(more));
    append_existing(writable, allowed, places);
    append_existing(writable, more, places);
    append_existing(readable, hf_config_get(config, "container.readable"), places);
    return json_pack("{s:b, s:b, s:s, s:s, s:o, s:o, s:o, s:O}", "enabled",
                     hf_config_bool(config, "container.enabled"), "own_desktop",
                     hf_config_bool(config, "container.own_desktop"), "home",
                     hf_config_string(config, "container.home"), "network",
                     hf_config_string(config, "container.network"), "writable", writable,
                     "readable", readable, "hidden", list_hidden_directories(config), "variables",
                     hf_config_get(config, "shell.environment"));
}

/* ---- the command line ---- */

static void add_words(GPtrArray *command, const char *const *words)
{
    for (; *words; words++)
        g_ptr_array_add(command, g_strdup(*words));
}
#define ADD(COMMAND, ...) add_words(COMMAND, (const char *const[]){__VA_ARGS__, NULL})

/* As root, two capabilities stay, and only inside: without them, root could not create the
 * namespaces of shells and browsers within, and terminals could not set their groups. The stage
 * gives up the third before it starts anything (hf_proc_view_mount). */
static void add_namespaces(GPtrArray *command, const HfContainer *container)
{
    ADD(command, "--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts",
        "--unshare-cgroup-try", "--as-pid-1", "--cap-drop", "ALL");
    if (geteuid() == 0)
        ADD(command, "--cap-add", "CAP_SETFCAP", "--cap-add", "CAP_SETGID", "--cap-add",
            "CAP_SYS_ADMIN");
    if (!g_str_equal(container->network, "host"))
        ADD(command, "--unshare-net");
}

/* Secrets of the system, which root could read. */
static const char *const secret_files[] = {"/etc/shadow",   "/etc/shadow-",     "/etc/gshadow",
                                           "/etc/gshadow-", "/etc/krb5.keytab", "/etc/sudoers"};
static const char *const secret_folders[] = {
    "/etc/ssh",       "/etc/ssl/private",
    "/etc/sudoers.d", "/etc/NetworkManager/system-connections",
    "/etc/wireguard", "/etc/handfast"};
/* What programs expect besides /usr and /etc. */
static const char *const system_folders[] = {"/opt",
                                             "/nix",
                                             "/sys/devices/system/cpu",
                                             "/var/cache/fontconfig",
                                             "/var/cache/dictionaries-common",
                                             "/var/lib/aspell",
                                             "/var/lib/dictionaries-common",
                                             "/var/lib/ghostscript",
                                             "/var/lib/libreoffice",
                                             "/var/lib/xkb"};
static const char *const system_links[] = {"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"};

/* What the kernel lets root change for the whole machine. */
static const char *const kernel_folders[] = {"/proc/sys", "/proc/sysrq-trigger", "/proc/irq",
                                             "/proc/bus", "/proc/fs"};

static void protect_kernel(GPtrArray *command)
{
    for (gsize i = 0; i < G_N_ELEMENTS(kernel_folders); i++)
        ADD(command, "--ro-bind-try", kernel_folders[i], kernel_folders[i]);
    if (g_file_test("/proc/kcore", G_FILE_TEST_EXISTS))
        ADD(command, "--ro-bind", "/dev/null", "/proc/kcore");
}

static void add_system(GPtrArray *command)
{
    ADD(command, "--ro-bind", "/usr", "/usr", "--ro-bind", "/etc", "/etc", "--proc", "/proc",
        "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/run", "--tmpfs", "/var", "--tmpfs",
        "/var/tmp");
    /* For the settings of the kernel, root is root inside, too. */
    if (geteuid() == 0)
        protect_kernel(command);
    for (gsize i = 0; i < G_N_ELEMENTS(system_links); i++) {
        g_autofree char *target = g_file_read_link(system_links[i], NULL);
        if (target)
            ADD(command, "--symlink", target, system_links[i]);
        else
            ADD(command, "--ro-bind-try", system_links[i], system_links[i]);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(system_folders); i++)
        ADD(command, "--ro-bind-try", system_folders[i], system_folders[i]);
    for (gsize i = 0; i < G_N_ELEMENTS(secret_files); i++)
        if (g_file_test(secret_files[i], G_FILE_TEST_EXISTS))
            ADD(command, "--ro-bind", "/dev/null", secret_files[i]);
    for (gsize i = 0; i < G_N_ELEMENTS(secret_folders); i++)
        if (g_file_test(secret_folders[i], G_FILE_TEST_IS_DIR))
            ADD(command, "--tmpfs", secret_folders[i]);
}

static int compare_lengths(gconstpointer one, gconstpointer other)
{
    gsize lengths[] = {strlen(*(char *const *)one), strlen(*(char *const *)other)};
    return (lengths[0] > lengths[1]) - (lengths[0] < lengths[1]);
}

/* Existing directories, resolved, outer ones first. */
static GPtrArray *list_resolved(const json_t *paths)
{
    GPtrArray *list = g_ptr_array_new_with_free_func(g_free);
    hf_json_each (path, paths) {
        g_autofree char *real = hf_path_dup_real(json_string_value(path));
        if (real && g_file_test(real, G_FILE_TEST_IS_DIR))
            g_ptr_array_add(list, g_steal_pointer(&real));
    }
    g_ptr_array_sort(list, compare_lengths);
    return list;
}

/* The home of a desktop outlives it. If its last programs have left a link where something is bound
 * in, bubblewrap follows it, out of the container that it builds. Nothing runs there yet. */
static void move_planted_links(const HfContainer *container, const char *path)
{
    g_autofree char *home = hf_path_dup_real(g_get_home_dir());
    gsize length = home ? strlen(home) : 0;
    if (!container->home || !home || strncmp(path, home, length) != 0 || path[length] != '/')
        return;
    g_auto(GStrv) names = g_strsplit(path + length + 1, "/", -1);
    g_autoptr(GString) place = g_string_new(container->home);
    for (char **name = names; *name; name++) {
        struct stat info;
        g_string_append_printf(place, "/%s", *name);
        g_autofree char *aside = g_strconcat(place->str, ".moved", NULL);
        if (lstat(place->str, &info) == 0 && !S_ISDIR(info.st_mode))
            rename(place->str, aside);
    }
}

/* Returns what is visible of this machine, for the covers. */
static GPtrArray *add_directories(GPtrArray *command, const HfContainer *container)
{
    const char *home = g_get_home_dir();
    GPtrArray *visible = g_ptr_array_new_with_free_func(g_free);
    ADD(command, "--bind", container->home ? container->home : home, home);
    if (!container->home)
        g_ptr_array_add(visible, hf_path_dup_real(home));
    const struct {
        const char *how;
        const json_t *paths;
    } kinds[] = {{"--ro-bind", container->readable}, {"--bind", container->writable}};
    for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++) {
        g_autoptr(GPtrArray) list = list_resolved(kinds[i].paths);
        for (guint j = 0; j < list->len; j++) {
            move_planted_links(container, list->pdata[j]);
            ADD(command, kinds[i].how, list->pdata[j], list->pdata[j]);
            g_ptr_array_add(visible, g_strdup(list->pdata[j]));
        }
    }
    return visible;
}

static gboolean is_below_any(const char *path, const GPtrArray *places)
{
    for (guint i = 0; i < places->len; i++)
        if (places->pdata[i] && hf_path_within(places->pdata[i], path))
            return TRUE;
    return FALSE;
}

static void cover_hidden(GPtrArray *command, const json_t *hidden, const GPtrArray *visible)
{
    g_autoptr(GPtrArray) list = list_resolved(hidden);
    for (guint i = 0; i < list->len; i++)
        if (is_below_any(list->pdata[i], visible))
            ADD(command, "--perms", "0700", "--tmpfs", list->pdata[i]);
}

static void add_own_directories(GPtrArray *command, const HfContainer *container,
                                const char *desktop, const char *program)
{
    g_autofree char *sockets = g_build_filename(desktop, HF_DESKTOP_X_SOCKETS, NULL);
    g_autofree char *folder = g_path_get_dirname(program);
    g_autofree char *texts = g_build_filename(folder, "po", NULL);
    move_planted_links(container, desktop);
    move_planted_links(container, program);
    move_planted_links(container, texts);
    ADD(command, "--bind", sockets, "/tmp/.X11-unix", "--bind", desktop, desktop);
    /* Hands keep the profiles of browsers there, and insist that it is private. */
    g_autofree char *data = g_build_filename(g_get_user_data_dir(), "handfast", NULL);
    move_planted_links(container, data);
    ADD(command, "--perms", "0700", "--dir", data);
    for (const char *const *path = container->kept; *path; path++) {
        move_planted_links(container, *path);
        ADD(command, "--bind", *path, *path);
    }
    ADD(command, "--ro-bind", program, program, "--ro-bind-try", texts, texts);
}

/* Names are looked up by the process that connects the container (slirp4netns). */
static void add_name_lookup(GPtrArray *command, const HfContainer *container, const char *desktop)
{
    g_autofree char *system = hf_path_dup_real("/etc/resolv.conf");
    if (!system || !g_file_test(system, G_FILE_TEST_EXISTS))
        return;
    if (g_str_equal(container->network, "host")) {
        ADD(command, "--ro-bind", system, system);
        return;
    }
    g_autofree char *own = g_build_filename(desktop, "resolv.conf", NULL);
    if (g_file_set_contents(own, "nameserver 10.0.2.3\n", -1, NULL))
        ADD(command, "--ro-bind", own, system);
}

GPtrArray *hf_container_new_command(const HfContainer *container, const char *desktop_directory,
                                    const char *program, int first_pipe)
{
    GPtrArray *command = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *info = g_strdup_printf("%d", first_pipe);
    g_autofree char *go = g_strdup_printf("%d", first_pipe + 1);
    g_autofree char *filter = g_strdup_printf("%d", first_pipe + 2);
    ADD(command, "bwrap", "--info-fd", info, "--userns-block-fd", go, "--seccomp", filter);
    add_namespaces(command, container);
    add_system(command);
    add_name_lookup(command, container, desktop_directory);
    g_autoptr(GPtrArray) visible = add_directories(command, container);
    cover_hidden(command, container->hidden, visible);
    add_own_directories(command, container, desktop_directory, program);
    ADD(command, "--chdir", g_get_home_dir(), "--");
    return command;
}

/* ---- users inside ---- */

static int open_filter(void)
{
    g_autoptr(GArray) filter = hf_seccomp_new_container_filter();
    gsize size = filter->len * g_array_get_element_size(filter);
    int file = memfd_create("seccomp", MFD_CLOEXEC);
    if (file >= 0 && write(file, filter->data, size) == (ssize_t)size &&
        lseek(file, 0, SEEK_SET) == 0)
        return file;
    if (file >= 0)
        close(file);
    return -1;
}

gboolean hf_container_pipes_open(HfContainerPipes *ret_pipes)
{
    HfContainerPipes pipes = {{-1, -1}, {-1, -1}, open_filter()};
    if (pipes.filter >= 0 && pipe2(pipes.info, O_CLOEXEC) == 0 && pipe2(pipes.go, O_CLOEXEC) == 0) {
        *ret_pipes = pipes;
        return TRUE;
    }
    const int opened[] = {pipes.filter, pipes.info[0], pipes.info[1]};
    int reason = errno;
    for (gsize i = 0; i < G_N_ELEMENTS(opened); i++)
        if (opened[i] >= 0)
            close(opened[i]);
    errno = reason;
    return FALSE;
}

static pid_t read_first_pid(int input)
{
    char text[512];
    gsize length = 0;
    ssize_t count;
    /* bubblewrap does not close it before it may go on. */
    while (length < sizeof text && !memchr(text, '}', length) &&
           (count = read(input, text + length, sizeof text - length)) > 0)
        length += (gsize)count;
    g_autoptr(json_t) info = json_loadb(text, length, 0, NULL);
    return (pid_t)hf_json_int(info, "child-pid", 0);
}

static gboolean write_process_file(pid_t pid, const char *name, const char *text)
{
    g_autofree char *path = g_strdup_printf("/proc/%d/%s", (int)pid, name);
    int file = open(path, O_WRONLY | O_CLOEXEC);
    gboolean written = file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text);
    if (file >= 0)
        close(file);
    return written;
}

/* The user is the same inside. An ordinary user may map no more than that. Root keeps all groups:
 * terminals give theirs to the group tty. */
static gboolean map_users(pid_t pid)
{
    gboolean root = geteuid() == 0;
    g_autofree char *user = g_strdup_printf("%u %u 1\n", (unsigned)geteuid(), (unsigned)geteuid());
    g_autofree char *group = g_strdup_printf("%u %u 1\n", (unsigned)getegid(), (unsigned)getegid());
    return write_process_file(pid, "uid_map", user) &&
           (root || write_process_file(pid, "setgroups", "deny")) &&
           write_process_file(pid, "gid_map", root ? "0 0 65536\n" : group);
}

pid_t hf_container_pipes_finish(HfContainerPipes *pipes)
{
    close(pipes->filter);
    close(pipes->info[1]);
    close(pipes->go[0]);
    pid_t pid = read_first_pid(pipes->info[0]);
    /* Without a byte, bubblewrap goes on all the same and fails, because it is nobody there. */
    ssize_t told = pid > 0 && map_users(pid) ? write(pipes->go[1], "", 1) : 0;
    (void)told;
    close(pipes->info[0]);
    close(pipes->go[1]);
    return pid;
}

/* ---- the environment ---- */

/* Parts of the names of variables that hold secrets or lead to the user's session. */
static const char *const private_parts[] = {
    "KEY",   "TOKEN",  "SECRET", "PASS", "CREDENTIAL", "COOKIE",  "SSH_", "GPG_",  "AWS_",
    "AZURE", "DOCKER", "KUBE",   "SUDO", "DBUS_",      "SESSION", "KRB5", "VAULT", "WAYLAND",
};

static gboolean is_private_variable(const char *name)
{
    g_autofree char *upper = g_ascii_strup(name, -1);
    for (gsize i = 0; i < G_N_ELEMENTS(private_parts); i++)
        if (strstr(upper, private_parts[i]))
            return TRUE;
    return FALSE;
}

static gboolean is_named_variable(const json_t *names, const char *name)
{
    hf_json_each (each, names)
        if (g_str_equal(json_string_value(each), name))
            return TRUE;
    return FALSE;
}

char **hf_container_dup_environment(const HfContainer *container)
{
    g_auto(GStrv) all = g_get_environ();
    g_autoptr(GStrvBuilder) kept = g_strv_builder_new();
    for (char **entry = all; *entry; entry++) {
        g_autofree char *name = g_strndup(*entry, strcspn(*entry, "="));
        if (!is_private_variable(name) || is_named_variable(container->variables, name))
            g_strv_builder_add(kept, *entry);
    }
    return g_strv_builder_end(kept);
}

/* ---- the network ---- */

#define EXIT_DESCRIPTOR  3
#define READY_DESCRIPTOR 4

static int spawn_connector(char *const *arguments, int exit_descriptor, int ready, pid_t *ret_pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    /* Neither may have the number that the other one gets. */
    int copies[] = {fcntl(exit_descriptor, F_DUPFD_CLOEXEC, READY_DESCRIPTOR + 1),
                    fcntl(ready, F_DUPFD_CLOEXEC, READY_DESCRIPTOR + 1)};
    posix_spawn_file_actions_adddup2(&actions, copies[0], EXIT_DESCRIPTOR);
    posix_spawn_file_actions_adddup2(&actions, copies[1], READY_DESCRIPTOR);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    int reason = posix_spawnp(ret_pid, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(copies[0]);
    close(copies[1]);
    return reason;
}

pid_t hf_container_connect(pid_t init, int exit_descriptor, int *ret_ready, GError **error)
{
    g_autofree char *users = g_strdup_printf("--userns-path=/proc/%d/ns/user", (int)init);
    g_autofree char *network = g_strdup_printf("/proc/%d/ns/net", (int)init);
    char *arguments[] = {"slirp4netns", "--configure",  "--mtu=65520", "--disable-host-loopback",
                         "--exit-fd=3", "--ready-fd=4", users,         "--netns-type=path",
                         network,       "tap0",         NULL};
    int ready[2], reason;
    pid_t pid = 0;
    if (pipe2(ready, O_CLOEXEC) < 0) {
        hf_fail(error, HF_ERROR_INTERNAL, "cannot create a pipe: %s", g_strerror(errno));
        return 0;
    }
    reason = spawn_connector(arguments, exit_descriptor, ready[1], &pid);
    close(ready[1]);
    if (reason == 0) {
        *ret_ready = ready[0];
        return pid;
    }
    close(ready[0]);
    hf_fail(error, HF_ERROR_UNSUPPORTED,
            "slirp4netns cannot be started (%s): apt install slirp4netns", g_strerror(reason));
    return 0;
}

char *hf_container_dup_network_problem(int ready, int limit_ms)
{
    struct pollfd wait = {ready, POLLIN, 0};
    char byte;
    if (poll(&wait, 1, limit_ms) <= 0)
        return NULL; /* it takes its time */
    if (read(ready, &byte, 1) == 1)
        return NULL;
    if (access("/dev/net/tun", R_OK | W_OK) != 0)
        return g_strdup_printf("none: slirp4netns needs /dev/net/tun, which you cannot open (%s): "
                               "sudo chmod 666 /dev/net/tun",
                               g_strerror(errno));
    return g_strdup("none: slirp4netns could not connect the container");
}
