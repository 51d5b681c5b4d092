/* SPDX-License-Identifier: Apache-2.0 */
/* Nothing of this exists before the first call. A browser that is being started is waited for by
 * whoever else wants it; it is started outside of the lock, since that takes a second. */
#include "hand/browser/browsers.h"

#include <string.h>

#include "hand/browser/browser-limits.h"
#include "hand/browser/ended-browsers.h"
#include "hand/browser/page/page-elements.h"
#include "hand/safety/call-context.h"
#include "shared/base/error.h"
#include "shared/base/paths.h"
#include "shared/base/waiter.h"

typedef struct Entry {
    char *caller;
    HfBrowser *browser; /* NULL while it is being started */
    gint64 used_us;
} Entry;

typedef struct Browsers {
    GMutex lock; /* guards what follows */
    GCond changed;
    GPtrArray *entries; /* of Entry */
    HfEndedBrowsers *lost;
    json_t *agreement; /* lists of hosts; NULL: not told yet */
} Browsers;

static void browser_entry_free(gpointer data)
{
    Entry *entry = data;
    hf_browser_unref(entry->browser);
    g_free(entry->caller);
    g_free(entry);
}

static void browsers_free(gpointer data)
{
    Browsers *browsers = data;
    g_ptr_array_unref(browsers->entries);
    hf_ended_browsers_free(browsers->lost);
    json_decref(browsers->agreement);
    g_mutex_clear(&browsers->lock);
    g_cond_clear(&browsers->changed);
    g_free(browsers);
}

static GPtrArray *dup_all(Browsers *browsers)
{
    GPtrArray *all = g_ptr_array_new_with_free_func((GDestroyNotify)hf_browser_unref);
    g_mutex_lock(&browsers->lock);
    for (guint i = 0; i < browsers->entries->len; i++) {
        Entry *entry = browsers->entries->pdata[i];
        if (entry->browser)
            g_ptr_array_add(all, hf_browser_ref(entry->browser));
    }
    g_mutex_unlock(&browsers->lock);
    return all;
}

/* What is on the screen is there for whoever may look at it, whosever browser it is. */
static HfPageSights *look_at_pages(const HfCallContext *context, guint32 window, int pid,
                                   const HfDeadline *deadline)
{
    Browsers *browsers = g_atomic_pointer_get(&hf_call_context_desktop(context)->browsers);
    g_autoptr(GPtrArray) all = browsers ? dup_all(browsers) : NULL;
    return all ? hf_page_elements_read(context, all, window, pid, deadline) : NULL;
}

static Browsers *ensure_browsers(HfDesktop *desktop)
{
    static GMutex once;
    g_mutex_lock(&once);
    if (!desktop->browsers) {
        Browsers *browsers = g_new0(Browsers, 1);
        g_mutex_init(&browsers->lock);
        g_cond_init(&browsers->changed);
        browsers->entries = g_ptr_array_new_with_free_func(browser_entry_free);
        browsers->lost = hf_ended_browsers_new();
        desktop->free_browsers = browsers_free;
        hf_page_eye_set(look_at_pages);
        g_atomic_pointer_set(&desktop->browsers, browsers);
    }
    g_mutex_unlock(&once);
    return desktop->browsers;
}

/* ---- finding, with the lock held ---- */

static Entry *find_browser_entry(Browsers *browsers, const char *caller)
{
    for (guint i = 0; i < browsers->entries->len; i++)
        if (g_str_equal(((Entry *)browsers->entries->pdata[i])->caller, caller))
            return browsers->entries->pdata[i];
    return NULL;
}

static gboolean is_idle(const Entry *entry)
{
    return entry->browser && g_atomic_ref_count_compare(&entry->browser->refs, 1);
}

/* Takes out what is not to be found any more; it is freed outside of the lock. */
static Entry *steal_dead(Browsers *browsers, const char *caller)
{
    Entry *entry = find_browser_entry(browsers, caller);
    if (!entry || !entry->browser || hf_browser_is_alive(entry->browser))
        return NULL;
    guint index;
    hf_ended_browsers_note(browsers->lost, entry->browser, NULL);
    g_ptr_array_find(browsers->entries, entry, &index);
    return g_ptr_array_steal_index(browsers->entries, index);
}

