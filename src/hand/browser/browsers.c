/* SPDX-License-Identifier: Apache-2.0 */
/* Nothing here exists before the first call. Starting a browser takes a second, so it happens
 * outside the lock, and other calls for the same browser wait. */
#include "hand/browser/browsers.h"

#include <string.h>

#include "hand/browser/ended-browsers.h"
#include "hand/browser/page/page-elements.h"
#include "shared/base/error.h"
#include "shared/base/limits.h"
#include "shared/base/paths.h"
#include "shared/base/waiter.h"

typedef struct Entry {
    char *caller;
    HfBrowser *browser; /* NULL while it starts */
    gint64 used_us;
} Entry;

typedef struct Browsers {
    GMutex lock; /* guards the members below */
    GCond changed;
    GPtrArray *entries; /* of Entry */
    HfEndedBrowsers *ended;
    json_t *live_domains; /* the owner's current lists of hosts; NULL: not received yet */
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
    hf_ended_browsers_free(browsers->ended);
    json_decref(browsers->live_domains);
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

/* Whoever may look at the screen may see what is on it, in any caller's browser. */
static HfPageSights *look_at_pages(HfDesktop *desktop, guint32 window, int pid,
                                   const HfDeadline *deadline)
{
    Browsers *browsers = g_atomic_pointer_get(&desktop->browsers);
    g_autoptr(GPtrArray) all = browsers ? dup_all(browsers) : NULL;
    return all ? hf_page_elements_read(desktop, all, window, pid, deadline) : NULL;
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
        browsers->ended = hf_ended_browsers_new();
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

/* Removes the caller's dead browser; the entry is freed outside the lock. */
static Entry *steal_dead(Browsers *browsers, const char *caller)
{
    Entry *entry = find_browser_entry(browsers, caller);
    if (!entry || !entry->browser || hf_browser_is_alive(entry->browser))
        return NULL;
    guint index;
    hf_ended_browsers_note(browsers->ended, entry->browser, NULL);
    g_ptr_array_find(browsers->entries, entry, &index);
    return g_ptr_array_steal_index(browsers->entries, index);
}

static Entry *steal_oldest(Browsers *browsers)
{
    guint oldest = G_MAXUINT;
    gint64 used = G_MAXINT64;
    for (guint i = 0; i < browsers->entries->len; i++) {
        const Entry *entry = browsers->entries->pdata[i];
        gboolean idle = entry->browser && g_atomic_ref_count_compare(&entry->browser->refs, 1);
        if (idle && entry->used_us < used) {
            oldest = i;
            used = entry->used_us;
        }
    }
    if (oldest == G_MAXUINT)
        return NULL;
    Entry *entry = g_ptr_array_steal_index(browsers->entries, oldest);
    hf_ended_browsers_note(browsers->ended, entry->browser,
                           "was closed to make room for another caller's");
    return entry;
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
            hf_fail(error, HF_ERROR_STORAGE_FAILED, "cannot create the browser's folder %s",
                    folder);
        return NULL;
    }
    return g_steal_pointer(&folder);
}

static HfPagePolicy *make_live_policy(const json_t *live_domains)
{
    const json_t *allowed = json_object_get(live_domains, "allowed");
    g_autoptr(json_t) domains =
        json_pack("{s:[], s:O*}", "allowed", "blocked", json_object_get(live_domains, "blocked"));
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
        hf_ended_browsers_forget(browsers->ended, caller);
        if (browsers->live_domains)
            hf_socks_take_live_policy(browser->socks, make_live_policy(browsers->live_domains));
    } else {
        g_ptr_array_remove(browsers->entries, entry);
    }
    g_cond_broadcast(&browsers->changed);
    g_mutex_unlock(&browsers->lock);
}

static HfBrowser *start_caller_browser(HfDesktop *desktop, Browsers *browsers, const char *caller,
                                       const HfDeadline *deadline, GError **error)
{
    g_autofree char *folder = dup_folder(desktop, caller, error);
    g_mutex_lock(&browsers->lock);
    HfBrowserPlan plan = {caller, folder, hf_ended_browsers_get_last_tab(browsers->ended, caller)};
    g_mutex_unlock(&browsers->lock);
    HfBrowser *browser = folder ? hf_browser_start(desktop, &plan, deadline, error) : NULL;
    record_started_browser(browsers, caller, browser);
    /* A stop that came meanwhile did not see this browser. */
    if (browser && hf_brake_get(desktop->brake) == HF_BRAKE_STOP)
        hf_browser_kill(browser);
    return browser;
}

typedef enum Found { READY, TO_START, TO_WAIT, FULL, ENDED } Found;

/* With the lock held. A removed entry goes to `ret_out`. */
static Found find_or_reserve_browser(Browsers *browsers, const char *caller, gboolean fresh,
                                     HfBrowser **ret_browser, Entry **ret_out, GError **error)
{
    *ret_out = steal_dead(browsers, caller);
    if (!fresh && !hf_ended_browsers_check(browsers->ended, caller, error))
        return ENDED;
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
    entry = g_new0(Entry, 1);
    entry->caller = g_strdup(caller);
    g_ptr_array_add(browsers->entries, entry);
    return TO_START;
}

static HfBrowser *wait_for_browser(HfDesktop *desktop, const char *caller, gboolean fresh,
                                   const HfDeadline *deadline, GError **error)
{
    Browsers *browsers = ensure_browsers(desktop);
    for (;;) {
        HfBrowser *browser = NULL;
        Entry *out = NULL;
        HfWaiter waiter;
        hf_waiter_begin(&waiter, &browsers->lock, &browsers->changed, deadline->cancellable);
        g_mutex_lock(&browsers->lock);
        Found found = find_or_reserve_browser(browsers, caller, fresh, &browser, &out, error);
        if (found == TO_WAIT && hf_deadline_check(deadline, NULL))
            g_cond_wait_until(&browsers->changed, &browsers->lock, deadline->at_us);
        g_mutex_unlock(&browsers->lock);
        hf_waiter_end(&waiter);
        if (out)
            browser_entry_free(out);
        if (found == READY || found == ENDED)
            return browser;
        if (found == TO_START)
            return start_caller_browser(desktop, browsers, caller, deadline, error);
        if (found == FULL) {
            hf_fail(error, HF_ERROR_LIMIT_EXCEEDED,
                    "all %u browsers of this desktop are in use by other callers",
                    HF_LIMIT_BROWSERS);
            hf_error_suggest(error, "try again later, or use another desktop");
            return NULL;
        }
        if (!hf_deadline_check(deadline, error))
            return NULL;
    }
}

HfBrowser *hf_browsers_acquire(HfDesktop *desktop, const json_t *walls, gboolean fresh,
                               const HfDeadline *deadline, GError **error)
{
    HfBrowser *browser = wait_for_browser(desktop, hf_json_string(walls, "caller", "unknown"),
                                          fresh, deadline, error);
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
    json_decref(browsers->live_domains);
    browsers->live_domains = json_deep_copy(domains);
    g_mutex_unlock(&browsers->lock);
    g_autoptr(GPtrArray) all = dup_all(browsers);
    for (guint i = 0; i < all->len; i++)
        hf_socks_take_live_policy(((HfBrowser *)all->pdata[i])->socks, make_live_policy(domains));
}
