/* SPDX-License-Identifier: Apache-2.0 */
/* Browsers that have ended, until their callers know: a page that is gone must not look like an
 * empty one. */
#pragma once

#include "hand/browser/browser.h"

typedef struct HfEndedBrowsers HfEndedBrowsers;

HfEndedBrowsers *hf_ended_browsers_new(void);
void hf_ended_browsers_free(HfEndedBrowsers *ended);

/* Records a browser that has ended or is about to. `why` NULL: ask its process. */
void hf_ended_browsers_note(HfEndedBrowsers *ended, HfBrowser *browser, const char *why);
/* FALSE with DESKTOP_UNAVAILABLE, once, if the caller's last browser has ended: why, and which
 * pages are gone. */
gboolean hf_ended_browsers_check(HfEndedBrowsers *ended, const char *caller, GError **error);
/* The number of its last tab, so that no new tab gets a name that meant another page. 0: none. */
guint hf_ended_browsers_get_last_tab(HfEndedBrowsers *ended, const char *caller);
/* The caller has a new browser. */
void hf_ended_browsers_forget(HfEndedBrowsers *ended, const char *caller);
