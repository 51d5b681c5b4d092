/* SPDX-License-Identifier: Apache-2.0 */
/* Browsers that have ended, until their callers were told: a page that was there and is not any
 * more must not look like one that is empty. */
#pragma once

#include "hand/browser/browser.h"

typedef struct HfEndedBrowsers HfEndedBrowsers;

HfEndedBrowsers *hf_ended_browsers_new(void);
void hf_ended_browsers_free(HfEndedBrowsers *lost);

/* A browser that has ended or is about to. `why` NULL: as its process says. */
void hf_ended_browsers_note(HfEndedBrowsers *lost, HfBrowser *browser, const char *why);
/* FALSE with DESKTOP_UNAVAILABLE, once, when the caller's last one has ended: why, and which pages
 * went with it. */
gboolean hf_ended_browsers_check(HfEndedBrowsers *lost, const char *caller, GError **error);
/* The number of its last tab: no other tab gets a name that once meant another page. 0: none was
 * lost. */
guint hf_ended_browsers_get_last_tab(HfEndedBrowsers *lost, const char *caller);
/* The caller has another one now. */
void hf_ended_browsers_forget(HfEndedBrowsers *lost, const char *caller);
