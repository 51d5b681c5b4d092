/* SPDX-License-Identifier: Apache-2.0 */
/* Builds a small container around nothing: what the kernel says about its parts proves little. */
#include "shared/process/container-check.h"

#include <unistd.h>

#include "shared/base/error.h"

typedef struct Obstacle {
    const char *setting; /* a file below /proc/sys */
    char value;          /* its first character when it forbids containers */
    const char *remedy;
} Obstacle;

static const Obstacle obstacles[] = {
    {"kernel/apparmor_restrict_unprivileged_userns", '1',
     "AppArmor keeps programs from creating namespaces: install the profile "
     "data/apparmor/handfast-bwrap in /etc/apparmor.d and load it with apparmor_parser -r"},
    {"kernel/unprivileged_userns_clone", '0',
     "allow namespaces: sysctl kernel.unprivileged_userns_clone=1"},
    {"user/max_user_namespaces", '0', "allow namespaces: sysctl user.max_user_namespaces=10000"},
};

static const char *find_remedy(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(obstacles); i++) {
        g_autofree char *path = g_build_filename("/proc/sys", obstacles[i].setting, NULL);
        g_autofree char *text = NULL;
        if (g_file_get_contents(path, &text, NULL, NULL) && text[0] == obstacles[i].value)
            return obstacles[i].remedy;
    }
    return "see what the message says; inside another container, allow it to create user "
           "namespaces";
}

void hf_process_namespace_fail(const char *complaint, GError **error)
{
    hf_fail(error, HF_ERROR_UNSUPPORTED, "this system does not let bubblewrap work: %s",
            *complaint ? complaint : "it gives no reason");
    hf_error_suggest(error, "%s", find_remedy());
}

/* NULL: it works. */
static GError *try_bubblewrap(const char *const *command)
{
    GError *error = NULL;
    g_autofree char *complaint = NULL;
    g_autoptr(GError) reason = NULL;
    int status = 0;
    if (!g_spawn_sync(NULL, (char **)command, NULL,
                      G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, NULL,
                      &complaint, &status, &reason)) {
        hf_fail(&error, HF_ERROR_UNSUPPORTED, "bubblewrap cannot be started: %s", reason->message);
        hf_error_suggest(&error, "install it: apt install bubblewrap");
    } else if (!g_spawn_check_wait_status(status, NULL)) {
        hf_process_namespace_fail(g_strstrip(complaint), &error);
    }
    return error;
}

static GError *try_container(void)
{
    const char *command[] = {"bwrap",         "--unshare-user",
                             "--unshare-pid", "--unshare-ipc",
                             "--proc",        "/proc",
                             "--ro-bind",     "/usr",
                             "/usr",          "--ro-bind-try",
                             "/lib",          "/lib",
                             "--ro-bind-try", "/lib64",
                             "/lib64",        "--",
                             "/usr/bin/true", NULL};
    return try_bubblewrap(command);
}

gboolean hf_container_check(GError **error)
{
    static GMutex lock;
    static gboolean tried;
    static GError *obstacle;
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&lock);
    if (!tried)
        obstacle = try_container();
    tried = TRUE;
    if (obstacle && error)
        *error = g_error_copy(obstacle);
    return !obstacle;
}

/* An ordinary user needs a user namespace to create a PID namespace. Root does not, and keeps all
 * its groups without one. */
GPtrArray *hf_process_namespace_new_command(void)
{
    const char *words[] = {"bwrap",          "--dev-bind", "/",     "/",
                           "--unshare-pid",  "--proc",     "/proc", "--as-pid-1",
                           "--unshare-user", "--"};
    GPtrArray *command = g_ptr_array_new_with_free_func(g_free);
    for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
        if (geteuid() != 0 || !g_str_equal(words[i], "--unshare-user"))
            g_ptr_array_add(command, g_strdup(words[i]));
    return command;
}

gboolean hf_process_namespace_check(GError **error)
{
    g_autoptr(GPtrArray) command = hf_process_namespace_new_command();
    g_ptr_array_add(command, g_strdup("/usr/bin/true"));
    g_ptr_array_add(command, NULL);
    GError *obstacle = try_bubblewrap((const char *const *)command->pdata);
    if (obstacle)
        g_propagate_error(error, obstacle);
    return !obstacle;
}
