/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the one window that a query means, or fails with the titles of the open windows. Never
 * guesses between windows of different applications. */
#include "hand/tools/resolve-window.h"

#include "hand/tools/resolve.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"
#include "shared/text/bounded-regex.h"
#include "shared/text/text.h"

/* Backtracking steps that one match may take. */
#define MATCH_STEPS 20000

#define MAX_REGEX_BYTES  1000
#define MAX_TITLES       50
#define MAX_QUOTED_BYTES 120

const HfParam hf_window_match_fields[] = {
    HF_OPTIONAL("title_contains", HF_TYPE_STRING, "A part of the title; case is ignored", .min = 1,
                .max = HF_LIMIT_TITLE_BYTES),
    HF_OPTIONAL("title_regex", HF_TYPE_STRING,
                "A Perl-compatible regular expression that matches in the title", .min = 1,
                .max = MAX_REGEX_BYTES),
    HF_OPTIONAL("process", HF_TYPE_STRING, "Name of the window's executable; case is ignored",
                .min = 1, .max = HF_LIMIT_TITLE_BYTES),
    HF_OPTIONAL("class", HF_TYPE_STRING, "Class or instance of the window; case is ignored",
                .min = 1, .max = HF_LIMIT_TITLE_BYTES),
    {0},
};

typedef struct Matcher {
    char *title_contains, *process, *class_name; /* folded */
    GRegex *regex;
} Matcher;

static void matcher_clear(Matcher *matcher)
{
    g_free(matcher->title_contains);
    g_free(matcher->process);
    g_free(matcher->class_name);
    g_clear_pointer(&matcher->regex, g_regex_unref);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Matcher, matcher_clear)

static char *fold_or_null(const char *text)
{
    return text ? hf_text_fold(text) : NULL;
}

static gboolean matcher_init(Matcher *matcher, const HfWindowQuery *query, GError **error)
{
    *matcher = (Matcher){fold_or_null(query->title_contains), fold_or_null(query->process),
                         fold_or_null(query->class_name), NULL};
    if (!query->title_regex)
        return TRUE;
    matcher->regex = hf_bounded_regex_new(query->title_regex, MATCH_STEPS, error);
    if (!matcher->regex)
        g_prefix_error(error, "title_regex: ");
    return matcher->regex != NULL;
}

static gboolean regex_fits(const GRegex *regex, const char *title, GError **error)
{
    g_autoptr(GError) reason = NULL;
    if (g_regex_match_full(regex, title, -1, 0, 0, NULL, &reason))
        return TRUE;
    if (reason)
        hf_fail(error, HF_ERROR_INVALID_PARAMS, "title_regex: takes too long on a title: %s",
                reason->message);
    return FALSE;
}

static gboolean matcher_fits(const Matcher *matcher, const HfWindow *window, GError **error)
{
    if (matcher->title_contains && !hf_text_contains_folded(window->title, matcher->title_contains))
        return FALSE;
    if (matcher->process && !hf_text_equals_folded(window->process, matcher->process))
        return FALSE;
    if (matcher->class_name && !hf_text_equals_folded(window->class_name, matcher->class_name) &&
        !hf_text_equals_folded(window->instance, matcher->class_name))
        return FALSE;
    return !matcher->regex || regex_fits(matcher->regex, window->title, error);
}

/* 3: equal; 2: equal ignoring case; 1: contains it; 0: does not match. */
static int title_rank(const char *title, const char *wanted, const char *folded)
{
    if (g_str_equal(title, wanted))
        return 3;
    if (hf_text_equals_folded(title, folded))
        return 2;
    return hf_text_contains_folded(title, folded) ? 1 : 0;
}

static void keep_best_titles(GPtrArray *windows, const char *wanted)
{
    g_autofree char *folded = hf_text_fold(wanted);
    int best = 1;
    for (guint i = 0; i < windows->len; i++) {
        const HfWindow *window = windows->pdata[i];
        best = MAX(best, title_rank(window->title, wanted, folded));
    }
    for (guint i = windows->len; i-- > 0;) {
        const HfWindow *window = windows->pdata[i];
        if (title_rank(window->title, wanted, folded) < best)
            g_ptr_array_remove_index(windows, i);
    }
}

GPtrArray *hf_windows_filter(const GPtrArray *windows, const HfWindowQuery *query, GError **error)
{
    g_auto(Matcher) matcher = {0};
    if (!matcher_init(&matcher, query, error))
        return NULL;
    g_autoptr(GPtrArray) found = g_ptr_array_new();
    for (guint i = 0; i < windows->len; i++) {
        g_autoptr(GError) reason = NULL;
        if (matcher_fits(&matcher, windows->pdata[i], &reason))
            g_ptr_array_add(found, windows->pdata[i]);
        if (reason) {
            g_propagate_error(error, g_steal_pointer(&reason));
            return NULL;
        }
    }
    if (query->title)
        keep_best_titles(found, query->title);
    return g_steal_pointer(&found);
}