static Entry *steal_oldest(Browsers *browsers)
{
    guint oldest = G_MAXUINT;
    gint64 used = G_MAXINT64;
    for (guint i = 0; i < browsers->entries->len; i++) {
        const Entry *entry = browsers->entries->pdata[i];
        if (is_idle(entry) && entry->used_us < used) {
            oldest = i;
            used = entry->used_us;
        }
    }
    if (oldest == G_MAXUINT)
        return NULL;
    Entry *entry = g_ptr_array_steal_index(browsers->entries, oldest);
    hf_ended_browsers_note(browsers->lost, entry->browser,
                           "was ended to make room for that of another caller");
    return entry;
}

static void add_browser_entry(Browsers *browsers, const char *caller)
{
    Entry *entry = g_new0(Entry, 1);
    entry->caller = g_strdup(caller);
    g_ptr_array_add(browsers->entries, entry);
}

/* ---- starting ---- */

static char *dup_folder(HfDesktop *desktop, const char *caller, GError **error)
{
    g_autofree char *data = hf_path_ensure_data(error);
    if (!data)
        return NULL;
    g_autofree char *name = g_path_get_basename(desktop->state_dir);
    g_autofree char *readable =
        g_strcanon(g_strndup(caller, 40),
                   "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-", '_');
    g_autofree char *whole = g_compute_checksum_for_string(G_CHECKSUM_SHA256, caller, -1);
    whole[12] = '\0';
    g_autofree char *own = g_strconcat(readable, "-", whole, NULL);
    g_autofree char *folder = g_build_filename(data, "browser", name, own, NULL);
    if (g_mkdir_with_parents(folder, 0700) != 0 || !hf_path_ensure_private(folder, error)) {
        if (!error || !*error)
            hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot make the browser's folder %s", folder);
        return NULL;
    }
    return g_steal_pointer(&folder);
}

static HfPagePolicy *policy_of_agreement(const json_t *agreement)
{
    const json_t *allowed = json_object_get(agreement, "allowed");
    g_autoptr(json_t) domains =
        json_pack("{s:[], s:O*}", "allowed", "blocked", json_object_get(agreement, "blocked"));
    if (json_array_size(allowed) > 0)
        json_array_append_new(json_object_get(domains, "allowed"), json_deep_copy(allowed));
    return hf_page_policy_new(domains);
}

static void record_started_browser(Browsers *browsers, const char *caller, HfBrowser *browser)
{
    g_mutex_lock(&browsers->lock);
    Entry *entry = find_browser_entry(browsers, caller);
    if (browser) {
        entry->browser = hf_browser_ref(browser);
        entry->used_us = g_get_monotonic_time();
        hf_ended_browsers_forget(browsers->lost, caller);
        if (browsers->agreement)
            hf_socks_take_live_policy(browser->socks, policy_of_agreement(browsers->agreement));
    } else {
        g_ptr_array_remove(browsers->entries, entry);
    }
    g_cond_broadcast(&browsers->changed);
    g_mutex_unlock(&browsers->lock);
}

static guint last_tab_of(Browsers *browsers, const char *caller)
{
    g_mutex_lock(&browsers->lock);
    guint last = hf_ended_browsers_get_last_tab(browsers->lost, caller);
    g_mutex_unlock(&browsers->lock);
    return last;
}

static HfBrowser *start_caller_browser(HfDesktop *desktop, Browsers *browsers, const char *caller,
                                       const HfDeadline *deadline, GError **error)
{
    g_autofree char *folder = dup_folder(desktop, caller, error);
    HfBrowserPlan plan = {caller, folder, last_tab_of(browsers, caller)};
    HfBrowser *browser = folder ? hf_browser_start(desktop, &plan, deadline, error) : NULL;
    record_started_browser(browsers, caller, browser);
    /* A stop that came meanwhile has not seen it. */
    if (browser && hf_brake_get(desktop->brake) == HF_BRAKE_STOP)
        hf_browser_kill(browser);
    return browser;
}

/* Who wants a browser, and whether an empty one will do. */
typedef struct Wish {
    const char *caller;
    gboolean fresh;
} Wish;

typedef enum Found { READY, TO_START, TO_WAIT, FULL, LOST } Found;

