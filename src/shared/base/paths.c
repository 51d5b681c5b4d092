/* SPDX-License-Identifier: Apache-2.0 */
/* Directories and names. Must never follow a link or use a directory that another user created. */
#include "shared/base/paths.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shared/base/error.h"
#include "shared/base/limits.h"

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

char *hf_path_dup_exchange(const char *desktop)
{
    return g_build_filename(g_get_home_dir(), "Handfast", desktop, NULL);
}

char *hf_path_dup_policy(void)
{
    const char *other = g_getenv("HANDFAST_POLICY");
    gboolean test = g_strcmp0(g_getenv("HANDFAST_TEST"), "1") == 0;
    return g_strdup(test && other && *other ? other : "/etc/handfast/policy.json");
}

#define MOST_LINKS 40

static void push_words(GQueue *words, const char *path)
{
    g_auto(GStrv) parts = g_strsplit(path, "/", -1);
    for (guint i = g_strv_length(parts); i-- > 0;)
        g_queue_push_head(words, g_steal_pointer(&parts[i]));
}

static void drop_word(GString *place)
{
    const char *slash = strrchr(place->str, '/');
    g_string_truncate(place, slash ? (gsize)(slash - place->str) : 0);
}

/* Takes one name off the rest of the path. FALSE when there are too many links. */
static gboolean resolve_path_part(GString *place, GQueue *words, guint *links,
                                  HfPathReadLink read_link, gpointer data)
{
    g_autofree char *word = g_queue_pop_head(words);
    if (!*word || g_str_equal(word, "."))
        return TRUE;
    if (g_str_equal(word, "..")) {
        drop_word(place);
        return TRUE;
    }
    g_string_append_printf(place, "/%s", word);
    g_autofree char *target = read_link(place->str, data);
    if (!target)
        return TRUE;
    drop_word(place);
    if (g_path_is_absolute(target))
        g_string_truncate(place, 0);
    push_words(words, target);
    return ++*links <= MOST_LINKS;
}

char *hf_path_resolve(const char *path, HfPathReadLink read_link, gpointer data)
{
    g_autoptr(GString) place = g_string_new(NULL);
    GQueue *words = g_queue_new();
    guint links = 0;
    gboolean good = TRUE;
    push_words(words, path);
    while (good && !g_queue_is_empty(words))
        good = resolve_path_part(place, words, &links, read_link, data);
    g_queue_free_full(words, g_free);
    return !good ? NULL : g_strdup(place->len ? place->str : "/");
}

static char *read_link_here(const char *place, gpointer data)
{
    return g_file_read_link(place, NULL);
}

char *hf_path_dup_absolute(const char *path)
{
    gboolean home = g_str_equal(path, "~") || g_str_has_prefix(path, "~/");
    return home ? g_build_filename(g_get_home_dir(), path + 1, NULL) : g_strdup(path);
}

char *hf_path_dup_real(const char *path)
{
    g_autofree char *full = hf_path_dup_absolute(path);
    return g_path_is_absolute(full) ? hf_path_resolve(full, read_link_here, NULL) : NULL;
}

gboolean hf_path_within(const char *outer, const char *inner)
{
    g_autofree char *wide = hf_path_dup_real(outer);
    g_autofree char *narrow = hf_path_dup_real(inner);
    if (!wide || !narrow)
        return FALSE;
    gsize length = strlen(wide);
    return strncmp(wide, narrow, length) == 0 &&
           (wide[length - 1] == '/' || narrow[length] == '/' || narrow[length] == '\0');
}

gboolean hf_desktop_name_check(const char *name, GError **error)
{
    gsize length = strlen(name);
    gsize good = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.");
    if (length > 0 && length <= HF_LIMIT_NAME_BYTES && good == length && name[0] != '.' &&
        name[0] != '-')
        return TRUE;
    return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                   "'%s' is not a valid name: use 1 to %u letters, digits, '.', '_' or '-', and "
                   "begin with a letter, a digit or '_'",
                   name, HF_LIMIT_NAME_BYTES);
}
