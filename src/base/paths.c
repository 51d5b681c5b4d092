/* Directories and names. Must never follow a link or use a directory that another user made. */
#include "base/paths.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/limits.h"

gboolean hf_path_ensure_private(const char *path, GError **error)
{
    struct stat info;
    if (mkdir(path, 0700) != 0 && errno != EEXIST)
        return hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot make the directory '%s': %s", path,
                       g_strerror(errno));
    if (lstat(path, &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != geteuid() ||
        (info.st_mode & 077) != 0)
        return hf_fail(error, HF_ERROR_STORAGE_FAILED,
                       "'%s' must be a directory of user %u with mode 0700", path,
                       (unsigned)geteuid());
    return TRUE;
}

char *hf_path_dup_runtime(void)
{
    const char *given = g_getenv("XDG_RUNTIME_DIR");
    if (given && *given)
        return g_build_filename(given, "handfast", NULL);
    g_autofree char *usual = g_strdup_printf("/run/user/%u", (unsigned)geteuid());
    if (access(usual, W_OK) == 0)
        return g_build_filename(usual, "handfast", NULL);
    return g_strdup_printf("/tmp/handfast-%u", (unsigned)geteuid());
}

char *hf_path_dup_bridge(void)
{
    g_autofree char *runtime = hf_path_dup_runtime();
    return g_build_filename(runtime, "bridge.sock", NULL);
}

char *hf_path_ensure_runtime(GError **error)
{
    g_autofree char *path = hf_path_dup_runtime();
    return hf_path_ensure_private(path, error) ? g_steal_pointer(&path) : NULL;
}

char *hf_path_ensure_data(GError **error)
{
    const char *parent = g_get_user_data_dir();
    g_autofree char *path = g_build_filename(parent, "handfast", NULL);
    if (g_mkdir_with_parents(parent, 0700) != 0) {
        hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot make the directory '%s': %s", parent,
                g_strerror(errno));
        return NULL;
    }
    return hf_path_ensure_private(path, error) ? g_steal_pointer(&path) : NULL;
}

char *hf_path_dup_config(void)
{
    return g_build_filename(g_get_user_config_dir(), "handfast", "config.json", NULL);
}

char *hf_path_dup_policy(void)
{
    const char *other = g_getenv("HANDFAST_POLICY");
    gboolean test = g_strcmp0(g_getenv("HANDFAST_TEST"), "1") == 0;
    return g_strdup(test && other && *other ? other : "/etc/handfast/policy.json");
}

gboolean hf_name_check(const char *name, GError **error)
{
    gsize length = strlen(name);
    gsize good = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.");
    if (length > 0 && length <= HF_LIMIT_NAME_BYTES && good == length && name[0] != '.' &&
        name[0] != '-')
        return TRUE;
    return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                   "'%s' is no name for a desktop: 1 to %u letters, digits, '.', '_' or '-', "
                   "beginning with a letter, a digit or '_'",
                   name, HF_LIMIT_NAME_BYTES);
}
