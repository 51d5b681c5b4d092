/* SPDX-License-Identifier: Apache-2.0 */
/* The last rule that matches decides, and the nearest file comes first. Most rules are plain names
 * or suffixes, which need no glob. */
#include "hand/files/search/ignore.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "hand/files/fd.h"
#include "hand/files/files-limits.h"
#include "shared/base/limits.h"
#include "shared/text/glob.h"

typedef enum Form {
    FORM_NAME,   /* a plain name in any directory */
    FORM_ENDING, /* *.o */
    FORM_GLOB_NAME,
    FORM_GLOB_PATH, /* relative to the directory of its file */
} Form;

typedef struct Rule {
    Form form;
    gboolean counts; /* a ! rule */
    gboolean directories;
    gsize length;
    char text[];
} Rule;

struct HfIgnore {
    gint refs;
    HfIgnore *above;
    gsize base; /* length of its directory's path with the slash */
    GPtrArray *rules;
};

static Form form_of(const char *text)
{
    if (strchr(text, '/'))
        return FORM_GLOB_PATH;
    if (!strpbrk(text, "*?[\\"))
        return FORM_NAME;
    return text[0] == '*' && text[1] && !strpbrk(text + 1, "*?[\\") ? FORM_ENDING : FORM_GLOB_NAME;
}

static void add_ignore_rule(GPtrArray *rules, const char *line, gsize length)
{
    /* Trailing spaces do not count, unless the last one is escaped. */
    while (length > 0 && (line[length - 1] == '\r' || line[length - 1] == ' ') &&
           !(length > 1 && line[length - 2] == '\\' && line[length - 1] == ' '))
        length--;
    if (length == 0 || *line == '#' || length > HF_LIMIT_GLOB_BYTES || memchr(line, 0, length))
        return;
    gboolean counts = *line == '!';
    line += counts;
    length -= counts;
    gboolean directories = length > 0 && line[length - 1] == '/';
    length -= directories;
    if (length == 0)
        return;
    g_autofree char *text = g_strndup(line, length);
    Form form = form_of(text);
    const char *from = text + (text[0] == '/') + (form == FORM_ENDING);
    if (!*from)
        return;
    Rule *rule = g_malloc0(sizeof(Rule) + strlen(from) + 1);
    *rule = (Rule){.form = form, .counts = counts, .directories = directories};
    rule->length = strlen(from);
    memcpy(rule->text, from, rule->length + 1);
    g_ptr_array_add(rules, rule);
}

HfIgnore *hf_ignore_new(const char *text, gsize length, const char *directory, HfIgnore *above)
{
    HfIgnore *ignore = g_new0(HfIgnore, 1);
    const char *end = text + length;
    ignore->refs = 1;
    ignore->above = above ? hf_ignore_ref(above) : NULL;
    ignore->base = strlen(directory) + !g_str_has_suffix(directory, "/");
    ignore->rules = g_ptr_array_new_with_free_func(g_free);
    while (text < end && ignore->rules->len < HF_LIMIT_IGNORE_RULES) {
        const char *feed = memchr(text, '\n', (gsize)(end - text));
        add_ignore_rule(ignore->rules, text, (gsize)((feed ? feed : end) - text));
        text = feed ? feed + 1 : end;
    }
    return ignore;
}

HfIgnore *hf_ignore_ref(HfIgnore *ignore)
{
    g_atomic_int_inc(&ignore->refs);
    return ignore;
}

void hf_ignore_unref(HfIgnore *ignore)
{
    while (ignore && g_atomic_int_dec_and_test(&ignore->refs)) {
        HfIgnore *above = ignore->above;
        g_ptr_array_unref(ignore->rules);
        g_free(ignore);
        ignore = above;
    }
}

static gboolean ignore_rule_matches(const Rule *rule, const char *path, const char *name,
                                    gsize name_length)
{
    switch (rule->form) {
    case FORM_NAME:
        return name_length == rule->length && memcmp(name, rule->text, rule->length) == 0;
    case FORM_ENDING:
        return name_length >= rule->length &&
               memcmp(name + name_length - rule->length, rule->text, rule->length) == 0;
    case FORM_GLOB_NAME:
        return hf_path_glob_match_text(rule->text, name);
    case FORM_GLOB_PATH:
        return hf_path_glob_match_text(rule->text, path);
    }
    return FALSE;
}

gboolean hf_ignore_matches(const HfIgnore *ignore, const char *path, gboolean directory)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    gsize length = strlen(name), whole = strlen(path);
    for (; ignore; ignore = ignore->above) {
        if (ignore->base > whole)
            continue;
        for (guint i = ignore->rules->len; i-- > 0;) {
            const Rule *rule = ignore->rules->pdata[i];
            if ((directory || !rule->directories) &&
                ignore_rule_matches(rule, path + ignore->base, name, length))
                return !rule->counts;
        }
    }
    return FALSE;
}

static char *read_small(int directory, const char *name, gsize *ret_length)
{
    g_auto(HfFd) fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat info;
    if (fd < 0 || fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) ||
        info.st_size > HF_LIMIT_IGNORE_BYTES)
        return NULL;
    char *text = g_malloc((gsize)info.st_size + 1);
    ssize_t got = read(fd, text, (gsize)info.st_size);
    *ret_length = got > 0 ? (gsize)got : 0;
    text[*ret_length] = '\0';
    return text;
}

HfIgnore *hf_ignore_read(int directory, const char *path, HfIgnore *above)
{
    static const char *const names[] = {".gitignore", ".ignore"}; /* the last one wins */
    HfIgnore *ignore = above ? hf_ignore_ref(above) : NULL;
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        gsize length = 0;
        g_autofree char *text = read_small(directory, names[i], &length);
        if (!text)
            continue;
        HfIgnore *more = hf_ignore_new(text, length, path, ignore);
        hf_ignore_unref(ignore);
        ignore = more;
    }
    return ignore;
}