/* "titled 'Foo'", "of the process 'foo'", ...: the query in words. */
static char *describe_window_query(const HfWindowQuery *query)
{
    const struct {
        const char *words, *value;
    } parts[] = {
        {"titled", query->title},
        {"with a title that contains", query->title_contains},
        {"with a title that matches", query->title_regex},
        {"of the process", query->process},
        {"of the class", query->class_name},
    };
    g_autoptr(GString) text = g_string_new("");
    for (gsize i = 0; i < G_N_ELEMENTS(parts); i++) {
        if (!parts[i].value)
            continue;
        g_autofree char *value = hf_text_shorten(parts[i].value, MAX_QUOTED_BYTES);
        g_string_append_printf(text, " %s '%s'", parts[i].words, value);
    }
    return g_string_free(g_steal_pointer(&text), FALSE);
}

static json_t *open_titles(const GPtrArray *windows)
{
    json_t *titles = json_array();
    for (guint i = 0; i < MIN(windows->len, MAX_TITLES); i++) {
        const HfWindow *window = windows->pdata[i];
        g_autofree char *title = hf_text_shorten(window->title, MAX_QUOTED_BYTES);
        json_array_append_new(titles, hf_json_text(title));
    }
    return json_pack("{s:o, s:i}", "titles", titles, "windows", (int)windows->len);
}

static json_t *window_candidates_to_json(const GPtrArray *windows)
{
    json_t *list = json_array();
    for (guint i = 0; i < MIN(windows->len, MAX_TITLES); i++) {
        const HfWindow *window = windows->pdata[i];
        g_autofree char *title = hf_text_shorten(window->title, MAX_QUOTED_BYTES);
        json_array_append_new(list, json_pack("{s:I, s:o, s:o}", "window_id",
                                              (json_int_t)window->id, "title", hf_json_text(title),
                                              "process", hf_json_text(window->process)));
    }
    return json_pack("{s:o}", "candidates", list);
}

static gboolean same_application(const HfWindow *a, const HfWindow *b)
{
    if (a->pid > 0 && b->pid > 0)
        return a->pid == b->pid || hf_text_equal(a->process, b->process);
    return hf_text_equal(a->class_name, b->class_name);
}

static HfWindow *choose_unambiguous_window(const GPtrArray *found)
{
    HfWindow *focused = hf_windows_find_focused(found);
    if (focused)
        return focused;
    for (guint i = 1; i < found->len; i++)
        if (!same_application(found->pdata[0], found->pdata[i]))
            return NULL;
    return found->pdata[0];
}

HfWindow *hf_windows_choose(const GPtrArray *windows, const HfWindowQuery *query, GError **error)
{
    g_autoptr(GPtrArray) found = hf_windows_filter(windows, query, error);
    if (!found)
        return NULL;
    g_autofree char *words = describe_window_query(query);
    if (found->len == 0) {
        hf_fail(error, HF_ERROR_WINDOW_NOT_FOUND, "no window%s; see window_list", words);
        hf_error_take_details(error, open_titles(windows));
        return NULL;
    }
    HfWindow *window = choose_unambiguous_window(found);
    if (!window) {
        hf_fail(error, HF_ERROR_WINDOW_AMBIGUOUS, "%u windows%s; choose one by its window_id",
                found->len, words);
        hf_error_take_details(error, window_candidates_to_json(found));
    }
    return window;
}

/* Windows are listed topmost first. */
const HfWindow *hf_windows_find_at(const GPtrArray *windows, HfPoint point)
{
    for (guint i = 0; i < windows->len; i++) {
        const HfWindow *window = windows->pdata[i];
        if (window->visible && hf_rect_contains(window->frame, point))
            return window;
    }
    return NULL;
}

gboolean hf_call_names_window(const HfCall *call)
{
    return hf_call_has(call, "window_id") || hf_call_has(call, "window_title") ||
           json_object_size(hf_call_json(call, "match")) > 0;
}

static gboolean get_window_by_id(const HfCall *call, HfWindow **ret_window, GError **error)
{
    guint32 id = (guint32)hf_call_int(call, "window_id");
    HfWindow *window = hf_windows_get(hf_call_desktop(call), id, error);
    if (window)
        *ret_window = window;
    return window != NULL;
}

gboolean hf_call_get_window(const HfCall *call, HfWindow **ret_window, GError **error)
{
    if (!hf_call_names_window(call))
        return hf_fail(error, HF_ERROR_INVALID_PARAMS,
                       "no window given: give window_id or window_title; see window_list");
    if (hf_call_has(call, "window_id"))
        return get_window_by_id(call, ret_window, error);
    const json_t *match = hf_call_json(call, "match");
    HfWindowQuery query = {
        .title = hf_call_string(call, "window_title"),
        .title_contains = hf_json_string(match, "title_contains", NULL),
        .title_regex = hf_json_string(match, "title_regex", NULL),
        .process = hf_json_string(match, "process", NULL),
        .class_name = hf_json_string(match, "class", NULL),
    };
    g_autoptr(GPtrArray) windows = hf_windows_list(hf_call_desktop(call), error);
    HfWindow *window = windows ? hf_windows_choose(windows, &query, error) : NULL;
    if (!window)
        return FALSE;
    /* The array frees its members, but not this one. */
    guint index = 0;
    g_ptr_array_find(windows, window, &index);
    *ret_window = g_ptr_array_steal_index(windows, index);
    return TRUE;
}
