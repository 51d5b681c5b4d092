/* SPDX-License-Identifier: Apache-2.0 */
/* Grouping windows into applications and finding one by what it is called. */
#include "hand/apps/running-apps.h"

#include "hand/apps/catalog-cache.h"
#include "hand/apps/process-info.h"
#include "shared/base/error.h"
#include "shared/text/text.h"

#define MAX_CANDIDATES   50
#define MAX_QUOTED_BYTES 120

static void app_free(gpointer data)
{
    HfRunningApp *app = data;
    g_free(app->name);
    g_free(app->desktop_id);
    g_ptr_array_unref(app->windows);
    g_free(app);
}

void hf_running_apps_free(HfRunningApps *apps)
{
    if (!apps)
        return;
    g_ptr_array_unref(apps->apps);
    g_ptr_array_unref(apps->windows);
    g_free(apps);
}

static gboolean belongs_to_app(const HfRunningApp *app, const HfWindow *window)
{
    if (app->pid || window->pid)
        return app->pid == window->pid;
    const HfWindow *first = app->windows->pdata[0];
    return g_str_equal(first->class_name, window->class_name);
}

static HfRunningApp *find_app_of(const GPtrArray *apps, const HfWindow *window)
{
    for (guint i = 0; i < apps->len; i++)
        if (belongs_to_app(apps->pdata[i], window))
            return apps->pdata[i];
    return NULL;
}

/* A program's main window names it better than a dialog that is in front. */
static const HfWindow *main_window(const HfRunningApp *app)
{
    for (guint i = 0; i < app->windows->len; i++) {
        const HfWindow *window = app->windows->pdata[i];
        if (window->kind == HF_WINDOW_NORMAL)
            return window;
    }
    return app->windows->pdata[0];
}

static void name_app(HfRunningApp *app, const GPtrArray *catalog)
{
    const HfWindow *window = main_window(app);
    const HfCatalogEntry *entry =
        hf_catalog_find_for_window(catalog, window->class_name, window->instance, window->process);
    app->process = window->process;
    if (entry) {
        app->name = g_strdup(entry->name);
        app->desktop_id = g_strdup(entry->id);
    } else {
        app->name = g_strdup(*window->class_name ? window->class_name
                             : window->process   ? window->process
                                                 : window->title);
    }
}

HfRunningApps *hf_running_apps_list(HfDesktop *desktop, GError **error)
{
    GPtrArray *windows = hf_windows_list(desktop, error);
    return windows ? hf_running_apps_new(windows) : NULL;
}

HfRunningApps *hf_running_apps_new(GPtrArray *take_windows)
{
    GPtrArray *windows = take_windows;
    HfRunningApps *apps = g_new0(HfRunningApps, 1);
    apps->windows = windows;
    apps->apps = g_ptr_array_new_with_free_func(app_free);
    for (guint i = 0; i < windows->len; i++) {
        HfWindow *window = windows->pdata[i];
        HfRunningApp *app = find_app_of(apps->apps, window);
        if (!app) {
            app = g_new0(HfRunningApp, 1);
            app->pid = window->pid;
            app->windows = g_ptr_array_new();
            g_ptr_array_add(apps->apps, app);
        }
        g_ptr_array_add(app->windows, window);
        app->focused = app->focused || window->focused;
    }
    g_autoptr(GPtrArray) catalog = hf_catalog_cache_ref();
    for (guint i = 0; i < apps->apps->len; i++)
        name_app(apps->apps->pdata[i], catalog);
    return apps;
}

/* The name that it was started by, for programs that run in an interpreter. */
static gboolean was_started_as(const HfRunningApp *app, const char *folded)
{
    g_auto(GStrv) arguments = app->pid > 0 ? hf_process_dup_arguments(app->pid) : NULL;
    for (guint i = 0; arguments && arguments[i] && i < 2; i++) {
        g_autofree char *base = g_path_get_basename(arguments[i]);
        if (hf_text_equals_folded(base, folded))
            return TRUE;
    }
    return FALSE;
}

/* 2: this is its name, 1: a part of it, 0: it is not. */
static int rank_running_app(const HfRunningApp *app, const char *folded)
{
    const HfWindow *window = main_window(app);
    const char *const names[] = {app->name, app->desktop_id, window->class_name, window->instance,
                                 app->process};
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
        if (hf_text_equals_folded(names[i], folded))
            return 2;
    if (was_started_as(app, folded))
        return 2;
    return hf_text_contains_folded(app->name, folded) ||
                   hf_text_contains_folded(app->process, folded)
               ? 1
               : 0;
}

static GPtrArray *find_best_apps(const HfRunningApps *apps, const HfAppQuery *query)
{
    GPtrArray *found = g_ptr_array_new();
    g_autofree char *folded = query->name ? hf_text_fold(query->name) : NULL;
    int best = 1;
    for (guint i = 0; i < apps->apps->len; i++) {
        HfRunningApp *app = apps->apps->pdata[i];
        int rank = folded ? rank_running_app(app, folded) : 2;
        if (rank < best || (query->pid && app->pid != query->pid))
            continue;
        if (rank > best)
            g_ptr_array_set_size(found, 0);
        best = rank;
        g_ptr_array_add(found, app);
    }
    return found;
}

static json_t *apps_to_details(const char *key, const GPtrArray *apps)
{
    json_t *list = json_array();
    for (guint i = 0; i < MIN(apps->len, MAX_CANDIDATES); i++) {
        const HfRunningApp *app = apps->pdata[i];
        const HfWindow *window = main_window(app);
        g_autofree char *title = hf_text_shorten(window->title, MAX_QUOTED_BYTES);
        json_array_append_new(list, json_pack("{s:o, s:i, s:o}", "name", hf_json_text(app->name),
                                              "pid", app->pid, "title", hf_json_text(title)));
    }
    return json_pack("{s:o}", key, list);
}

static char *describe_app_query(const HfAppQuery *query)
{
    g_autofree char *name = query->name ? hf_text_shorten(query->name, MAX_QUOTED_BYTES) : NULL;
    if (query->pid && name)
        return g_strdup_printf("'%s' with the pid %d", name, query->pid);
    return query->pid ? g_strdup_printf("with the pid %d", query->pid)
                      : g_strdup_printf("'%s'", name ? name : "");
}

static gboolean are_one_program(const GPtrArray *found)
{
    const HfRunningApp *first = found->pdata[0];
    for (guint i = 1; i < found->len; i++) {
        const HfRunningApp *other = found->pdata[i];
        if (g_strcmp0(first->process, other->process) != 0 ||
            !g_str_equal(first->name, other->name))
            return FALSE;
    }
    return TRUE;
}

const HfRunningApp *hf_running_apps_find(const HfRunningApps *apps, const HfAppQuery *query,
                                         GError **error)
{
    g_autoptr(GPtrArray) found = find_best_apps(apps, query);
    g_autofree char *words = describe_app_query(query);
    if (found->len == 0) {
        hf_fail(error, HF_ERROR_APP_NOT_FOUND, "no application %s has a window; see app_list",
                words);
        hf_error_take_details(error, apps_to_details("running", apps->apps));
        return NULL;
    }
    if (found->len == 1 || (!query->single && are_one_program(found)))
        return found->pdata[0];
    hf_fail(error, HF_ERROR_WINDOW_AMBIGUOUS, "%u applications fit %s; choose one by its pid",
            found->len, words);
    hf_error_take_details(error, apps_to_details("candidates", found));
    hf_error_suggest(error, "%s", "choose one of the candidates by its pid");
    return NULL;
}
