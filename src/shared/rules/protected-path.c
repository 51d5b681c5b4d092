/* SPDX-License-Identifier: Apache-2.0 */
/* Compares names one by one. Both sides may have wildcards: a shell would expand those of the
 * command, and what they may expand to counts. */
#include "shared/rules/protected-path.h"

#include <string.h>

#include "shared/shell-parser/shell-script.h"
#include "shared/text/glob.h"

typedef enum PathBase {
    BASE_ANYWHERE,
    BASE_HOME,
    BASE_ROOT,
} PathBase;

struct HfPathNames {
    GPtrArray *names; /* char; "~" or "~joe" may be the first */
    gboolean absolute;
};

struct HfProtectedPath {
    PathBase base;
    gboolean folder;
    char **names;
};

static const char *name_at(const HfPathNames *path, guint index)
{
    return path->names->pdata[index];
}

/* The user's own home may be anywhere. */
static char *dup_below_home(char *take_path)
{
    g_autofree char *home = hf_path_glob_fold(g_get_home_dir());
    gsize length = strlen(home);
    if (length < 2 || strncmp(take_path, home, length) != 0 ||
        (take_path[length] && take_path[length] != '/'))
        return take_path;
    char *below = g_strconcat("~", take_path + length, NULL);
    g_free(take_path);
    return below;
}

static gboolean can_go_up(const HfPathNames *path)
{
    const char *last = path->names->len ? name_at(path, path->names->len - 1) : "..";
    return strcmp(last, "..") != 0 && last[0] != '~' && !strchr(last, HF_SCRIPT_UNKNOWN);
}

HfPathNames *hf_path_names_new(const char *path)
{
    HfPathNames *result = g_new0(HfPathNames, 1);
    g_autofree char *text = dup_below_home(hf_path_glob_fold(path));
    result->absolute = text[0] == '/';
    result->names = g_ptr_array_new_with_free_func(g_free);
    for (const char *at = text; *at;) {
        gsize length = strcspn(at, "/");
        g_autofree char *name = g_strndup(at, length);
        at += length + (at[length] ? 1 : 0);
        if (!*name || strcmp(name, ".") == 0)
            continue;
        if (strcmp(name, "..") == 0 && can_go_up(result))
            g_ptr_array_set_size(result->names, (int)result->names->len - 1);
        else
            g_ptr_array_add(result->names, g_steal_pointer(&name));
    }
    return result;
}

void hf_path_names_free(HfPathNames *path)
{
    g_ptr_array_unref(path->names);
    g_free(path);
}

HfProtectedPath *hf_protected_path_new(const char *text)
{
    HfProtectedPath *result = g_new0(HfProtectedPath, 1);
    g_autofree char *folded = hf_path_glob_fold(text);
    const char *start = folded;
    if (g_str_has_prefix(start, "~/")) {
        result->base = BASE_HOME;
        start += 2;
    } else if (start[0] == '/') {
        result->base = BASE_ROOT;
        start++;
    }
    gsize length = strlen(start);
    result->folder = length > 0 && start[length - 1] == '/';
    folded[strlen(folded) - (result->folder ? 1 : 0)] = '\0';
    result->names = g_strsplit(start, "/", -1);
    return result;
}

void hf_protected_path_free(HfProtectedPath *protected_path)
{
    g_strfreev(protected_path->names);
    g_free(protected_path);
}

static gboolean has_wildcard(const char *name)
{
    return strpbrk(name, "*?[") != NULL;
}

/* A wildcard does not match the dot at the beginning of a name. One without a letter of its own is
 * too vague for files that are only read. */
static gboolean name_fits(const char *name, const char *protected_name, HfPathUse use)
{
    if (!has_wildcard(name))
        return has_wildcard(protected_name) ? hf_path_glob_match_text(protected_name, name)
                                            : strcmp(name, protected_name) == 0;
    if ((name[0] == '.') != (protected_name[0] == '.') && name[0] != '[')
        return FALSE;
    if (use == HF_PATH_READ && strspn(name, "*?.[]") == strlen(name))
        return FALSE;
    return hf_path_glob_match_text(name, protected_name);
}

/* Whether the first `count` names are a home directory, whosever it is. */
static gboolean is_home(const HfPathNames *path, guint count)
{
    if (path->absolute)
        return (count == 2 && (name_fits(name_at(path, 0), "home", HF_PATH_WRITTEN) ||
                               name_fits(name_at(path, 0), "users", HF_PATH_WRITTEN))) ||
               (count == 1 && name_fits(name_at(path, 0), "root", HF_PATH_WRITTEN));
    return count == 1 && name_at(path, 0)[0] == '~';
}

/* The same when it is enough that they may be: nobody knows where a relative path begins. */
static gboolean may_be_home(const HfPathNames *path, guint count)
{
    if (is_home(path, count) || (count == 0 && !path->absolute))
        return TRUE;
    const char *last = count ? name_at(path, count - 1) : "";
    return strcmp(last, "..") == 0 || (last[0] == HF_SCRIPT_UNKNOWN && !last[1]);
}

static gboolean begins_at(const HfProtectedPath *protected_path, const HfPathNames *path,
                          guint index)
{
    switch (protected_path->base) {
    case BASE_HOME:
        /* bin/x is usually the one of a project */
        return protected_path->names[0][0] == '.' ? may_be_home(path, index) : is_home(path, index);
    case BASE_ROOT:
        return path->absolute && index == 0;
    default:
        return TRUE;
    }
}

static gboolean names_fit(const HfProtectedPath *protected_path, const HfPathNames *path,
                          guint index, guint count, HfPathUse use)
{
    for (guint i = 0; i < count; i++)
        if (!name_fits(name_at(path, index + i), protected_path->names[i], use))
            return FALSE;
    return TRUE;
}

/* "*" could be any name: what begins with it needs to be more definite. */
static gboolean is_too_vague(const HfProtectedPath *protected_path, const char *name, HfPathUse use)
{
    return protected_path->base != BASE_ROOT &&
           strspn(name, use >= HF_PATH_WRITTEN ? "*?" : "*?.") == strlen(name);
}

/* Whether it lies somewhere below the folder `path`. */
static gboolean lies_below(const HfProtectedPath *protected_path, const HfPathNames *path)
{
    guint length = path->names->len, count = g_strv_length(protected_path->names);
    if (protected_path->base == BASE_ROOT)
        return path->absolute && length < count &&
               names_fit(protected_path, path, 0, length, HF_PATH_WRITTEN);
    if (is_home(path, length))
        return TRUE;
    for (guint known = 1; known < count && known <= length; known++) {
        guint start = length - known;
        if ((protected_path->base == BASE_ANYWHERE || is_home(path, start)) &&
            names_fit(protected_path, path, start, known, HF_PATH_WRITTEN))
            return TRUE;
    }
    return FALSE;
}

gboolean hf_protected_path_matches(const HfProtectedPath *protected_path, const HfPathNames *path,
                                   HfPathUse use)
{
    guint length = path->names->len, count = g_strv_length(protected_path->names);
    for (guint start = 0; start + count <= length; start++) {
        if ((protected_path->folder || start + count == length) &&
            begins_at(protected_path, path, start) &&
            !is_too_vague(protected_path, name_at(path, start), use) &&
            names_fit(protected_path, path, start, count, use))
            return TRUE;
    }
    return use == HF_PATH_TREE && lies_below(protected_path, path);
}
