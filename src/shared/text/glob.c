/* SPDX-License-Identifier: Apache-2.0 */
/* Matching keeps two places to go back to: the last * and the last **. It needs no more, since a
 * later star can match whatever an earlier one of its kind could. Braces are expanded first. */
#include "shared/text/glob.h"

#include <string.h>

#include "shared/base/error.h"
#include "shared/base/limits.h"
#include "shared/text/text.h"

struct HfPathGlob {
    HfGlobFlags flags;
    gboolean deep;
    GPtrArray *forms; /* char *: the pattern with its braces expanded */
};

/* Returns the position after the UTF-8 character at `text`; an invalid byte counts as a character.
 */
static const char *next_character(const char *text)
{
    text++;
    while (((guchar)*text & 0xc0) == 0x80)
        text++;
    return text;
}

static const char *take_class_character(const char *at, gunichar *ret_character)
{
    if (*at == '\\' && at[1])
        at++;
    gunichar character = g_utf8_get_char_validated(at, -1);
    gboolean valid = character != (gunichar)-1 && character != (gunichar)-2;
    *ret_character = valid ? character : (guchar)*at;
    return valid ? g_utf8_next_char(at) : at + 1;
}

/* Matches the class "[...]" at `pattern` with the character at `text`. Returns the end of the
 * class, or NULL when it has none: then the bracket is just a character. */
static const char *match_class(const char *pattern, const char *text, gboolean *ret_fits)
{
    gunichar wanted, first, last;
    const char *at = pattern + 1;
    gboolean inverted = *at == '!' || *at == '^', found = FALSE;
    take_class_character(*text == '\\' ? "\\\\" : text, &wanted);
    at += inverted;
    const char *begin = at;
    while (*at && (*at != ']' || at == begin)) {
        at = take_class_character(at, &first);
        last = first;
        if (at[0] == '-' && at[1] && at[1] != ']')
            at = take_class_character(at + 1, &last);
        found |= wanted >= first && wanted <= last;
    }
    if (*at != ']')
        return NULL;
    *ret_fits = found != inverted && *text != '/';
    return at + 1;
}

/* Whether one element of a path pattern, which is not a star, matches here; moves both on. */
static gboolean match_path_element(const char **pattern, const char **text)
{
    const char *p = *pattern, *t = *text;
    gboolean fits = FALSE;
    const char *end = *p == '[' ? match_class(p, t, &fits) : NULL;
    if (end) {
        *pattern = end;
        *text = next_character(t);
        return fits;
    }
    if (*p == '?') {
        *pattern = p + 1;
        *text = next_character(t);
        return *t != '/';
    }
    if (*p == '\\' && p[1])
        p++;
    *pattern = p + 1;
    *text = t + 1;
    return *p && *p == *t;
}

/* The same in a pattern for names. */
static gboolean match_name_element(const char **pattern, const char **text)
{
    const char p = *(*pattern)++, t = *(*text)++;
    return p && (p == '?' || g_ascii_tolower(p) == g_ascii_tolower(t));
}

/* Where to continue after a mismatch. */
typedef struct Back {
    gboolean path;                /* the form of the pattern */
    const char *start;            /* of the pattern */
    const char *star, *star_text; /* after the last *, and the text that it has not taken yet */
    const char *deep, *deep_text; /* the same for the last ** that stands for directories */
} Back;

/* "**" as a whole name in a path: TRUE, and `pattern` is after it and its slash. */
static gboolean take_deep(const Back *back, const char **pattern)
{
    const char *p = *pattern;
    if (!back->path || p[0] != '*' || p[1] != '*' || (p > back->start && p[-1] != '/') ||
        (p[2] && p[2] != '/'))
        return FALSE;
    *pattern = p + 2 + (p[2] == '/');
    return TRUE;
}

static gboolean backtrack_glob(Back *back, const char **pattern, const char **text)
{
    if (back->star && *back->star_text && !(back->path && *back->star_text == '/')) {
        back->star_text = back->path ? next_character(back->star_text) : back->star_text + 1;
        *pattern = back->star;
        *text = back->star_text;
        return TRUE;
    }
    const char *slash = back->deep ? strchr(back->deep_text, '/') : NULL;
    if (!slash)
        return FALSE;
    back->star = NULL;
    back->deep_text = slash + 1;
    *pattern = back->deep;
    *text = back->deep_text;
    return TRUE;
}

static gboolean match_glob(const char *pattern, const char *text, gboolean path)
{
    Back back = {.path = path, .start = pattern};
    const char *p = pattern, *t = text;
    while (*t) {
        if (take_deep(&back, &p)) {
            if (!*p)
                return TRUE; /* everything below */
            back.deep = p;
            back.deep_text = t;
            back.star = NULL;
        } else if (*p == '*') {
            back.star = ++p;
            back.star_text = t;
        } else if (!(path ? match_path_element(&p, &t) : match_name_element(&p, &t)) &&
                   !backtrack_glob(&back, &p, &t)) {
            return FALSE;
        }
    }
    while (*p == '*' && !(path && p[1] == '*' && p[2] == '/'))
        p++;
    return *p == '\0';
}

