/* SPDX-License-Identifier: Apache-2.0 */
/* By caller. Whoever owns the table guards it. */
#include "hand/browser/ended-browsers.h"

#include "hand/browser/browser-limits.h"
#include "shared/base/error.h"
#include "shared/text/text.h"

#define SHOWN_BYTES 200
#define MOST_NAMED  3

typedef struct Lost {
    char *why;
    json_t *pages; /* [{tab, url}] */
    guint last_tab;
    gboolean told;
} Lost;

struct HfEndedBrowsers {
    GHashTable *by_caller; /* → Lost */
};

static void lost_free(gpointer data)
{
    Lost *lost = data;
    g_free(lost->why);
    json_decref(lost->pages);
    g_free(lost);
}

HfEndedBrowsers *hf_ended_browsers_new(void)
{
    HfEndedBrowsers *lost = g_new0(HfEndedBrowsers, 1);
    lost->by_caller = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, lost_free);
    return lost;
}

void hf_ended_browsers_free(HfEndedBrowsers *lost)
{
    g_hash_table_unref(lost->by_caller);
    g_free(lost);
}

/* Callers may be many and never come back: beyond the limit they are told nothing. */
void hf_ended_browsers_note(HfEndedBrowsers *lost, HfBrowser *browser, const char *why)
{
    if (g_hash_table_size(lost->by_caller) >= HF_LIMIT_LOST_BROWSERS &&
        !g_hash_table_contains(lost->by_caller, browser->caller))
        return;
    Lost *one = g_new0(Lost, 1);
    one->why = why ? g_strdup(why) : hf_browser_dup_end_reason(browser);
    one->pages = hf_browser_pages_to_json(browser, &one->last_tab);
    g_hash_table_replace(lost->by_caller, g_strdup(browser->caller), one);
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
        if (index == MOST_NAMED) {
            g_string_append_printf(named, " and %d more", (int)(count - MOST_NAMED));
            break;
        }
        g_autofree char *url = hf_text_shorten(hf_json_string(page, "url", ""), SHOWN_BYTES);
        g_string_append_printf(named, "%s%s", index == 0 ? ": " : ", ", url);
    }
    return g_string_free(g_steal_pointer(&named), FALSE);
}

gboolean hf_ended_browsers_check(HfEndedBrowsers *lost, const char *caller, GError **error)
{
    Lost *one = g_hash_table_lookup(lost->by_caller, caller);
    if (!one || one->told)
        return TRUE;
    one->told = TRUE;
    g_autofree char *pages = describe_lost_pages(one->pages);
    hf_fail(error, HF_ERROR_DESKTOP_UNAVAILABLE,
            "the browser %s, and %s; the next call starts it again", one->why, pages);
    hf_error_suggest(error, "open again what is needed: browser_navigate; logins last, what was "
                            "typed into pages does not");
    hf_error_take_details(error, json_pack("{s:O}", "pages", one->pages));
    return FALSE;
}

guint hf_ended_browsers_get_last_tab(HfEndedBrowsers *lost, const char *caller)
{
    const Lost *one = g_hash_table_lookup(lost->by_caller, caller);
    return one ? one->last_tab : 0;
}

void hf_ended_browsers_forget(HfEndedBrowsers *lost, const char *caller)
{
    g_hash_table_remove(lost->by_caller, caller);
}