/* With the lock held. What is taken out goes into `ret_out`. */
static Found find_or_reserve_browser(Browsers *browsers, const Wish *wish, HfBrowser **ret_browser,
                                     Entry **ret_out, GError **error)
{
    const char *caller = wish->caller;
    *ret_out = steal_dead(browsers, caller);
    if (!wish->fresh && !hf_ended_browsers_check(browsers->lost, caller, error))
        return LOST;
    Entry *entry = find_browser_entry(browsers, caller);
    if (entry && entry->browser) {
        entry->used_us = g_get_monotonic_time();
        *ret_browser = hf_browser_ref(entry->browser);
        return READY;
    }
    if (entry)
        return TO_WAIT;
    if (browsers->entries->len >= HF_LIMIT_BROWSERS && !*ret_out)
        *ret_out = steal_oldest(browsers);
    if (browsers->entries->len >= HF_LIMIT_BROWSERS)
        return FULL;
    add_browser_entry(browsers, caller);
    return TO_START;
}

static HfBrowser *wait_for_browser(HfDesktop *desktop, Browsers *browsers, const Wish *wish,
                                   const HfDeadline *deadline, GError **error)
{
    for (;;) {
        HfBrowser *browser = NULL;
        Entry *out = NULL;
        HfWaiter waiter;
        hf_waiter_begin(&waiter, &browsers->lock, &browsers->changed, deadline->cancellable);
        g_mutex_lock(&browsers->lock);
        Found found = find_or_reserve_browser(browsers, wish, &browser, &out, error);
        if (found == TO_WAIT && hf_deadline_check(deadline, NULL))
            g_cond_wait_until(&browsers->changed, &browsers->lock, deadline->at_us);
        g_mutex_unlock(&browsers->lock);
        hf_waiter_end(&waiter);
        if (out)
            browser_entry_free(out);
        if (found == READY || found == LOST)
            return browser;
        if (found == TO_START)
            return start_caller_browser(desktop, browsers, wish->caller, deadline, error);
        if (found == FULL) {
            hf_fail(error, HF_ERROR_LIMIT_EXCEEDED, "%u callers use browsers on this desktop",
                    HF_LIMIT_BROWSERS);
            hf_error_suggest(error, "wait for one of them, or use another desktop");
            return NULL;
        }
        if (!hf_deadline_check(deadline, error))
            return NULL;
    }
}

HfBrowser *hf_browsers_acquire(HfDesktop *desktop, const json_t *walls, gboolean fresh,
                               const HfDeadline *deadline, GError **error)
{
    Wish wish = {hf_json_string(walls, "caller", "unknown"), fresh};
    HfBrowser *browser =
        wait_for_browser(desktop, ensure_browsers(desktop), &wish, deadline, error);
    if (!browser)
        return NULL;
    hf_browser_take_policy(browser, hf_page_policy_new(json_object_get(walls, "domains")));
    hf_downloads_set_most(browser->downloads,
                          (guint64)hf_json_int(walls, "max_file_size", 50 * 1024 * 1024));
    return browser;
}

gboolean hf_browsers_are_running(HfDesktop *desktop, const json_t *walls)
{
    Browsers *browsers = ensure_browsers(desktop);
    g_mutex_lock(&browsers->lock);
    const Entry *entry = find_browser_entry(browsers, hf_json_string(walls, "caller", "unknown"));
    gboolean running = entry && entry->browser && hf_browser_is_alive(entry->browser);
    g_mutex_unlock(&browsers->lock);
    return running;
}

void hf_browsers_kill(HfDesktop *desktop)
{
    Browsers *browsers = g_atomic_pointer_get(&desktop->browsers);
    if (!browsers)
        return;
    g_autoptr(GPtrArray) all = dup_all(browsers);
    for (guint i = 0; i < all->len; i++)
        hf_browser_kill(all->pdata[i]);
}

void hf_browsers_take_live_domains(HfDesktop *desktop, const json_t *domains)
{
    Browsers *browsers = ensure_browsers(desktop);
    g_mutex_lock(&browsers->lock);
    json_decref(browsers->agreement);
    browsers->agreement = json_deep_copy(domains);
    g_mutex_unlock(&browsers->lock);
    g_autoptr(GPtrArray) all = dup_all(browsers);
    for (guint i = 0; i < all->len; i++)
        hf_socks_take_live_policy(((HfBrowser *)all->pdata[i])->socks,
                                  policy_of_agreement(domains));
}
