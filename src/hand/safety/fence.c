/* SPDX-License-Identifier: Apache-2.0 */
/* Matching windows against the fence. Read anew for each event that matters: a title may have
 * changed since the last one. A window that cannot be identified is refused under a list of allowed
 * applications, and let through otherwise. */
#include "hand/safety/fence.h"

#include "hand/desktop/desktop.h"
#include "hand/safety/call-context.h"
#include "hand/safety/window-names.h"
#include "hand/safety/workspace-title.h"
#include "shared/base/error.h"
#include "shared/base/paths.h"

typedef struct Entry {
    char *id, *message;
    char **apps, **titles;
} Entry;

/* An application of a grant; with a workspace, only its windows that belong there. */
typedef struct Allowed {
    char *app, *workspace;
} Allowed;

struct HfFence {
    GPtrArray *entries;  /* Entry */
    GPtrArray *allowed;  /* GArray of Allowed: of each list one must fit */
    HfPrivacyList *veil; /* NULL: nothing */
    guint64 number;      /* 0: it is open */
    gatomicrefcount refs;
};

static void fence_entry_free(gpointer data)
{
    Entry *entry = data;
    g_free(entry->id);
    g_free(entry->message);
    g_strfreev(entry->apps);
    g_strfreev(entry->titles);
    g_free(entry);
}

static void allowed_clear(gpointer data)
{
    Allowed *allowed = data;
    g_free(allowed->app);
    g_free(allowed->workspace);
}

static GArray *read_allowed(const json_t *list)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(Allowed));
    g_array_set_clear_func(all, allowed_clear);
    size_t index;
    json_t *value;
    json_array_foreach (list, index, value) {
        const char *app =
            json_is_string(value) ? json_string_value(value) : hf_json_string(value, "app", "");
        Allowed allowed = {g_strdup(app), g_strdup(hf_json_string(value, "workspace", NULL))};
        g_array_append_val(all, allowed);
    }
    return all;
}

static char **dup_fence_strings(const json_t *list)
{
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    size_t index;
    json_t *value;
    json_array_foreach (list, index, value)
        if (json_is_string(value))
            g_strv_builder_add(builder, json_string_value(value));
    return g_strv_builder_end(builder);
}

static guint64 next_number(void)
{
    static GMutex lock;
    static guint64 last; /* under the lock */
    g_mutex_lock(&lock);
    guint64 number = ++last;
    g_mutex_unlock(&lock);
    return number;
}

HfFence *hf_fence_new_open(void)
{
    HfFence *fence = g_new0(HfFence, 1);
    g_atomic_ref_count_init(&fence->refs);
    fence->entries = g_ptr_array_new_with_free_func(fence_entry_free);
    fence->allowed = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    return fence;
}

HfFence *hf_fence_new(const json_t *json)
{
    if (!json)
        return NULL;
    HfFence *fence = hf_fence_new_open();
    fence->number = next_number();
    size_t index;
    json_t *rule;
    json_array_foreach (json_object_get(json, "rules"), index, rule) {
        Entry *entry = g_new0(Entry, 1);
        entry->id = g_strdup(hf_json_string(rule, "id", ""));
        entry->message = g_strdup(hf_json_string(rule, "message", ""));
        entry->apps = dup_fence_strings(json_object_get(rule, "apps"));
        entry->titles = dup_fence_strings(json_object_get(rule, "titles"));
        g_ptr_array_add(fence->entries, entry);
    }
    json_array_foreach (json_object_get(json, "allowed"), index, rule)
        g_ptr_array_add(fence->allowed, read_allowed(rule));
    fence->veil = hf_privacy_list_new(json_object_get(json, "blur"));
    return fence;
}

HfFence *hf_fence_ref(HfFence *fence)
{
    g_atomic_ref_count_inc(&fence->refs);
    return fence;
}

void hf_fence_unref(HfFence *fence)
{
    if (!fence || !g_atomic_ref_count_dec(&fence->refs))
        return;
    g_ptr_array_unref(fence->entries);
    g_ptr_array_unref(fence->allowed);
    hf_privacy_list_free(fence->veil);
    g_free(fence);
}

static gboolean fits_fence_entry(char *const *apps, char *const *titles, const HfWindowNames *names)
{
    return hf_window_names_fit(apps, names) ||
           (titles && hf_window_names_fit_text(titles, names->title));
}

static gboolean fail_fenced(GError **error, const char *rule, const char *message,
                            const HfWindowNames *names, guint32 window)
{
    const char *shown = names->title && *names->title ? names->title : names->others[0];
    hf_fail(error, HF_ERROR_APP_NOT_ALLOWED, "%s: '%s' (rule %s)", message, shown ? shown : "?",
            rule);
    hf_error_take_details(error, json_pack("{s:s, s:{s:I, s:o, s:o}}", "rule", rule, "window", "id",
                                           (json_int_t)window, "title", hf_json_text(names->title),
                                           "process", hf_json_text(names->others[0])));
    return FALSE;
}

static gboolean check_blocked(const HfFence *fence, const HfWindowNames *names, guint32 window,
                              GError **error)
{
    for (guint i = 0; i < fence->entries->len; i++) {
        const Entry *entry = fence->entries->pdata[i];
        if (fits_fence_entry(entry->apps, entry->titles, names))
            return fail_fenced(error, entry->id, entry->message, names, window);
    }
    return TRUE;
}

