/* Browsers that have ended, until their callers were told: a page that was there and is not any
 * more must not look like one that is empty. */
#pragma once

#include "browser/browser.h"

typedef struct HfLostBrowsers HfLostBrowsers;

HfLostBrowsers *hf_lost_new(void);
void hf_lost_free(HfLostBrowsers *lost);

/* A browser that has ended or is about to. `why` NULL: as its process says. */
void hf_lost_note(HfLostBrowsers *lost, HfBrowser *browser, const char *why);
/* FALSE with DESKTOP_UNAVAILABLE, once, when the caller's last one has ended: why, and which pages
 * went with it. */
gboolean hf_lost_check(HfLostBrowsers *lost, const char *caller, GError **error);
/* The number of its last tab: no other tab gets a name that once meant another page. 0: none was
 * lost. */
guint hf_lost_get_last_tab(HfLostBrowsers *lost, const char *caller);
/* The caller has another one now. */
void hf_lost_forget(HfLostBrowsers *lost, const char *caller);
