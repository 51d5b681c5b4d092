/* SPDX-License-Identifier: Apache-2.0 */
/* A browser of one caller on one desktop: its process, its way to the network, its tabs. */
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
    char *folder; /* of its own: profile, downloads and uploads under way */
    HfChromium *chromium;
    HfSocks *socks;
    HfCdp *cdp;
    gint killed; /* atomic: by a stop */
    /* Guarded by the line's lock. */
    GPtrArray *tabs; /* of HfTab */
    HfTab *current;  /* the one in front; borrowed from tabs, may be NULL */
    guint last_tab;
    json_t *closed; /* [{tab, url}] of tabs that have closed since the last call began */
    guint opened;   /* tabs so far */
    HfPagePolicy *policy;
    char *unfenced; /* what its windows showed when none was found to be blocked; NULL: not known */
    HfDownloads *downloads;
};

/* Starts one, with a tab. */
typedef struct HfBrowserPlan {
    const char *caller;
    const char *folder;
    guint last_tab; /* tabs get numbers after this one */
} HfBrowserPlan;
HfBrowser *hf_browser_start(HfDesktop *desktop, const HfBrowserPlan *plan,
                            const HfDeadline *deadline, GError **error);
HfBrowser *hf_browser_ref(HfBrowser *browser);
/* The last one ends it. */
void hf_browser_unref(HfBrowser *browser);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HfBrowser, hf_browser_unref)

gboolean hf_browser_is_alive(HfBrowser *browser);
/* At once and for good; what waits for it gets an error. */
void hf_browser_kill(HfBrowser *browser);
/* Of one that has ended: how, as the end of a sentence. */
char *hf_browser_dup_end_reason(HfBrowser *browser);
/* [{tab, url}] of what was open when the last call began or has opened since, and the number of the
 * last tab. */
json_t *hf_browser_pages_to_json(HfBrowser *browser, guint *ret_last_tab);
/* The walls of the call that is about to use it hold from now on. */
void hf_browser_take_policy(HfBrowser *browser, HfPagePolicy *take_policy);

/* PRECONDITION_FAILED when none is left, with what the last of them showed. */
gboolean hf_browser_check_open(HfBrowser *browser, GError **error);
/* By number; 0: the one in front, which is made if there is none. DESKTOP_ELEMENT_NOT_FOUND. */
HfTab *hf_browser_get_tab(HfBrowser *browser, guint number, const HfDeadline *deadline,
                          GError **error);
HfTab *hf_browser_new_tab(HfBrowser *browser, const HfDeadline *deadline, GError **error);
gboolean hf_browser_select(HfBrowser *browser, HfTab *tab, const HfDeadline *deadline,
                           GError **error);
gboolean hf_browser_close_tab(HfBrowser *browser, HfTab *tab, const HfDeadline *deadline,
                              GError **error);
/* Tabs that were opened after that many had been (browser->opened). */
HfTab *hf_browser_find_opened(HfBrowser *browser, guint after);
