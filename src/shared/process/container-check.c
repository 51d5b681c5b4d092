/* SPDX-License-Identifier: Apache-2.0 */
/* Builds a small container around nothing: what the kernel says about its parts proves little. */
#include "shared/process/container-check.h"

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

static GError *try_container(void)
{
    GError *error = NULL;
    const char *command[] = {"bwrap",         "--unshare-user",
                             "--unshare-pid", "--unshare-ipc",
                             "--proc",        "/proc",
                             "--ro-bind",     "/usr",
                             "/usr",          "--ro-bind-try",
                             "/lib",          "/lib",
                             "--ro-bind-try", "/lib64",
                             "/lib64",        "--",
                             "/usr/bin/true", NULL};
    g_autofree char *complaint = NULL;
    g_autoptr(GError) reason = NULL;
    int status = 0;
    if (!g_spawn_sync(NULL, (char **)command, NULL,
                      G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, NULL,
                      &complaint, &status, &reason)) {
        hf_fail(&error, HF_ERROR_UNSUPPORTED, "bubblewrap cannot be started: %s", reason->message);
        hf_error_suggest(&error, "install it: apt install bubblewrap");
    } else if (!g_spawn_check_wait_status(status, NULL)) {
        hf_fail(&error, HF_ERROR_UNSUPPORTED, "this system does not let bubblewrap work: %s",
                g_strstrip(complaint));
        hf_error_suggest(&error, "%s", find_remedy());
    }
    return error;
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
