/* SPDX-License-Identifier: Apache-2.0 */
/* Matches windows against the fence. Names are read again for each event, because a title can
 * change. A window that cannot be identified is refused if the grant lists applications, and
 * allowed otherwise. */
#include "hand/safety/fence.h"

#include "hand/desktop/desktop.h"
#include "hand/safety/call-context.h"
#include "hand/safety/window-names.h"
#include "shared/base/error.h"
#include "shared/base/paths.h"

typedef struct Entry {
    char *id, *message;
    char **apps, **titles;
} Entry;

/* An application of a grant. With a workspace, only its windows that belong to that directory. */
typedef struct Allowed {
    char *app, *workspace;
} Allowed;

struct HfFence {
    GPtrArray *entries;          /* Entry */
    GPtrArray *allowed;          /* GArray of Allowed; one entry of each must match */
    HfPrivacyList *privacy_list; /* NULL: nothing */
    guint64 number;              /* 0: it is open */
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
    hf_json_each (value, list) {
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
    hf_json_each (value, list)
        if (json_is_string(value))
            g_strv_builder_add(builder, json_string_value(value));
    return g_strv_builder_end(builder);
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
    static guint64 last_number;
    HfFence *fence = hf_fence_new_open();
    fence->number = __atomic_add_fetch(&last_number, 1, __ATOMIC_SEQ_CST);
    hf_json_each (rule, json_object_get(json, "rules")) {
        Entry *entry = g_new0(Entry, 1);
        entry->id = g_strdup(hf_json_string(rule, "id", ""));
        entry->message = g_strdup(hf_json_string(rule, "message", ""));
        entry->apps = dup_fence_strings(json_object_get(rule, "apps"));
        entry->titles = dup_fence_strings(json_object_get(rule, "titles"));
        g_ptr_array_add(fence->entries, entry);
    }
    hf_json_each (rule, json_object_get(json, "allowed"))
        g_ptr_array_add(fence->allowed, read_allowed(rule));
    fence->privacy_list = hf_privacy_list_new(json_object_get(json, "blur"));
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
    hf_privacy_list_free(fence->privacy_list);
    g_free(fence);
}

static const Entry *find_blocking_entry(const HfFence *fence, const HfWindowNames *names)
{
    for (guint i = 0; i < fence->entries->len; i++) {
        const Entry *entry = fence->entries->pdata[i];
        if (hf_window_names_fit(entry->apps, names) ||
            hf_window_names_fit_text(entry->titles, names->title))
            return entry;
    }
    return NULL;
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
    const Entry *entry = find_blocking_entry(fence, names);
    return !entry || fail_fenced(error, entry->id, entry->message, names, window);
}

static gboolean belongs_to_workspace(const char *workspace, const HfWindowNames *names)
{
    g_autofree char *link = g_strdup_printf("/proc/%d/cwd", names->pid);
    g_autofree char *directory = names->pid > 0 ? g_file_read_link(link, NULL) : NULL;
    return (directory && hf_path_within(workspace, directory)) ||
           hf_window_title_has_directory(names->title, workspace, g_get_home_dir());
}

static gboolean fits_list(const GArray *list, const HfWindowNames *names)
{
    for (guint i = 0; i < list->len; i++) {
        const Allowed *allowed = &g_array_index(list, Allowed, i);
        char *globs[] = {allowed->app, NULL};
        if (hf_window_names_fit(globs, names) && (!allowed->workspace || names->to_start ||
                                                  belongs_to_workspace(allowed->workspace, names)))
            return TRUE;
    }
    return FALSE;
}

/* One entry of each list must match one of these windows. The frame belongs to the window manager,
 * the window in it to the application. */
static gboolean check_grant_apps(const HfFence *fence, const HfWindowNames *all, gsize count,
                                 guint32 window, GError **error)
{
    for (guint i = 0; i < fence->allowed->len; i++) {
        gboolean allowed = FALSE;
        for (gsize k = 0; k < count; k++)
            allowed |= fits_list(fence->allowed->pdata[i], &all[k]);
        if (!allowed)
            return fail_fenced(error, "grant.allowed-apps",
                               "the grant does not include this application",
                               count ? &all[count - 1] : &(HfWindowNames){0}, window);
    }
    return TRUE;
}

const HfPrivacyList *hf_fence_get_privacy_list(const HfCallContext *context)
{
    const HfFence *fence = hf_call_context_fence(context);
    return fence ? fence->privacy_list : NULL;
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
    return find_blocking_entry(fence, &names) != NULL;
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

/* The windows at the point; without a point the ones that get the keys. */
static gboolean check_windows_at(const HfCallContext *context, const HfPoint *point, GError **error)
{
    HfDesktop *desktop = hf_call_context_desktop(context);
    const HfWindowOps *ops = desktop->backend->windows;
    if (!ops || !ops->identify)
        return TRUE;
    g_autoptr(GPtrArray) windows = ops->identify(desktop, point, error);
    return windows && check_window_names(hf_call_context_fence(context), windows, error);
}

/* Then the display need not be asked. */
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