static gboolean belongs_to_workspace(const char *workspace, const HfWindowNames *names)
{
    g_autofree char *link = g_strdup_printf("/proc/%d/cwd", names->pid);
    g_autofree char *directory = names->pid > 0 ? g_file_read_link(link, NULL) : NULL;
    return (directory && hf_path_within(workspace, directory)) ||
           hf_workspace_in_title(workspace, g_get_home_dir(), names->title);
}

static gboolean fits_list(const GArray *list, const HfWindowNames *names)
{
    for (guint i = 0; i < list->len; i++) {
        const Allowed *allowed = &g_array_index(list, Allowed, i);
        char *globs[] = {allowed->app, NULL};
        if (fits_fence_entry(globs, NULL, names) &&
            (!allowed->workspace || names->to_start ||
             belongs_to_workspace(allowed->workspace, names)))
            return TRUE;
    }
    return FALSE;
}

/* Of each list of a grant, one entry fits one of these windows: a frame is the window manager's,
 * and what is in it the application's. */
static gboolean check_grant_apps(const HfFence *fence, const HfWindowNames *all, gsize count,
                                 guint32 window, GError **error)
{
    for (guint i = 0; i < fence->allowed->len; i++) {
        gboolean allowed = FALSE;
        for (gsize k = 0; k < count; k++)
            allowed |= fits_list(fence->allowed->pdata[i], &all[k]);
        if (!allowed)
            return fail_fenced(error, "grant.allowed-apps", "outside of the grant's applications",
                               count ? &all[count - 1] : &(HfWindowNames){0}, window);
    }
    return TRUE;
}

const HfPrivacyList *hf_fence_get_privacy_list(const HfCallContext *context)
{
    const HfFence *fence = hf_call_context_fence(context);
    return fence ? fence->veil : NULL;
}

gboolean hf_fence_is_open(const HfCallContext *context)
{
    const HfFence *fence = hf_call_context_fence(context);
    return fence && fence->number == 0;
}

gboolean hf_fence_blocks_any(const HfCallContext *context)
{
    const HfFence *fence = hf_call_context_fence(context);
    return !fence || fence->entries->len > 0;
}

guint64 hf_fence_number(const HfCallContext *context)
{
    const HfFence *fence = hf_call_context_fence(context);
    return fence ? fence->number : 0;
}

gboolean hf_fence_blocks(const HfCallContext *context, const HfWindow *window)
{
    const HfFence *fence = hf_call_context_fence(context);
    if (!fence || fence->entries->len == 0)
        return !fence;
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    HfWindowNames names = hf_window_names(window, texts);
    for (guint i = 0; i < fence->entries->len; i++) {
        const Entry *entry = fence->entries->pdata[i];
        if (fits_fence_entry(entry->apps, entry->titles, &names))
            return TRUE;
    }
    return FALSE;
}

static gboolean check_window_names(const HfFence *fence, const GPtrArray *windows, GError **error)
{
    g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
    g_autofree HfWindowNames *all = g_new0(HfWindowNames, windows->len + 1);
    for (guint i = 0; i < windows->len; i++) {
        const HfWindow *window = windows->pdata[i];
        all[i] = hf_window_names(window, texts);
        if (!check_blocked(fence, &all[i], window->id, error))
            return FALSE;
    }
    const HfWindow *last = windows->len ? windows->pdata[windows->len - 1] : NULL;
    return check_grant_apps(fence, all, windows->len, last ? last->id : 0, error);
}

/* What lies at the point, or without one what gets the keys. */
static gboolean check_windows_at(const HfCallContext *context, const HfPoint *point, GError **error)
{
    HfDesktop *desktop = hf_call_context_desktop(context);
    const HfWindowOps *ops = desktop->backend->windows;
    if (!ops || !ops->identify)
        return TRUE;
    g_autoptr(GPtrArray) windows = ops->identify(desktop, point, error);
    return windows && check_window_names(hf_call_context_fence(context), windows, error);
}

/* So that a call without anything to keep asks the display for nothing. */
static gboolean forbids_nothing(const HfCallContext *context)
{
    const HfFence *fence = hf_call_context_fence(context);
    return fence->entries->len == 0 && fence->allowed->len == 0;
}

gboolean hf_fence_check_point(const HfCallContext *context, HfPoint point, GError **error)
{
    return hf_call_context_check(context, error) &&
           (forbids_nothing(context) ||
            (check_windows_at(context, NULL, error) && check_windows_at(context, &point, error)));
}

gboolean hf_fence_check_focus(const HfCallContext *context, GError **error)
{
    return hf_call_context_check(context, error) &&
           (forbids_nothing(context) || check_windows_at(context, NULL, error));
}

gboolean hf_fence_check_window(const HfCallContext *context, guint32 id, GError **error)
{
    if (!hf_call_context_check(context, error))
        return FALSE;
    if (forbids_nothing(context))
        return TRUE;
    g_autoptr(HfWindow) window = hf_windows_get(hf_call_context_desktop(context), id, NULL);
    g_autoptr(GPtrArray) windows = g_ptr_array_new();
    if (window)
        g_ptr_array_add(windows, window);
    return !window || check_window_names(hf_call_context_fence(context), windows, error);
}

gboolean hf_fence_check_program(const HfCallContext *context, const char *const *names,
                                GError **error)
{
    if (!hf_call_context_check(context, error))
        return FALSE;
    const HfFence *fence = hf_call_context_fence(context);
    HfWindowNames all = {.to_start = TRUE};
    for (gsize i = 0; names[i] && i < G_N_ELEMENTS(all.others); i++)
        all.others[i] = names[i];
    return check_blocked(fence, &all, 0, error) && check_grant_apps(fence, &all, 1, 0, error);
}
