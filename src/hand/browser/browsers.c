/* SPDX-License-Identifier: Apache-2.0 */
/* Nothing here exists before the first call. Starting a browser takes a second, so it happens
 * outside the lock, and other calls for the same browser wait. */
#include "hand/browser/browsers.h"

#include <string.h>

#include "hand/browser/browser-limits.h"
#include "hand/browser/page/page-elements.h"
#include "hand/safety/call-context.h"
#include "shared/base/error.h"
#include "shared/base/paths.h"
#include "shared/base/waiter.h"
#include "shared/text/text.h"

/* ---- browsers that have ended ---- */

#define SHOWN_BYTES 200
#define NAMED_PAGES 3

typedef struct Ended {
    char *why;
    json_t *pages; /* [{tab, url}] */
    guint last_tab;
    gboolean reported;
} Ended;

static void ended_free(gpointer data)
{
    Ended *ended = data;
    g_free(ended->why);
    json_decref(ended->pages);
    g_free(ended);
}

/* There may be many callers that never come back: beyond the limit nothing is recorded. */
static void record_ended_browser(GHashTable *ended, HfBrowser *browser, const char *why)
{
    if (g_hash_table_size(ended) >= HF_LIMIT_LOST_BROWSERS &&
        !g_hash_table_contains(ended, browser->caller))
        return;
    Ended *one = g_new0(Ended, 1);
    one->why = why ? g_strdup(why) : hf_browser_dup_end_reason(browser);
    one->pages = hf_browser_pages_to_json(browser, &one->last_tab);
    g_hash_table_replace(ended, g_strdup(browser->caller), one);
}

static char *describe_lost_pages(const json_t *pages)
{
    g_autoptr(GString) named = g_string_new(NULL);
    size_t index, count = json_array_size(pages);
    json_t *page;
    if (count == 0)
        return g_strdup("no page was open in it");
    g_string_append(named, count == 1 ? "its page is gone" : "its pages are gone");
    json_array_foreach (pages, index, page) {
        if (index == NAMED_PAGES) {
            g_string_append_printf(named, " and %d more", (int)(count - NAMED_PAGES));
            break;
        }
        g_autofree char *url = hf_text_shorten(hf_json_string(page, "url", ""), SHOWN_BYTES);
        g_string_append_printf(named, "%s%s", index == 0 ? ": " : ", ", url);
    }
    return g_string_free(g_steal_pointer(&named), FALSE);
}

/* FALSE with DESKTOP_UNAVAILABLE, once, if the caller's last browser has ended: why, and which
 * pages are gone. A page that is gone must not look like an empty one. */
static gboolean check_ended_browser(GHashTable *ended, const char *caller, GError **error)
{
    Ended *one = g_hash_table_lookup(ended, caller);
    if (!one || one->reported)
        return TRUE;
    one->reported = TRUE;
    g_autofree char *pages = describe_lost_pages(one->pages);
    hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE,
            "the browser %s, and %s; the next call starts it again", one->why, pages);
    hf_error_suggest(error, "open the pages again with browser_navigate; logins are kept, text "
                            "typed into pages is ended");
    hf_error_take_details(error, json_pack("{s:O}", "pages", one->pages));
    return FALSE;
}

/* ---- the table ---- */

typedef struct Entry {
    char *caller;
    HfBrowser *browser; /* NULL while it starts */
    gint64 used_us;
} Entry;

typedef struct Browsers {
    GMutex lock; /* guards the members below */
    GCond changed;
    GPtrArray *entries;   /* of Entry */
    GHashTable *ended;    /* caller → Ended */
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
    g_hash_table_unref(browsers->ended);
    json_decref(browsers->live_domains);
    g_mutex_clear(&browsers->lock);
    g_cond_clear(&browsers->changed);
    g_free(browsers);
}

static GPtrArray *dup_all(Browsers *browsers)
{
    GPtrArray *all = g_ptr_array_new_with_free_func((GDestroyNotify)hf_browser_unref);
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&browsers->lock);
    for (guint i = 0; i < browsers->entries->len; i++) {
        Entry *entry = browsers->entries->pdata[i];
        if (entry->browser)
            g_ptr_array_add(all, hf_browser_ref(entry->browser));
    }
    return all;
}

/* Whoever may look at the screen may see what is on it, in any caller's browser. */
static HfPageElements *look_at_pages(const HfCallContext *context, guint32 window, int pid,
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
        browsers->ended = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, ended_free);
        desktop->free_browsers = browsers_free;
        hf_page_provider_set(look_at_pages);
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
    record_ended_browser(browsers->ended, entry->browser, NULL);
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
    record_ended_browser(browsers->ended, entry->browser,
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

static void record_started_browser(Browsers *browsers, const char *caller, HfBrowser *browser)
{
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&browsers->lock);
    Entry *entry = find_browser_entry(browsers, caller);
    if (browser) {
        entry->browser = hf_browser_ref(browser);
        entry->used_us = g_get_monotonic_time();
        g_hash_table_remove(browsers->ended, caller);
        if (browsers->live_domains)
            hf_socks_take_live_policy(browser->socks,
                                      hf_page_policy_new_from_config(browsers->live_domains));
    } else {
        g_ptr_array_remove(browsers->entries, entry);
    }
    g_cond_broadcast(&browsers->changed);
}

static HfBrowser *start_caller_browser(HfDesktop *desktop, Browsers *browsers, const char *caller,
                                       const HfDeadline *deadline, GError **error)
{
    g_autofree char *folder = dup_folder(desktop, caller, error);
    g_mutex_lock(&browsers->lock);
    /* A new tab must not get a name that meant another page. */
    const Ended *ended = g_hash_table_lookup(browsers->ended, caller);
    HfBrowserPlan plan = {caller, folder, ended ? ended->last_tab : 0};
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
    if (!fresh && !check_ended_browser(browsers->ended, caller, error))
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
    g_autoptr(GMutexLocker) locker = g_mutex_locker_new(&browsers->lock);
    const Entry *entry = find_browser_entry(browsers, hf_json_string(walls, "caller", "unknown"));
    return entry && entry->browser && hf_browser_is_alive(entry->browser);
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
        hf_socks_take_live_policy(((HfBrowser *)all->pdata[i])->socks,
                                  hf_page_policy_new_from_config(domains));
}
