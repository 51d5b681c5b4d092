/* SPDX-License-Identifier: Apache-2.0 */
/* One caller's browser on one desktop: its process, its proxy and its tabs. */
#pragma once

#include "hand/browser/cdp/cdp.h"
#include "hand/browser/chromium.h"
#include "hand/browser/network/downloads.h"
#include "hand/browser/network/socks-proxy.h"
#include "hand/browser/tab.h"
#include "hand/desktop/desktop.h"

typedef struct HfBrowser HfBrowser;

struct HfBrowser {
    gatomicrefcount refs;
    char *caller;
    char *folder; /* private: profile, downloads, copies of uploads */
    HfChromium *chromium;
    HfSocks *socks;
    HfCdp *cdp;
    gint killed; /* atomic; set by a stop */
    /* Guarded by the CDP lock. */
    GPtrArray *tabs; /* of HfTab */
    HfTab *current;  /* the active tab; borrowed from tabs, may be NULL */
    guint last_tab;
    json_t *closed; /* [{tab, url}] of tabs closed since the last call began */
    guint opened;   /* how many tabs were ever opened */
    HfPagePolicy *policy;
    char *unfenced; /* what its windows showed when none was blocked; NULL: unknown */
    HfDownloads *downloads;
};

/* Starts a browser with one tab. */
typedef struct HfBrowserPlan {
    const char *caller;
    const char *folder;
    guint last_tab; /* tabs get numbers after this one */
} HfBrowserPlan;
HfBrowser *hf_browser_start(HfDesktop *desktop, const HfBrowserPlan *plan,
                            const HfDeadline *deadline, GError **error);
HfBrowser *hf_browser_ref(HfBrowser *browser);
/* Dropping the last reference ends the browser. */
void hf_browser_unref(HfBrowser *browser);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfBrowser, hf_browser_unref)

gboolean hf_browser_is_alive(HfBrowser *browser);
/* Kills it at once; waiting calls get an error. */
void hf_browser_kill(HfBrowser *browser);
/* How an ended browser has ended, to follow "the browser". */
char *hf_browser_dup_end_reason(HfBrowser *browser);
/* [{tab, url}] of the tabs that were open when the last call began or have opened since. */
json_t *hf_browser_pages_to_json(HfBrowser *browser, guint *ret_last_tab);
/* Applies the walls of the call that is about to use it. */
void hf_browser_take_policy(HfBrowser *browser, HfPagePolicy *take_policy);

/* PRECONDITION_FAILED if no tab is left, with the URL of the last one. */
gboolean hf_browser_check_open(HfBrowser *browser, GError **error);
/* By number; 0: the active tab, created if there is none. DESKTOP_ELEMENT_NOT_FOUND. */
HfTab *hf_browser_get_tab(HfBrowser *browser, guint number, const HfDeadline *deadline,
                          GError **error);
HfTab *hf_browser_new_tab(HfBrowser *browser, const HfDeadline *deadline, GError **error);
gboolean hf_browser_select(HfBrowser *browser, HfTab *tab, const HfDeadline *deadline,
                           GError **error);
gboolean hf_browser_close_tab(HfBrowser *browser, HfTab *tab, const HfDeadline *deadline,
                              GError **error);
/* The newest tab, if more than `after` were ever opened (browser->opened). */
HfTab *hf_browser_find_opened(HfBrowser *browser, guint after);

/* Asks the other tabs whether they are visible; one that does not answer soon counts as hidden. */
void hf_browser_find_active_tab(HfBrowser *browser, const HfDeadline *deadline);