gboolean hf_glob_matches(const char *pattern, const char *text)
{
    return text && match_glob(pattern, text, FALSE);
}

gboolean hf_path_glob_match_text(const char *pattern, const char *path)
{
    return match_glob(pattern, path, TRUE);
}

/* The brace that closes the one at `open`, or NULL; `commas` gets the commas between them. */
static const char *find_closing_brace(const char *open, GPtrArray *commas)
{
    int depth = 0;
    for (const char *at = open; *at; at++) {
        if (*at == '\\' && at[1])
            at++;
        else if (*at == '{')
            depth++;
        else if (*at == ',' && depth == 1)
            g_ptr_array_add(commas, (gpointer)at);
        else if (*at == '}' && --depth == 0)
            return at;
    }
    return NULL;
}

static const char *find_opening_brace(const char *pattern)
{
    for (const char *at = pattern; *at; at++) {
        if (*at == '\\' && at[1])
            at++;
        else if (*at == '{')
            return at;
    }
    return NULL;
}

/* Adds the pattern without its first braces, once for each choice in them. */
static gboolean expand_braces(const char *pattern, GPtrArray *forms, GError **error)
{
    g_autoptr(GPtrArray) ends = g_ptr_array_new();
    const char *open = find_opening_brace(pattern);
    const char *close = open ? find_closing_brace(open, ends) : NULL;
    if (forms->len >= HF_LIMIT_GLOB_FORMS)
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "the braces of the pattern expand to more than %u patterns",
                       HF_LIMIT_GLOB_FORMS);
    if (!close) {
        g_ptr_array_add(forms, g_strdup(pattern));
        return TRUE;
    }
    g_ptr_array_add(ends, (gpointer)close);
    const char *from = open + 1;
    for (guint i = 0; i < ends->len; i++) {
        const char *end = ends->pdata[i];
        g_autofree char *form = g_strdup_printf("%.*s%.*s%s", (int)(open - pattern), pattern,
                                                (int)(end - from), from, close + 1);
        if (!expand_braces(form, forms, error))
            return FALSE;
        from = end + 1;
    }
    return TRUE;
}

char *hf_path_glob_fold(const char *path)
{
    const guchar *at = (const guchar *)path;
    while (*at && *at < 0x80)
        at++;
    return *at && g_utf8_validate(path, -1, NULL) ? hf_text_fold(path) : g_ascii_strdown(path, -1);
}

HfPathGlob *hf_path_glob_new(const char *pattern, HfGlobFlags flags, GError **error)
{
    g_autoptr(HfPathGlob) glob = g_new0(HfPathGlob, 1);
    glob->flags = flags;
    glob->forms = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *text = flags & HF_GLOB_FOLD ? hf_path_glob_fold(pattern) : g_strdup(pattern);
    if (strlen(text) > HF_LIMIT_GLOB_BYTES + HF_LIMIT_PATH_BYTES) {
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "a pattern has more than %u bytes",
                HF_LIMIT_GLOB_BYTES + HF_LIMIT_PATH_BYTES);
        return NULL;
    }
    if (!(flags & HF_GLOB_BRACES))
        g_ptr_array_add(glob->forms, g_steal_pointer(&text));
    else if (!expand_braces(text, glob->forms, error))
        return NULL;
    return g_steal_pointer(&glob);
}

void hf_path_glob_free(HfPathGlob *glob)
{
    if (!glob)
        return;
    g_ptr_array_unref(glob->forms);
    g_free(glob);
}

gboolean hf_path_glob_matches_folded(const HfPathGlob *glob, const char *folded)
{
    for (guint i = 0; i < glob->forms->len; i++)
        if (hf_path_glob_match_text(glob->forms->pdata[i], folded))
            return TRUE;
    return FALSE;
}

gboolean hf_path_glob_matches(const HfPathGlob *glob, const char *path)
{
    g_autofree char *folded = glob->flags & HF_GLOB_FOLD ? hf_path_glob_fold(path) : NULL;
    return hf_path_glob_matches_folded(glob, folded ? folded : path);
}

/* The bytes before the first special character are the same, as far as both go. */
static gboolean form_can_fit(const char *form, const char *directory)
{
    gsize plain = strcspn(form, "*?[\\"), length = strlen(directory);
    return strncmp(form, directory, MIN(plain, length)) == 0;
}

gboolean hf_path_glob_can_fit_below(const HfPathGlob *glob, const char *directory)
{
    g_autofree char *folded =
        glob->flags & HF_GLOB_FOLD ? hf_path_glob_fold(directory) : g_strdup(directory);
    for (guint i = 0; i < glob->forms->len; i++)
        if (form_can_fit(glob->forms->pdata[i], folded))
            return TRUE;
    return FALSE;
}

gboolean hf_path_glob_is_deep(const HfPathGlob *glob)
{
    return glob->deep;
}

void hf_path_glob_set_deep(HfPathGlob *glob)
{
    glob->deep = TRUE;
}
