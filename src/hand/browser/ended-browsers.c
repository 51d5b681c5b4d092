/* SPDX-License-Identifier: Apache-2.0 */
/* A table by caller. The owner of the table guards it. */
#include "hand/browser/ended-browsers.h"

#include "shared/base/error.h"
#include "shared/base/limits.h"
#include "shared/text/text.h"

#define SHOWN_BYTES 200
#define NAMED_PAGES 3

typedef struct Ended {
    char *why;
    json_t *pages; /* [{tab, url}] */
    guint last_tab;
    gboolean reported;
} Ended;

struct HfEndedBrowsers {
    GHashTable *by_caller; /* → Ended */
};

static void ended_free(gpointer data)
{
    Ended *ended = data;
    g_free(ended->why);
    json_decref(ended->pages);
    g_free(ended);
}

HfEndedBrowsers *hf_ended_browsers_new(void)
{
    HfEndedBrowsers *ended = g_new0(HfEndedBrowsers, 1);
    ended->by_caller = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, ended_free);
    return ended;
}

void hf_ended_browsers_free(HfEndedBrowsers *ended)
{
    g_hash_table_unref(ended->by_caller);
    g_free(ended);
}

/* There may be many callers that never come back: beyond the limit nothing is recorded. */
void hf_ended_browsers_note(HfEndedBrowsers *ended, HfBrowser *browser, const char *why)
{
    if (g_hash_table_size(ended->by_caller) >= HF_LIMIT_LOST_BROWSERS &&
        !g_hash_table_contains(ended->by_caller, browser->caller))
        return;
    Ended *one = g_new0(Ended, 1);
    one->why = why ? g_strdup(why) : hf_browser_dup_end_reason(browser);
    one->pages = hf_browser_pages_to_json(browser, &one->last_tab);
    g_hash_table_replace(ended->by_caller, g_strdup(browser->caller), one);
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

gboolean hf_ended_browsers_check(HfEndedBrowsers *ended, const char *caller, GError **error)
{
    Ended *one = g_hash_table_lookup(ended->by_caller, caller);
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

guint hf_ended_browsers_get_last_tab(HfEndedBrowsers *ended, const char *caller)
{
    const Ended *one = g_hash_table_lookup(ended->by_caller, caller);
    return one ? one->last_tab : 0;
}

void hf_ended_browsers_forget(HfEndedBrowsers *ended, const char *caller)
{
    g_hash_table_remove(ended->by_caller, caller);
}
