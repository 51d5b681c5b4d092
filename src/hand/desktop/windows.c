/* SPDX-License-Identifier: Apache-2.0 */
/* Windows on any back end. The back end reads what the display knows; this adds what is known about
 * their processes. */
#include "hand/desktop/windows.h"

#include "hand/apps/process-info.h"
#include "hand/desktop/new-windows.h"
#include "hand/safety/call-context.h"
#include "hand/safety/fence.h"
#include "shared/base/error.h"

/* Dialogs of dialogs. A longer chain is a loop. */
#define MAX_TRANSIENT_DEPTH 16

void hf_window_free(HfWindow *window)
{
    if (!window)
        return;
    g_free(window->title);
    g_free(window->class_name);
    g_free(window->instance);
    g_free(window->process);
    g_free(window->machine);
    g_free(window->startup_id);
    g_free(window);
}

const char *hf_window_kind_name(HfWindowKind kind)
{
    static const char *const names[HF_WINDOW_KIND_COUNT] = {
        [HF_WINDOW_NORMAL] = "normal",   [HF_WINDOW_DIALOG] = "dialog",
        [HF_WINDOW_UTILITY] = "utility", [HF_WINDOW_SPLASH] = "splash",
        [HF_WINDOW_DOCK] = "dock",       [HF_WINDOW_DESKTOP] = "desktop",
    };
    return names[kind];
}

json_t *hf_window_to_brief_json(const HfWindow *window)
{
    json_t *brief = json_pack("{s:I, s:o}", "window_id", (json_int_t)window->id, "title",
                              hf_json_text(window->title));
    if (window->process)
        json_object_set_new(brief, "process", hf_json_text(window->process));
    if (window->modal)
        json_object_set_new(brief, "modal", json_true());
    return brief;
}

static gboolean fail_windows_unsupported(const HfDesktop *desktop, GError **error)
{
    return hf_desktop_fail_unsupported(desktop, "list or change windows", error);
}

static const HfWindowOps *window_ops(HfDesktop *desktop)
{
    static const HfWindowOps none = {0};
    return desktop->backend->windows ? desktop->backend->windows : &none;
}

/* Several windows of one process are common, so each name is read once. */
static void add_process_names(GPtrArray *windows)
{
    g_autoptr(GHashTable) names = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    for (guint i = 0; i < windows->len; i++) {
        HfWindow *window = windows->pdata[i];
        if (window->pid <= 0)
            continue;
        gpointer key = GINT_TO_POINTER(window->pid);
        if (!g_hash_table_contains(names, key))
            g_hash_table_insert(names, key, hf_process_dup_name(window->pid));
        window->process = g_strdup(g_hash_table_lookup(names, key));
    }
}

GPtrArray *hf_windows_list_scaled(HfDesktop *desktop, double *ret_scale, GError **error)
{
    if (!window_ops(desktop)->list) {
        fail_windows_unsupported(desktop, error);
        return NULL;
    }
    GPtrArray *windows = window_ops(desktop)->list(desktop, ret_scale, error);
    if (windows) {
        add_process_names(windows);
        hf_new_windows_note(desktop, windows);
    }
    return windows;
}

GPtrArray *hf_windows_list(HfDesktop *desktop, GError **error)
{
    return hf_windows_list_scaled(desktop, NULL, error);
}

GPtrArray *hf_windows_list_popups(HfDesktop *desktop, GError **error)
{
    if (window_ops(desktop)->popups)
        return window_ops(desktop)->popups(desktop, error);
    fail_windows_unsupported(desktop, error);
    return NULL;
}

HfWindow *hf_windows_get(HfDesktop *desktop, guint32 id, GError **error)
{
    if (!window_ops(desktop)->get) {
        fail_windows_unsupported(desktop, error);
        return NULL;
    }
    HfWindow *window = window_ops(desktop)->get(desktop, id, error);
    if (window && window->pid > 0)
        window->process = hf_process_dup_name(window->pid);
    return window;
}

HfWindow *hf_windows_find_focused(const GPtrArray *windows)
{
    for (guint i = 0; i < windows->len; i++) {
        HfWindow *window = windows->pdata[i];
        if (window->focused)
            return window;
    }
    return NULL;
}

HfWindow *hf_windows_find(const GPtrArray *windows, guint32 id)
{
    for (guint i = 0; i < windows->len; i++) {
        HfWindow *window = windows->pdata[i];
        if (window->id == id)
            return window;
    }
    return NULL;
}

gboolean hf_windows_fail_missing(guint32 id, GError **error)
{
    return hf_fail(error, HF_ERROR_WINDOW_NOT_FOUND, "no window with the id %u; see window_list",
                   id);
}

gboolean hf_windows_is_dialog_of(const GPtrArray *windows, const HfWindow *window,
                                 const HfWindow *parent)
{
    const HfWindow *at = window;
    for (int depth = 0; depth < MAX_TRANSIENT_DEPTH && at && at->transient_for; depth++) {
        if (at->transient_for == parent->id)
            return TRUE;
        at = hf_windows_find(windows, at->transient_for);
    }
    return FALSE;
}

HfWindow *hf_windows_find_modal(const GPtrArray *windows, const HfWindow *window)
{
    for (guint i = 0; i < windows->len; i++) {
        HfWindow *other = windows->pdata[i];
        if (!other->modal || other->id == window->id)
            continue;
        gboolean blocks_program = !other->transient_for && other->pid && other->pid == window->pid;
        if (blocks_program || hf_windows_is_dialog_of(windows, other, window))
            return other;
    }
    return NULL;
}

gboolean hf_windows_change(const HfCallContext *context, guint32 window,
                           const HfWindowChange *change, const HfDeadline *deadline, GError **error)
{
    if (!hf_call_context_check(context, error))
        return FALSE;
    HfDesktop *desktop = hf_call_context_desktop(context);
    if (!window_ops(desktop)->change)
        return fail_windows_unsupported(desktop, error);
    if (!hf_fence_check_window(context, window, error))
        return FALSE;
    return window_ops(desktop)->change(desktop, window, change, deadline, error);
}

HfWindowWatch *hf_window_watch_new(HfDesktop *desktop, GError **error)
{
    if (!window_ops(desktop)->watch_new) {
        fail_windows_unsupported(desktop, error);
        return NULL;
    }
    return window_ops(desktop)->watch_new(desktop, error);
}

void hf_window_watch_free(HfWindowWatch *watch)
{
    if (watch)
        watch->ops->watch_free(watch);
}

static gboolean is_readable(int fd)
{
    GPollFD poll = {.fd = fd, .events = G_IO_IN};
    return fd >= 0 && g_poll(&poll, 1, 0) > 0;
}

gboolean hf_window_watch_wait(HfWindowWatch *watch, int other_fd, const HfDeadline *deadline,
                              GError **error)
{
    for (;;) {
        gboolean changed = FALSE;
        if (!watch->ops->watch_read(watch, &changed, error))
            return FALSE;
        if (changed || is_readable(other_fd))
            return TRUE;
        if (!hf_deadline_wait_either(deadline, watch->fd, other_fd, error))
            return FALSE;
    }
}

guint32 hf_window_watch_time(HfWindowWatch *watch)
{
    return watch->ops->watch_time(watch);
}
